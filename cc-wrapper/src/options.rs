//! Which of clang's options take the next argument as their value, so that it is not mistaken for an input.
//!
//! The list is clang's own answer: what it says to each of its options when nothing follows it (`argument to '-o' is
//! missing`). An end-to-end test asks the installed clang again.

/// Options whose value is the next argument when the option stands alone. Sorted, for the search.
pub const WITH_NEXT: &[&str] = &[
    "--analyzer-output",
    "--assert",
    "--classpath",
    "--config",
    "--define-macro",
    "--dyld-prefix",
    "--encoding",
    "--for-linker",
    "--force-link",
    "--imacros",
    "--include",
    "--include-directory",
    "--include-directory-after",
    "--include-prefix",
    "--include-with-prefix",
    "--include-with-prefix-after",
    "--include-with-prefix-before",
    "--language",
    "--library-directory",
    "--no-system-header-prefix",
    "--output",
    "--output-class-directory",
    "--param",
    "--prefix",
    "--rtlib",
    "--serialize-diagnostics",
    "--specs",
    "--std",
    "--stdlib",
    "--sysroot",
    "--system-header-prefix",
    "--undefine-macro",
    "--vfsoverlay",
    "-A",
    "-B",
    "-D",
    "-F",
    "-G",
    "-I",
    "-L",
    "-MF",
    "-MJ",
    "-MQ",
    "-MT",
    "-T",
    "-U",
    "-Xanalyzer",
    "-Xarch_device",
    "-Xarch_host",
    "-Xassembler",
    "-Xclang",
    "-Xclangas",
    "-Xcuda-fatbinary",
    "-Xcuda-ptxas",
    "-Xlinker",
    "-Xoffload-linker",
    "-Xopenmp-target",
    "-Xpreprocessor",
    "-arch",
    "-b",
    "-bundle_loader",
    "-ccc-gcc-name",
    "-ccc-install-dir",
    "-client_name",
    "-compatibility_version",
    "-current_version",
    "-cxx-isystem",
    "-darwin-target-variant",
    "-darwin-target-variant-triple",
    "-dependency-dot",
    "-dependency-file",
    "-dsym-dir",
    "-dumpdir",
    "-dylib_file",
    "-dylinker_install_name",
    "-e",
    "-exported_symbols_list",
    "-fdebug-compilation-dir",
    "-fexperimental-openacc-macro-override",
    "-filelist",
    "-fmodules-user-build-path",
    "-framework",
    "-ftrapv-handler",
    "-gen-cdb-fragment-path",
    "-hlsl-entry",
    "-iapinotes-modules",
    "-idirafter",
    "-iframework",
    "-iframeworkwithsysroot",
    "-imacros",
    "-image_base",
    "-imultilib",
    "-include",
    "-include-pch",
    "-init",
    "-install_name",
    "-iprefix",
    "-iquote",
    "-isysroot",
    "-isystem",
    "-isystem-after",
    "-ivfsoverlay",
    "-iwithprefix",
    "-iwithprefixbefore",
    "-iwithsysroot",
    "-l",
    "-meabi",
    "-mllvm",
    "-mmlir",
    "-module-dependency-dir",
    "-mthread-model",
    "-o",
    "-resource-dir",
    "-rpath",
    "-seg1addr",
    "-serialize-diagnostics",
    "-specs",
    "-stdlib++-isystem",
    "-target",
    "-u",
    "-umbrella",
    "-undefined",
    "-unexported_symbols_list",
    "-validator-version",
    "-vfsoverlay",
    "-weak_framework",
    "-weak_library",
    "-working-directory",
    "-x",
    "-z",
];

/// Whether the argument after `option` is its value.
pub fn takes_next(option: &str) -> bool {
    WITH_NEXT.binary_search(&option).is_ok()
        || option.starts_with("-Xarch_")
        || option.starts_with("-Xopenmp-target=")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn is_sorted() {
        assert!(WITH_NEXT.is_sorted());
    }

    #[test]
    fn joined_values_take_nothing() {
        assert!(takes_next("-I") && !takes_next("-Iinclude"));
        assert!(takes_next("-o") && !takes_next("-oout"));
        assert!(takes_next("-Xarch_x86_64"));
        assert!(!takes_next("-c") && !takes_next("-Wl,-z,defs") && !takes_next("--param=x=1"));
    }
}
