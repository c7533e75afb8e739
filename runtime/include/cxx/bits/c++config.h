// libstdc++'s configuration, found before its own header of this name (`cc-wrapper/src/plan.rs`), which it includes.
//
// Up to C++17 strings' functions are taken from the shared library, where they are not instrumented: what one thread does to a string while another one uses it
// would not be seen. From C++20 on they are compiled with what uses them, as they are when libstdc++'s assertions are on, which it says in this way.
// Streams stay in the library: their standard objects may be used by several threads ([iostream.objects]).

#pragma GCC system_header

#if __has_include_next(<bits/c++config.h>)
#include_next <bits/c++config.h>
#endif

#if defined(_GLIBCXX_EXTERN_TEMPLATE) && _GLIBCXX_EXTERN_TEMPLATE > 0
#undef _GLIBCXX_EXTERN_TEMPLATE
#define _GLIBCXX_EXTERN_TEMPLATE -1
#endif
