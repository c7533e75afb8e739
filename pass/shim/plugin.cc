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
  PB.registerOptimizerLastEPCallback([](ModulePassManager &MPM, OptimizationLevel
#if GOLDILOCKS_LLVM_MAJOR >= 20
                                        ,
                                        ThinOrFullLTOPhase
#endif
                                     ) { MPM.addPass(GoldilocksPass(false)); });
  PB.registerFullLinkTimeOptimizationLastEPCallback([](ModulePassManager &MPM, OptimizationLevel) {
    goldilocks_options Options;
    goldilocks_get_options(&Options);
    if (Options.lto)
      MPM.addPass(GoldilocksPass(false));
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
