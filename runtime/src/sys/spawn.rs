//! Starts a program that the host does not notice.
//!
//! `fork` would copy the page tables of a large host, `posix_spawn` raises `SIGCHLD` and shows up in the host's
//! `wait(-1)`. A child made by clone(2) with exit signal 0 does neither, but `execve` sets the exit signal back to
//! `SIGCHLD`. So there are two generations: a child (exit signal 0, shares our memory, we are suspended meanwhile)
//! starts the grandchild that executes the program, and ends at once; the program is adopted by the init process. A host
//! that is itself init, or has asked to adopt orphans, would get it after all: see [`super::is_subreaper`].

use core::ffi::{CStr, c_char};

use super::{
    Errno, Result, SignalMask, block_signals, call, exit_group, mmap, munmap, restore_signals,
    syscall, wait,
};

/// What to start. All descriptors but those of `descriptors` are closed in the program; its standard streams are
/// `/dev/null` unless `descriptors` names them; all signals are blocked in it, so that a Ctrl-C meant for the host
/// does not end it.
pub struct Program<'a> {
    pub path: &'a CStr,
    /// Without the terminating null, which is added.
    pub arguments: &'a [&'a CStr],
    pub environment: &'a [&'a CStr],
    /// (descriptor here, number there); numbers there are 0..=3.
    pub descriptors: &'a [(i32, i32)],
}

const STACK: usize = 64 << 10;

/// What the three processes share, in the memory that they share.
struct Plan {
    path: *const c_char,
    arguments: *const *const c_char,
    environment: *const *const c_char,
    descriptors: *const (i32, i32),
    descriptor_count: usize,
    inner_stack: usize,
    /// Written by the child: process id of the grandchild, or a negative error number.
    pid: isize,
    /// Written by the grandchild when `execve` failed: the error number.
    failed: i32,
}

/// Starts `program`; returns its process id, which is no child of ours.
pub fn start(program: &Program<'_>) -> Result<i32> {
    let arguments = null_terminated(program.arguments);
    let environment = null_terminated(program.environment);
    let protection = libc::PROT_READ | libc::PROT_WRITE;
    // SAFETY: a new anonymous mapping, which replaces nothing.
    let stacks = unsafe {
        mmap(
            0,
            2 * STACK,
            protection,
            libc::MAP_PRIVATE | libc::MAP_ANONYMOUS,
            -1,
            0,
        )
    }?;
    let mut plan = Plan {
        path: program.path.as_ptr(),
        arguments: arguments.as_ptr(),
        environment: environment.as_ptr(),
        descriptors: program.descriptors.as_ptr(),
        descriptor_count: program.descriptors.len(),
        inner_stack: stacks + STACK,
        pid: 0,
        failed: 0,
    };
    // No handler of the host may run in the child: it would run in our memory.
    let mask: SignalMask = block_signals();
    // SAFETY: the stack is ours and the plan outlives the child, which has ended when the call returns.
    let child = unsafe { clone_and_run(stacks + 2 * STACK, in_child, &raw mut plan) };
    if child > 0 {
        let _ = wait(child as i32, 0);
    }
    restore_signals(mask);
    // SAFETY: the child has ended and the grandchild has replaced its memory or ended: nobody uses the stacks.
    let _ = unsafe { munmap(stacks, 2 * STACK) };
    // SAFETY: the plan is written through a pointer by processes that the optimizer does not know.
    let (pid, failed) = unsafe {
        (
            (&raw const plan.pid).read_volatile(),
            (&raw const plan.failed).read_volatile(),
        )
    };
    match (child, pid, failed) {
        (..0, _, _) => Err(Errno(-child as i32)),
        (_, ..0, _) => Err(Errno(-pid as i32)),
        (_, _, 1..) => Err(Errno(failed)),
        _ => Ok(pid as i32),
    }
}

fn null_terminated(strings: &[&CStr]) -> Vec<*const c_char> {
    strings
        .iter()
        .map(|string| string.as_ptr())
        .chain([core::ptr::null()])
        .collect()
}

/// A new process that shares our memory and runs `body` on the given stack, while this thread waits until it ends or
/// executes a program. Returns its id or a negative error number.
///
/// # Safety
/// The stack must be unused, `plan` must stay valid until the process ends. All signals must be blocked.
unsafe fn clone_and_run(
    stack_top: usize,
    body: extern "C" fn(*mut Plan) -> !,
    plan: *mut Plan,
) -> isize {
    let flags = libc::CLONE_VM | libc::CLONE_VFORK;
    let result: isize;
    // SAFETY: the new process starts behind the `syscall` with rax = 0 on the new stack and never leaves `body`; it
    // needs nothing but r12 and r13, which it inherits. In the parent only rax, rcx and r11 change.
    unsafe {
        core::arch::asm!(
            "syscall",
            "test rax, rax",
            "jnz 2f",
            "xor ebp, ebp",
            "and rsp, -16",
            "mov rdi, r13",
            "call r12",
            "ud2",
            "2:",
            inlateout("rax") libc::SYS_clone as isize => result,
            in("rdi") flags as usize,
            in("rsi") stack_top,
            in("rdx") 0usize,
            in("r10") 0usize,
            in("r8") 0usize,
            in("r12") body,
            in("r13") plan,
            lateout("rcx") _,
            lateout("r11") _,
        );
    }
    result
}

/// The child: starts the grandchild, leaves its id, ends.
extern "C" fn in_child(plan: *mut Plan) -> ! {
    // SAFETY: `start` keeps the plan alive and looks at it only after this process has ended; the inner stack is the
    // lower half of the mapping, which nobody else uses. Signals are still blocked.
    unsafe {
        let stack_top = (*plan).inner_stack;
        (&raw mut (*plan).pid).write_volatile(clone_and_run(stack_top, in_grandchild, plan));
    }
    exit_group(0)
}

/// The grandchild: arranges descriptors and executes the program.
extern "C" fn in_grandchild(plan: *mut Plan) -> ! {
    // SAFETY: `start` keeps the plan and everything it points to alive; the descriptor table is this process' own
    // copy, so nothing that is closed or moved here is closed or moved in the host.
    unsafe {
        let descriptors =
            core::slice::from_raw_parts((*plan).descriptors, (*plan).descriptor_count);
        // Out of the way of the numbers 0 to 3 first: a source may be a number that is a target, too.
        let mut moved = [(0i32, 0i32); 4];
        let mut count = 0;
        for &(from, to) in descriptors.iter().take(moved.len()) {
            match syscall!(SYS_fcntl, from, libc::F_DUPFD, 10) {
                Ok(above) => moved[count] = (above as i32, to),
                Err(e) => fail(plan, e),
            }
            count += 1;
        }
        if let Ok(null) = super::open(c"/dev/null", libc::O_RDWR, 0) {
            for standard in 0..3 {
                let _ = syscall!(SYS_dup2, null, standard);
            }
        }
        for &(from, to) in &moved[..count] {
            if let Err(e) = syscall!(SYS_dup2, from, to) {
                fail(plan, e);
            }
        }
        // The host's pipes and sockets must not be kept open by us: their readers would never see their end. Kernels
        // before 5.9 lack the call; there the server closes what it has inherited, see `symbolizer::server`.
        let first = 1 + moved[..count].iter().map(|&(_, to)| to).fold(2, i32::max);
        let _ = call(
            SYS_CLOSE_RANGE,
            [first as usize, u32::MAX as usize, 0, 0, 0, 0],
        );
        match syscall!(
            SYS_execve,
            (*plan).path,
            (*plan).arguments,
            (*plan).environment
        ) {
            Ok(_) => exit_group(0),
            Err(e) => fail(plan, e),
        }
    }
}

const SYS_CLOSE_RANGE: libc::c_long = 436;

/// # Safety
/// `plan` is alive and nobody reads it before this process has ended.
unsafe fn fail(plan: *mut Plan, error: Errno) -> ! {
    // SAFETY: as said above.
    unsafe { (&raw mut (*plan).failed).write_volatile(error.0) };
    exit_group(127)
}

#[cfg(test)]
mod tests {
    use super::super::{close, pipe, read};
    use super::*;

    #[test]
    fn a_program_runs_with_its_descriptors_and_is_no_child() {
        let (read_end, write_end) = pipe(0).unwrap();
        let program = Program {
            path: c"/bin/sh",
            arguments: &[c"sh", c"-c", c"echo $WORD; ls /proc/self/fd | wc -l"],
            environment: &[c"WORD=hello", c"PATH=/usr/bin:/bin"],
            descriptors: &[(write_end, 1)],
        };
        let pid = start(&program).unwrap();
        close(write_end).unwrap();
        let mut output = Vec::new();
        let mut chunk = [0; 64];
        while let Ok(n @ 1..) = read(read_end, &mut chunk) {
            output.extend_from_slice(&chunk[..n]);
        }
        close(read_end).unwrap();
        // Standard streams and the directory that `ls` has open.
        assert_eq!(String::from_utf8(output).unwrap(), "hello\n4\n");
        assert_eq!(wait(pid, libc::WNOHANG), Err(Errno(libc::ECHILD)));
    }

    #[test]
    fn what_cannot_be_executed_is_an_error() {
        let mut program = Program {
            path: c"/nonexistent/program",
            arguments: &[c"x"],
            environment: &[],
            descriptors: &[],
        };
        assert_eq!(start(&program), Err(Errno(libc::ENOENT)));
        program.path = c"/proc/self/limits";
        assert_eq!(start(&program), Err(Errno(libc::EACCES)));
        program.descriptors = &[(12345, 1)];
        assert_eq!(start(&program), Err(Errno(libc::EBADF)));
    }
}
