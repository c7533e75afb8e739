// What a module needs to be compiled again outside of its compiler, for the functions in shim.h of the same name.
#include "shim.h"

#include <llvm-c/TargetMachine.h>
#include <llvm/Bitcode/BitcodeWriter.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/MemoryBufferRef.h>
#include <llvm/Target/TargetMachine.h>

using namespace llvm;

void goldilocks_section_per_symbol(LLVMTargetMachineRef Machine) {
  auto *M = reinterpret_cast<TargetMachine *>(Machine);
  M->Options.FunctionSections = true;
  M->Options.DataSections = true;
}

void goldilocks_embed_bitcode(LLVMModuleRef M) {
  embedBitcodeInModule(*unwrap(M), MemoryBufferRef(), /*EmbedBitcode=*/true, /*EmbedCmdline=*/true, {});
}
