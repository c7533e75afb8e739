//! Finds LLVM, binds its C API with bindgen and compiles the shim against its C++ API.
//!
//! The plugin is not linked with libLLVM: the compiler that loads it provides those symbols. Lazy binding lets the
//! shim's constructor look at the version of that compiler before anything of a wrong LLVM is called.

use std::env;
use std::path::{Path, PathBuf};
use std::process::{Command, exit};

/// Major versions that the shim knows, best first.
const VERSIONS: [u32; 4] = [22, 21, 20, 19];

const SHIM: [&str; 9] = [
    "plugin.cc",
    "options.cc",
    "query.cc",
    "flow.cc",
    "module.cc",
    "masked.cc",
    "motion.cc",
    "edit.cc",
    "recompile.cc",
];

fn main() {
    println!("cargo:rerun-if-env-changed=LLVM_CONFIG");
    println!("cargo:rerun-if-env-changed=LIBCLANG_PATH");
    println!("cargo:rerun-if-changed=shim");
    let llvm = Llvm::find();
    bind(&llvm);
    compile_shim(&llvm);
    println!("cargo:rustc-cdylib-link-arg=-Wl,-z,lazy");
    println!("cargo:rustc-env=GOLDILOCKS_LLVM_VERSION={}", llvm.version);
}

struct Llvm {
    config: PathBuf,
    version: String,
    major: u32,
    include: String,
    lib: String,
}

impl Llvm {
    fn find() -> Llvm {
        let chosen = env::var_os("LLVM_CONFIG").map(PathBuf::from);
        let candidates: Vec<PathBuf> = match &chosen {
            Some(path) => vec![path.clone()],
            None => VERSIONS
                .iter()
                .flat_map(|v| {
                    [
                        format!("llvm-config-{v}"),
                        format!("/usr/lib/llvm-{v}/bin/llvm-config"),
                    ]
                })
                .map(PathBuf::from)
                .collect(),
        };
        for config in candidates {
            let Some(version) = ask(&config, "--version") else {
                continue;
            };
            let major = version
                .split('.')
                .next()
                .and_then(|m| m.parse().ok())
                .unwrap_or(0);
            if !VERSIONS.contains(&major) {
                fail(&format!(
                    "{} is LLVM {version}; versions 19 to 22 are supported",
                    config.display()
                ));
            }
            let include = ask(&config, "--includedir").unwrap_or_default();
            if !Path::new(&include).join("llvm-c/Core.h").exists() {
                fail(&format!(
                    "LLVM {version} is installed without its headers: install the package llvm-{major}-dev"
                ));
            }
            let lib = ask(&config, "--libdir").unwrap_or_default();
            return Llvm {
                config,
                version,
                major,
                include,
                lib,
            };
        }
        match chosen {
            Some(path) => fail(&format!("LLVM_CONFIG={} cannot be run", path.display())),
            None => fail(
                "no llvm-config found: install the packages llvm-22-dev and libclang-22-dev, or set LLVM_CONFIG",
            ),
        }
    }
}

fn ask(config: &Path, what: &str) -> Option<String> {
    let output = Command::new(config).arg(what).output().ok()?;
    output
        .status
        .success()
        .then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

fn fail(message: &str) -> ! {
    println!("cargo:warning={message}");
    eprintln!("goldilocks-pass: {message}");
    exit(1)
}

fn bind(llvm: &Llvm) {
    if env::var_os("LIBCLANG_PATH").is_none() {
        // SAFETY: a build script has one thread at this point.
        unsafe { env::set_var("LIBCLANG_PATH", &llvm.lib) };
    }
    let has_libclang = |path: PathBuf| {
        path.read_dir().is_ok_and(|mut files| {
            files.any(|file| {
                file.is_ok_and(|file| file.file_name().to_string_lossy().starts_with("libclang"))
            })
        })
    };
    if !has_libclang(PathBuf::from(
        env::var_os("LIBCLANG_PATH").unwrap_or_default(),
    )) {
        fail(&format!(
            "libclang is missing: install the package libclang-{}-dev, or set LIBCLANG_PATH",
            llvm.major
        ));
    }
    let bindings = bindgen::Builder::default()
        .header("shim/bindings.h")
        .clang_arg(format!("-I{}", llvm.include))
        .allowlist_function("LLVM.*|goldilocks_.*")
        .allowlist_type("LLVM.*|goldilocks_.*")
        .default_enum_style(bindgen::EnumVariation::ModuleConsts)
        .rust_edition(bindgen::RustEdition::Edition2024)
        .layout_tests(false)
        .generate_comments(false)
        .generate()
        .unwrap_or_else(|error| {
            fail(&format!(
                "the headers of LLVM {} cannot be bound: {error}",
                llvm.version
            ))
        });
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR")).join("llvm_c.rs");
    bindings.write_to_file(out).expect("OUT_DIR is writable");
}

fn compile_shim(llvm: &Llvm) {
    let flags = ask(&llvm.config, "--cxxflags").unwrap_or_default();
    let mut build = cc::Build::new();
    build
        .cpp(true)
        .files(SHIM.map(|file| format!("shim/{file}")));
    for flag in flags.split_whitespace() {
        // LLVM's own headers do not hold to our warnings.
        match flag.strip_prefix("-I") {
            Some(directory) => build.flag("-isystem").flag(directory),
            None => build.flag(flag),
        };
    }
    build
        .flag("-std=c++17")
        .flag("-fno-rtti")
        .flag("-fno-exceptions")
        .flag("-fvisibility=hidden")
        .flag("-fvisibility-inlines-hidden")
        .flag_if_supported("-Wno-return-type-c-linkage")
        .define("GOLDILOCKS_LLVM_MAJOR", llvm.major.to_string().as_str())
        .compile("goldilocks_shim");
}
