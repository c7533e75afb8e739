// Properties of modules, for the functions in shim.h of the same name.
#include "shim.h"

#include <llvm-c/Core.h>
#include <llvm/IR/GlobalValue.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/ModuleUtils.h>

using namespace llvm;

unsigned goldilocks_pic_level(LLVMModuleRef M) { return unwrap(M)->getPICLevel(); }

unsigned goldilocks_pie_level(LLVMModuleRef M) { return unwrap(M)->getPIELevel(); }

void goldilocks_append_to_used(LLVMModuleRef M, LLVMValueRef Global) {
  appendToUsed(*unwrap(M), {cast<GlobalValue>(unwrap(Global))});
}
