// Registers the pass with LLVM's pass builder, in every version that is supported.
#include "masked.h"
#include "motion.h"
#include "shim.h"

#include <llvm-c/Core.h>
#include <llvm/Config/llvm-config.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PassManager.h>
#include <llvm/Passes/PassBuilder.h>
#if GOLDILOCKS_LLVM_MAJOR >= 22
#include <llvm/Plugins/PassPlugin.h>
#else
#include <llvm/Passes/PassPlugin.h>
#endif
#include <llvm/Transforms/Scalar/Sink.h>

#include <new>

using namespace llvm;

namespace {

// Set before anything is registered.
goldilocks_pass ThePass;
goldilocks_before_motion TheMotion;
goldilocks_before_simplification TheSimplification;

struct GoldilocksPass : PassInfoMixin<GoldilocksPass> {
  bool Start;
  explicit GoldilocksPass(bool Start) : Start(Start) {}

  PreservedAnalyses run(Module &M, ModuleAnalysisManager &) {
    return ThePass(wrap(&M), Start) ? PreservedAnalyses::none() : PreservedAnalyses::all();
  }
  // At -O0 and in optnone functions too.
  static bool isRequired() { return true; }
};

// Puts loads to where their values are used: what the optimizer has moved up, it moves down again. That alone cannot put back
// all that LICM would invent for a variable that a loop keeps in a register; motion.cc keeps it from that.
void addSinking(ModulePassManager &MPM, OptimizationLevel Level) {
  if (Level != OptimizationLevel::O0)
    MPM.addPass(createModuleToFunctionPassAdaptor(SinkingPass()));
}

void registerCallbacks(PassBuilder &PB) {
  if (PassInstrumentationCallbacks *Callbacks = PB.getPassInstrumentationCallbacks()) {
    watchMotion(*Callbacks, TheMotion);
    watchSimplification(*Callbacks, TheSimplification);
  }
  PB.registerPipelineParsingCallback(
      [](StringRef Name, ModulePassManager &MPM, ArrayRef<PassBuilder::PipelineElement>) {
        bool Start = Name == "goldilocks-start";
        if (!Start && Name != "goldilocks")
          return false;
        MPM.addPass(GoldilocksPass(Start));
        return true;
      });
  PB.registerPipelineStartEPCallback(
      [](ModulePassManager &MPM, OptimizationLevel) { MPM.addPass(GoldilocksPass(true)); });
  PB.registerOptimizerLastEPCallback([](ModulePassManager &MPM, OptimizationLevel Level
#if GOLDILOCKS_LLVM_MAJOR >= 20
                                        ,
                                        ThinOrFullLTOPhase
#endif
                                     ) {
    addSinking(MPM, Level);
    MPM.addPass(GoldilocksPass(false));
  });
  PB.registerFullLinkTimeOptimizationLastEPCallback([](ModulePassManager &MPM, OptimizationLevel Level) {
    goldilocks_options Options;
    goldilocks_get_options(&Options);
    if (Options.lto) {
      addSinking(MPM, Level);
      MPM.addPass(GoldilocksPass(false));
    }
  });
}

} // namespace

void *goldilocks_plugin_info(void *Info, goldilocks_pass Pass, goldilocks_before_motion Motion,
                             goldilocks_before_simplification Simplification) {
  ThePass = Pass;
  TheMotion = Motion;
  TheSimplification = Simplification;
  auto *Out = new (Info) PassPluginLibraryInfo{};
  Out->APIVersion = LLVM_PLUGIN_API_VERSION;
  Out->PluginName = "goldilocks";
  Out->PluginVersion = LLVM_VERSION_STRING;
  Out->RegisterPassBuilderCallbacks = registerCallbacks;
  return Info;
}
