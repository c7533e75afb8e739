// RUSTSEC-2020-0122: a borrowed `Cow` may be sent to another thread, whether or not what it borrows may be shared.
// CRATE: beef
// VULNERABLE: =0.4.4
// FIXED: =0.5.0
// FIXED-IS: refused
// EXPECT: Cell<u64>
// EXPECT: data race
use std::cell::Cell;
use std::thread;

use beef::Cow;

fn main() {
    let counts = [Cell::new(0u64), Cell::new(0)];
    let lent: Cow<'_, [Cell<u64>]> = Cow::borrowed(&counts);
    thread::scope(|scope| {
        // To drop the handle of a thread that has ended would order what comes after.
        let _thread = scope.spawn(move || lent[1].set(1));
        counts[1].set(2);
    });
    assert_ne!(counts[1].get(), 0);
}
