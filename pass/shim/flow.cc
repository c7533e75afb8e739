// Dominance, loops and scalar evolution, for the functions in shim.h of the same name.
#include "shim.h"

#include <llvm-c/Core.h>
#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/LoopUtils.h>
#include <llvm/Transforms/Utils/ScalarEvolutionExpander.h>

using namespace llvm;

// Members are constructed in this order, each from those before it. Scalar evolution comes after the loops have got
// their preheaders: it does not know a variable whose start comes from several blocks.
struct goldilocks_flow {
  DominatorTree DT;
  LoopInfo LI;
  AssumptionCache AC;
  TargetLibraryInfoImpl Library;
  TargetLibraryInfo TLI;
  ScalarEvolution SE;
  SCEVExpander Expander;

  explicit goldilocks_flow(Function &F)
      : DT(F), LI(withPreheaders(DT)), AC(F),
#if GOLDILOCKS_LLVM_MAJOR >= 21
        Library(F.getParent()->getTargetTriple()),
#else
        Library(Triple(F.getParent()->getTargetTriple())),
#endif
        TLI(Library, &F), SE(F, TLI, AC, DT, LI),
#if GOLDILOCKS_LLVM_MAJOR >= 22
        Expander(SE, "goldilocks", /*PreserveLCSSA=*/false)
#else
        Expander(SE, F.getParent()->getDataLayout(), "goldilocks", /*PreserveLCSSA=*/false)
#endif
  {
  }

  static LoopInfo withPreheaders(DominatorTree &DT) {
    LoopInfo LI(DT);
    for (Loop *L : LI.getLoopsInPreorder())
      if (!L->getLoopPreheader())
        InsertPreheaderForLoop(L, &DT, &LI, nullptr, /*PreserveLCSSA=*/false);
    return LI;
  }
};

static Loop *unwrap(goldilocks_loop_ref L) { return reinterpret_cast<Loop *>(L); }
static goldilocks_loop_ref wrap(Loop *L) { return reinterpret_cast<goldilocks_loop_ref>(L); }
static const SCEV *unwrap(goldilocks_scev_ref S) { return reinterpret_cast<const SCEV *>(S); }
static goldilocks_scev_ref wrap(const SCEV *S) {
  return reinterpret_cast<goldilocks_scev_ref>(const_cast<SCEV *>(S));
}

goldilocks_flow_ref goldilocks_flow_open(LLVMValueRef F) {
  return new goldilocks_flow(*cast<Function>(unwrap(F)));
}

void goldilocks_flow_close(goldilocks_flow_ref Flow) { delete Flow; }

bool goldilocks_dominates(goldilocks_flow_ref Flow, LLVMBasicBlockRef A, LLVMBasicBlockRef B) {
  return Flow->DT.dominates(unwrap(A), unwrap(B));
}

LLVMBasicBlockRef goldilocks_common_dominator(goldilocks_flow_ref Flow, LLVMBasicBlockRef A, LLVMBasicBlockRef B) {
  return wrap(Flow->DT.findNearestCommonDominator(unwrap(A), unwrap(B)));
}

bool goldilocks_is_reachable(goldilocks_flow_ref Flow, LLVMBasicBlockRef B) {
  return Flow->DT.isReachableFromEntry(unwrap(B));
}

void goldilocks_loops(goldilocks_flow_ref Flow, void (*Visit)(void *, goldilocks_loop_ref), void *Context) {
  SmallVector<Loop *, 4> Loops = Flow->LI.getLoopsInPreorder();
  for (Loop *L : reverse(Loops))
    Visit(Context, wrap(L));
}

goldilocks_loop_ref goldilocks_loop_of(goldilocks_flow_ref Flow, LLVMBasicBlockRef B) {
  return wrap(Flow->LI.getLoopFor(unwrap(B)));
}

goldilocks_loop_ref goldilocks_loop_parent(goldilocks_loop_ref L) { return wrap(unwrap(L)->getParentLoop()); }

LLVMBasicBlockRef goldilocks_loop_preheader(goldilocks_loop_ref L) { return wrap(unwrap(L)->getLoopPreheader()); }

LLVMBasicBlockRef goldilocks_loop_latch(goldilocks_loop_ref L) { return wrap(unwrap(L)->getLoopLatch()); }

void goldilocks_loop_blocks(goldilocks_loop_ref L, void (*Visit)(void *, LLVMBasicBlockRef), void *Context) {
  for (BasicBlock *B : unwrap(L)->blocks())
    Visit(Context, wrap(B));
}

void goldilocks_loop_exits(goldilocks_loop_ref L, void (*Visit)(void *, LLVMBasicBlockRef), void *Context) {
  SmallVector<BasicBlock *, 4> Exiting;
  unwrap(L)->getExitingBlocks(Exiting);
  for (BasicBlock *B : Exiting)
    Visit(Context, wrap(B));
}

// How often a loop goes back whose only way out is where a number that moves by a power of two in each round has a given value. Scalar evolution asks for a
// proof that it ever has it, for which an unrolled loop's number is mostly too narrow (it is compared as what the source has); a loop that it passes
// would never end.
static const SCEV *untilEqual(ScalarEvolution &SE, Loop *L) {
  const SCEV *Unknown = SE.getCouldNotCompute();
  BasicBlock *Exiting = L->getExitingBlock();
  auto *Branch = Exiting ? dyn_cast<BranchInst>(Exiting->getTerminator()) : nullptr;
  auto *Compare = Branch && Branch->isConditional() ? dyn_cast<ICmpInst>(Branch->getCondition()) : nullptr;
  if (Exiting != L->getLoopLatch() || !Compare || !Compare->isEquality() || !SE.isSCEVable(Compare->getOperand(0)->getType()))
    return Unknown;
  bool LeavesIfTrue = !L->contains(Branch->getSuccessor(0));
  if (LeavesIfTrue != (Compare->getPredicate() == ICmpInst::ICMP_EQ))
    return Unknown;
  const SCEV *Moving = SE.getSCEVAtScope(Compare->getOperand(0), L), *Last = SE.getSCEVAtScope(Compare->getOperand(1), L);
  if (!isa<SCEVAddRecExpr>(Moving))
    std::swap(Moving, Last);
  auto *Number = dyn_cast<SCEVAddRecExpr>(Moving);
  if (!Number || Number->getLoop() != L || !Number->isAffine() || !Number->getType()->isIntegerTy() || !SE.isLoopInvariant(Last, L))
    return Unknown;
  auto *Step = dyn_cast<SCEVConstant>(Number->getStepRecurrence(SE));
  if (!Step || !Step->getAPInt().abs().isPowerOf2())
    return Unknown;
  bool Falls = Step->getAPInt().isNegative();
  const SCEV *Start = Number->getStart();
  const SCEV *Way = Falls ? SE.getMinusSCEV(Start, Last) : SE.getMinusSCEV(Last, Start);
  return SE.getUDivExpr(Way, SE.getConstant(Step->getAPInt().abs()));
}

goldilocks_scev_ref goldilocks_loop_repeats(goldilocks_flow_ref Flow, goldilocks_loop_ref L) {
  ScalarEvolution &SE = Flow->SE;
  const SCEV *Count = SE.getBackedgeTakenCount(unwrap(L));
  if (isa<SCEVCouldNotCompute>(Count))
    Count = untilEqual(SE, unwrap(L));
  if (isa<SCEVCouldNotCompute>(Count) || SE.getTypeSizeInBits(Count->getType()) > 64)
    return nullptr;
  return wrap(SE.getNoopOrZeroExtend(Count, Type::getInt64Ty(SE.getContext())));
}

goldilocks_scev_ref goldilocks_scev_of(goldilocks_flow_ref Flow, LLVMValueRef V) {
  Value *Of = unwrap(V);
  return Flow->SE.isSCEVable(Of->getType()) ? wrap(Flow->SE.getSCEV(Of)) : nullptr;
}

goldilocks_scev_ref goldilocks_scev_number(goldilocks_flow_ref Flow, int64_t Number) {
  return wrap(Flow->SE.getConstant(Type::getInt64Ty(Flow->SE.getContext()), Number, /*isSigned=*/true));
}

goldilocks_scev_ref goldilocks_scev_sum(goldilocks_flow_ref Flow, goldilocks_scev_ref A, goldilocks_scev_ref B) {
  return wrap(Flow->SE.getAddExpr(unwrap(A), unwrap(B)));
}

goldilocks_scev_ref goldilocks_scev_product(goldilocks_flow_ref Flow, goldilocks_scev_ref A, goldilocks_scev_ref B) {
  return wrap(Flow->SE.getMulExpr(unwrap(A), unwrap(B)));
}

bool goldilocks_scev_difference(goldilocks_flow_ref Flow, goldilocks_scev_ref A, goldilocks_scev_ref B,
                                int64_t *Difference) {
  const SCEV *D = Flow->SE.getMinusSCEV(unwrap(A), unwrap(B));
  return !isa<SCEVCouldNotCompute>(D) && goldilocks_scev_is_number(wrap(D), Difference);
}

bool goldilocks_scev_is_number(goldilocks_scev_ref S, int64_t *Number) {
  auto *C = dyn_cast<SCEVConstant>(unwrap(S));
  if (!C || C->getAPInt().getSignificantBits() > 64)
    return false;
  *Number = C->getAPInt().getSExtValue();
  return true;
}

bool goldilocks_scev_is_invariant(goldilocks_flow_ref Flow, goldilocks_scev_ref S, goldilocks_loop_ref L) {
  return Flow->SE.isLoopInvariant(unwrap(S), unwrap(L));
}

bool goldilocks_scev_is_affine(goldilocks_flow_ref Flow, goldilocks_scev_ref S, goldilocks_loop_ref L,
                               goldilocks_scev_ref *Start, goldilocks_scev_ref *Step) {
  auto *A = dyn_cast<SCEVAddRecExpr>(unwrap(S));
  if (!A || A->getLoop() != unwrap(L) || !A->isAffine())
    return false;
  *Start = wrap(A->getStart());
  *Step = wrap(A->getStepRecurrence(Flow->SE));
  return true;
}

bool goldilocks_scev_is_expandable(goldilocks_flow_ref Flow, goldilocks_scev_ref S, LLVMValueRef Before) {
  return Flow->Expander.isSafeToExpandAt(unwrap(S), cast<Instruction>(unwrap(Before)));
}

LLVMValueRef goldilocks_scev_expand(goldilocks_flow_ref Flow, goldilocks_scev_ref S, LLVMValueRef Before) {
  return wrap(Flow->Expander.expandCodeFor(unwrap(S), unwrap(S)->getType(), cast<Instruction>(unwrap(Before))));
}

bool goldilocks_loop_can_double(goldilocks_flow_ref Flow, goldilocks_loop_ref Handle) {
  Loop *L = unwrap(Handle);
  if (!L->isSafeToClone())
    return false;
  formDedicatedExitBlocks(L, &Flow->DT, &Flow->LI, nullptr, /*PreserveLCSSA=*/false);
  return L->hasDedicatedExits();
}

void goldilocks_loop_double(goldilocks_flow_ref Flow, goldilocks_loop_ref Handle, LLVMValueRef Condition) {
  Loop *L = unwrap(Handle);
  DominatorTree &DT = Flow->DT;
  // What is used after the loop goes through its exits, where the copy's joins it.
  formLCSSARecursively(*L, DT, &Flow->LI, nullptr);
  BasicBlock *Fork = L->getLoopPreheader();
  BasicBlock *Checked = SplitBlock(Fork, Fork->getTerminator(), &DT, &Flow->LI);
  ValueToValueMapTy Copies;
  SmallVector<BasicBlock *, 16> Blocks;
  cloneLoopWithPreheader(Checked, Fork, L, Copies, ".alone", &Flow->LI, &DT, Blocks);
  remapInstructionsInBlocks(Blocks, Copies);
  SmallVector<BasicBlock *, 4> Exits;
  L->getUniqueExitBlocks(Exits);
  for (BasicBlock *Exit : Exits)
    for (PHINode &Phi : Exit->phis())
      for (unsigned N = 0, End = Phi.getNumIncomingValues(); N != End; ++N) {
        Value *V = Phi.getIncomingValue(N);
        Value *Copy = Copies.lookup(V);
        Phi.addIncoming(Copy ? Copy : V, cast<BasicBlock>(Copies.lookup(Phi.getIncomingBlock(N))));
      }
  Instruction *End = Fork->getTerminator();
  auto *Alone = cast<BasicBlock>(Copies.lookup(Checked));
  BranchInst *Branch = BranchInst::Create(Checked, Alone, llvm::unwrap(Condition), End->getIterator());
  Branch->setDebugLoc(End->getDebugLoc());
  End->eraseFromParent();
  DT.recalculate(*Fork->getParent());
}
