// A cast to a derived class reads the pointer to the virtual table, which the end of the object writes.
// EXPECT: #0 is_other
// EXPECT: #[0-9] +(Base::~Base|Derived::~Derived|~Base|main)
#define RACE
#include "dynamic_cast.h"
