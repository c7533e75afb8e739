// Structures of signals.
#include "rows.h"

#include <signal.h>

#define SET sizeof(sigset_t)
#define S(p) ((sigset_t *)(p))
ROW(sigemptyset, NOTHING, sigemptyset(S(a)), W(a, SET))
ROW(sigfillset, NOTHING, sigfillset(S(a)), W(a, SET))
ROW(sigaddset, fill(a, 0, SET), sigaddset(S(a), 1), W(a, SET))
ROW(sigdelset, fill(a, 0, SET), sigdelset(S(a), 1), W(a, SET))
ROW(sigprocmask, fill(a, 0, SET), sigprocmask(SIG_BLOCK, S(a), S(b)), (R(a, SET), W(b, SET)))
ROW(pthread_sigmask, fill(a, 0, SET), pthread_sigmask(SIG_BLOCK, S(a), S(b)), (R(a, SET), W(b, SET)))
ROW(sigpending, NOTHING, sigpending(S(a)), W(a, SET))
ROW(sigaltstack, bytes(a, &(stack_t){.ss_flags = SS_DISABLE}, sizeof(stack_t)), sigaltstack((stack_t *)a, (stack_t *)b), (R(a, sizeof(stack_t)), W(b, sizeof(stack_t))))
ROW(sigaction, bytes(a, &(struct sigaction){.sa_handler = SIG_IGN}, sizeof(struct sigaction)), sigaction(SIGUSR1, (struct sigaction *)a, (struct sigaction *)b), (R(a, sizeof(struct sigaction)), W(b, sizeof(struct sigaction))))

MAIN
