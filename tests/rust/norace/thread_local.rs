// Thread-locals with destructors, which run before the thread is joined; and the memory of ended threads.
// RUNS: 5
#[path = "../shared.rs"]
mod shared;

use shared::Shared;
use std::cell::RefCell;
use std::thread;

static DATA: Shared<u32> = Shared::new(0);

struct Writes(Vec<u32>);

impl Drop for Writes {
    fn drop(&mut self) {
        DATA.set(DATA.get() + self.0.len() as u32);
    }
}

thread_local! {
    static LATE: RefCell<Writes> = RefCell::new(Writes(Vec::new()));
    static PLAIN: RefCell<Vec<u32>> = const { RefCell::new(Vec::new()) };
}

fn main() {
    for number in 1..40 {
        thread::spawn(|| {
            PLAIN.with_borrow_mut(|plain| plain.extend(0..10));
            LATE.with_borrow_mut(|late| late.0.push(1));
        })
        .join()
        .unwrap();
        assert_eq!(DATA.get(), number);
    }
    let threads: Vec<_> = (0..4)
        .map(|_| {
            thread::spawn(|| {
                PLAIN.with_borrow_mut(|plain| plain.extend(0..1000));
                PLAIN.with_borrow(|plain| plain.iter().sum::<u32>())
            })
        })
        .collect();
    for thread in threads {
        assert_eq!(thread.join().unwrap(), 499_500);
    }
}
