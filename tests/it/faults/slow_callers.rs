//! Slow clients: a thousand idle connections, and clients that read their answers very slowly.

use std::net::{IpAddr, SocketAddr};
use std::time::{Duration, Instant};

use rustix::process::Signal;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};

use crate::support::app::read_path;
use crate::support::deployment::Web;
use crate::support::servers::{Process, free_port};
use crate::support::site::{Reply, article};
use crate::support::{Site, run};

const IDLE: usize = 1_000;
const SLOW: usize = 50;
const READS: u32 = 300;
/// Maximum memory of the process with all clients, in MiB. Without clients, it uses about 60 MiB.
const MEMORY_MIB: u64 = 300;

fn memory_mib(process: &Process) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{}/status", process.pid())).unwrap();
    let line = status.lines().find(|line| line.starts_with("VmRSS:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse::<u64>().unwrap() / 1024
}

/// Connects from one of twenty addresses, so that no address exceeds the limit of connections per address.
async fn connect(number: usize, port: u16) -> TcpStream {
    let socket = TcpSocket::new_v4().unwrap();
    let address = IpAddr::from([127, 0, 1, u8::try_from(number % 20 + 1).unwrap()]);
    socket.bind(SocketAddr::new(address, 0)).unwrap();
    socket.connect(SocketAddr::from(([127, 0, 0, 1], port))).await.unwrap()
}

#[test]
fn idle_and_slow_clients_do_not_block_others_and_use_little_memory() {
    run(async {
        let (site, port) = (Site::start(), free_port());
        let settings = [
            ("CARREL_LISTEN", format!("127.0.0.1:{port}")),
            ("CARREL_FETCH_ALLOW", "127.0.0.1".to_owned()),
            ("CARREL_READER_LIMITS", "off".to_owned()),
        ];
        let (mut process, web) = (Process::start(&["serve"], &settings), Web::at(port));
        web.wait_until_ready().await;
        let paragraph = format!("<p>{}</p>", "A town by the sea, and what is told of it. ".repeat(30));
        let body = article().replace("</article>", &format!("{}</article>", paragraph.repeat(1_500)));
        let large = read_path(&site.put("/large", Reply::html(body)), &[("format", "text")]);
        web.get(&large).await.expect(200);
        let small = read_path(&site.article("/small"), &[]);
        web.get(&small).await.expect(200);
        let before = memory_mib(&process);

        let mut idle = Vec::new();
        for number in 0..IDLE {
            idle.push(connect(number, port).await);
        }
        let mut slow = Vec::new();
        for number in 0..SLOW {
            let mut caller = connect(number, port).await;
            let request = format!("GET {large} HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n");
            caller.write_all(request.as_bytes()).await.unwrap();
            let mut first = [0; 16];
            caller.read_exact(&mut first).await.unwrap();
            slow.push(caller);
        }
        let (begin, mut longest) = (Instant::now(), Duration::ZERO);
        for _ in 0..READS {
            let start = Instant::now();
            web.get(&small).await.expect(200);
            longest = longest.max(start.elapsed());
        }
        let after = memory_mib(&process);
        println!(
            "{READS} reads beside {IDLE} idle and {SLOW} slow callers: {:.2?} each, the longest {longest:.1?}; \
             {before} MiB before, {after} MiB with them",
            begin.elapsed() / READS
        );
        assert!(after < MEMORY_MIB, "{after} MiB");
        drop((idle, slow));
        process.signal(Signal::TERM);
        assert!(process.wait_for_exit().await.success(), "{}", process.log());
    });
}
