// std::sort of plain numbers, which libc++ has in its shared library, where it would not be seen what is compared and moved.
//
// The names are those of std::__1::__sort<std::__1::__less<T, T>&, T*>(T*, T*, std::__1::__less<T, T>&), whose last argument is an empty object. How equal numbers
// are ordered cannot be told, so that it is done by the library that this is compiled with; but for zeroes of both signs, whose order is nobody's promise.

#include <algorithm>

namespace {

// A type of this file's own, so that what is made of the library's templates is, too.
struct Less {
    template <class T> bool operator()(const T &one, const T &other) const {
        return one < other;
    }
};

} // namespace

#define SORT(type, letter)                                                                                     \
    extern "C" void goldilocks_sort_##letter(type *first, type *end, void *)                                   \
        asm("_ZNSt3__16__sortIRNS_6__lessI" #letter #letter "EEP" #letter "EEvT0_S5_T_");                        \
    void goldilocks_sort_##letter(type *first, type *end, void *) {                                            \
        std::sort(first, end, Less());                                                                        \
    }

SORT(char, c)
SORT(signed char, a)
SORT(unsigned char, h)
SORT(wchar_t, w)
SORT(short, s)
SORT(unsigned short, t)
SORT(int, i)
SORT(unsigned, j)
SORT(long, l)
SORT(unsigned long, m)
SORT(long long, x)
SORT(unsigned long long, y)
SORT(float, f)
SORT(double, d)
SORT(long double, e)
