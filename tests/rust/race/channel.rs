// The sender writes after it has sent.
// REPORTS: 1
// EXPECT: Location: global `.*DATA
#[path = "../shared.rs"]
mod shared;

use shared::Shared;
use std::sync::mpsc;
use std::thread;

static DATA: Shared<u32> = Shared::new(0);

fn main() {
    let (sender, receiver) = mpsc::channel();
    let thread = thread::spawn(move || {
        sender.send(&DATA).unwrap();
        DATA.set(1);
        // Not dropped here: that would disconnect, which a receiver that comes late takes note of.
        sender
    });
    std::hint::black_box(receiver.recv().unwrap().get());
    drop(thread.join().unwrap());
}
