//! Compiles the part in C++, as build scripts do: by the `cc` crate, which asks nobody whether Goldilocks is there.

fn main() {
    cc::Build::new()
        .cpp(true)
        .std("c++17")
        .file("src/workers.cpp")
        .compile("workers");
    println!("cargo::rerun-if-changed=src/workers.cpp");
}
