//! `goldilocks-cc`; called by a name that ends in `++`, `goldilocks-c++`.

use std::process::ExitCode;

fn main() -> ExitCode {
    goldilocks_cc::exec::main(std::env::args_os().collect())
}
