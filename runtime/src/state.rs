//! The one runtime of the process: what all threads share.

use crate::options::{self, Options};
use crate::shadow::{ReserveError, ReservedCells, ShadowMemory, table};
use crate::sites::SiteTable;
use crate::sys;
use crate::thread::Registry;
use core::cell::UnsafeCell;
use core::mem::MaybeUninit;
use core::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use goldilocks_core::detector::Detector;
use goldilocks_core::epoch::EpochTable;
use goldilocks_core::goldilocks::{Config, Engine, ShortCircuits};
use goldilocks_core::slab::{Slab, Unit};

/// Bytes of records before they get huge pages: these are used from their beginning to their end, but the last one is not full, and small
/// programs have none to spare.
const RECORDS_ON_SMALL_PAGES: usize = 4 << 20;

/// Everything that is set up once.
pub struct Runtime {
    pub engine: Engine,
    pub slab: Slab,
    pub shadow: ShadowMemory,
    pub sites: SiteTable,
    pub threads: Registry,
    pub options: &'static Options,
}

impl Runtime {
    fn new(options: &'static Options, cells: ReservedCells) -> Result<Runtime, ReserveError> {
        let shadow = ShadowMemory::new(cells)?;
        let circuits = options.short_circuits;
        Obstacle::ShortCircuits.put(!(0..3).all(|circuit| circuits.has(circuit)));
        let config = Config {
            short_circuits: ShortCircuits {
                sc1: circuits.has(1),
                sc2: circuits.has(2),
                sc3: circuits.has(3),
            },
            list_bound: options.list_bound as usize,
            defer_releases: circuits.has(2),
            goes_back: options.resume_epochs,
            settle_after: options.settle_after,
            // The check stubs look at neighbours of four lines at once.
            kept_reads: match options.kept_reads {
                0 => 0,
                most => (1 << most.ilog2()).max(32),
            },
            ..Config::default()
        };
        // The first group is never handed out.
        let groups = options.epoch_groups as usize;
        let epochs = EpochTable::new(&table::<AtomicU64>(EpochTable::GRANULES)?[..groups])
            .with_first_limit(options.sweep_after);
        let units = table::<Unit>(Slab::LIMIT)?;
        let few = RECORDS_ON_SMALL_PAGES / size_of::<Unit>();
        let (at, bytes) = (units[few..].as_ptr() as usize, size_of_val(&units[few..]));
        // Where there are no huge pages, small ones will do.
        // SAFETY: a table of our own; this changes none of it.
        let _ = unsafe { sys::madvise(at, bytes, libc::MADV_HUGEPAGE) };
        Ok(Runtime {
            engine: Engine::new(epochs, 65_535, config),
            slab: Slab::new(units),
            shadow,
            sites: SiteTable::new(options.combined_sites)?,
            threads: Registry::new(),
            options,
        })
    }

    /// Forgets whole pages of memory, as [`ShadowMemory::give_back`], and what threads keep to themselves of them.
    pub fn give_back(&self, addr: u64, bytes: u64) {
        self.shadow.give_back(addr, bytes);
        let first = ShadowMemory::cell_address(addr);
        self.engine.epochs.kept.forget(first..first + bytes);
    }

    /// Engine and shadow together.
    #[inline(always)]
    pub fn detector(&'static self) -> Detector<'static, ShadowMemory, SiteTable> {
        Detector {
            engine: &self.engine,
            slab: &self.slab,
            shadow: &self.shadow,
            sites: &self.sites,
        }
    }
}

struct Place(UnsafeCell<MaybeUninit<Runtime>>);

// SAFETY: written once by `start`, before `UP` is set; shared only afterwards.
unsafe impl Sync for Place {}

static PLACE: Place = Place(UnsafeCell::new(MaybeUninit::uninit()));
static UP: AtomicBool = AtomicBool::new(false);

/// Set while a thread wants all others outside of the runtime (fork, sweep); they wait on it.
pub static FREEZE: AtomicU32 = AtomicU32::new(0);

/// Reasons why no access may take the short way (`quick`), whoever makes it.
#[derive(Clone, Copy)]
pub enum Obstacle {
    /// It serves SC0, and relies on SC1 and SC2.
    ShortCircuits = 1,
    /// Memory is mapped at two addresses.
    Aliases = 2,
    /// The program has switched the detection off.
    DetectionOff = 4,
}

pub(crate) static OBSTACLES: AtomicU32 = AtomicU32::new(0);

impl Obstacle {
    /// Puts the obstacle there, or takes it away. Relaxed: what makes it one has its own order.
    pub fn put(self, there: bool) {
        if there {
            OBSTACLES.fetch_or(self as u32, Ordering::Relaxed);
        } else {
            OBSTACLES.fetch_and(!(self as u32), Ordering::Relaxed);
        }
    }
    /// Whether there is one.
    #[inline(always)]
    pub fn any() -> bool {
        OBSTACLES.load(Ordering::Relaxed) != 0
    }
}

/// Set at the first creation of a thread: until then nothing can race, and accesses and sync events are not recorded.
pub static MULTI_THREADED: AtomicBool = AtomicBool::new(false);

/// Whether there has been a second thread.
#[inline(always)]
pub fn multi_threaded() -> bool {
    // Relaxed: set by the thread that creates the second one, which is ordered after it.
    MULTI_THREADED.load(Ordering::Relaxed)
}

/// Whether the runtime has been set up.
#[inline(always)]
pub fn is_up() -> bool {
    // Acquire: pairs with `start`.
    UP.load(Ordering::Acquire)
}

/// The runtime. Only after [`is_up`].
#[inline(always)]
pub fn runtime() -> &'static Runtime {
    // SAFETY: callers are inside the runtime, which `pipeline::enter` allows only when it is up.
    unsafe { (*PLACE.0.get()).assume_init_ref() }
}

/// Sets the runtime up. Called once, while the process has one thread.
pub fn start(cells: ReservedCells) -> Result<(), ReserveError> {
    let runtime = Runtime::new(options::get(), cells)?;
    // SAFETY: one thread, and nobody reads before `UP`.
    unsafe { (*PLACE.0.get()).write(runtime) };
    // SAFETY: just written.
    crate::lane::set_tables(unsafe { (*PLACE.0.get()).assume_init_ref() });
    UP.store(true, Ordering::Release);
    Ok(())
}
