// RUSTSEC-2020-0017: the last owner of an `ArcIntern` frees it, while another thread that has found it in the table takes it.
// CRATE: internment
// VULNERABLE: =0.3.12
// FIXED: =0.4.0
// EXPECT: (data race|use after free|double free)
use std::thread;

use internment::ArcIntern;

fn main() {
    // The table that all tables are in (crate state 0.4.2) has a race of its own when it gets another one.
    drop(ArcIntern::new(9u64));
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for number in 0..2000u64 {
                    let one = ArcIntern::new(number % 2);
                    assert!(*one < 2);
                }
            });
        }
    });
}
