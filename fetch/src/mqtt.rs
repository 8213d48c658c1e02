//! Publishes one message to an MQTT broker (version 3.1.1) under the guard: connect, publish, disconnect.
//!
//! The client subscribes to nothing, so a broker sends only short packets of known lengths; any other packet
//! is an error. With QoS 0 a broker confirms nothing. In this case, a ping after the message shows whether
//! the broker accepted the message or closed the connection.

use std::io;
use std::time::Duration;

use permits::Pace;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::time::{Instant, timeout_at};
use url::{Host, Url};

use crate::address;
use crate::budget::HostShare;
use crate::deliver;
use crate::error::Error;
use crate::fetcher::Fetcher;
use crate::settings::FetcherSettings;
use crate::url_check::{self, UrlError};

/// Total time of a publication.
const DEADLINE: Duration = Duration::from_secs(10);
/// Maximum size of a payload, in bytes.
const MAX_PAYLOAD_BYTES: usize = 256 * 1024;
/// Schemes of broker addresses, each with the scheme under which the guard checks the address, and the
/// default port.
const SCHEMES: [(&str, &str, u16); 2] = [("mqtts://", "https://", 8883), ("mqtt://", "http://", 1883)];
/// Time without packets after which a broker may close the connection, in seconds.
const KEEP_ALIVE_SECONDS: u16 = 60;
/// Identifier of the only packet that a broker acknowledges.
const PACKET_ID: u16 = 1;

// First bytes of packets.
const CONNECT: u8 = 0x10;
const CONNACK: u8 = 0x20;
const PUBLISH: u8 = 0x30;
const PUBACK: u8 = 0x40;
const PINGREQ: u8 = 0xc0;
const PINGRESP: u8 = 0xd0;
const DISCONNECT: u8 = 0xe0;
// Flags of PUBLISH.
const RETAIN: u8 = 0x01;
const QOS_1: u8 = 0x02;
// Flags of CONNECT.
const CLEAN_SESSION: u8 = 0x02;
const HAS_PASSWORD: u8 = 0x40;
const HAS_USER: u8 = 0x80;

/// Address of a broker that passed the checks without a lookup.
#[derive(Clone, Debug)]
pub struct MqttBroker {
    /// Host and port, with the scheme `https` for TLS and `http` for plain TCP.
    url: Url,
}

impl MqttBroker {
    /// Parses `mqtts://host:port` or `mqtt://host:port`.
    ///
    /// # Errors
    /// Returns the first violated rule. The port must be 443 or at least 1024.
    pub fn parse(text: &str, settings: &FetcherSettings) -> Result<Self, UrlError> {
        let matching = SCHEMES.iter().find_map(|(scheme, guarded, port)| {
            let head = text.get(..scheme.len())?;
            head.eq_ignore_ascii_case(scheme).then(|| (&text[scheme.len()..], guarded, port))
        });
        let Some((rest, guarded, usual_port)) = matching else {
            return Err(UrlError::Invalid("it must start with mqtts:// or mqtt://"));
        };
        let authority = rest.strip_suffix('/').unwrap_or(rest);
        if authority.contains(['/', '\\', '?', '#']) {
            return Err(UrlError::Invalid("it must contain only a host and a port"));
        }
        let has_port = address::split_host_port(authority).1.is_some();
        let port = if has_port { String::new() } else { format!(":{usual_port}") };
        let url = url_check::check_url(&format!("{guarded}{authority}{port}/"), settings)?;
        deliver::check_port(&url)?;
        Ok(Self { url })
    }

    /// `host:port`.
    pub fn host_port(&self) -> String {
        let port = self.url.port_or_known_default().unwrap_or_default();
        format!("{}:{port}", self.url.host_str().unwrap_or_default())
    }

    /// True if a password may be sent: over TLS, or to an address that the operator allowed.
    pub fn may_send_password(&self, settings: &FetcherSettings) -> bool {
        let port = self.url.port_or_known_default();
        self.is_secure()
            || match self.url.host() {
                Some(Host::Ipv4(address)) => address::is_allowed(address.into(), port, settings),
                Some(Host::Ipv6(address)) => address::is_allowed(address.into(), port, settings),
                // The guard refuses a local name unless all of its addresses are allowed.
                Some(Host::Domain(name)) => url_check::is_local_name(name),
                None => false,
            }
    }

    fn is_secure(&self) -> bool {
        self.url.scheme() == "https"
    }
}

/// Message to publish.
#[derive(Clone)]
pub struct MqttMessage {
    /// Address of the broker, checked again before sending.
    pub address: String,
    /// Client identifier of 1 to 23 letters and digits.
    pub client_id: String,
    pub user: Option<String>,
    /// Sent only if there is a user.
    pub password: Option<String>,
    pub topic: String,
    pub payload: Vec<u8>,
    /// True to use QoS 1 instead of 0: the broker confirms the message.
    pub qos_1: bool,
    /// True if the broker stores the message for future subscribers.
    pub retain: bool,
}

/// Omits everything but the size, because all other fields may be secret.
impl std::fmt::Debug for MqttMessage {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let bytes = self.payload.len();
        formatter.debug_struct("MqttMessage").field("bytes", &bytes).finish_non_exhaustive()
    }
}

/// Error of a publication.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MqttError {
    /// The connection to the broker could not be opened, or it broke.
    #[error(transparent)]
    Connection(#[from] Error),
    /// The broker refused the connection.
    #[error("the broker refused the connection: {reason} (code {code})")]
    Refused {
        /// Return code of the broker.
        code: u8,
        reason: &'static str,
    },
    #[error("the broker closed the connection without answering {request}{hint}")]
    Closed {
        request: &'static str,
        /// Possible reason.
        hint: &'static str,
    },
    #[error("the broker did not answer {request} in time")]
    Unresponsive { request: &'static str },
    #[error("the server does not speak MQTT 3.1.1")]
    NotMqtt,
    /// The topic, a credential, or the payload exceeds a limit of the protocol or of this client.
    #[error("the {0} is too long")]
    TooLong(&'static str),
}

/// Meaning of a return code (MQTT 3.1.1, section 3.2.2.3).
fn refusal(code: u8) -> &'static str {
    match code {
        1 => "it does not support MQTT 3.1.1",
        2 => "it does not accept our client identifier",
        3 => "it is unavailable",
        4 => "the user name or the password is wrong",
        5 => "it requires another user name and password, or this user may not connect",
        _ => "the reason is unknown",
    }
}

impl Fetcher {
    /// Publishes a message within ten seconds.
    ///
    /// # Errors
    /// If there is no connection, or if the broker does not accept the message.
    pub async fn publish(&self, message: &MqttMessage) -> Result<(), MqttError> {
        let deadline = Instant::now() + DEADLINE;
        let settings = self.settings();
        let broker = MqttBroker::parse(&message.address, settings).map_err(Error::from_caller_url)?;
        if message.password.is_some() && !broker.may_send_password(settings) {
            return Err(Error::NotAllowed { reason: "a password is sent only to mqtts:// addresses" }.into());
        }
        let (client, budget, _) = self.exchange_parts();
        let url = &broker.url;
        let share = HostShare { pace: Pace::Interactive, caller: None };
        let _permit = budget.acquire(url, share, DEADLINE, None).await?;
        let late = Error::Timeout { reason: "no connection in time", answered: false };
        let connection = timeout_at(deadline, client.connect(url)).await;
        let connection = connection.unwrap_or_else(|_| Err(late.clone()))?;
        if broker.is_secure() {
            let secured = timeout_at(deadline, client.secure(url, connection)).await;
            let stream = secured.unwrap_or(Err(late))?;
            exchange(MqttSession { stream, deadline }, message).await
        } else {
            exchange(MqttSession { stream: connection, deadline }, message).await
        }
    }
}

/// Step of a publication, as named in errors.
#[derive(Clone, Copy)]
struct PublicationStep {
    request: &'static str,
    hint: &'static str,
}

const CONNECTING: PublicationStep = PublicationStep { request: "the connection request", hint: "" };
const PUBLISHING: PublicationStep = PublicationStep {
    request: "the message",
    hint: ": the user may lack the right to publish to this topic",
};

/// Connection to a broker.
struct MqttSession<S> {
    stream: S,
    deadline: Instant,
}

impl<S: AsyncRead + AsyncWrite + Unpin> MqttSession<S> {
    async fn send(&mut self, packet: &[u8], step: PublicationStep) -> Result<(), MqttError> {
        let Self { stream, deadline } = self;
        let write = async {
            stream.write_all(packet).await?;
            stream.flush().await
        };
        within(*deadline, write, step).await
    }

    /// Receives a packet of a known length.
    async fn receive<const LENGTH: usize>(
        &mut self,
        step: PublicationStep,
    ) -> Result<[u8; LENGTH], MqttError> {
        let mut packet = [0; LENGTH];
        within(self.deadline, self.stream.read_exact(&mut packet), step).await?;
        Ok(packet)
    }
}

async fn within<T>(
    deadline: Instant,
    exchange: impl Future<Output = io::Result<T>>,
    PublicationStep { request, hint }: PublicationStep,
) -> Result<T, MqttError> {
    match timeout_at(deadline, exchange).await {
        Ok(Ok(value)) => Ok(value),
        Ok(Err(_)) => Err(MqttError::Closed { request, hint }),
        Err(_) => Err(MqttError::Unresponsive { request }),
    }
}

async fn exchange<S: AsyncRead + AsyncWrite + Unpin>(
    mut session: MqttSession<S>,
    message: &MqttMessage,
) -> Result<(), MqttError> {
    let (connect, publish) = (connect_packet(message)?, publish_packet(message)?);
    session.send(&connect, CONNECTING).await?;
    let [kind, length, _, code] = session.receive(CONNECTING).await?;
    if (kind, length) != (CONNACK, 2) {
        return Err(MqttError::NotMqtt);
    }
    if code != 0 {
        return Err(MqttError::Refused { code, reason: refusal(code) });
    }
    session.send(&publish, PUBLISHING).await?;
    let is_confirmed = if message.qos_1 {
        let [high, low] = PACKET_ID.to_be_bytes();
        session.receive::<4>(PUBLISHING).await? == [PUBACK, 2, high, low]
    } else {
        session.send(&[PINGREQ, 0], PUBLISHING).await?;
        session.receive::<2>(PUBLISHING).await? == [PINGRESP, 0]
    };
    if !is_confirmed {
        return Err(MqttError::NotMqtt);
    }
    // The message is accepted, so an error while disconnecting does not matter.
    session.send(&[DISCONNECT, 0], PUBLISHING).await.ok();
    Ok(())
}

fn connect_packet(message: &MqttMessage) -> Result<Vec<u8>, MqttError> {
    let user = message.user.as_deref();
    // A password requires a user (section 3.1.2.9).
    let password = message.password.as_deref().filter(|_| user.is_some());
    let flag = |is_set: bool, flag: u8| if is_set { flag } else { 0 };
    let flags = CLEAN_SESSION | flag(user.is_some(), HAS_USER) | flag(password.is_some(), HAS_PASSWORD);
    let mut body = b"\x00\x04MQTT\x04".to_vec();
    body.push(flags);
    body.extend(KEEP_ALIVE_SECONDS.to_be_bytes());
    put_text(&mut body, &message.client_id, "client identifier")?;
    for (text, name) in [(user, "user name"), (password, "password")] {
        if let Some(text) = text {
            put_text(&mut body, text, name)?;
        }
    }
    packet(CONNECT, &body)
}

fn publish_packet(message: &MqttMessage) -> Result<Vec<u8>, MqttError> {
    if message.payload.len() > MAX_PAYLOAD_BYTES {
        return Err(MqttError::TooLong("message"));
    }
    let mut body = Vec::with_capacity(message.topic.len() + message.payload.len() + 4);
    put_text(&mut body, &message.topic, "topic")?;
    let mut kind = PUBLISH;
    if message.qos_1 {
        kind |= QOS_1;
        body.extend(PACKET_ID.to_be_bytes());
    }
    if message.retain {
        kind |= RETAIN;
    }
    body.extend_from_slice(&message.payload);
    packet(kind, &body)
}

/// Appends a text, preceded by its length.
fn put_text(body: &mut Vec<u8>, text: &str, name: &'static str) -> Result<(), MqttError> {
    let length = u16::try_from(text.len()).map_err(|_| MqttError::TooLong(name))?;
    body.extend(length.to_be_bytes());
    body.extend_from_slice(text.as_bytes());
    Ok(())
}

/// Encodes a packet. Its length is a base-128 number with the least significant digit first.
fn packet(kind: u8, body: &[u8]) -> Result<Vec<u8>, MqttError> {
    let mut packet = Vec::with_capacity(body.len() + 5);
    packet.push(kind);
    let mut length = body.len();
    loop {
        let digit = u8::try_from(length % 128).map_err(|_| MqttError::TooLong("message"))?;
        length /= 128;
        packet.push(if length > 0 { digit | 0x80 } else { digit });
        if length == 0 {
            break;
        }
    }
    packet.extend_from_slice(body);
    Ok(packet)
}
