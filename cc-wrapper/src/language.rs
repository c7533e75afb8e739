//! What kind of input a file is, by its name or by `-x`, as far as instrumentation must know.

/// Kind of an input file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// C, C++, Objective-C, to be preprocessed.
    Source,
    /// The same, already preprocessed.
    Preprocessed,
    /// A header to be precompiled, or a header unit.
    Header,
    /// Assembler that goes through the preprocessor.
    AssemblerWithCpp,
    Assembler,
    /// LLVM bitcode or its text.
    Ir,
    /// A serialized module or syntax tree, from which code can be made.
    Module,
    /// CUDA, HIP, OpenCL: some of it runs where no memory can be watched.
    Device,
    /// What clang hands to another compiler, such as Fortran.
    Foreign,
    /// Objects, archives, linker scripts, and whatever clang does not know.
    Object,
}

impl Language {
    /// By file name, as clang decides it. `-` is C, though clang accepts that for `-E` alone.
    pub fn of_file(name: &str) -> Language {
        if name == "-" {
            return Language::Source;
        }
        let base = name.rsplit('/').next().unwrap_or(name);
        let Some((_, extension)) = base.rsplit_once('.') else {
            return Language::Object;
        };
        match extension {
            "c" | "C" | "cc" | "CC" | "cp" | "cpp" | "CPP" | "cxx" | "CXX" | "c++" | "C++"
            | "m" | "M" | "mm" | "cppm" | "ccm" | "cxxm" | "c++m" | "ixx" => Language::Source,
            "i" | "ii" | "mi" | "mii" | "iim" => Language::Preprocessed,
            "h" | "H" | "hh" | "hpp" | "hp" | "hxx" | "h++" | "tcc" => Language::Header,
            "S" | "sx" => Language::AssemblerWithCpp,
            "s" | "asm" => Language::Assembler,
            "bc" | "ll" => Language::Ir,
            "pcm" | "ast" => Language::Module,
            "cu" | "cui" | "hip" | "hipi" | "cl" | "clcpp" | "hlsl" => Language::Device,
            "f" | "F" | "for" | "FOR" | "fpp" | "FPP" | "f90" | "F90" | "f95" | "F95" | "f03"
            | "F03" | "f08" | "F08" | "ads" | "adb" => Language::Foreign,
            _ => Language::Object,
        }
    }

    /// By the argument of `-x`; `None` for `none`, after which names decide again.
    pub fn of_x(argument: &str) -> Option<Language> {
        Some(match argument {
            "none" => return None,
            "c" | "c++" | "objective-c" | "objective-c++" | "c++-module" => Language::Source,
            "cpp-output"
            | "c++-cpp-output"
            | "objc-cpp-output"
            | "objective-c-cpp-output"
            | "objc++-cpp-output"
            | "objective-c++-cpp-output"
            | "c++-module-cpp-output" => Language::Preprocessed,
            "assembler-with-cpp" => Language::AssemblerWithCpp,
            "assembler" => Language::Assembler,
            "ir" => Language::Ir,
            "pcm" | "ast" => Language::Module,
            "cuda" | "hip" | "cl" | "clcpp" | "hlsl" | "cuda-cpp-output" | "hip-cpp-output" => {
                Language::Device
            }
            _ if argument.contains("header") => Language::Header,
            _ => Language::Foreign,
        })
    }

    /// Whether macros given on the command line matter to it.
    pub fn is_preprocessed_by_us(self) -> bool {
        matches!(
            self,
            Language::Source | Language::Header | Language::AssemblerWithCpp
        )
    }

    /// Whether compiling it makes code that the plugin can instrument.
    pub fn is_compiled(self) -> bool {
        matches!(
            self,
            Language::Source | Language::Preprocessed | Language::Ir | Language::Module
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        for (name, language) in [
            ("a.c", Language::Source),
            ("dir.x/a.C", Language::Source),
            ("./a.c++", Language::Source),
            ("a.b.cc", Language::Source),
            ("a.i", Language::Preprocessed),
            ("a.h", Language::Header),
            ("a.S", Language::AssemblerWithCpp),
            ("a.s", Language::Assembler),
            ("a.o", Language::Object),
            (".libs/a.lo", Language::Object),
            ("liba.a", Language::Object),
            ("liba.so.1.2", Language::Object),
            ("dir.c/README", Language::Object),
            ("a.bc", Language::Ir),
            ("a.cu", Language::Device),
            ("a.f90", Language::Foreign),
            ("-", Language::Source),
        ] {
            assert_eq!(Language::of_file(name), language, "{name}");
        }
    }

    #[test]
    fn x() {
        assert_eq!(Language::of_x("c++"), Some(Language::Source));
        assert_eq!(Language::of_x("c++-header"), Some(Language::Header));
        assert_eq!(
            Language::of_x("c-header-cpp-output"),
            Some(Language::Header)
        );
        assert_eq!(
            Language::of_x("assembler-with-cpp"),
            Some(Language::AssemblerWithCpp)
        );
        assert_eq!(Language::of_x("none"), None);
        assert_eq!(Language::of_x("f95"), Some(Language::Foreign));
    }
}
