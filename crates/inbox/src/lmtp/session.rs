//! One connection: reads commands, and receives messages.

use std::io;
use std::net::IpAddr;
use std::time::Duration;

use bytes::Bytes;
use jobs::Engine;
use kernel::{Code, Error};
use permits::{MemoryBudget, MemoryPermit};
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufReader};
use tokio::time::timeout;
use tokio_rustls::TlsAcceptor;
use tokio_util::sync::CancellationToken;

use super::command::LmtpCommand;
use super::data::DataDecoder;
use super::job_pushes::JobPushes;
use crate::reception::{self, MAX_MESSAGE_BYTES, Recipient};

/// Maximum length of a command line, in bytes.
const LINE_BYTES: usize = 4096;
/// Number of bytes of an overlong line that are discarded before the connection is closed.
const DISCARDED_LINE_BYTES: usize = 64 * 1024;
/// Number of bytes of an oversized message that are discarded before the connection is closed.
const DISCARDED_BYTES: usize = 4 * MAX_MESSAGE_BYTES;
/// Bytes by which the reserved memory of a message grows.
const MEMORY_STEP: usize = 1024 * 1024;
/// Maximum number of recipients of a message.
const MAX_RECIPIENTS: usize = 100;
/// Maximum number of messages per connection.
const MAX_MESSAGES: u32 = 1000;
/// Maximum number of commands per connection, so that a client cannot use it indefinitely without sending a message.
const MAX_COMMANDS: u32 = 10_000;
/// Number of refused recipients and invalid commands after which a connection is closed.
const MAX_FAULTS: u32 = 10;
/// Delay of the response to a refused recipient, so that addresses cannot be guessed quickly.
const REFUSAL_DELAY: Duration = Duration::from_millis(200);
/// Maximum time until a command arrives.
const COMMAND_TIMEOUT: Duration = Duration::from_mins(2);
/// Maximum time for the data of a message.
const DATA_TIMEOUT: Duration = Duration::from_mins(10);
/// Maximum time for writing a response.
const WRITE_TIMEOUT: Duration = Duration::from_secs(30);

/// Response to every recipient that is not an inbox address.
const UNKNOWN_RECIPIENT: &str = "550 5.1.1 No such address here";
const BAD_SEQUENCE: &str = "503 5.5.1 Bad sequence of commands";
const TOO_LARGE: &str = "552 5.3.4 Message too large";
const NO_MEMORY: &str = "452 4.3.1 Too many messages at the moment";
/// Response to an SMTP recipient of another account: the sender repeats the message for this recipient.
const OTHER_ACCOUNT: &str = "452 4.5.3 Send the message to this recipient separately";
const UNKNOWN_COMMAND: &str = "500 5.5.1 Unknown command";
const TRY_AGAIN: &str = "451 4.3.0 Try again";

/// Protocol of a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Protocol {
    Lmtp,
    Smtp,
}

/// Result of reading a line.
enum ReceivedLine {
    Command(Vec<u8>),
    TooLong,
    Closed,
}

/// Result of reading the data of a message.
enum ReceivedData {
    /// The message with its reserved memory, which is released after the message is stored.
    Complete(Vec<u8>, MemoryPermit<IpAddr>),
    TooLarge,
    NoMemory,
    Closed,
}

/// State of TLS on a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Security {
    /// The operator has not configured a certificate.
    Unavailable,
    /// The client may send STARTTLS.
    Offered,
    Encrypted,
}

/// Reason why a session has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SessionEnd {
    Closed,
    /// The client starts a TLS handshake.
    StartTls,
}

/// Next step of the session after a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Flow {
    Continue,
    Close,
    StartTls,
}

/// Context that all sessions share.
#[derive(Clone)]
pub(super) struct SessionContext {
    pub(super) engine: Engine,
    pub(super) job_pushes: JobPushes,
    pub(super) memory: MemoryBudget<IpAddr>,
    /// TLS for STARTTLS. `None` if it is not offered.
    pub(super) tls: Option<TlsAcceptor>,
    pub(super) shutdown: CancellationToken,
}

/// Session of one connection.
pub(super) struct LmtpSession<R, W> {
    context: SessionContext,
    peer: IpAddr,
    security: Security,
    reader: BufReader<R>,
    writer: W,
    protocol: Option<Protocol>,
    sender: Option<String>,
    /// Declared size of the message in bytes.
    size: Option<u64>,
    recipients: Vec<Recipient>,
    faults: u32,
    messages: u32,
    commands: u32,
}

impl<R: AsyncRead + Unpin, W: AsyncWrite + Unpin> LmtpSession<R, W> {
    pub(super) fn new(
        context: SessionContext,
        peer: IpAddr,
        security: Security,
        reader: R,
        writer: W,
    ) -> Self {
        Self {
            context,
            peer,
            security,
            reader: BufReader::new(reader),
            writer,
            protocol: None,
            sender: None,
            size: None,
            recipients: Vec::new(),
            faults: 0,
            messages: 0,
            commands: 0,
        }
    }

    /// Serves the connection until it is closed, or until the client starts TLS.
    pub(super) async fn run(mut self) -> io::Result<SessionEnd> {
        if self.security != Security::Encrypted {
            self.reply(&format!("220 {} LMTP ready", self.host())).await?;
        }
        let end = self.serve().await?;
        if self.security == Security::Encrypted {
            let _closed = timeout(WRITE_TIMEOUT, self.writer.shutdown()).await;
        }
        Ok(end)
    }

    async fn serve(&mut self) -> io::Result<SessionEnd> {
        let shutdown = self.context.shutdown.clone();
        loop {
            let line = tokio::select! {
                () = shutdown.cancelled() => None,
                line = timeout(COMMAND_TIMEOUT, self.read_line()) => Some(line),
            };
            let flow = match line {
                None => self.close("421 4.3.2 Shutting down").await?,
                Some(Err(_)) => self.close("421 4.4.2 Timeout").await?,
                Some(Ok(Err(error))) => return Err(error),
                Some(Ok(Ok(ReceivedLine::Closed))) => Flow::Close,
                Some(Ok(Ok(ReceivedLine::TooLong))) => self.fault("500 5.5.2 Line too long").await?,
                Some(Ok(Ok(ReceivedLine::Command(line)))) => self.execute(LmtpCommand::parse(&line)).await?,
            };
            match flow {
                Flow::Continue => {}
                Flow::Close => return Ok(SessionEnd::Closed),
                Flow::StartTls => return Ok(SessionEnd::StartTls),
            }
        }
    }

    fn host(&self) -> String {
        self.context.engine.domain().policy().mail_domain()
    }

    async fn execute(&mut self, command: LmtpCommand) -> io::Result<Flow> {
        self.commands += 1;
        if self.commands > MAX_COMMANDS {
            return self.close("421 4.7.0 Too many commands on this connection").await;
        }
        match command {
            LmtpCommand::Lhlo => self.greet(Protocol::Lmtp, true).await?,
            LmtpCommand::Ehlo => self.greet(Protocol::Smtp, true).await?,
            LmtpCommand::Helo => self.greet(Protocol::Smtp, false).await?,
            LmtpCommand::Mail { sender, size } => self.begin(sender, size).await?,
            LmtpCommand::Rcpt { recipient } => return self.add_recipient(&recipient).await,
            LmtpCommand::Data => return self.receive().await,
            LmtpCommand::Rset => {
                self.reset();
                self.reply("250 2.0.0 OK").await?;
            }
            LmtpCommand::Noop => self.reply("250 2.0.0 OK").await?,
            LmtpCommand::Vrfy => self.reply("252 2.5.0 Cannot verify").await?,
            LmtpCommand::Quit => return self.close("221 2.0.0 Bye").await,
            LmtpCommand::StartTls => return self.start_tls().await,
            LmtpCommand::Invalid => return self.fault("501 5.5.4 Invalid arguments").await,
            LmtpCommand::UnknownParameter => return self.fault("555 5.5.4 Parameter not supported").await,
            LmtpCommand::Unknown => return self.fault(UNKNOWN_COMMAND).await,
        }
        Ok(Flow::Continue)
    }

    async fn greet(&mut self, protocol: Protocol, is_extended: bool) -> io::Result<()> {
        self.reset();
        self.protocol = Some(protocol);
        let host = self.host();
        if !is_extended {
            return self.reply(&format!("250 {host}")).await;
        }
        let mut extensions = vec!["PIPELINING", "ENHANCEDSTATUSCODES", "8BITMIME", "SMTPUTF8"];
        if self.security == Security::Offered {
            extensions.push("STARTTLS");
        }
        let extensions = extensions.join("\r\n250-");
        self.reply(&format!("250-{host}\r\n250-{extensions}\r\n250 SIZE {MAX_MESSAGE_BYTES}")).await
    }

    /// Accepts the start of TLS. Input that arrived before the response may have been injected by another party, so
    /// the connection is closed.
    async fn start_tls(&mut self) -> io::Result<Flow> {
        match self.security {
            Security::Unavailable => self.fault(UNKNOWN_COMMAND).await,
            Security::Encrypted => self.fault("503 5.5.1 TLS is active").await,
            Security::Offered if !self.reader.buffer().is_empty() => {
                self.close("554 5.5.1 Commands after STARTTLS").await
            }
            Security::Offered => {
                self.reply("220 2.0.0 Ready to start TLS").await?;
                Ok(Flow::StartTls)
            }
        }
    }

    fn reset(&mut self) {
        self.sender = None;
        self.size = None;
        self.recipients.clear();
    }

    async fn begin(&mut self, sender: String, size: Option<u64>) -> io::Result<()> {
        if self.protocol.is_none() || self.sender.is_some() {
            return self.reply(BAD_SEQUENCE).await;
        }
        let most = u64::try_from(MAX_MESSAGE_BYTES).unwrap_or(u64::MAX);
        if size.is_some_and(|size| size > most) {
            return self.reply(TOO_LARGE).await;
        }
        self.sender = Some(sender);
        self.size = size;
        self.reply("250 2.1.0 OK").await
    }

    async fn add_recipient(&mut self, address: &str) -> io::Result<Flow> {
        if self.sender.is_none() {
            return self.fault(BAD_SEQUENCE).await;
        }
        if self.recipients.len() >= MAX_RECIPIENTS {
            self.reply("452 4.5.3 Too many recipients").await?;
            return Ok(Flow::Continue);
        }
        match reception::find_recipient(self.context.engine.domain(), address).await {
            Ok(Some(recipient)) => {
                let reply = self.admit(recipient).await;
                self.reply(reply).await?;
                Ok(Flow::Continue)
            }
            Ok(None) => {
                reception::count("unknown_address");
                let _elapsed = timeout(REFUSAL_DELAY, std::future::pending::<()>()).await;
                self.fault(UNKNOWN_RECIPIENT).await
            }
            Err(error) => {
                tracing::warn!(error = error.report(), "inbox address lookup failed");
                self.reply(TRY_AGAIN).await?;
                Ok(Flow::Continue)
            }
        }
    }

    /// Adds a recipient to the message, if the limits of the recipient allow the message. Returns the response.
    async fn admit(&mut self, recipient: Recipient) -> &'static str {
        let first = self.recipients.first();
        let is_other = first.is_some_and(|first| first.account_id != recipient.account_id);
        if self.protocol == Some(Protocol::Smtp) && is_other {
            return OTHER_ACCOUNT;
        }
        match reception::admit(self.context.engine.domain(), recipient, self.size).await {
            Ok(()) => {
                self.recipients.push(recipient);
                "250 2.1.5 OK"
            }
            Err(error) => reply_of(&error),
        }
    }

    /// Reads the data of a message and stores it for its recipients.
    async fn receive(&mut self) -> io::Result<Flow> {
        let Some(sender) = self.sender.clone().filter(|_| !self.recipients.is_empty()) else {
            return self.fault(BAD_SEQUENCE).await;
        };
        self.messages += 1;
        if self.messages > MAX_MESSAGES {
            return self.close("421 4.7.0 Too many messages on this connection").await;
        }
        self.reply("354 End data with <CR><LF>.<CR><LF>").await?;
        let Ok(data) = timeout(DATA_TIMEOUT, self.read_data()).await else {
            return self.close("421 4.4.2 Timeout").await;
        };
        let recipients = std::mem::take(&mut self.recipients);
        self.reset();
        let mut replies = Vec::with_capacity(recipients.len());
        match data? {
            ReceivedData::Closed => return Ok(Flow::Close),
            ReceivedData::TooLarge => replies.resize(recipients.len(), TOO_LARGE),
            ReceivedData::NoMemory => replies.resize(recipients.len(), NO_MEMORY),
            ReceivedData::Complete(message, _permit) => {
                let message = Bytes::from(message);
                for recipient in recipients {
                    replies.push(self.store(recipient, &sender, &message).await);
                }
            }
        }
        if self.protocol == Some(Protocol::Smtp) {
            replies = vec![common_reply(&replies)];
        }
        self.reply(&replies.join("\r\n")).await?;
        Ok(Flow::Continue)
    }

    async fn store(&self, recipient: Recipient, sender: &str, message: &Bytes) -> &'static str {
        let engine = &self.context.engine;
        match reception::receive(engine.domain(), recipient, sender, message).await {
            Ok((_, job)) => {
                if let Some(job) = job {
                    self.context.job_pushes.add(engine, job);
                }
                "250 2.0.0 Received"
            }
            Err(error) => reply_of(&error),
        }
    }

    async fn read_line(&mut self) -> io::Result<ReceivedLine> {
        let (mut line, mut total) = (Vec::new(), 0);
        loop {
            let available = self.reader.fill_buf().await?;
            if available.is_empty() {
                return Ok(ReceivedLine::Closed);
            }
            let end = available.iter().position(|byte| *byte == b'\n');
            let count = end.map_or(available.len(), |at| at + 1);
            total += count;
            if total <= LINE_BYTES {
                line.extend(available.iter().take(count));
            }
            self.reader.consume(count);
            if total > DISCARDED_LINE_BYTES {
                return Ok(ReceivedLine::Closed);
            }
            if end.is_some() {
                return Ok(if total <= LINE_BYTES {
                    ReceivedLine::Command(line)
                } else {
                    ReceivedLine::TooLong
                });
            }
        }
    }

    /// Reads the data of a message. The rest of a message that is refused is read and discarded.
    async fn read_data(&mut self) -> io::Result<ReceivedData> {
        let mut permit = self.context.memory.try_reserve(self.peer, MEMORY_STEP);
        let (mut decoder, mut message) = (DataDecoder::default(), Vec::new());
        let (mut reserved, mut total) = (MEMORY_STEP, 0_usize);
        let mut is_too_large = false;
        loop {
            let available = self.reader.fill_buf().await?;
            if available.is_empty() {
                return Ok(ReceivedData::Closed);
            }
            let (count, is_complete) = decoder.push(available, &mut message);
            self.reader.consume(count);
            total = total.saturating_add(count);
            is_too_large |= message.len() > MAX_MESSAGE_BYTES;
            if message.len() > reserved {
                reserved += MEMORY_STEP;
                permit = permit.and_then(|mut permit| permit.try_grow(MEMORY_STEP).then_some(permit));
            }
            if is_too_large || permit.is_none() {
                message = Vec::new();
            }
            if total > DISCARDED_BYTES {
                return Ok(ReceivedData::Closed);
            }
            if is_complete {
                return Ok(match permit {
                    _ if is_too_large => ReceivedData::TooLarge,
                    Some(permit) => ReceivedData::Complete(message, permit),
                    None => ReceivedData::NoMemory,
                });
            }
        }
    }

    /// Responds to an invalid command. After [`MAX_FAULTS`], the connection is closed.
    async fn fault(&mut self, reply: &str) -> io::Result<Flow> {
        self.faults += 1;
        self.reply(reply).await?;
        if self.faults < MAX_FAULTS {
            return Ok(Flow::Continue);
        }
        self.close("421 4.7.0 Too many errors").await
    }

    /// Sends a final response, and closes the session.
    async fn close(&mut self, reply: &str) -> io::Result<Flow> {
        self.reply(reply).await?;
        Ok(Flow::Close)
    }

    async fn reply(&mut self, text: &str) -> io::Result<()> {
        let bytes = format!("{text}\r\n").into_bytes();
        let write = async {
            self.writer.write_all(&bytes).await?;
            // TLS may have accepted bytes that are not sent yet.
            self.writer.flush().await
        };
        timeout(WRITE_TIMEOUT, write).await.unwrap_or_else(|_| Err(io::ErrorKind::TimedOut.into()))
    }
}

/// Returns the response to a message that was not stored. The recipient was accepted before, so the response
/// may name the reason.
fn reply_of(error: &Error) -> &'static str {
    match error.code {
        Code::NotFound => UNKNOWN_RECIPIENT,
        Code::PayloadTooLarge => TOO_LARGE,
        Code::StorageLimitReached => "452 4.2.2 Mailbox full",
        Code::RateLimited => "450 4.2.1 Too many messages for this address today",
        Code::StoreFull => "452 4.3.1 Insufficient storage",
        _ => {
            tracing::warn!(error = error.report(), "mail not received");
            TRY_AGAIN
        }
    }
}

/// Returns the SMTP response to a message with several recipients of one account. If a retry may succeed for one
/// recipient, the response requests a retry: recipients that have the message do not get it again.
fn common_reply(replies: &[&'static str]) -> &'static str {
    let with = |class: char| replies.iter().find(|reply| reply.starts_with(class)).copied();
    with('4').or_else(|| with('2')).or_else(|| with('5')).unwrap_or(TRY_AGAIN)
}
