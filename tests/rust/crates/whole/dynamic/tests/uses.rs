use std::thread;

#[test]
fn counts_in_threads() {
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| (0..100).for_each(|_| assert!(dynamic::count() > 0)));
        }
    });
    assert_eq!(dynamic::count(), 401);
}
