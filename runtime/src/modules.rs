//! The files that the program's code and data come from: executable and shared libraries, as loaded now.
//!
//! Read when a report is made, never before: libraries come and go. A code address means something outside of this
//! process (in a debugger, in another run) only as a place in a file: module and offset.

use core::ffi::{CStr, c_int, c_void};
use core::ops::Range;
use std::sync::OnceLock;

use crate::sys;

/// An executable or shared library.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Module {
    /// Path of the file, absolute if the kernel knows it. ` (deleted)` is appended by the kernel if so.
    pub path: String,
    /// Whether this is the program itself; `/proc/self/exe` leads to the file even when it has been deleted.
    pub main: bool,
    /// What the loader has added to the addresses in the file.
    pub bias: usize,
    /// Ranges of addresses of the loaded segments, with whether they are executable.
    pub segments: Vec<(Range<usize>, bool)>,
    /// Contents of the GNU build-id note; empty without one.
    pub build_id: Vec<u8>,
}

impl Module {
    pub fn contains(&self, address: usize) -> bool {
        self.segments
            .iter()
            .any(|(range, _)| range.contains(&address))
    }

    /// Address as the file has it, which is what symbolizers ask for.
    pub fn offset(&self, address: usize) -> u64 {
        address.wrapping_sub(self.bias) as u64
    }
}

/// The modules loaded at one moment.
#[derive(Clone, Debug, Default)]
pub struct Modules {
    pub list: Vec<Module>,
}

impl Modules {
    /// What is loaded now.
    pub fn load() -> Modules {
        let mut modules = Modules::default();
        // SAFETY: the callback is called before the function returns, with the pointer to `modules` given here.
        unsafe { libc::dl_iterate_phdr(Some(add_module), (&raw mut modules).cast()) };
        // Of a thread that lives: of a process whose first one has ended, nothing is to be read under `self`.
        let maps = sys::read_file(c"/proc/thread-self/maps", 64 << 20).unwrap_or_default();
        modules.name_from(&String::from_utf8_lossy(&maps));
        modules
    }

    pub fn find(&self, address: usize) -> Option<&Module> {
        self.list.iter().find(|module| module.contains(address))
    }

    /// Replaces the loader's names by the kernel's: those are absolute, whatever `dlopen` was told and however often the
    /// working directory has changed, and the program itself has one.
    fn name_from(&mut self, maps: &str) {
        for line in maps.lines() {
            let Some((range, path)) = parse_mapping(line) else {
                continue;
            };
            if let Some(module) = self.list.iter_mut().find(|module| {
                module
                    .segments
                    .iter()
                    .any(|(segment, _)| segment.start < range.end && range.start < segment.end)
            }) {
                module.path = path.to_owned();
            }
        }
    }
}

/// Range and path of a line of `/proc/self/maps`; `None` for mappings without a file.
fn parse_mapping(line: &str) -> Option<(Range<usize>, &str)> {
    let (range, rest) = line.split_once(' ')?;
    let (start, end) = range.split_once('-')?;
    let path = &rest[rest.find('/')?..];
    Some((
        usize::from_str_radix(start, 16).ok()?..usize::from_str_radix(end, 16).ok()?,
        path,
    ))
}

/// # Safety
/// As dl_iterate_phdr(3) calls it, with `modules` pointing to a [`Modules`] that nobody else uses.
unsafe extern "C" fn add_module(
    info: *mut libc::dl_phdr_info,
    _size: usize,
    modules: *mut c_void,
) -> c_int {
    // SAFETY: both are valid during the call, and the program headers stay while the module is loaded, which the
    // loader's lock, held during the call, guarantees.
    let (info, modules, headers) = unsafe {
        let info = &*info;
        let headers = match info.dlpi_phnum {
            0 => &[][..],
            count => core::slice::from_raw_parts(info.dlpi_phdr, count as usize),
        };
        (info, &mut *modules.cast::<Modules>(), headers)
    };
    let bias = info.dlpi_addr as usize;
    let range = |header: &libc::Elf64_Phdr| {
        let start = bias.wrapping_add(header.p_vaddr as usize);
        start..start.saturating_add(header.p_memsz as usize)
    };
    let segments: Vec<_> = headers
        .iter()
        .filter(|header| header.p_type == libc::PT_LOAD)
        .map(|header| (range(header), header.p_flags & libc::PF_X != 0))
        .collect();
    let build_id = headers
        .iter()
        .filter(|header| header.p_type == libc::PT_NOTE)
        .map(range)
        .filter(|note| {
            segments
                .iter()
                .any(|(segment, _)| segment.start <= note.start && note.end <= segment.end)
        })
        .find_map(|note| {
            // SAFETY: the note lies in a segment of the module, which is mapped and readable.
            let notes = unsafe { core::slice::from_raw_parts(note.start as *const u8, note.len()) };
            build_id_in(notes)
        })
        .unwrap_or_default();
    let path = if info.dlpi_name.is_null() {
        String::new()
    } else {
        // SAFETY: the loader's name is a C string, alive during the call.
        unsafe { CStr::from_ptr(info.dlpi_name) }
            .to_string_lossy()
            .into_owned()
    };
    // The loader lists the program itself first.
    let main = modules.list.is_empty();
    modules.list.push(Module {
        path,
        main,
        bias,
        segments,
        build_id,
    });
    0
}

/// The GNU build-id among ELF notes.
pub(crate) fn build_id_in(mut notes: &[u8]) -> Option<Vec<u8>> {
    const NT_GNU_BUILD_ID: u32 = 3;
    let word =
        |bytes: &[u8], at: usize| Some(u32::from_le_bytes(bytes.get(at..at + 4)?.try_into().ok()?));
    loop {
        let (name_size, size, kind) = (
            word(notes, 0)? as usize,
            word(notes, 4)? as usize,
            word(notes, 8)?,
        );
        let start = 12usize.checked_add(name_size.checked_next_multiple_of(4)?)?;
        let contents = notes.get(start..start.checked_add(size)?)?;
        if kind == NT_GNU_BUILD_ID && notes.get(12..12 + name_size)? == b"GNU\0" {
            return Some(contents.to_vec());
        }
        notes = notes.get(start + size.checked_next_multiple_of(4)?..)?;
    }
}

/// Where the thread-local variables of the loaded modules are, as bytes below the thread pointer; only of those in the static
/// TLS area, where the distance is the same for all threads.
pub fn thread_local_offsets() -> Vec<core::ops::RangeInclusive<usize>> {
    /// Static TLS areas are a few KiB; what is farther away was allocated on demand.
    const FAR: usize = 1 << 20;
    unsafe extern "C" fn visit(
        info: *mut libc::dl_phdr_info,
        _: usize,
        found: *mut libc::c_void,
    ) -> i32 {
        // SAFETY: the loader's description of a module, and the vector that was passed along.
        let (info, found) = unsafe {
            (
                &*info,
                &mut *found.cast::<Vec<core::ops::RangeInclusive<usize>>>(),
            )
        };
        // SAFETY: the loader gives address and number of the module's program headers.
        let headers =
            unsafe { core::slice::from_raw_parts(info.dlpi_phdr, info.dlpi_phnum as usize) };
        let Some(tls) = headers.iter().find(|header| header.p_type == libc::PT_TLS) else {
            return 0;
        };
        let pointer: usize;
        // SAFETY: reads the thread pointer, which x86-64 keeps at its own address.
        unsafe { core::arch::asm!("mov {}, fs:[0]", out(reg) pointer, options(nostack, readonly)) };
        let start = pointer.wrapping_sub(info.dlpi_tls_data as usize);
        let size = tls.p_memsz as usize;
        if !info.dlpi_tls_data.is_null() && start < FAR && size <= start {
            found.push(start - size + 1..=start);
        }
        0
    }
    let mut found = Vec::new();
    // SAFETY: `visit` matches the callback's type and gets the vector that it expects.
    unsafe { libc::dl_iterate_phdr(Some(visit), (&raw mut found).cast()) };
    found
}

/// The code of the program that the runtime is linked into; empty if it is a library of its own. Takes no lock of the loader.
pub fn code_of_program() -> core::ops::Range<usize> {
    static CODE: OnceLock<core::ops::Range<usize>> = OnceLock::new();
    CODE.get_or_init(|| {
        // SAFETY: no preconditions.
        let (headers, count) = unsafe {
            (
                libc::getauxval(libc::AT_PHDR) as *const libc::Elf64_Phdr,
                libc::getauxval(libc::AT_PHNUM) as usize,
            )
        };
        if headers.is_null() {
            return 0..0;
        }
        // SAFETY: the kernel has mapped the program's headers there, for as long as it runs.
        let headers = unsafe { core::slice::from_raw_parts(headers, count) };
        let own = headers.iter().find(|header| header.p_type == libc::PT_PHDR);
        let base = own.map_or(0, |own| {
            (headers.as_ptr() as usize).wrapping_sub(own.p_vaddr as usize)
        });
        let code = headers
            .iter()
            .filter(|header| header.p_type == libc::PT_LOAD && header.p_flags & libc::PF_X != 0)
            .map(|header| {
                let start = base.wrapping_add(header.p_vaddr as usize);
                start..start.wrapping_add(header.p_memsz as usize)
            })
            .find(|code| code.contains(&(code_of_program as *const () as usize)));
        code.unwrap_or(0..0)
    })
    .clone()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_function_is_in_the_program_and_libc_is_not() {
        let modules = Modules::load();
        let here = this_function_is_in_the_program_and_libc_is_not as *const () as usize;
        let module = modules.find(here).unwrap();
        assert!(module.main);
        assert_eq!(
            module.path,
            std::env::current_exe().unwrap().to_str().unwrap()
        );
        assert_eq!(module.offset(here), (here - module.bias) as u64);
        let libc = modules.find(libc::getpid as *const () as usize).unwrap();
        assert!(
            !libc.main && libc.path.starts_with('/') && libc.path.contains("/libc"),
            "{libc:?}"
        );
        assert!(!libc.build_id.is_empty());
        assert!(modules.find(16).is_none());
    }

    #[test]
    fn mappings_are_parsed() {
        let line = "7f12-7f34 r-xp 00001000 08:01 1234      /usr/lib/a file.so (deleted)";
        assert_eq!(
            parse_mapping(line),
            Some((0x7f12..0x7f34, "/usr/lib/a file.so (deleted)"))
        );
        assert_eq!(
            parse_mapping("7f12-7f34 rw-p 00000000 00:00 0 [heap]"),
            None
        );
        assert_eq!(parse_mapping("nonsense"), None);
    }

    #[test]
    fn a_build_id_is_found_behind_other_notes_and_damage_is_survived() {
        let mut notes = Vec::new();
        for (name, contents, kind) in [
            (&b"stapsdt\0"[..], &[1u8, 2, 3][..], 3u32),
            (b"GNU\0", &[9, 8, 7, 6, 5], 3),
        ] {
            notes.extend((name.len() as u32).to_le_bytes());
            notes.extend((contents.len() as u32).to_le_bytes());
            notes.extend(kind.to_le_bytes());
            notes.extend(name);
            notes.extend(contents);
            notes.resize(notes.len().next_multiple_of(4), 0);
        }
        assert_eq!(build_id_in(&notes), Some(vec![9, 8, 7, 6, 5]));
        assert_eq!(build_id_in(&notes[..notes.len() - 6]), None);
        assert_eq!(build_id_in(&[0xff; 40]), None);
        assert_eq!(build_id_in(&[]), None);
    }
}
