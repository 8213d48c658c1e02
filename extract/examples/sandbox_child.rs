//! Child side of the sandbox as a program, for tests and benchmarks of this crate. With `probe`, it drops the
//! rights that a child drops, tries to use them, and prints one line per attempt. With `import-child`,
//! it reads a file, or fails in the way that its request specifies.
#![expect(clippy::print_stdout, reason = "the test reads what it prints")]

use std::os::unix::fs::FileExt;
use std::{fs::File, io, net::TcpListener, net::UdpSocket, process::Command, process::ExitCode, thread};

use extract::sandbox::FrameWriter;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    match words.as_slice() {
        [word] if word == "probe" => probe(),
        [_, memory_bytes, request] => {
            let Ok(memory_bytes) = memory_bytes.parse() else { return ExitCode::FAILURE };
            extract::sandbox::file_child_main(memory_bytes, |file, output| read_file(&file, request, output))
        }
        _ => extract::sandbox::child_main(),
    }
}

/// Sends the last and the first four bytes of the file, then performs the action that the request specifies.
fn read_file(file: &File, request: &str, output: &mut FrameWriter) -> io::Result<()> {
    let mut bytes = [0; 4];
    for at in [4, 0] {
        file.read_exact_at(&mut bytes, at)?;
        output.bytes(b'B', &bytes)?;
    }
    output.flush()?;
    match request {
        "abort" => std::process::abort(),
        "allocate" => output.bytes(b'B', &vec![1; 1 << 30]),
        "long" => (0..200).try_for_each(|_| output.bytes(b'B', &vec![1; 100_000])),
        "flood" => output.bytes(b'B', &[1; 100]),
        _ => output.json(b'J', &request),
    }
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
