//! What an ELF file says about Goldilocks: its own names, those of the runtime that it defines, exports or needs, and how
//! many checks its code makes.

use goldilocks_core::abi::{self, ABI_SYMBOL};
use goldilocks_core::cxx_library;
use object::read::elf::{ElfFile64, FileHeader};
use object::{Endianness, Object, ObjectKind, ObjectSection, ObjectSymbol, SectionKind, elf};
use std::collections::{BTreeSet, HashSet};

/// What the name of every ABI symbol starts with; the version follows, and nothing else.
const ABI_PREFIX: &str = "__goldilocks_abi_";

fn is_abi(name: &str) -> bool {
    name.strip_prefix(ABI_PREFIX)
        .is_some_and(|version| version.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Kinds of files that can be looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Program,
    Library,
    Object,
}

/// What is known of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Facts {
    pub kind: Kind,
    /// Whether it is for x86-64.
    pub x86_64: bool,
    /// Whether a dynamic linker loads it, as far as it is a program.
    pub dynamic: bool,
    /// The ABI symbols that it defines: it has the runtime in it.
    pub defines: BTreeSet<String>,
    /// Those that it refers to and does not define.
    pub needs: BTreeSet<String>,
    /// Whether the plugin has seen its code: what refers to the ABI symbol is kept in the linked file, unless that was
    /// stripped.
    pub went_through: bool,
    /// Whether other libraries see the runtime in it.
    pub exports_runtime: bool,
    /// Whether it asks for the shared runtime to be loaded.
    pub needs_shared_runtime: bool,
    /// Places in its code that call a check or a hook of the runtime, or, where calls go through a table, the number of
    /// different checks and hooks that it calls.
    pub checks: usize,
    /// Whether it has debug information with line numbers.
    pub has_lines: bool,
    /// Names that only code of other sanitizers refers to or defines.
    pub other_sanitizers: BTreeSet<&'static str>,
}

/// Reads a file's facts. The error is a sentence about the file, without its name.
pub fn facts(data: &[u8]) -> Result<Facts, String> {
    match object::FileKind::parse(data) {
        Ok(object::FileKind::Elf64) => {}
        Ok(object::FileKind::Archive) => {
            return Err("is an archive: look at the program that it is linked into, or at one of its members".into());
        }
        Ok(_) | Err(_) if data.starts_with(b"#!") => {
            return Err(
                "is a script: look at the program that it runs (of a libtool wrapper: .libs/NAME)"
                    .into(),
            );
        }
        Ok(_) | Err(_) => return Err("is not a 64-bit ELF file".into()),
    }
    let file =
        ElfFile64::<Endianness>::parse(data).map_err(|error| format!("cannot be read: {error}"))?;
    let went_through = symbols(&file).any(|symbol| {
        symbol.name().is_ok_and(|name| {
            name.starts_with(ABI_PREFIX) && (!is_abi(name) || symbol.is_undefined())
        })
    });
    Ok(Facts {
        kind: kind(&file),
        x86_64: file.elf_header().e_machine(file.endian()) == elf::EM_X86_64,
        dynamic: file.section_by_name(".interp").is_some(),
        defines: abi_symbols(&file, |symbol| symbol.is_definition()),
        needs: abi_symbols(&file, |symbol| symbol.is_undefined()),
        went_through,
        exports_runtime: file
            .dynamic_symbols()
            .any(|symbol| symbol.is_definition() && symbol.name() == Ok(ABI_SYMBOL)),
        needs_shared_runtime: needed(&file)
            .iter()
            .any(|name| name.starts_with(b"libgoldilocks_rt.so")),
        checks: calls(&file, went_through).max(undefined_hooks(&file)),
        has_lines: [".debug_line", ".zdebug_line"]
            .iter()
            .any(|name| file.section_by_name(name).is_some()),
        other_sanitizers: other_sanitizers(&file),
    })
}

type File<'data> = ElfFile64<'data, Endianness>;
type Symbol<'data, 'file> = object::read::elf::ElfSymbol64<'data, 'file, Endianness>;

fn kind(file: &File) -> Kind {
    match file.kind() {
        ObjectKind::Relocatable => Kind::Object,
        // A position-independent program looks like a library, but names its interpreter.
        ObjectKind::Dynamic if file.section_by_name(".interp").is_none() => Kind::Library,
        _ => Kind::Program,
    }
}

fn symbols<'data, 'file>(file: &'file File<'data>) -> impl Iterator<Item = Symbol<'data, 'file>> {
    file.symbols().chain(file.dynamic_symbols())
}

fn abi_symbols(file: &File, wanted: impl Fn(&Symbol) -> bool) -> BTreeSet<String> {
    let names = symbols(file)
        .filter(|symbol| wanted(symbol))
        .filter_map(|symbol| symbol.name().ok());
    names
        .filter(|name| is_abi(name))
        .map(str::to_owned)
        .collect()
}

/// The libraries that the dynamic linker is to load with it.
fn needed<'data>(file: &File<'data>) -> Vec<&'data [u8]> {
    let endian = file.endian();
    let sections = file.elf_section_table();
    let Ok(Some((entries, link))) = sections.dynamic(endian, file.data()) else {
        return Vec::new();
    };
    let Ok(strings) = sections.strings(endian, file.data(), link) else {
        return Vec::new();
    };
    let libraries = entries
        .iter()
        .filter(|entry| entry.d_tag.get(endian) == u64::from(elf::DT_NEEDED));
    libraries
        .filter_map(|entry| {
            strings
                .get(u32::try_from(entry.d_val.get(endian)).ok()?)
                .ok()
        })
        .collect()
}

/// Names of the runtime that instrumented code calls.
fn hooks() -> HashSet<String> {
    let stubs = abi::STUB_REGISTERS.iter().flat_map(|register| {
        abi::ACCESS_SIZES.iter().flat_map(move |&size| {
            [false, true].map(|write| abi::check_stub(write, size, register))
        })
    });
    stubs
        .chain(abi::HOOKS.iter().map(|hook| hook.name.to_owned()))
        .collect()
}

/// How many `call` instructions in a linked program go straight to a check or a hook. Bytes that happen to look like one
/// have to hold the distance to one of some hundred addresses: in one of many builds of the runtime, one does. So a program that does not say that it
/// went through goldilocks has none if it has no more than two.
fn calls(file: &File, went_through: bool) -> usize {
    const CALL: u8 = 0xe8;
    const BY_CHANCE: usize = 2;
    if file.kind() == ObjectKind::Relocatable {
        return 0;
    }
    let hooks = hooks();
    let targets: HashSet<u64> = symbols(file)
        .filter(|symbol| {
            symbol.is_definition() && symbol.name().is_ok_and(|name| hooks.contains(name))
        })
        .map(|symbol| symbol.address())
        .collect();
    if targets.is_empty() {
        return 0;
    }
    let is_ours = |name: Result<&str, _>| name.is_ok_and(|name| name == cxx_library::SECTION);
    let code = file
        .sections()
        .filter(|section| section.kind() == SectionKind::Text && !is_ours(section.name()));
    let calls: usize = code
        .filter_map(|section| Some((section.address(), section.data().ok()?)))
        .map(|(start, bytes)| {
            let at = |(offset, window): (usize, &[u8])| {
                let distance = i32::from_le_bytes(window[1..5].try_into().ok()?);
                let next = start + offset as u64 + 5;
                (window[0] == CALL && targets.contains(&next.wrapping_add_signed(distance.into())))
                    .then_some(())
            };
            bytes.windows(5).enumerate().filter_map(at).count()
        })
        .sum();
    if went_through || calls > BY_CHANCE {
        calls
    } else {
        0
    }
}

fn undefined_hooks(file: &File) -> usize {
    let hooks = hooks();
    let names = symbols(file)
        .filter(|symbol| symbol.is_undefined())
        .filter_map(|symbol| symbol.name().ok());
    names
        .filter(|name| hooks.contains(*name))
        .collect::<HashSet<_>>()
        .len()
}

fn other_sanitizers(file: &File) -> BTreeSet<&'static str> {
    // Of ThreadSanitizer, a name that our runtime does not define: it takes the calls of objects compiled for that one.
    const NAMES: [(&str, &str); 5] = [
        ("__tsan_check_no_mutexes_held", "ThreadSanitizer"),
        ("__asan_init", "AddressSanitizer"),
        ("__hwasan_init", "HWAddressSanitizer"),
        ("__msan_init", "MemorySanitizer"),
        ("__lsan_init", "LeakSanitizer"),
    ];
    symbols(file)
        .filter_map(|symbol| {
            let name = symbol.name().ok()?;
            NAMES
                .iter()
                .find(|(symbol, _)| *symbol == name)
                .map(|(_, sanitizer)| *sanitizer)
        })
        .collect()
}
