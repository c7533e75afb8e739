// What the standard library shares between threads by itself: standard streams, the environment, hash keys, names, times.
// RUNS: 3
// STDOUT: line 2 of 2
use std::collections::HashMap;
use std::thread;
use std::time::{Duration, Instant};

fn main() {
    // SAFETY: no other thread is there yet.
    unsafe { std::env::set_var("OF", "2") };
    let started = Instant::now();
    let threads: Vec<_> = (0..4)
        .map(|number| {
            thread::Builder::new()
                .name(format!("worker {number}"))
                .spawn(move || {
                    for line in 0..3 {
                        println!(
                            "{}: line {line} of {}",
                            thread::current().name().unwrap(),
                            std::env::var("OF").unwrap()
                        );
                    }
                    let map: HashMap<u32, String> =
                        (0..50).map(|key| (key, key.to_string())).collect();
                    thread::sleep(Duration::from_millis(1));
                    (
                        map.values().map(String::len).sum::<usize>(),
                        thread::current().id(),
                        started.elapsed(),
                    )
                })
                .unwrap()
        })
        .collect();
    for thread in threads {
        let id = thread.thread().id();
        let (length, own, took) = thread.join().unwrap();
        assert!(length == 90 && own == id && took < Duration::from_secs(60));
    }
}
