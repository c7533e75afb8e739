static mut IN_INTEGRATION_TEST: u32 = 0;

#[test]
fn a_race() {
    // SAFETY: none.
    whole::both(|| unsafe { IN_INTEGRATION_TEST = 1 });
}
