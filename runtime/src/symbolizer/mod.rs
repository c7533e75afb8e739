//! From addresses to names: functions, files, lines, variables.
//!
//! The work is done in a process of its own ([`server`]), started when the first report needs it ([`client`]), with a
//! limit on every wait. Whatever goes wrong there costs names, never the report and never the host: then a frame is a
//! module and an offset, from which names can be found later.

pub mod client;
mod debug_file;
mod demangle;
mod external;
mod lookup;
mod members;
pub mod protocol;
pub mod server;

use std::collections::BTreeMap;
use std::ffi::CString;
use std::time::Duration;

pub use client::{Command, Failure};
pub use protocol::{Frame, Part, Variable};

use crate::modules::Modules;
use crate::options::{self, Options};
use crate::sys;
use client::Process;
use protocol::{Request, What};

/// All look-ups of a run together may take this long; a program with thousands of reports must go on.
const TOTAL: Duration = Duration::from_secs(120);

/// After so many failures no symbolizer is started again. Each has cost at most one time limit.
const FAILURES: usize = 3;

/// What is known about a code address.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CodeInfo {
    /// Path of the module and address as in the file; `None` if the address is in no module.
    pub module: Option<(String, u64)>,
    /// Innermost first: the last is the function itself, those before it were inlined. Empty if nothing is known.
    pub frames: Vec<Frame>,
}

/// What is known about a data address.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DataInfo {
    pub module: Option<(String, u64)>,
    /// With its start as an address in this process.
    pub variable: Option<Variable>,
}

/// How to symbolize.
#[derive(Clone, Debug)]
pub struct Settings {
    /// `None`: not at all.
    pub command: Option<Command>,
    /// For one look-up.
    pub patience: Duration,
    /// For all look-ups together.
    pub total: Duration,
    /// Why there is no command, if that is to be told.
    pub refusal: Option<Failure>,
}

impl Settings {
    pub fn new(options: &Options) -> Settings {
        let forbidden = options.symbolize && options::has_more_rights_than_its_caller();
        let command = match options.external_symbolizer_path {
            _ if !options.symbolize || forbidden => None,
            "" => Some(own_command()),
            path => Some(Command::External {
                program: search(path),
            }),
        };
        Settings {
            command,
            patience: Duration::from_millis(options.symbolizer_timeout_ms.into()),
            total: TOTAL,
            refusal: forbidden.then_some(Failure::Forbidden),
        }
    }
}

/// Answers by module and offset: these stay right when a library is loaded again elsewhere.
type Cache<T> = BTreeMap<(String, u64), T>;

pub struct Symbolizer {
    settings: Settings,
    modules: Modules,
    process: Option<Process>,
    failures: Vec<Failure>,
    /// Modules at which the symbolizer has failed; it is not asked about them again.
    given_up: Vec<String>,
    spent: Duration,
    code: Cache<Vec<Frame>>,
    data: Cache<Option<Variable>>,
}

impl Symbolizer {
    /// Starts nothing yet.
    pub fn new(settings: Settings) -> Symbolizer {
        Symbolizer {
            failures: settings.refusal.iter().cloned().collect(),
            settings,
            modules: Modules::default(),
            process: None,
            given_up: Vec::new(),
            spent: Duration::ZERO,
            code: Cache::new(),
            data: Cache::new(),
        }
    }

    /// Looks at what is loaded now. To be called once per report.
    pub fn refresh(&mut self) {
        self.modules = Modules::load();
    }

    /// Module and offset of an address, which needs no symbolizer.
    pub fn place(&self, address: usize) -> Option<(String, u64)> {
        let module = self.modules.find(address)?;
        Some((module.path.clone(), module.offset(address)))
    }

    /// What the instruction at `address` belongs to. For a return address ask for the byte before it.
    pub fn code(&mut self, address: usize) -> CodeInfo {
        let Some(place) = self.place(address) else {
            return CodeInfo::default();
        };
        let frames = match self.code.get(&place) {
            Some(frames) => frames.clone(),
            None => {
                let frames = self
                    .ask(What::Code, address)
                    .and_then(|(answer, external)| match external {
                        true => Some(external::decode_frames(&answer)),
                        false => protocol::decode_frames(answer.get(4..)?),
                    })
                    .unwrap_or_default();
                self.code.insert(place.clone(), frames.clone());
                frames
            }
        };
        CodeInfo {
            module: Some(place),
            frames,
        }
    }

    /// The variable at `address`, for the data of modules (not heap, stack or thread-local memory).
    pub fn data(&mut self, address: usize) -> DataInfo {
        let Some(place) = self.place(address) else {
            return DataInfo::default();
        };
        let mut variable = match self.data.get(&place) {
            Some(variable) => variable.clone(),
            None => {
                let variable = self
                    .ask(What::Data, address)
                    .and_then(|(answer, external)| match external {
                        true => external::decode_variable(&answer),
                        false => protocol::decode_variable(answer.get(4..)?)?,
                    });
                self.data.insert(place.clone(), variable.clone());
                variable
            }
        };
        if let Some(variable) = &mut variable {
            variable.start = variable.start.wrapping_add(address as u64 - place.1);
        }
        DataInfo {
            module: Some(place),
            variable,
        }
    }

    /// Why names are missing; `None` if nothing has gone wrong.
    pub fn trouble(&self) -> Option<&Failure> {
        self.failures.last()
    }

    /// The answer of the symbolizer, and whether it is an external one's.
    fn ask(&mut self, what: What, address: usize) -> Option<(Vec<u8>, bool)> {
        let module = self.modules.find(address)?;
        if self.given_up.contains(&module.path) || !module.path.starts_with('/') {
            return None;
        }
        let command = self.settings.command.clone()?;
        let external = matches!(command, Command::External { .. });
        let request = Request {
            what,
            // The program that a preloaded symbolizer runs in is another.
            main: module.main
                && !matches!(
                    command,
                    Command::Own {
                        preload: Some(_),
                        ..
                    }
                ),
            path: module.path.clone(),
            build_id: module.build_id.clone(),
            offset: module.offset(address),
        };
        let begin = sys::now();
        let mut answer = self.try_ask(&command, &request, external);
        if answer == Err(Failure::Gone) && self.failures.is_empty() {
            // The host may have closed our descriptor, which is no fault of the symbolizer's.
            self.process = None;
            answer = self.try_ask(&command, &request, external);
        }
        self.spent += sys::now() - begin;
        match answer {
            Ok(answer) => Some((answer, external)),
            Err(failure) => {
                self.process = None;
                self.given_up.push(request.path);
                self.failures.push(failure);
                None
            }
        }
    }

    fn try_ask(
        &mut self,
        command: &Command,
        request: &Request,
        external: bool,
    ) -> Result<Vec<u8>, Failure> {
        if self.failures.len() >= FAILURES
            || self
                .failures
                .iter()
                .any(|f| matches!(f, Failure::CannotStart(_)))
        {
            return Err(self.failures[self.failures.len() - 1].clone());
        }
        let patience = self
            .settings
            .patience
            .min(self.settings.total.saturating_sub(self.spent));
        let process = match &mut self.process {
            Some(process) => process,
            none => none.insert(Process::start(command, patience)?),
        };
        if external {
            process.ask(
                &external::encode(request),
                patience,
                external::answer_length,
            )
        } else {
            process.ask(&request.encode(), patience, |bytes| {
                let length = 4 + u32::from_le_bytes(bytes.get(..4)?.try_into().ok()?) as usize;
                (bytes.len() >= length).then_some(length)
            })
        }
    }
}

/// What to execute to start this runtime again. If it is in the program itself, that program. That is not always
/// `/proc/self/exe`: a program started through the loader (`ld.so program`) has the loader there. If the runtime is in a
/// library, a program that does nothing, with that library: the program itself may have loaded it late, and would run.
fn own_command() -> Command {
    let modules = Modules::load();
    if let Some(library) = modules
        .find(own_command as *const () as usize)
        .filter(|module| !module.main)
    {
        let preload = Some(CString::new(library.path.as_str()).unwrap_or_default());
        return Command::Own {
            program: c"/bin/true".into(),
            preload,
        };
    }
    // Of the process that executes it.
    let link = c"/proc/self/exe";
    let executable = sys::read_link(c"/proc/thread-self/exe").unwrap_or_default();
    let program = match modules.list.iter().find(|module| module.main) {
        Some(main) if main.path.starts_with('/') && main.path.as_bytes() != executable => {
            CString::new(main.path.as_str()).unwrap_or_else(|_| link.into())
        }
        _ => link.into(),
    };
    Command::Own {
        program,
        preload: None,
    }
}

/// Where the command `name` is, as a shell would find it.
fn search(name: &str) -> CString {
    let as_given = CString::new(name).unwrap_or_default();
    if name.contains('/') {
        return as_given;
    }
    let path = options::environment_variable("PATH").unwrap_or_default();
    let mut candidates = path
        .split(':')
        .filter_map(|directory| CString::new(format!("{directory}/{name}")).ok());
    candidates
        .find(|candidate| sys::access(candidate, libc::X_OK).is_ok())
        .unwrap_or(as_given)
}

#[cfg(test)]
mod tests;
