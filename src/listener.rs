//! Connection limits: total, per network, idle time, and time to receive a request head. Without them,
//! incomplete requests would keep connections open until the process runs out of file descriptors.

mod connection_slots;
mod head;

use std::future::Future;
use std::io;
use std::net::IpAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use identity::limits::Network;
use ipnet::IpNet;
use poem::http::uri::Scheme;
use poem::listener::{Acceptor, Listener};
use poem::web::{LocalAddr, RemoteAddr};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Instant, Sleep, sleep_until};

use self::connection_slots::{ConnectionSlot, ConnectionSlots};
use self::head::HeadTracker;

#[derive(Debug, Clone)]
pub struct ConnectionLimits {
    /// Maximum number of connections. A further connection takes the slot of the connection that has been
    /// idle longest.
    pub total: usize,
    /// Maximum number of connections from one network (an IPv4 address, or an IPv6 /64; four times as many
    /// from a /56, sixteen times from a /48). Further connections are closed. Trusted proxies are exempt.
    pub per_network: usize,
    /// Maximum time without a byte in either direction.
    pub idle: Duration,
    /// Maximum time from the first to the last byte of a request head, even if bytes keep arriving.
    pub head: Duration,
    /// Proxies that are exempt from the limit per network.
    pub trusted_proxies: Vec<IpNet>,
}

/// Listener that enforces [`ConnectionLimits`].
pub struct LimitedListener<L> {
    inner: L,
    limits: ConnectionLimits,
}

impl<L> LimitedListener<L> {
    /// Applies `limits` to the connections of `inner`.
    pub fn new(inner: L, limits: ConnectionLimits) -> Self {
        Self { inner, limits }
    }
}

impl<L: Listener> Listener for LimitedListener<L> {
    type Acceptor = LimitedAcceptor<L::Acceptor>;

    async fn into_acceptor(self) -> io::Result<Self::Acceptor> {
        let inner = self.inner.into_acceptor().await?;
        let slots = ConnectionSlots::new(self.limits.total, self.limits.per_network);
        Ok(LimitedAcceptor { inner, limits: self.limits, slots })
    }
}

/// Acceptor of a [`LimitedListener`].
pub struct LimitedAcceptor<A> {
    inner: A,
    limits: ConnectionLimits,
    slots: Arc<ConnectionSlots>,
}

impl<A: Acceptor> Acceptor for LimitedAcceptor<A> {
    type Io = Connection<A::Io>;

    fn local_addr(&self) -> Vec<LocalAddr> {
        self.inner.local_addr()
    }

    async fn accept(&mut self) -> io::Result<(Self::Io, LocalAddr, RemoteAddr, Scheme)> {
        loop {
            let (stream, local, remote, scheme) = self.inner.accept().await?;
            let address = remote.as_socket_addr().map(|address| address.ip().to_canonical());
            let is_trusted =
                |address: &IpAddr| self.limits.trusted_proxies.iter().any(|proxy| proxy.contains(address));
            let network = address.filter(|address| !is_trusted(address)).map(Network::of);
            if let Some(slot) = self.slots.take(network) {
                let connection = Connection::new(stream, &self.limits, slot);
                return Ok((connection, local, remote, scheme));
            }
        }
    }
}

/// Connection that fails with `TimedOut` if it is idle for too long, a request head takes too long, or its
/// slot is needed.
pub struct Connection<T> {
    inner: T,
    idle: Duration,
    head: Duration,
    heads: HeadTracker,
    /// Deadline of the request head that is being received.
    head_deadline: Option<Instant>,
    timer: Pin<Box<Sleep>>,
    slot: ConnectionSlot,
}

impl<T> Connection<T> {
    fn new(inner: T, limits: &ConnectionLimits, slot: ConnectionSlot) -> Self {
        let ConnectionLimits { idle, head, .. } = *limits;
        let timer = Box::pin(sleep_until(Instant::now() + idle));
        Self { inner, idle, head, heads: HeadTracker::default(), head_deadline: None, timer, slot }
    }

    fn record_read(&mut self, bytes: &[u8]) {
        if self.heads.read(bytes) {
            self.head_deadline = None;
        }
        self.reset_timer();
    }

    fn record_write(&mut self, bytes: &[u8]) {
        self.heads.write(bytes);
        self.reset_timer();
    }

    fn reset_timer(&mut self) {
        self.slot.record_byte(self.heads.is_answering());
        let now = Instant::now();
        self.head_deadline =
            self.heads.is_unfinished().then(|| self.head_deadline.unwrap_or(now + self.head));
        let end =
            self.head_deadline.map_or(now + self.idle, |head_deadline| head_deadline.min(now + self.idle));
        self.timer.as_mut().reset(end);
    }

    /// Fails with `TimedOut` when the timer has expired or the slot is needed.
    fn poll_timeout<R>(&mut self, context: &mut Context<'_>) -> Poll<io::Result<R>> {
        if self.slot.is_evicted(context) {
            return Poll::Ready(Err(io::ErrorKind::TimedOut.into()));
        }
        ready!(self.timer.as_mut().poll(context));
        Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
    }
}

impl<T: AsyncRead + Unpin> AsyncRead for Connection<T> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        if let Poll::Ready(read) = Pin::new(&mut self.inner).poll_read(context, buffer) {
            self.record_read(buffer.filled().get(before..).unwrap_or_default());
            return Poll::Ready(read);
        }
        self.poll_timeout(context)
    }
}

impl<T: AsyncWrite + Unpin> AsyncWrite for Connection<T> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        if let Poll::Ready(written) = Pin::new(&mut self.inner).poll_write(context, bytes) {
            self.record_write(bytes);
            return Poll::Ready(written);
        }
        self.poll_timeout(context)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        if let Poll::Ready(flushed) = Pin::new(&mut self.inner).poll_flush(context) {
            return Poll::Ready(flushed);
        }
        self.poll_timeout(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.inner).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use poem::listener::TcpListener;
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::net::TcpStream;

    use super::*;

    /// Factors of the time limits. On a busy machine, a client is idle for longer than the shorter limit.
    const SLOWNESS: [u32; 2] = [1, 20];

    async fn listener(per_network: usize) -> (LimitedAcceptor<poem::listener::TcpAcceptor>, String) {
        slow_listener(per_network, 1).await
    }

    async fn slow_listener(
        per_network: usize,
        slowness: u32,
    ) -> (LimitedAcceptor<poem::listener::TcpAcceptor>, String) {
        let limits = ConnectionLimits {
            total: 8,
            per_network,
            idle: Duration::from_millis(50) * slowness,
            head: Duration::from_millis(200) * slowness,
            trusted_proxies: Vec::new(),
        };
        let listener = LimitedListener::new(TcpListener::bind("127.0.0.1:0"), limits);
        let acceptor = listener.into_acceptor().await.unwrap();
        let address = acceptor.local_addr()[0].as_socket_addr().unwrap().to_string();
        (acceptor, address)
    }

    #[tokio::test]
    async fn connection_with_incomplete_head_times_out() {
        let (mut acceptor, address) = listener(8).await;
        let mut client = TcpStream::connect(address).await.unwrap();
        client.write_all(b"GET / HTT").await.unwrap();
        let (mut connection, ..) = acceptor.accept().await.unwrap();
        let mut head = [0; 9];
        connection.read_exact(&mut head).await.unwrap();
        assert_eq!(&head, b"GET / HTT");
        let end = connection.read(&mut head).await.unwrap_err();
        assert_eq!(end.kind(), io::ErrorKind::TimedOut);
    }

    /// Sends `head` and then header lines, in intervals much shorter than the idle limit, until the
    /// connection is closed.
    fn drip(mut client: TcpStream, head: &'static [u8]) -> tokio::task::JoinHandle<()> {
        tokio::spawn(async move {
            let mut beat = tokio::time::interval(Duration::from_millis(5));
            if client.write_all(head).await.is_err() {
                return;
            }
            while client.write_all(b"X-More: and more\r\n").await.is_ok() {
                beat.tick().await;
            }
        })
    }

    #[tokio::test]
    async fn slowly_sent_head_times_out() {
        for first in [&b"GET / HTTP/1.1\r\n"[..], b"GET / HTTP/1.1\r\nHost: x\r\n\r\nGET / HTTP/1.1\r\n"] {
            let mut is_head_limit = false;
            for slowness in SLOWNESS {
                // The heads of subsequent requests have the same time limit as the first head.
                let answer = b"HTTP/1.1 200 OK\r\n\r\n";
                let time = time_until_timeout(first, answer, slowness, Duration::MAX).await;
                is_head_limit = time >= Some(Duration::from_millis(200) * slowness);
                if is_head_limit {
                    break;
                }
            }
            assert!(is_head_limit, "the connection ended by the idle limit");
        }
    }

    /// Receives a slow request, and sends `answer` after its first bytes, until the connection times out. Returns the
    /// time until then, or `None` if the connection is open after `longest`.
    async fn time_until_timeout(
        head: &'static [u8],
        answer: &'static [u8],
        slowness: u32,
        longest: Duration,
    ) -> Option<Duration> {
        let (mut acceptor, address) = slow_listener(8, slowness).await;
        let dripping = drip(TcpStream::connect(address).await.unwrap(), head);
        let (mut connection, ..) = acceptor.accept().await.unwrap();
        let (began, mut buffer) = (Instant::now(), [0; 1024]);
        let mut answer = Some(answer);
        let end = loop {
            match connection.read(&mut buffer).await {
                Ok(read) => assert!(read > 0, "the client is still connected"),
                Err(end) => break Some(end),
            }
            if let Some(answer) = answer.take() {
                connection.write_all(answer).await.unwrap();
            }
            if began.elapsed() >= longest {
                break None;
            }
        };
        let time = began.elapsed();
        drop(connection);
        dripping.await.unwrap();
        let end = end?;
        assert_eq!(end.kind(), io::ErrorKind::TimedOut);
        Some(time)
    }

    #[tokio::test]
    async fn body_may_take_longer_than_head_limit() {
        let head = b"POST / HTTP/1.1\r\nContent-Length: 9999\r\n\r\n";
        let mut timeout = None;
        for slowness in SLOWNESS {
            let longest = Duration::from_millis(400) * slowness;
            timeout = time_until_timeout(head, b"", slowness, longest).await;
            if timeout.is_none() {
                break;
            }
        }
        assert_eq!(timeout, None);
    }

    #[tokio::test]
    async fn connection_with_unread_response_times_out() {
        let (mut acceptor, address) = listener(8).await;
        let _client = TcpStream::connect(address).await.unwrap();
        let (mut connection, ..) = acceptor.accept().await.unwrap();
        let answer = vec![b'x'; 64 << 20];
        let end = connection.write_all(&answer).await.unwrap_err();
        assert_eq!(end.kind(), io::ErrorKind::TimedOut);
    }

    #[tokio::test]
    async fn connections_per_network_are_limited() {
        let (mut acceptor, address) = listener(1).await;
        let _first = TcpStream::connect(&address).await.unwrap();
        let (accepted, ..) = acceptor.accept().await.unwrap();
        let mut second = TcpStream::connect(&address).await.unwrap();
        let accepting =
            tokio::spawn(async move { acceptor.accept().await.map(|(connection, ..)| connection) });
        assert_eq!(second.read(&mut [0]).await.unwrap(), 0, "the second connection is closed");
        drop(accepted);
        let _third = TcpStream::connect(&address).await.unwrap();
        accepting.await.unwrap().unwrap();
    }
}
