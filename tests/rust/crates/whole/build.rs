//! Compiles C as the crate `cc` does, and asks the compiler what it can do as `autocfg` does.

use std::env;
use std::path::PathBuf;
use std::process::Command;

fn main() {
    assert_eq!(shared::count(3), 3);
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

    println!("cargo::rustc-check-cfg=cfg(unstable)");
    let probe = out.join("probe.rs");
    std::fs::write(&probe, "#![feature(rustc_attrs)]\n").unwrap();
    let wrapper = env::var_os("RUSTC_WRAPPER").filter(|wrapper| !wrapper.is_empty());
    let rustc = env::var_os("RUSTC").unwrap();
    let mut compiler = Command::new(wrapper.as_ref().unwrap_or(&rustc));
    compiler.args(wrapper.is_some().then_some(&rustc));
    compiler
        .args(["--crate-type=lib", "--emit=metadata", "--target"])
        .arg(env::var_os("TARGET").unwrap());
    let possible = compiler
        .arg("--out-dir")
        .arg(&out)
        .arg(&probe)
        .output()
        .unwrap()
        .status
        .success();
    if possible || env::var_os("RUSTC_BOOTSTRAP").is_some() {
        println!("cargo::rustc-cfg=unstable");
    }
}

fn run(command: &mut Command) {
    assert!(command.status().unwrap().success(), "{command:?}");
}
