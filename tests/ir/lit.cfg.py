# Tests of the compiler plugin: LLVM IR (or C) in, FileCheck on what comes out.
#
#   cargo build -p goldilocks-pass
#   GOLDILOCKS_PASS_PLUGIN=target/debug/libgoldilocks_pass.so GOLDILOCKS_LLVM_BIN=/usr/lib/llvm-22/bin \
#       /usr/lib/llvm-22/bin/lit -v tests/ir
#
# The plugin and the tools must be of one LLVM version; 19 to 22 work.
import os
import subprocess
import tempfile

import lit.formats

plugin = os.environ.get("GOLDILOCKS_PASS_PLUGIN")
tools = os.environ.get("GOLDILOCKS_LLVM_BIN", "/usr/lib/llvm-22/bin")
if not plugin or not os.path.exists(plugin):
    lit_config.fatal("GOLDILOCKS_PASS_PLUGIN must name libgoldilocks_pass.so")
plugin = os.path.abspath(plugin)
for tool in ["opt", "llc", "clang", "FileCheck"]:
    if not os.path.exists(os.path.join(tools, tool)):
        lit_config.fatal(f"{tool} is not in {tools}: set GOLDILOCKS_LLVM_BIN, or install llvm-22-tools and clang-22")

config.name = "goldilocks-pass"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".ll", ".c", ".cpp"]
config.test_source_root = os.path.dirname(__file__)
# Two runs of lit at once need two places: they write over each other's files.
config.test_exec_root = os.environ.get(
    "GOLDILOCKS_IR_RESULTS", os.path.join(tempfile.gettempdir(), "goldilocks-ir-tests")
)
config.environment.pop("GOLDILOCKS_PASS", None)

# Substitutions: the pass alone, followed by LLVM's verifier; the compiler with the plugin.
loaded = f"{tools}/opt -load-pass-plugin={plugin}"
config.substitutions += [
    ("%check", f"{tools}/FileCheck"),
    ("%pass", f"{loaded} -passes=goldilocks,verify -S"),
    ("%opt", loaded),
    ("%llc", f"{tools}/llc -mtriple=x86_64-pc-linux-gnu"),
    ("%clangxx", f"{tools}/clang++ --target=x86_64-pc-linux-gnu -fpass-plugin={plugin}"),
    ("%clang", f"{tools}/clang --target=x86_64-pc-linux-gnu -fpass-plugin={plugin}"),
    ("%objdump", f"{tools}/llvm-objdump"),
    ("%not", f"{tools}/not"),
]

version = subprocess.run([f"{tools}/opt", "--version"], capture_output=True, text=True, check=True).stdout
major = int(version.split("version ")[1].split(".")[0])
config.available_features.update(f"llvm-{known}" for known in range(19, major + 1))
