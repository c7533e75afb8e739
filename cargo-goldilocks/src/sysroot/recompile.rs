//! One module from bitcode to an instrumented object, by the toolchain's own LLVM and the plugin, in a process of its own: LLVM
//! ends the process when it meets something that it cannot do.

use super::{Source, trouble};
use goldilocks_cc::refusal::Refusal;
use std::ffi::{CStr, CString, OsStr, OsString, c_char, c_int};
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, Stdio};

/// The first argument by which this program is asked to do this; then come LLVM, plugin, input, output.
pub const RECOMPILE: &str = "--goldilocks-recompile";

/// What the plugin exports for this.
type Recompile = unsafe extern "C" fn(*const c_char, *const c_char) -> c_int;

/// Starts the process.
pub fn start(
    source: &Source<'_>,
    llvm: &Path,
    input: &Path,
    output: &Path,
) -> Result<Child, Refusal> {
    Command::new(&source.driver)
        .arg(RECOMPILE)
        .args([llvm, &source.plugin, input, output])
        .env_remove("GOLDILOCKS_PASS")
        .stdin(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| trouble("running", &source.driver, error))
}

/// The process.
pub fn recompile(arguments: &[OsString]) -> Result<ExitCode, Refusal> {
    let [llvm, plugin, input, output] = arguments else {
        return Err(Refusal::new(
            format!("{RECOMPILE} takes four files"),
            "leave it to cargo goldilocks",
        ));
    };
    // The plugin finds LLVM's functions among the global names.
    open(llvm, libc::RTLD_NOW | libc::RTLD_GLOBAL)?;
    let plugin = open(plugin, libc::RTLD_LAZY)?;
    // SAFETY: an open library and a terminated string.
    let found = unsafe { libc::dlsym(plugin, c"goldilocks_recompile".as_ptr()) };
    if found.is_null() {
        return Err(said_by_loader());
    }
    // SAFETY: the plugin defines it with this type.
    let function = unsafe { std::mem::transmute::<*mut libc::c_void, Recompile>(found) };
    let (input, output) = (terminated(input), terminated(output));
    // SAFETY: terminated strings, and this process has one thread.
    let status = unsafe { function(input.as_ptr(), output.as_ptr()) };
    Ok(if status == 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

fn open(library: &OsStr, how: c_int) -> Result<*mut libc::c_void, Refusal> {
    let name = terminated(library);
    // SAFETY: a terminated string; the library's constructors are those of LLVM and of the plugin.
    let opened = unsafe { libc::dlopen(name.as_ptr(), how) };
    if opened.is_null() {
        return Err(said_by_loader());
    }
    Ok(opened)
}

fn said_by_loader() -> Refusal {
    // SAFETY: called after a function of the loader has failed, so there is a terminated string.
    let text = unsafe { CStr::from_ptr(libc::dlerror()) };
    Refusal::new(
        text.to_string_lossy(),
        "see whether toolchain and plugin are complete",
    )
}

/// Paths come from the command line or the file system and have no zero in them.
fn terminated(path: &OsStr) -> CString {
    CString::new(path.as_bytes()).unwrap_or_default()
}

/// The LLVM that the toolchain's rustc uses.
pub fn find_llvm(source: &Source<'_>) -> Result<PathBuf, Refusal> {
    let sysroot = &source.toolchain.sysroot;
    // A distribution's rustc uses the system's.
    let major = source.toolchain.llvm_major().unwrap_or_default();
    let system = format!("/usr/lib/llvm-{major}/lib/libLLVM.so.1");
    own_llvm(sysroot)
        .or_else(|| Some(PathBuf::from(system)).filter(|path| path.is_file()))
        .ok_or_else(|| without_llvm(sysroot))
}

fn own_llvm(sysroot: &Path) -> Option<PathBuf> {
    let entries = fs::read_dir(sysroot.join("lib")).into_iter().flatten();
    let paths = entries.flatten().map(|entry| entry.path());
    let is_llvm = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        // Beside the library is a linker script that names it.
        name.starts_with("libLLVM") && name.contains(".so") && is_elf(path)
    };
    paths.filter(is_llvm).min()
}

fn without_llvm(sysroot: &Path) -> Refusal {
    Refusal::new(
        format!(
            "the toolchain in {} has no LLVM of its own",
            sysroot.display()
        ),
        "use one of rustup's toolchains, such as `cargo +stable goldilocks`",
    )
}

fn is_elf(path: &Path) -> bool {
    use std::io::Read;
    let mut start = [0; 4];
    fs::File::open(path).is_ok_and(|mut file| file.read_exact(&mut start).is_ok())
        && start == *b"\x7fELF"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_toolchains_own_llvm_is_a_library() {
        let sysroot = std::env::temp_dir().join(format!("goldilocks-llvm-{}", std::process::id()));
        let lib = sysroot.join("lib");
        fs::create_dir_all(&lib).unwrap();
        fs::write(lib.join("libLLVM-22.so"), "INPUT(libLLVM.so.22.1)").unwrap();
        fs::write(lib.join("librustc_driver-1.so"), "\x7fELF").unwrap();
        assert_eq!(own_llvm(&sysroot), None);
        let library = lib.join("libLLVM.so.22.1-rust-1.95.0-stable");
        fs::write(&library, "\x7fELF").unwrap();
        assert_eq!(own_llvm(&sysroot), Some(library));
        fs::remove_dir_all(&sysroot).unwrap();
        assert_eq!(own_llvm(&sysroot), None);
        let said = without_llvm(&sysroot).lines("error").join("\n");
        assert!(said.contains("has no LLVM of its own") && said.contains("cargo +stable"));
    }
}
