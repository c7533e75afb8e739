// As `norace/annotation_static_lock`, of a lock whose constructor has said that it is none of the static ones.
// EXPECT: destr
#include <sanitizer/tsan_interface.h>
static const unsigned not_static = 1 << 8;
static long it;

int main(void) {
    __tsan_mutex_create(&it, not_static);
    __tsan_mutex_pre_lock(&it, 0);
    __tsan_mutex_post_lock(&it, 0, 0);
    __tsan_mutex_destroy(&it, not_static);
    return 0;
}
