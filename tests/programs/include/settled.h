// A word that two threads use, one after the other, and that nobody else knows of; between them the second one uses so many others, in
// one sync epoch after the other, that the detector looks for what it can forget.
#pragma once

#include <pthread.h>

#include "invisible.h"

static struct {
    _Alignas(8) volatile int value;
    volatile int beside;
} word, others[64];

static volatile int seen;

static pthread_mutex_t own = PTHREAD_MUTEX_INITIALIZER;

static void *use_second(void *unused) {
    for (int i = 0; i < 64; i++) {
        others[i].value = 1;
        pthread_mutex_lock(&own);
        pthread_mutex_unlock(&own);
        others[i].beside = 1;
    }
    word.beside = 1;
    return unused;
}

// The first thread joins the caller by then.
static void use_by_both(void) {
    invisible_pause(20);
    word.value = 1;
    pthread_t other;
    pthread_create(&other, 0, use_second, 0);
    pthread_join(other, 0);
}
