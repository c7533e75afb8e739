// Between plugin.cc and masked.cc.
#ifndef GOLDILOCKS_MASKED_H
#define GOLDILOCKS_MASKED_H

#include "shim.h"

#include <llvm/IR/PassInstrumentation.h>

// Has `Before` called before each time that LLVM simplifies the instructions of a function.
void watchSimplification(llvm::PassInstrumentationCallbacks &Callbacks, goldilocks_before_simplification Before);

#endif
