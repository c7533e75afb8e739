// What LLVM makes of masked loads: for the functions in shim.h of the same name.
//
// InstCombine loads all lanes where it knows that the memory is there, also those that the program does not read, even in a function with the
// attribute `sanitize_thread`. It asks what the address points to, so for as long as the pass runs the address is what an empty assembly statement says.
#include "masked.h"

#include <llvm-c/Core.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/ValueHandle.h>

using namespace llvm;

#if GOLDILOCKS_LLVM_MAJOR < 22
// As in motion.cc.
extern template struct __attribute__((visibility("default"))) llvm::Any::TypeId<const Function *>;
#endif

namespace {

constexpr StringRef Simplifying = "InstCombinePass";

// A link-time optimizer runs the pass in several threads, each on a module of its own.
thread_local SmallVector<WeakTrackingVH, 8> Hidden;

void show(StringRef Pass) {
  if (Pass != Simplifying)
    return;
  for (WeakTrackingVH &Address : Hidden)
    if (auto *Call = dyn_cast_or_null<CallInst>(Address); Call && Call->isInlineAsm()) {
      Call->replaceAllUsesWith(Call->getArgOperand(0));
      Call->eraseFromParent();
    }
  Hidden.clear();
}

} // namespace

void watchSimplification(PassInstrumentationCallbacks &Callbacks, goldilocks_before_simplification Before) {
  Callbacks.registerBeforeNonSkippedPassCallback([Before](StringRef Pass, Any Unit) {
    if (Pass != Simplifying)
      return;
    if (auto *F = any_cast<const Function *>(&Unit))
      Before(wrap(*F));
  });
  // Ahead of what others do there, as in motion.cc.
  Callbacks.registerAfterPassCallback([](StringRef Pass, Any, const PreservedAnalyses &) { show(Pass); },
                                      /*ToFront=*/true);
  Callbacks.registerAfterPassInvalidatedCallback([](StringRef Pass, const PreservedAnalyses &) { show(Pass); },
                                                 /*ToFront=*/true);
}

void goldilocks_hide_address(LLVMValueRef Load) {
  auto *Call = cast<CallInst>(unwrap(Load));
  Value *Address = Call->getArgOperand(0);
  auto *Type = FunctionType::get(Address->getType(), {Address->getType()}, false);
  IRBuilder<> Builder(Call);
  CallInst *Same = Builder.CreateCall(InlineAsm::get(Type, "", "=r,0", /*hasSideEffects=*/false), {Address});
  Same->setDoesNotAccessMemory();
  Same->setDoesNotThrow();
  Same->addFnAttr(Attribute::WillReturn);
  Call->setArgOperand(0, Same);
  Hidden.emplace_back(Same);
}
