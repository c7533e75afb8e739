// `OnceLock` orders what is made with it, not what is done to it afterwards.
// REPORTS: 1
// EXPECT: Location: .*global `.*CELL
#[path = "../shared.rs"]
mod shared;

use shared::Shared;
use std::sync::OnceLock;
use std::thread;

static CELL: OnceLock<Shared<u32>> = OnceLock::new();

fn main() {
    let thread = thread::spawn(|| CELL.get_or_init(|| Shared::new(0)).set(1));
    CELL.get_or_init(|| Shared::new(0)).set(2);
    thread.join().unwrap();
}
