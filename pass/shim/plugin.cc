// Registers the pass with LLVM's pass builder, in every version that is supported.
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

struct GoldilocksPass : PassInfoMixin<GoldilocksPass> {
  bool Start;
  explicit GoldilocksPass(bool Start) : Start(Start) {}

  PreservedAnalyses run(Module &M, ModuleAnalysisManager &) {
    return ThePass(wrap(&M), Start) ? PreservedAnalyses::none() : PreservedAnalyses::all();
  }
  // At -O0 and in optnone functions too.
  static bool isRequired() { return true; }
};

// When a loop keeps a variable in a register, its first load goes before the loop, even before the question whether there is
// an iteration at all (LICM asks only whether the address is valid). The program does not make that read: put the load back
// to where its value is used.
void addSinking(ModulePassManager &MPM, OptimizationLevel Level) {
  if (Level != OptimizationLevel::O0)
    MPM.addPass(createModuleToFunctionPassAdaptor(SinkingPass()));
}

void registerCallbacks(PassBuilder &PB) {
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

void *goldilocks_plugin_info(void *Info, goldilocks_pass Pass) {
  ThePass = Pass;
  auto *Out = new (Info) PassPluginLibraryInfo{};
  Out->APIVersion = LLVM_PLUGIN_API_VERSION;
  Out->PluginName = "goldilocks";
  Out->PluginVersion = LLVM_VERSION_STRING;
  Out->RegisterPassBuilderCallbacks = registerCallbacks;
  return Info;
}
