//! From a command line to what it asks for. Nothing is run and nothing is lost: the arguments stay as they were given,
//! beside what was learnt from them.

use crate::language::Language;
use crate::linker::Linker;
use crate::options;
use crate::own::Own;
use crate::refusal::Refusal;
use crate::response::{self, Token};
use crate::sanitizers::Sanitizers;
use crate::target::Target;
use std::ffi::OsString;
use std::path::Path;

/// Whether the driver takes C or C++ to be the language of its inputs and of its libraries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    C,
    Cxx,
}

impl Mode {
    /// By the name that the program was called by: `...++` is C++.
    pub fn of_name(argv0: &str) -> Mode {
        if argv0.ends_with("++") {
            Mode::Cxx
        } else {
            Mode::C
        }
    }
}

/// How far the inputs are taken, in the order of the steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stage {
    /// `-E`, `-M`, `-MM`.
    Preprocess,
    /// `-fsyntax-only`, `--analyze` and others that make no code.
    Check,
    /// `--precompile`, and whatever is a header.
    Precompile,
    /// `-S`.
    Compile,
    /// `-c`.
    Assemble,
    Link,
}

/// What position-independence the objects have: the last of `-fPIC`, `-fpie`, `-fno-pic` and so on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Pic {
    /// Not said: what clang was configured for, which is for programs.
    #[default]
    Unsaid,
    No,
    /// For programs.
    Pie,
    /// For programs and libraries.
    Pic,
}

/// An input file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Input {
    pub name: String,
    pub language: Language,
}

/// What a command line asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invocation {
    pub mode: Mode,
    pub own: Own,
    /// Something is to be printed instead of compiled (`--version`, `-print-...`, `-dumpmachine`), or the command line
    /// is for a part of clang that is not its driver (`-cc1`).
    pub query: bool,
    /// An option at the end lacks its value, so that nothing may be put behind it.
    pub unfinished: bool,
    pub stage: Stage,
    pub inputs: Vec<Input>,
    pub linker: Linker,
    pub pic: Pic,
    pub sanitizers: Sanitizers,
    pub target: Target,
    /// The arguments to pass on up to `--`: as they were given, without those of ours.
    pub options: Vec<OsString>,
    /// The arguments to pass on from `--` on.
    pub operands: Vec<OsString>,
}

impl Invocation {
    /// Understands the arguments after the program's name. `read` gives the contents of response files.
    pub fn parse(
        mode: Mode,
        arguments: &[OsString],
        read: &dyn Fn(&Path) -> Option<Vec<u8>>,
    ) -> Result<Invocation, Refusal> {
        let tokens = response::expand(arguments, read);
        let mut invocation = Invocation {
            mode,
            own: Own::default(),
            query: false,
            unfinished: false,
            stage: Stage::Link,
            inputs: Vec::new(),
            linker: Linker::default(),
            pic: Pic::default(),
            sanitizers: Sanitizers::default(),
            target: Target::default(),
            options: Vec::new(),
            operands: Vec::new(),
        };
        let read = invocation.understand(&tokens)?;
        invocation.pass_on(arguments, &tokens, &read);
        Ok(invocation)
    }

    fn understand(&mut self, tokens: &[Token]) -> Result<Read, Refusal> {
        let texts: Vec<_> = tokens
            .iter()
            .map(|token| token.text.to_string_lossy())
            .collect();
        let mut read = Read {
            own: Vec::new(),
            end_of_options: None,
        };
        let mut forced: Option<Language> = None;
        let mut stages = Stages::default();
        let mut i = 0;
        while i < texts.len() {
            let text: &str = &texts[i];
            if text == "--" {
                read.end_of_options = Some(i);
                self.inputs
                    .extend(texts[i + 1..].iter().map(|name| input(name, forced)));
                break;
            }
            if text == "-" || !text.starts_with('-') {
                // An empty argument is a file that does not exist, to clang as well.
                self.inputs.push(input(text, forced));
                i += 1;
                continue;
            }
            if self.own.argument(text)? {
                read.own.push(i);
                i += 1;
                continue;
            }
            let value = if options::takes_next(text) {
                i += 1;
                let value = texts.get(i).map(|value| &**value);
                self.unfinished |= value.is_none();
                value
            } else {
                None
            };
            match (text, value) {
                ("-x" | "--language", Some(language)) => forced = Language::of_x(language),
                ("-target", Some(triple)) => self.target.triple = Some(triple.to_owned()),
                _ => {}
            }
            if let Some(language) = text.strip_prefix("-x").or(text.strip_prefix("--language="))
                && !language.is_empty()
            {
                forced = Language::of_x(language);
            }
            self.query |= is_query(text) || (i == 0 && text.starts_with("-cc1"));
            self.position(text);
            stages.argument(text);
            self.linker.argument(text, value);
            self.sanitizers.argument(text);
            self.target.argument(text);
            i += 1;
        }
        self.stage = stages.last();
        Ok(read)
    }

    fn position(&mut self, text: &str) {
        self.pic = match text {
            "-fPIC" | "-fpic" => Pic::Pic,
            "-fPIE" | "-fpie" => Pic::Pie,
            "-fno-PIC" | "-fno-pic" | "-fno-PIE" | "-fno-pie" | "-mdynamic-no-pic" => Pic::No,
            _ => return,
        };
    }

    /// Response files are passed on as they are, unless something in them must be taken out, or stands behind which
    /// nothing can be added.
    fn pass_on(&mut self, arguments: &[OsString], tokens: &[Token], read: &Read) {
        let behind = |index| read.end_of_options.is_some_and(|end| index >= end);
        let needs_care = |index| read.own.contains(&index) || read.end_of_options == Some(index);
        let mut start = 0;
        for (origin, argument) in arguments.iter().enumerate() {
            let end = start
                + tokens[start..]
                    .iter()
                    .take_while(|token| token.origin == origin)
                    .count();
            let mut pass = |index, text: &OsString| {
                if behind(index) {
                    &mut self.operands
                } else {
                    &mut self.options
                }
                .push(text.clone());
            };
            if (start..end).any(needs_care) {
                (start..end)
                    .filter(|index| !read.own.contains(index))
                    .for_each(|i| pass(i, &tokens[i].text));
            } else {
                pass(start, argument);
            }
            start = end;
        }
    }

    /// Whether there is anything to do, rather than a question to answer or an error to make.
    pub fn has_work(&self) -> bool {
        !self.query && !self.unfinished && (!self.inputs.is_empty() || self.links())
    }

    /// Whether macros on the command line are seen by any input.
    pub fn preprocesses(&self) -> bool {
        self.inputs
            .iter()
            .any(|input| input.language.is_preprocessed_by_us())
    }

    /// Whether clang's front end, not only its preprocessor, reads every input that is compiled: it can then mark
    /// functions. It cannot in IR, and what it does not mark must not be taken to be left out on purpose.
    pub fn is_marked_by_front_end(&self) -> bool {
        let read = |language: Language| language.is_compiled() || language == Language::Header;
        self.inputs.iter().any(|input| read(input.language))
            && self
                .inputs
                .iter()
                .all(|input| input.language != Language::Ir)
    }

    /// Whether code is made from an input that the plugin can instrument.
    pub fn generates_code(&self) -> bool {
        self.stage >= Stage::Compile && self.inputs.iter().any(|input| input.language.is_compiled())
    }

    /// Whether the linker runs.
    pub fn links(&self) -> bool {
        let header = |input: &Input| input.language == Language::Header;
        let files = self.inputs.iter().any(|input| !header(input));
        let words = self.linker.libraries || !self.linker.words.is_empty();
        self.stage == Stage::Link && (files || (words && self.inputs.is_empty()))
    }

    /// Whether a program is linked, as opposed to a shared library, an object, or nothing.
    pub fn links_program(&self) -> bool {
        self.links() && !self.linker.shared && !self.linker.relocatable
    }
}

/// Indices of tokens that need care when the arguments are passed on.
struct Read {
    own: Vec<usize>,
    end_of_options: Option<usize>,
}

fn input(name: &str, forced: Option<Language>) -> Input {
    Input {
        name: name.to_owned(),
        language: forced.unwrap_or_else(|| Language::of_file(name)),
    }
}

/// Which of the options that end the work early were given. The earliest step wins, whatever the order.
#[derive(Default)]
struct Stages {
    preprocess: bool,
    dependencies: bool,
    check: bool,
    precompile: bool,
    compile: bool,
    assemble: bool,
}

impl Stages {
    fn argument(&mut self, text: &str) {
        match text {
            "-E" | "--preprocess" => self.preprocess = true,
            "-M" | "-MM" | "--dependencies" | "--user-dependencies" => self.dependencies = true,
            "-fsyntax-only"
            | "--analyze"
            | "-emit-ast"
            | "-verify-pch"
            | "-module-file-info"
            | "-rewrite-objc"
            | "-rewrite-legacy-objc"
            | "-extract-api" => self.check = true,
            "--precompile" | "-fmodule-header" => self.precompile = true,
            "-S" | "--assemble" => self.compile = true,
            "-c" | "--compile" => self.assemble = true,
            _ => self.precompile |= text.starts_with("-fmodule-header="),
        }
    }

    fn last(&self) -> Stage {
        match self {
            _ if self.preprocess || self.dependencies => Stage::Preprocess,
            Stages {
                precompile: true, ..
            } => Stage::Precompile,
            Stages { check: true, .. } => Stage::Check,
            Stages { compile: true, .. } => Stage::Compile,
            Stages { assemble: true, .. } => Stage::Assemble,
            _ => Stage::Link,
        }
    }
}

/// Options after which clang answers and does nothing else.
fn is_query(text: &str) -> bool {
    const QUERIES: [&str; 7] = [
        "--version",
        "--help",
        "-help",
        "--help-hidden",
        "-dumpmachine",
        "-dumpversion",
        "-dumpspecs",
    ];
    const BEGINNINGS: [&str; 4] = ["-print-", "--print-", "--help=", "--autocomplete="];
    QUERIES.contains(&text)
        || BEGINNINGS
            .iter()
            .any(|beginning| text.starts_with(beginning))
}
