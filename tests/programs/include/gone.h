// The end of threads, as the kernel sees it: nothing of the thread runs any more, and nothing was synchronized.
#pragma once
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "invisible.h"

// The calling thread's number, to wait for.
INVISIBLE int thread_number(void) {
    long number;
    __asm__ volatile("syscall" : "=a"(number) : "a"((long)SYS_gettid) : "rcx", "r11", "memory");
    return (int)number;
}

// Waits until the thread with this number has ended.
INVISIBLE void wait_until_gone(int process, int number) {
    long error;
    do {
        invisible_pause(1);
        __asm__ volatile("syscall"
                         : "=a"(error)
                         : "a"((long)SYS_tgkill), "D"((long)process), "S"((long)number), "d"(0L)
                         : "rcx", "r11", "memory");
    } while (error == 0);
}
