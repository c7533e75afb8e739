// What of strings libc++ takes from its shared library, where it is not instrumented: nothing. See bits/c++config.h, which is the same for libstdc++.

#pragma GCC system_header

#if __has_include_next(<__cxx03/__string/extern_template_lists.h>)
#include_next <__cxx03/__string/extern_template_lists.h>
#endif

#undef _LIBCPP_STRING_V1_EXTERN_TEMPLATE_LIST
#undef _LIBCPP_STRING_UNSTABLE_EXTERN_TEMPLATE_LIST
#define _LIBCPP_STRING_V1_EXTERN_TEMPLATE_LIST(Declare, Character)
#define _LIBCPP_STRING_UNSTABLE_EXTERN_TEMPLATE_LIST(Declare, Character)
