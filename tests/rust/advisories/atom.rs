// RUSTSEC-2020-0044: an `Atom` is `Send` and `Sync`, whatever it holds.
// CRATE: atom
// VULNERABLE: =0.3.5
// FIXED: =0.3.6
// FIXED-IS: refused
// EXPECT: data race
use std::rc::Rc;
use std::sync::Barrier;
use std::thread;

use atom::Atom;

fn main() {
    let shared = Rc::new(1);
    let passed = Atom::new(Box::new(shared.clone()));
    let both = Barrier::new(2);
    thread::scope(|scope| {
        let (passed, both) = (&passed, &both);
        scope.spawn(move || {
            let taken = passed.take().unwrap();
            both.wait();
            drop(taken.clone());
        });
        both.wait();
        drop(shared.clone());
    });
}
