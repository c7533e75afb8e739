//! What a command line tells the linker, as far as the runtime's place in the link depends on it.

/// The linker's view of a command line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Linker {
    /// Makes a shared library.
    pub shared: bool,
    /// Makes another object.
    pub relocatable: bool,
    /// A program without a dynamic linker: the option that says so.
    pub fully_static: Option<String>,
    /// Undefined symbols in a shared library are to be errors.
    pub no_undefined: bool,
    /// The usual libraries are left out (`-nostdlib`, `-nodefaultlibs`, `-nolibc`).
    pub no_default_libraries: bool,
    /// The word that hides the runtime's names in a program from shared libraries.
    pub hides: Option<String>,
    /// `-l` was given.
    pub libraries: bool,
    /// What `-Wl,`, `-Xlinker` and `-z` hand over, word by word.
    pub words: Vec<String>,
}

impl Linker {
    /// Takes one argument of the compiler, and its separate value if it has one, into account.
    pub fn argument(&mut self, argument: &str, value: Option<&str>) {
        match argument {
            "-shared" | "--shared" => self.shared = true,
            "-r" => self.relocatable = true,
            "-static" | "--static" => self.fully_static = Some("-static".to_owned()),
            "-static-pie" => self.fully_static = Some("-static-pie".to_owned()),
            "-nostdlib" | "--no-standard-libraries" | "-nodefaultlibs" | "-nolibc" => {
                self.no_default_libraries = true
            }
            "-Xlinker" | "--for-linker" => self.word(value.unwrap_or_default()),
            "-z" => {
                self.word("-z");
                self.word(value.unwrap_or_default());
            }
            "-l" => self.libraries = true,
            _ => {
                if let Some(list) = argument.strip_prefix("-Wl,") {
                    list.split(',').for_each(|word| self.word(word));
                } else if let Some(word) = argument.strip_prefix("--for-linker=") {
                    self.word(word);
                } else if argument.starts_with("-l") {
                    self.libraries = true;
                }
            }
        }
    }

    fn word(&mut self, word: &str) {
        let after_z = self.words.last().is_some_and(|last| last == "-z");
        match word {
            "-shared" | "--shared" | "-Bshareable" => self.shared = true,
            "-r" | "-i" | "--relocatable" => self.relocatable = true,
            "--no-undefined" | "-no-undefined" | "-zdefs" | "--unresolved-symbols=report-all" => {
                self.no_undefined = true;
            }
            "defs" if after_z => self.no_undefined = true,
            "ALL"
                if self
                    .words
                    .last()
                    .is_some_and(|last| last == "--exclude-libs") =>
            {
                self.hides = Some("--exclude-libs,ALL".to_owned());
            }
            _ if word.starts_with("--version-script") => {
                self.hides = Some("--version-script".to_owned())
            }
            _ if word == "--exclude-libs=ALL" => self.hides = Some(word.to_owned()),
            _ => {}
        }
        self.words.push(word.to_owned());
    }

    /// Whether the linker is given words of which none is more than a question about itself, as in the probe
    /// `cc -Wl,--version`.
    pub fn only_asked(&self) -> bool {
        const QUESTIONS: [&str; 6] = ["--version", "-version", "-v", "-V", "--help", "-help"];
        !self.words.is_empty()
            && !self.libraries
            && self
                .words
                .iter()
                .all(|word| QUESTIONS.contains(&word.as_str()))
    }
}
