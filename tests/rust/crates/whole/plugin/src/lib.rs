//! A library in every form that there is.

/// A function for C.
#[unsafe(no_mangle)]
pub extern "C" fn plugin_length(text: *const std::ffi::c_char) -> usize {
    // SAFETY: a terminated string, by the rules of its callers.
    unsafe { std::ffi::CStr::from_ptr(text) }.to_bytes().len()
}

#[test]
fn counts() {
    assert_eq!(plugin_length(c"four".as_ptr()), 4);
}
