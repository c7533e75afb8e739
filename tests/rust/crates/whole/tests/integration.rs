use std::sync::Barrier;
use std::thread;

static mut IN_INTEGRATION_TEST: u32 = 0;

/// One side is the test's own thread, which holds a lock of the test harness and none of the program's.
#[test]
fn a_race_of_an_integration_test() {
    let both = Barrier::new(2);
    thread::scope(|scope| {
        let _thread = scope.spawn(|| {
            both.wait();
            // SAFETY: none, here and below.
            unsafe { IN_INTEGRATION_TEST = 1 };
        });
        both.wait();
        unsafe { IN_INTEGRATION_TEST = 2 };
    });
}
