// What LLVM's pass LICM moves out of loops: for the functions in shim.h of the same name.
//
// The pass cannot be told what to leave where it is, but it leaves volatile accesses there. So what is held is volatile
// for as long as the pass runs on the loop.
//
// It takes the line from what it moves, and what it makes in the place of several accesses has none or that of all of them. So
// the lines of a loop's accesses are noted before the pass runs and given back after it.
#include "motion.h"

#include <llvm-c/Core.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/MustExecute.h>
#include <llvm/IR/DebugLoc.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/ValueHandle.h>

#include <optional>

using namespace llvm;

#if GOLDILOCKS_LLVM_MAJOR < 22
// What tells the type of a pass's unit is the compiler's, not a copy of our own. Later versions declare that themselves.
extern template struct __attribute__((visibility("default"))) llvm::Any::TypeId<const Loop *>;
#endif

// Most loops are never asked anything that needs dominance.
struct goldilocks_entered {
  const Loop &L;
  struct Analysis {
    DominatorTree DT;
    SimpleLoopSafetyInfo Safety;
  };
  std::optional<Analysis> Known;
};

namespace {

struct Lined {
  WeakVH Access;
  DebugLoc Line;
};

// A variable that the pass may keep in a register, and the lines of the read before the loop and of the write behind it.
struct Kept {
  WeakVH Base;
  int64_t Offset;
  DebugLoc Read, Write;
};

// A link-time optimizer runs the pass in several threads, each on a module of its own.
thread_local SmallVector<WeakTrackingVH, 8> Held;
thread_local SmallVector<Lined, 16> LinesBefore;
thread_local SmallVector<Kept, 8> KeptBefore;
// Where the loop is entered from and what it is left to, and the accesses that were there before.
thread_local SmallVector<WeakVH, 4> Around;
thread_local SmallPtrSet<const Instruction *, 16> AroundBefore;

const Loop *movedOutOf(StringRef Pass, Any Unit) {
  auto *L = Pass == "LICMPass" ? any_cast<const Loop *>(&Unit) : nullptr;
  return L ? *L : nullptr;
}

bool isAccess(const Instruction &I) { return isa<LoadInst>(I) || isa<StoreInst>(I); }

bool hasNoLine(const Instruction &I) { return !I.getDebugLoc() || I.getDebugLoc().getLine() == 0; }

void noteAround(const Loop &L) {
  SmallVector<BasicBlock *, 4> Blocks;
  L.getUniqueExitBlocks(Blocks);
  if (BasicBlock *Preheader = L.getLoopPreheader())
    Blocks.push_back(Preheader);
  for (BasicBlock *B : Blocks) {
    Around.emplace_back(B);
    for (Instruction &I : *B)
      if (isAccess(I))
        AroundBefore.insert(&I);
  }
}

void giveLinesBack() {
  SmallPtrSet<const Instruction *, 16> Moved;
  for (Lined &L : LinesBefore)
    if (auto *I = dyn_cast_or_null<Instruction>(static_cast<Value *>(L.Access))) {
      Moved.insert(I);
      if (hasNoLine(*I))
        I->setDebugLoc(L.Line);
    }
  for (WeakVH &Block : Around)
    if (auto *B = dyn_cast_or_null<BasicBlock>(static_cast<Value *>(Block)))
      for (Instruction &I : *B) {
        if (!isAccess(I) || AroundBefore.contains(&I) || Moved.contains(&I))
          continue;
        int64_t Offset = 0;
        Value *Base = unwrap(goldilocks_constant_offset(wrap(getLoadStorePointerOperand(&I)), &Offset));
        // Older versions give it any line of those accesses.
        for (Kept &K : KeptBefore)
          if (Base == K.Base && Offset == K.Offset)
            I.setDebugLoc(isa<LoadInst>(I) ? K.Read : K.Write);
      }
  LinesBefore.clear();
  KeptBefore.clear();
  Around.clear();
  AroundBefore.clear();
}

void release(StringRef Pass) {
  if (Pass != "LICMPass")
    return;
  giveLinesBack();
  for (WeakTrackingVH &Store : Held)
    if (auto *S = dyn_cast_or_null<StoreInst>(Store))
      S->setVolatile(false);
  Held.clear();
}

} // namespace

void watchMotion(PassInstrumentationCallbacks &Callbacks, goldilocks_before_motion Before) {
  Callbacks.registerBeforeNonSkippedPassCallback([Before](StringRef Pass, Any Unit) {
    if (const Loop *L = movedOutOf(Pass, Unit)) {
      goldilocks_entered Entered{*L, std::nullopt};
      Before(wrap(L->getHeader()->getParent()), &Entered);
    }
  });
  // Ahead of what others do there, such as to print or to verify.
  Callbacks.registerAfterPassCallback([](StringRef Pass, Any, const PreservedAnalyses &) { release(Pass); },
                                      /*ToFront=*/true);
  Callbacks.registerAfterPassInvalidatedCallback([](StringRef Pass, const PreservedAnalyses &) { release(Pass); },
                                                 /*ToFront=*/true);
}

void goldilocks_entered_blocks(goldilocks_entered_ref Entered, void (*Visit)(void *, LLVMBasicBlockRef),
                               void *Context) {
  for (BasicBlock *B : Entered->L.blocks())
    Visit(Context, wrap(B));
}

bool goldilocks_is_entered(goldilocks_entered_ref Entered, LLVMValueRef Instruction) {
  if (!Entered->Known) {
    Entered->Known.emplace();
    Entered->Known->DT.recalculate(*Entered->L.getHeader()->getParent());
    Entered->Known->Safety.computeLoopSafetyInfo(&Entered->L);
  }
  return Entered->Known->Safety.isGuaranteedToExecute(*cast<llvm::Instruction>(unwrap(Instruction)),
                                                      &Entered->Known->DT, &Entered->L);
}

void goldilocks_hold(LLVMValueRef Store) {
  auto *S = cast<StoreInst>(unwrap(Store));
  if (S->isVolatile())
    return;
  S->setVolatile(true);
  Held.push_back(S);
}

void goldilocks_keep_line(LLVMValueRef Access) {
  auto *I = cast<Instruction>(unwrap(Access));
  LinesBefore.push_back({WeakVH(I), I->getDebugLoc()});
}

void goldilocks_keep_lines_of(goldilocks_entered_ref Entered, LLVMValueRef Base, int64_t Offset, LLVMValueRef Read,
                              LLVMValueRef Write) {
  if (KeptBefore.empty())
    noteAround(Entered->L);
  auto Line = [](LLVMValueRef V) { return V ? cast<Instruction>(unwrap(V))->getDebugLoc() : DebugLoc(); };
  KeptBefore.push_back({WeakVH(unwrap(Base)), Offset, Line(Read), Line(Write)});
}
