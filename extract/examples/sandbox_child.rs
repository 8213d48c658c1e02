//! Child side of the sandbox as a program, for tests and benchmarks of this crate. With `probe` it drops the
//! rights that a child drops, tries to use them, and prints one line per attempt.
#![expect(clippy::print_stdout, reason = "the test reads what it prints")]

use std::{fs::File, net::TcpListener, net::UdpSocket, process::Command, process::ExitCode, thread};

fn main() -> ExitCode {
    if std::env::args().nth(1).is_some_and(|word| word == "probe") {
        return probe();
    }
    extract::sandbox::child_main()
}

fn probe() -> ExitCode {
    let Ok(unsupported) = extract::sandbox::confine_this_process(512 << 20) else { return ExitCode::FAILURE };
    for part in unsupported {
        println!("unsupported {part}");
    }
    let report = |attempt: &str, done: bool| println!("{attempt} {}", if done { "done" } else { "refused" });
    // The test starts this program with descriptor 9 open. Confinement must have closed it.
    report("inherited", nix::unistd::close(9).is_ok());
    report("read", File::open("/etc/hostname").is_ok());
    report("list", std::fs::read_dir("/proc/self/fd").is_ok());
    report("write", File::create("/tmp/carrel-probe").is_ok());
    report("listen", TcpListener::bind("127.0.0.1:0").is_ok());
    report("datagram", UdpSocket::bind("127.0.0.1:0").is_ok());
    report("process", Command::new("/bin/true").spawn().is_ok());
    report("thread", thread::Builder::new().spawn(|| ()).is_ok());
    report("memory", !vec![1_u8; 64 << 20].is_empty());
    ExitCode::SUCCESS
}
