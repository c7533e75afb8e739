// What a debugger can call in the runtime while a report is made, declared by hand: no header has it.
#pragma once
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
void __tsan_on_report(void *report);
void *__tsan_get_current_report(void);
int __tsan_get_report_data(void *report, const char **description, int *count, int *stacks, int *accesses, int *locations,
                           int *locks, int *threads, int *unique_threads, void **sleep, uintptr_t room);
int __tsan_get_report_tag(void *report, uintptr_t *tag);
int __tsan_get_report_stack(void *report, uintptr_t index, void **trace, uintptr_t room);
int __tsan_get_report_mop(void *report, uintptr_t index, int *thread, void **addr, int *size, int *write, int *atomic,
                          void **trace, uintptr_t room);
int __tsan_get_report_loc(void *report, uintptr_t index, const char **kind, void **addr, uintptr_t *start, uintptr_t *size,
                          int *thread, int *descriptor, int *suppressable, void **trace, uintptr_t room);
int __tsan_get_report_mutex(void *report, uintptr_t index, uintptr_t *number, void **addr, int *destroyed, void **trace,
                            uintptr_t room);
int __tsan_get_report_thread(void *report, uintptr_t index, int *thread, unsigned long long *os_thread, int *running,
                             const char **name, int *parent, void **trace, uintptr_t room);
int __tsan_get_report_unique_tid(void *report, uintptr_t index, int *thread);
const char *__tsan_locate_address(uintptr_t addr, char *name, uintptr_t room, uintptr_t *start, uintptr_t *size);
int __tsan_get_alloc_stack(uintptr_t addr, uintptr_t *trace, uintptr_t room, int *thread, unsigned *os_thread);
#ifdef __cplusplus
}
#endif
