// What LLVM's pass LICM moves out of loops: for the functions in shim.h of the same name.
//
// The pass cannot be told what to leave where it is, but it leaves volatile accesses there. So what is held is volatile
// for as long as the pass runs on the loop.
#include "motion.h"

#include <llvm-c/Core.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/MustExecute.h>
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

// A link-time optimizer runs the pass in several threads, each on a module of its own.
thread_local SmallVector<WeakTrackingVH, 8> Held;

const Loop *movedOutOf(StringRef Pass, Any Unit) {
  auto *L = Pass == "LICMPass" ? any_cast<const Loop *>(&Unit) : nullptr;
  return L ? *L : nullptr;
}

void release(StringRef Pass) {
  if (Pass != "LICMPass")
    return;
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
