//! From what a command line asks for to what is run. A plan is clang's command line: the user's arguments, all of them and
//! in their order, with ours in front and behind.
//!
//! In front, because the user's last word then wins over ours, and because the runtime must come before every library for
//! its interceptors to be found first; behind, the libraries that the runtime itself needs, which must not come before the
//! user's own. Options that no step of the command line uses would make clang warn, which `-Werror` makes an error: they
//! stand between `--start-no-unused-arguments` and `--end-no-unused-arguments`. What is meant for the compiler proper
//! goes by `-Xclang`: the driver would hand `-mllvm` to the assembler and `-fpass-plugin` to the linker of an LTO link, too.

use crate::args::{Invocation, Mode, Pic};
use crate::locate::{Compiler, Tree};
use crate::machine::Machine;
use crate::need::{Need, Runtime};
use crate::refusal::Refusal;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

/// What is run: `program` with `arguments`, which do not include the program's name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    pub program: PathBuf,
    pub arguments: Vec<OsString>,
    /// What the user should know although it is done.
    pub warning: Option<Refusal>,
}

/// The files of the tree that a need names, found to be there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parts {
    pub compiler: Compiler,
    pub plugin: Option<PathBuf>,
    /// The archive or the shared library.
    pub runtime: Option<PathBuf>,
    pub dynamic_list: Option<PathBuf>,
    pub include: Option<PathBuf>,
    /// Debug information is wanted where the command line does not speak of it.
    pub lines: bool,
}

/// A caller's wish that reports have lines: build scripts of Rust crates compile C without `-g` for a release.
pub const LINES: &str = "GOLDILOCKS_LINES";

impl Parts {
    pub fn find(
        machine: &dyn Machine,
        tree: &Tree,
        mode: Mode,
        need: &Need,
    ) -> Result<Parts, Refusal> {
        let compiler = Compiler::find(machine, tree, mode, need.plugin)?;
        let require = |wanted: bool, path: PathBuf, what| {
            if wanted {
                tree.require(machine, path, what).map(Some)
            } else {
                Ok(None)
            }
        };
        let archive = need.runtime == Runtime::Archive;
        let file = if archive {
            tree.archive()
        } else {
            tree.shared_runtime()
        };
        Ok(Parts {
            plugin: need.plugin.then(|| tree.plugin(compiler.llvm)),
            runtime: require(need.runtime != Runtime::None, file, "the runtime")?,
            dynamic_list: require(
                archive,
                tree.dynamic_list(),
                "the runtime's list of exported names",
            )?,
            include: need.macros.then(|| tree.include()),
            lines: need.plugin && machine.variable(LINES).is_some(),
            compiler,
        })
    }
}

/// The command line that does what `invocation` asks for.
pub fn plan(invocation: &Invocation, need: &Need, parts: &Parts) -> Plan {
    let mut line = Line::default();
    if parts.compiler.cxx_by_option && !invocation.options.first().is_some_and(is_tool) {
        line.add("--driver-mode=g++");
    }
    let compile = compile_flags(invocation, need, parts);
    if !compile.0.is_empty() {
        line.add("--start-no-unused-arguments");
        line.0.extend(compile.0);
        line.add("--end-no-unused-arguments");
    }
    link_first(&mut line, need, parts);
    line.0.extend(invocation.options.iter().cloned());
    if takes_place_of_thread_sanitizer(invocation) {
        // Wherever the option is, in a response file too, its runtime stays out. What marks functions goes to the compiler proper.
        line.add("-fno-sanitize=thread");
    }
    link_last(&mut line, invocation, need);
    line.0.extend(invocation.operands.iter().cloned());
    Plan {
        program: parts.compiler.program.clone(),
        arguments: line.0,
        warning: warning(invocation, need),
    }
}

/// A program may hide the runtime in it from the libraries that it loads. Nothing given later undoes that.
fn warning(invocation: &Invocation, need: &Need) -> Option<Refusal> {
    let option = invocation
        .linker
        .hides
        .as_ref()
        .filter(|_| need.runtime == Runtime::Archive)?;
    Some(Refusal::new(
        format!(
            "{option} may hide the runtime in this program from shared libraries: locks and memory blocks are then not \
             seen there, and instrumented libraries do not find the runtime"
        ),
        "leave it out when linking the program (`goldilocks doctor PROGRAM` says whether it does harm), or compile and \
         link everything with --goldilocks-shared-runtime",
    ))
}

/// `-fsanitize=thread` asks for what Goldilocks does.
fn takes_place_of_thread_sanitizer(invocation: &Invocation) -> bool {
    invocation.sanitizers.asks_for_thread()
        && !invocation.own.no_instrument
        && !invocation.query
        && !invocation.unfinished
}

/// Whether the first argument makes clang something else than a driver.
fn is_tool(first: &OsString) -> bool {
    first.as_encoded_bytes().starts_with(b"-cc1")
}

fn compile_flags(invocation: &Invocation, need: &Need, parts: &Parts) -> Line {
    let mut line = Line::default();
    if need.macros {
        line.add("-D__GOLDILOCKS__=1");
        // Atomics of 16 bytes as instructions, which the pass sees, instead of calls into libatomic. Every processor that
        // has 64-bit Linux today has them.
        line.add("-mcx16");
    }
    if need.compatible_macros {
        line.add("-D__SANITIZE_THREAD__=1");
    } else if need.macros {
        // Clang itself defines it where functions are marked.
        line.add("-U__SANITIZE_THREAD__");
    }
    if let Some(include) = &parts.include {
        // Behind every folder of the user's and of the system's: nobody's header is shadowed by ours.
        line.add("-idirafter");
        line.add(include);
        // But for libstdc++'s own configuration and a list of libc++'s, which ours include.
        line.add("-cxx-isystem");
        line.add(include.join("cxx"));
    }
    if need.attributes {
        instrumentation_flags(&mut line, invocation);
    }
    if parts.lines {
        line.add("-g");
    }
    if let Some(plugin) = &parts.plugin {
        plugin_flags(&mut line, invocation, need, plugin);
    }
    line
}

/// What makes clang's front end mark functions with `sanitize_thread`, except where `no_sanitize("thread")` says not to,
/// and say yes to `__has_feature(thread_sanitizer)`. The plugin keeps clang's own pass of that name from running.
fn instrumentation_flags(line: &mut Line, invocation: &Invocation) {
    line.for_compiler("-fsanitize=thread");
    for file in invocation.sanitizers.ignorelists() {
        line.for_compiler(joined("-fsanitize-ignorelist=", Path::new(file)));
    }
}

/// The plugin and its options. `marked` says that a function without the mark is left out, even if none has it.
fn plugin_flags(line: &mut Line, invocation: &Invocation, need: &Need, plugin: &Path) {
    // Loaded early as well, for its options to be known when they are read.
    line.for_compiler("-load");
    line.for_compiler(plugin);
    line.for_compiler(joined("-fpass-plugin=", plugin));
    line.for_compiler("-mllvm");
    line.for_compiler(format!("-goldilocks-tls={}", tls_model(invocation)));
    // The vectorizer would read what lies between the elements of a strided loop along with them: reads that the program does
    // not make.
    line.for_compiler("-mllvm");
    line.for_compiler("-enable-interleaved-mem-accesses=false");
    if need.attributes {
        line.for_compiler("-mllvm");
        line.for_compiler("-goldilocks-marked");
    }
}

/// How compiled code finds the runtime's thread-local block. `local-exec` is an instruction less and needs the object and
/// the runtime to be in the program itself; an object for a shared library must say so by `-fPIC`, or the linker will.
fn tls_model(invocation: &Invocation) -> &'static str {
    let in_program =
        invocation.pic != Pic::Pic && !invocation.linker.shared && !invocation.own.shared_runtime;
    if in_program {
        "local-exec"
    } else {
        "initial-exec"
    }
}

/// The runtime. All of the archive: nothing may refer to an interceptor that the program's libraries will call.
fn link_first(line: &mut Line, need: &Need, parts: &Parts) {
    let Some(runtime) = &parts.runtime else {
        return;
    };
    if need.runtime == Runtime::Archive {
        line.for_linker("--whole-archive");
        line.for_linker(runtime);
        line.for_linker("--no-whole-archive");
        if let Some(list) = &parts.dynamic_list {
            line.for_linker(joined("--dynamic-list=", list));
        }
    } else {
        line.for_linker("--push-state");
        line.for_linker("--no-as-needed");
        line.for_linker(runtime);
        line.for_linker("--pop-state");
        if let Some(folder) = runtime.parent() {
            line.for_linker("-rpath");
            line.for_linker(folder);
        }
    }
}

/// What the archive needs, if the program has not asked for it already.
fn link_last(line: &mut Line, invocation: &Invocation, need: &Need) {
    if need.allow_undefined {
        line.for_linker("-z");
        line.for_linker("undefs");
    }
    if need.runtime != Runtime::Archive {
        return;
    }
    line.for_linker("--push-state");
    line.for_linker("--as-needed");
    line.for_linker("-Bdynamic");
    let mut libraries = vec!["-lpthread", "-ldl"];
    if invocation.linker.no_default_libraries {
        libraries.extend(["-lgcc_s", "-lc"]);
    }
    libraries.into_iter().for_each(|library| line.add(library));
    // The archive has interceptors of its functions, so the linker would not miss it where the program has forgotten it.
    line.for_linker("--no-as-needed");
    line.add("-lm");
    line.for_linker("--pop-state");
}

/// A command line in the making.
#[derive(Default)]
struct Line(Vec<OsString>);

impl Line {
    fn add(&mut self, argument: impl AsRef<OsStr>) {
        self.0.push(argument.as_ref().to_owned());
    }

    /// For the compiler proper.
    fn for_compiler(&mut self, argument: impl AsRef<OsStr>) {
        self.add("-Xclang");
        self.add(argument);
    }

    /// For the linker; unlike `-Wl,`, this takes paths with commas.
    fn for_linker(&mut self, argument: impl AsRef<OsStr>) {
        self.add("-Xlinker");
        self.add(argument);
    }
}

fn joined(option: &str, path: &Path) -> OsString {
    let mut argument = OsString::from(option);
    argument.push(path);
    argument
}
