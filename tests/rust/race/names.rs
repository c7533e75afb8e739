// What reports call things: places as they are written, functions with generic arguments that can be read.
// LEVELS: O0
// REPORTS: 3
// EXPECT: data race on `names::CONFIG.retries`
// EXPECT: \d+ \|     let retries = unsafe \{ CONFIG.retries \};
// EXPECT: data race on `\(\*self.stats.get\(\)\).hits`
// EXPECT: #0 names::Cache<String, Option<Vec<u8>>>::hit  .*names.rs
// EXPECT: data race on `\*place.get\(\).add\(1\)`
// EXPECT: allocated by T0 at .*names.rs:\d+:\n    \.\.\. \d+ frames of std\n
// EXPECT: created by T0 at .*names.rs:\d+:\n    \.\.\. \d+ frames of std\n
// EXPECT: race-[0-9a-f]+ +`names::CONFIG.retries` +names::(main|set_retries) / names::(main|set_retries)
// REJECT: alloc::string::String|core::option::Option
use std::cell::UnsafeCell;
use std::marker::PhantomData;
use std::sync::Arc;
use std::thread;

struct Config {
    _verbose: bool,
    retries: u32,
}

static mut CONFIG: Config = Config {
    _verbose: false,
    retries: 0,
};

fn set_retries(retries: u32) {
    // SAFETY: none; that is what this is about, here and below.
    unsafe { CONFIG.retries = retries }
}

struct Stats {
    hits: u64,
}

struct Cache<K, V> {
    stats: UnsafeCell<Stats>,
    kind: PhantomData<(K, V)>,
}

// SAFETY: none.
unsafe impl<K, V> Sync for Cache<K, V> {}
// SAFETY: none.
unsafe impl<K, V> Send for Cache<K, V> {}

impl<K, V> Cache<K, V> {
    fn hit(&self) {
        // SAFETY: none.
        unsafe { (*self.stats.get()).hits += 1 }
    }
}

#[derive(Clone, Copy)]
struct Place(*mut u64);

// SAFETY: none.
unsafe impl Send for Place {}

impl Place {
    fn get(self) -> *mut u64 {
        self.0
    }
}

fn main() {
    let cache: Arc<Cache<String, Option<Vec<u8>>>> = Arc::new(Cache {
        stats: UnsafeCell::new(Stats { hits: 0 }),
        kind: PhantomData,
    });
    let mut numbers = vec![0u64; 2];
    let place = Place(numbers.as_mut_ptr());
    let thread = {
        let cache = cache.clone();
        thread::spawn(move || {
            set_retries(3);
            cache.hit();
            // SAFETY: none.
            unsafe { *place.get().add(1) = 1 }
            // To drop it would order what comes after.
            std::mem::forget(cache);
        })
    };
    // SAFETY: none.
    let retries = unsafe { CONFIG.retries };
    cache.hit();
    // SAFETY: none.
    unsafe { *place.get().add(1) = u64::from(retries) }
    thread.join().unwrap();
}
