// A thread sends boxes to another one by std's channel with room for 64, which sends what it has made of them back by one without bounds
// ARGS: 200000
// QUICK: 60000
// SMOKE: 200
// THREADS: 2

use std::sync::{Barrier, mpsc};
use std::thread;

mod frame;

fn main() {
    let (length, _) = frame::arguments();
    let together = Barrier::new(2);
    let (to, from) = mpsc::sync_channel::<Box<u64>>(64);
    let (back, results) = mpsc::channel::<Box<u64>>();
    let sum: u64 = thread::scope(|scope| {
        let together = &together;
        scope.spawn(move || {
            frame::meet(together, 1);
            for number in 0..length {
                to.send(Box::new(number)).unwrap();
            }
        });
        scope.spawn(move || {
            frame::meet(together, 2);
            for number in from {
                back.send(Box::new(*number * 2)).unwrap();
            }
        });
        results.into_iter().map(|number| *number).sum()
    });
    println!("{sum}");
}
