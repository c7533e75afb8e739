// Between plugin.cc and motion.cc.
#ifndef GOLDILOCKS_MOTION_H
#define GOLDILOCKS_MOTION_H

#include "shim.h"

#include <llvm/IR/PassInstrumentation.h>

// Has `Before` called before each time that LLVM moves code out of a loop.
void watchMotion(llvm::PassInstrumentationCallbacks &Callbacks, goldilocks_before_motion Before);

#endif
