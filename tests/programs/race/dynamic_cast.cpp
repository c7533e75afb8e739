// A cast to a derived class reads the pointer to the virtual table, which the end of the object writes.
// EXPECT: #0 is_other
// EXPECT: #0 [^\n]*(is_other|~Derived|~Base)[^\n]*\n(?:[^\n]*\n)*? +Earlier [^\n]*\n +#0 is_other
#define RACE
#include "dynamic_cast.h"
