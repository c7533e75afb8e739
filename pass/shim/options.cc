// The pass' options. They are LLVM command line options (clang: -mllvm), and can also be given without the leading
// "-goldilocks-" in the environment variable GOLDILOCKS_PASS, separated by spaces, for compilers that load plugins
// too late to accept their options.
//
// They are constructed by a constructor function that first looks at the version of the LLVM that has loaded us:
// the classes behind them differ between versions.
#include "shim.h"

#include <llvm-c/Core.h>
#include <llvm/Config/llvm-config.h>
#include <llvm/Support/CommandLine.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

using namespace llvm;

namespace {

enum class Tls { InitialExec, LocalExec };

struct Options {
  cl::OptionCategory Category{"Goldilocks options"};
  cl::opt<Tls> Model{"goldilocks-tls", cl::desc("Thread-local model of the epoch tag"), cl::init(Tls::InitialExec),
                     cl::values(clEnumValN(Tls::InitialExec, "initial-exec", "for shared libraries too"),
                                clEnumValN(Tls::LocalExec, "local-exec", "for executables only")),
                     cl::cat(Category)};
#define FLAG(Name, Text, Default, Sentence)                                                                            \
  cl::opt<bool> Name{"goldilocks-" Text, cl::desc(Sentence), cl::init(Default), cl::cat(Category)}
  FLAG(Reads, "instrument-reads", true, "Check plain reads");
  FLAG(Writes, "instrument-writes", true, "Check plain writes");
  FLAG(Atomics, "instrument-atomics", true, "Track atomic operations and fences");
  FLAG(Memory, "instrument-memory", true, "Check memory intrinsics and by-value arguments");
  FLAG(Inline, "inline", true, "Compare epoch tags inline instead of calling the check always");
  FLAG(Redundant, "redundant", true, "Leave out checks that earlier ones cover");
  FLAG(Loops, "loops", true, "Check before a loop what it accesses in one place or without gaps");
  FLAG(Adjacent, "adjacent", true, "Check neighbouring fields together");
  FLAG(Alone, "alone", true, "Compile loops a second time, without checks, for as long as there is one thread");
  FLAG(Summaries, "summaries", true, "Follow calls to see whether they synchronize");
  FLAG(Private, "private", true, "Leave out accesses to objects that no other thread can reach");
  FLAG(Marked, "marked", false, "Functions without the sanitize_thread attribute are not to be checked");
  FLAG(Stats, "stats", false, "Print what was instrumented and what was left out");
  FLAG(Lto, "lto", false, "Instrument at the end of link-time optimization, whatever is not yet");
#undef FLAG
  cl::opt<unsigned> InlineLimit{"goldilocks-inline-limit",
                                cl::desc("Checks in a function beyond which it compares no epoch tags inline"),
                                cl::init(5000), cl::cat(Category)};
};

Options *TheOptions;

// The vectorizer would read, of a search, elements behind the one at which the program stops: reads that the program does not make. The option is
// LLVM's own, and not every version has it.
void leaveSearchesAlone() {
  auto &Known = cl::getRegisteredOptions();
  auto Found = Known.find("enable-early-exit-vectorization");
  if (Found != Known.end())
    static_cast<cl::opt<bool> *>(Found->second)->setValue(false);
}

// Runs when the plugin is loaded. Nothing of LLVM's C++ interface may be used before it.
__attribute__((constructor)) void construct() {
  unsigned Major = 0, Minor = 0, Patch = 0;
  LLVMGetVersion(&Major, &Minor, &Patch);
  if (Major != LLVM_VERSION_MAJOR) {
    fprintf(stderr,
            "goldilocks: this plugin was built for LLVM %d, but the compiler that has loaded it is LLVM %u.%u.%u; use "
            "clang-%d, or build the plugin with LLVM_CONFIG=llvm-config-%u\n",
            LLVM_VERSION_MAJOR, Major, Minor, Patch, LLVM_VERSION_MAJOR, Major);
    exit(1);
  }
  TheOptions = new Options; // Lives as long as the process: LLVM keeps references to it.
  leaveSearchesAlone();
}

void parseWord(StringRef Word, goldilocks_options &Out) {
  auto [Name, Value] = Word.split('=');
  bool On = Value != "0" && Value != "false";
  if (Name == "tls")
    Out.local_exec = Value == "local-exec";
  else if (Name == "instrument-reads")
    Out.reads = On;
  else if (Name == "instrument-writes")
    Out.writes = On;
  else if (Name == "instrument-atomics")
    Out.atomics = On;
  else if (Name == "instrument-memory")
    Out.memory = On;
  else if (Name == "inline")
    Out.inline_checks = On;
  else if (Name == "redundant")
    Out.redundant = On;
  else if (Name == "loops")
    Out.loops = On;
  else if (Name == "adjacent")
    Out.adjacent = On;
  else if (Name == "alone")
    Out.alone = On;
  else if (Name == "summaries")
    Out.summaries = On;
  else if (Name == "inline-limit")
    Value.getAsInteger(10, Out.inline_limit);
  else if (Name == "private")
    Out.private_objects = On;
  else if (Name == "marked")
    Out.marked = On;
  else if (Name == "stats")
    Out.stats = On;
  else if (Name == "lto")
    Out.lto = On;
  else
    fprintf(stderr, "goldilocks: GOLDILOCKS_PASS: unknown option %s\n", Word.str().c_str());
}

} // namespace

void goldilocks_get_options(goldilocks_options *Out) {
  const Options &O = *TheOptions;
  Out->local_exec = O.Model == Tls::LocalExec;
  Out->reads = O.Reads;
  Out->writes = O.Writes;
  Out->atomics = O.Atomics;
  Out->memory = O.Memory;
  Out->inline_checks = O.Inline;
  Out->redundant = O.Redundant;
  Out->loops = O.Loops;
  Out->adjacent = O.Adjacent;
  Out->alone = O.Alone;
  Out->summaries = O.Summaries;
  Out->inline_limit = O.InlineLimit;
  Out->private_objects = O.Private;
  Out->marked = O.Marked;
  Out->stats = O.Stats;
  Out->lto = O.Lto;
  if (const char *Text = getenv("GOLDILOCKS_PASS")) {
    SmallVector<StringRef, 8> Words;
    StringRef(Text).split(Words, ' ', -1, false);
    for (StringRef Word : Words)
      parseWord(Word, *Out);
  }
}
