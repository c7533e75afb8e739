//! Loads without a stripe's lock, under every interleaving (up to a bound on preemptions), with the memory model that loom has.
//!
//! `RUSTFLAGS="--cfg loom" cargo test -p goldilocks-core --test loom_stripe --release`
#![cfg(loom)]

use goldilocks_core::stripe::Stripe;
use loom::sync::atomic::{AtomicU64, Ordering, fence};
use loom::sync::{Arc, Mutex};
use loom::thread;

/// An atomic of the program's, and how many of its operations are in the list.
struct Word {
    stripe: Stripe,
    value: AtomicU64,
    events: AtomicU64,
}

impl Word {
    fn new() -> Arc<Word> {
        Arc::new(Word {
            stripe: Stripe::free(),
            value: AtomicU64::new(0),
            events: AtomicU64::new(0),
        })
    }

    /// A relaxed operation of the program, and its event.
    fn add(&self) {
        self.stripe.lock();
        self.value.fetch_add(1, Ordering::Relaxed);
        self.events.fetch_add(1, Ordering::Relaxed);
        self.stripe.unlock(true);
    }
}

fn explore(test: impl Fn() + Sync + Send + 'static) {
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = Some(3);
    builder.check(test);
}

#[test]
fn a_load_sees_nothing_that_is_not_in_the_list() {
    explore(|| {
        let word = Word::new();
        let writer = {
            let word = word.clone();
            thread::spawn(move || (0..2).for_each(|_| word.add()))
        };
        // What the thread has remembered: the count, and how much the list had then.
        word.stripe.lock();
        let count = word.stripe.count();
        let events = word.events.load(Ordering::Relaxed);
        word.stripe.unlock(false);
        let load = || word.value.load(Ordering::Relaxed);
        if let Some(value) = word.stripe.load(count, load) {
            assert_eq!(value, events);
        }
        writer.join().unwrap();
        word.stripe.lock();
        assert_eq!(word.stripe.count(), 4);
        assert_eq!(word.events.load(Ordering::Relaxed), 2);
    });
}

#[test]
fn who_holds_the_stripe_is_alone() {
    explore(|| {
        let word = Word::new();
        let other = {
            let word = word.clone();
            thread::spawn(move || word.add())
        };
        word.stripe.lock();
        let before = word.value.load(Ordering::Relaxed);
        assert_eq!(word.events.load(Ordering::Relaxed), before);
        word.value.store(before + 1, Ordering::Relaxed);
        word.events.store(before + 1, Ordering::Relaxed);
        word.stripe.unlock(true);
        other.join().unwrap();
        assert_eq!(word.value.load(Ordering::Relaxed), 2);
    });
}

/// An atomic that counts in its value, in sixteens, what has been released to it; and how many of its operations were releases.
struct Told {
    stripe: Stripe,
    value: AtomicU64,
    news: AtomicU64,
}

impl Told {
    /// An operation of the program: a relaxed one, or a release.
    fn store(&self, releases: bool) {
        self.stripe.lock();
        self.value
            .fetch_add(if releases { 16 } else { 1 }, Ordering::Relaxed);
        if releases {
            self.news.fetch_add(1, Ordering::Relaxed);
        }
        self.stripe.unlock(true);
    }
}

#[test]
fn a_load_that_finds_no_news_sees_nothing_that_was_released_since() {
    for operations in [[true, true], [false, true], [true, false]] {
        explore(move || {
            let word = Arc::new(Told {
                stripe: Stripe::free(),
                value: AtomicU64::new(0),
                news: AtomicU64::new(0),
            });
            let writer = {
                let word = word.clone();
                thread::spawn(move || {
                    operations
                        .into_iter()
                        .for_each(|releases| word.store(releases))
                })
            };
            // What the thread has heard of, with the stripe held.
            word.stripe.lock();
            let heard = word.news.load(Ordering::Relaxed);
            word.stripe.unlock(false);
            // The count is that of now, not of then: relaxed operations since do not matter.
            let count = word.stripe.count();
            let mut news = 0;
            let value = word.stripe.load(count, || {
                news = word.news.load(Ordering::Relaxed);
                word.value.load(Ordering::Relaxed)
            });
            if let Some(value) = value
                && news == heard
            {
                assert_eq!(value / 16, heard);
            }
            writer.join().unwrap();
        });
    }
}

/// An atomic that counts its operations in its value, and the record of its object, which has the number of the last one that was an event.
struct Repeated {
    stripe: Stripe,
    value: AtomicU64,
    /// Whose operation was the last one, if it can be made once more without an event.
    last: AtomicU64,
    record: Mutex<u64>,
    /// Which operations were no events, as bits.
    left_out: AtomicU64,
    /// There was an operation of another size, whose event is another object's.
    is_mixed: AtomicU64,
}

impl Repeated {
    fn new() -> Arc<Repeated> {
        Arc::new(Repeated {
            stripe: Stripe::free(),
            value: AtomicU64::new(0),
            last: AtomicU64::new(0),
            record: Mutex::new(0),
            left_out: AtomicU64::new(0),
            is_mixed: AtomicU64::new(0),
        })
    }

    /// An operation of another size.
    fn mix(&self) {
        self.stripe.lock();
        self.value.fetch_add(1, Ordering::Relaxed);
        self.is_mixed.store(1, Ordering::Relaxed);
        self.last.store(0, Ordering::Relaxed);
        self.stripe.unlock(true);
    }

    /// The same operation of the program as before.
    fn repeat(&self) {
        self.stripe.lock();
        // On the processor the runtime is for, to take the stripe is a full barrier, and so is to take the record's lock below.
        fence(Ordering::SeqCst);
        let number = self.value.fetch_add(1, Ordering::Relaxed);
        if self.last.load(Ordering::Relaxed) == 1 {
            self.left_out.fetch_or(1 << number, Ordering::Relaxed);
        } else {
            self.last.store(1, Ordering::Relaxed);
            *self.record.lock().unwrap() = number + 1;
        }
        self.stripe.unlock(true);
    }

    /// A load that takes what it brings without the stripe: how many operations it has seen, and the last event.
    fn take(&self) -> Option<(u64, u64)> {
        let count = self.stripe.if_free()?;
        if self.is_mixed.load(Ordering::Relaxed) != 0 {
            return None;
        }
        if self.last.load(Ordering::Relaxed) != 0 {
            self.last.store(0, Ordering::Relaxed);
        }
        let record = self.record.lock().unwrap();
        fence(Ordering::SeqCst);
        let value = self
            .stripe
            .load(count, || self.value.load(Ordering::Relaxed))?;
        Some((value, *record))
    }
}

#[test]
fn who_takes_under_the_records_lock_takes_what_the_value_tells_and_is_told_of_the_next_one() {
    explore(|| {
        let word = Repeated::new();
        let loader = {
            let word = word.clone();
            thread::spawn(move || word.take())
        };
        (0..2).for_each(|_| word.repeat());
        let taken = loader.join().unwrap();
        let Some((seen, event)) = taken else { return };
        let left_out = word.left_out.load(Ordering::Relaxed);
        let is_event = |number: u64| left_out & 1 << number == 0;
        // The last one that was seen, or one that it repeats; and the next one is none that is left out.
        assert!(event <= seen);
        assert!((event..seen).all(|number| !is_event(number)));
        assert!(is_event(seen));
    });
}

#[test]
fn who_takes_under_the_records_lock_sees_nothing_that_was_given_to_another_object() {
    explore(|| {
        let word = Repeated::new();
        let loader = {
            let word = word.clone();
            thread::spawn(move || word.take())
        };
        word.repeat();
        word.mix();
        if let Some((seen, event)) = loader.join().unwrap() {
            assert_eq!(seen, event);
        }
    });
}
