// SPDX-License-Identifier: Apache-2.0
//! peer-run FILE PROGRAM ARGUMENT...: runs the program and writes into FILE what
//! the system says it used: peak KiB and CPU microseconds.  A process begins with
//! the peak of the one that made it, and this one is small.

use std::process::{exit, Command};

#[repr(C)]
#[derive(Default)]
struct Usage {
    user: [i64; 2], // seconds, microseconds
    system: [i64; 2],
    peak_kib: i64,
    rest: [i64; 13],
}

extern "C" {
    fn wait4(pid: i32, status: *mut i32, options: i32, usage: *mut Usage) -> i32;
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [file, program, rest @ ..] = args.as_slice() else {
        eprintln!("usage: peer-run FILE PROGRAM ARGUMENT...");
        exit(64);
    };
    let child = Command::new(program)
        .args(rest)
        .spawn()
        .unwrap_or_else(|e| {
            eprintln!("{program}: {e}");
            exit(127)
        });
    let (mut status, mut usage) = (0, Usage::default());
    // The struct is that of the C library on 64-bit Linux.
    let pid = unsafe { wait4(child.id() as i32, &mut status, 0, &mut usage) };
    assert_eq!(pid, child.id() as i32);
    let micros: i64 = [usage.user, usage.system]
        .iter()
        .map(|t| t[0] * 1_000_000 + t[1])
        .sum();
    if let Err(e) = std::fs::write(file, format!("{} {micros}\n", usage.peak_kib)) {
        eprintln!("{file}: {e}");
        exit(74);
    }
    // As wait4 says it: the signal, or the exit status.
    exit(if status & 0x7f != 0 {
        128 + (status & 0x7f)
    } else {
        status >> 8 & 0xff
    });
}
