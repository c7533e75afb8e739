// What a module needs to be compiled again outside of its compiler, for the functions in shim.h of the same name.
#include "shim.h"

#include <llvm-c/TargetMachine.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/BlockFrequencyInfo.h>
#include <llvm/Analysis/ModuleSummaryAnalysis.h>
#include <llvm/Analysis/ProfileSummaryInfo.h>
#include <llvm/Bitcode/BitcodeWriter.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/ModuleSummaryIndex.h>
#include <llvm/Support/MemoryBufferRef.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Target/TargetMachine.h>

using namespace llvm;

void goldilocks_section_per_symbol(LLVMTargetMachineRef Machine) {
  auto *M = reinterpret_cast<TargetMachine *>(Machine);
  M->Options.FunctionSections = true;
  M->Options.DataSections = true;
}

void goldilocks_embed_bitcode(LLVMModuleRef M) {
  // With a summary, which thin link-time optimization looks every definition up in.
  Module &Whole = *unwrap(M);
  ProfileSummaryInfo Profile(Whole);
  ModuleSummaryIndex Index =
      buildModuleSummaryIndex(Whole, [](const Function &) -> BlockFrequencyInfo * { return nullptr; }, &Profile);
  SmallVector<char, 0> Bitcode;
  raw_svector_ostream Out(Bitcode);
  WriteBitcodeToFile(Whole, Out, /*ShouldPreserveUseListOrder=*/false, &Index, /*GenerateHash=*/true);
  MemoryBufferRef Buffer(StringRef(Bitcode.data(), Bitcode.size()), "");
  embedBitcodeInModule(Whole, Buffer, /*EmbedBitcode=*/true, /*EmbedCmdline=*/true, {});
}
