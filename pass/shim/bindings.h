// What bindgen binds: LLVM's C API, and the shim.
#include <llvm-c/Analysis.h>
#include <llvm-c/Comdat.h>
#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>
#include <llvm-c/Target.h>

#include "shim.h"
