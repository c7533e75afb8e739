// Changes to functions, for the functions in shim.h of the same name.
#include "shim.h"

#include <llvm-c/Core.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

using namespace llvm;

LLVMValueRef goldilocks_split_unlikely(LLVMValueRef Condition, LLVMValueRef Before) {
  auto *I = cast<Instruction>(unwrap(Before));
  MDNode *Weights = MDBuilder(I->getContext()).createUnlikelyBranchWeights();
  return wrap(SplitBlockAndInsertIfThen(unwrap(Condition), I->getIterator(), /*Unreachable=*/false, Weights));
}

void goldilocks_mark(LLVMValueRef Marked, const char *Kind, size_t Length) {
  auto *I = cast<Instruction>(unwrap(Marked));
  I->setMetadata(StringRef(Kind, Length), MDNode::get(I->getContext(), {}));
}

void goldilocks_gather_allocas(LLVMValueRef F) {
  BasicBlock &Entry = cast<Function>(unwrap(F))->getEntryBlock();
  BasicBlock::iterator Top = Entry.begin();
  while (isa<AllocaInst>(*Top))
    ++Top;
  for (Instruction &I : make_early_inc_range(make_range(Top, Entry.end())))
    if (auto *Alloca = dyn_cast<AllocaInst>(&I); Alloca && isa<Constant>(Alloca->getArraySize()))
      Alloca->moveBefore(Entry, Top);
}
