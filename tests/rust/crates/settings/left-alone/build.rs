//! Compiles C as the crate `cc` does.

use std::env;
use std::path::PathBuf;
use std::process::Command;

fn main() {
    let out = PathBuf::from(env::var_os("OUT_DIR").unwrap());
    let compiler = env::var_os("CC_x86_64_unknown_linux_gnu").unwrap_or_else(|| "cc".into());
    let object = out.join("counter.o");
    run(Command::new(compiler)
        .args(["-g", "-fPIC", "-c", "counter.c", "-o"])
        .arg(&object));
    run(Command::new("ar")
        .arg("crs")
        .arg(out.join("libcounter.a"))
        .arg(&object));
    println!("cargo::rustc-link-search={}", out.display());
    println!("cargo::rustc-link-lib=static=counter");
    println!("cargo::rerun-if-changed=counter.c");
}

fn run(command: &mut Command) {
    assert!(command.status().unwrap().success(), "{command:?}");
}
