//! Publications to a broker that reads whole packets and answers each as a test configures.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::TcpListener;

use super::names::NameTable;
use super::site::{Site, raw, skip_wait};
use super::tls::{self, Authority};
use crate::resolve::Lookup;
use crate::{Error, Fetcher, FetcherSettings, MqttBroker, MqttError, MqttMessage};

/// Answer to a packet.
#[derive(Clone, Copy)]
enum Answer {
    Send(&'static [u8]),
    /// Sends one byte at a time, at this interval.
    Drip(&'static [u8], Duration),
    Nothing,
    Close,
}

/// Last packet of a client. The broker neither waits for it nor logs it.
const DISCONNECT: u8 = 0xe0;
const ACCEPTED: Answer = Answer::Send(&[0x20, 2, 0, 0]);

type Packets = Arc<Mutex<Vec<Vec<u8>>>>;

struct Broker {
    address: SocketAddr,
    packets: Packets,
}

impl Broker {
    /// Starts a broker. `answer` receives the type of a packet and returns the answer.
    async fn start(answer: fn(u8) -> Answer) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let packets = Packets::default();
        let log = Arc::clone(&packets);
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(converse(stream, answer, Arc::clone(&log)));
            }
        });
        Self { address, packets }
    }

    fn message(&self) -> MqttMessage {
        message(format!("mqtt://{}", self.address))
    }

    /// Publishes its message to a broker that becomes unresponsive after it has received `packets` packets.
    async fn publish_to_unresponsive(&self, packets: usize) -> Result<(), MqttError> {
        let message = self.message();
        skip_wait(|| self.packets.lock().unwrap().len() >= packets, self.publish(&message)).await
    }

    async fn publish(&self, message: &MqttMessage) -> Result<(), MqttError> {
        let rule = format!("{}:{}", self.address.ip(), self.address.port()).parse().unwrap();
        let settings = FetcherSettings { allow: vec![rule], ..FetcherSettings::default() };
        Fetcher::new(settings).unwrap().publish(message).await
    }
}

/// Answers until the client disconnects.
async fn converse(mut stream: impl AsyncRead + AsyncWrite + Unpin, answer: fn(u8) -> Answer, log: Packets) {
    while let Ok(kind) = stream.read_u8().await {
        let (mut length, mut shift) = (0, 0);
        loop {
            let Ok(digit) = stream.read_u8().await else { return };
            length |= usize::from(digit & 0x7f) << shift;
            shift += 7;
            if digit & 0x80 == 0 {
                break;
            }
        }
        let mut body = vec![0; length];
        if stream.read_exact(&mut body).await.is_err() {
            return;
        }
        if kind == DISCONNECT {
            return;
        }
        log.lock().unwrap().push([&[kind][..], &body[..]].concat());
        match answer(kind >> 4) {
            Answer::Send(bytes) => {
                stream.write_all(bytes).await.unwrap();
                stream.flush().await.unwrap();
            }
            Answer::Drip(bytes, pace) => {
                let mut ticks = tokio::time::interval(pace);
                for byte in bytes {
                    ticks.tick().await;
                    if stream.write_all(&[*byte]).await.is_err() {
                        return;
                    }
                }
            }
            Answer::Nothing => {}
            Answer::Close => return,
        }
    }
}

fn good(kind: u8) -> Answer {
    match kind {
        1 => ACCEPTED,
        3 => Answer::Send(&[0x40, 2, 0, 1]),
        _ => Answer::Nothing,
    }
}

fn message(address: String) -> MqttMessage {
    MqttMessage {
        address,
        client_id: "carrel1".to_owned(),
        user: None,
        password: None,
        topic: "a/b".to_owned(),
        payload: b"hello".to_vec(),
        qos_1: true,
        retain: false,
    }
}

#[tokio::test]
async fn message_is_published_with_credentials_and_retained() {
    let broker = Broker::start(good).await;
    let sent = MqttMessage {
        user: Some("me".to_owned()),
        password: Some("pass".to_owned()),
        retain: true,
        ..broker.message()
    };
    broker.publish(&sent).await.unwrap();
    let packets = broker.packets.lock().unwrap().clone();
    assert_eq!(packets[0], b"\x10\x00\x04MQTT\x04\xc2\x00\x3c\x00\x07carrel1\x00\x02me\x00\x04pass");
    assert_eq!(packets[1], b"\x33\x00\x03a/b\x00\x01hello");
    assert!(!format!("{sent:?}").contains("pass"), "secrets are not printed");
}

#[tokio::test]
async fn long_message_has_a_length_of_several_bytes_and_the_longest_is_refused() {
    let broker = Broker::start(good).await;
    for bytes in [120, 121, 127, 128, 16_384, 200_000] {
        let sent = MqttMessage { payload: vec![b'x'; bytes], ..broker.message() };
        broker.publish(&sent).await.unwrap();
        let packets = std::mem::take(&mut *broker.packets.lock().unwrap());
        assert_eq!(packets[1].len(), 1 + 5 + 2 + bytes);
    }
    let endless = MqttMessage { payload: vec![b'x'; 300_000], ..broker.message() };
    assert_eq!(broker.publish(&endless).await, Err(MqttError::TooLong("message")));
    let endless = MqttMessage { topic: "x".repeat(70_000), ..broker.message() };
    assert_eq!(broker.publish(&endless).await, Err(MqttError::TooLong("topic")));
}

#[tokio::test]
async fn unconfirmed_message_is_followed_by_a_ping() {
    let broker = Broker::start(|kind| match kind {
        1 => ACCEPTED,
        12 => Answer::Send(&[0xd0, 0]),
        _ => Answer::Nothing,
    })
    .await;
    broker.publish(&MqttMessage { qos_1: false, ..broker.message() }).await.unwrap();
    let packets = broker.packets.lock().unwrap().clone();
    assert_eq!((packets[1].as_slice(), packets[2].as_slice()), (&b"\x30\x00\x03a/bhello"[..], &[0xc0][..]));
}

#[tokio::test]
async fn refused_password_and_refused_topic_are_distinct_errors() {
    let broker = Broker::start(|_| Answer::Send(&[0x20, 2, 0, 4])).await;
    let error = broker.publish(&broker.message()).await.unwrap_err();
    assert!(matches!(error, MqttError::Refused { code: 4, .. }), "{error:?}");
    assert!(error.to_string().contains("the user name or the password is wrong"), "{error}");
    assert_eq!(broker.packets.lock().unwrap().len(), 1, "nothing is published");
    for qos_1 in [true, false] {
        let broker = Broker::start(|kind| if kind == 1 { ACCEPTED } else { Answer::Close }).await;
        let sent = MqttMessage { qos_1, ..broker.message() };
        let error = broker.publish(&sent).await.unwrap_err();
        assert!(error.to_string().contains("right to publish to this topic"), "{error}");
    }
}

#[tokio::test]
async fn server_of_another_protocol_is_an_error() {
    let site = Site::start(|_| raw("HTTP/1.1 400 Bad Request\r\n\r\n")).await;
    let fetcher = site.fetcher();
    // The packet contains the end of an HTTP head, so that the server answers.
    let sent = MqttMessage {
        user: Some("\r\n\r\n".to_owned()),
        ..message(format!("mqtt://127.0.0.1:{}", site.port()))
    };
    assert_eq!(fetcher.publish(&sent).await, Err(MqttError::NotMqtt));
    let broker =
        Broker::start(|kind| if kind == 1 { ACCEPTED } else { Answer::Send(&[0x40, 2, 0, 9]) }).await;
    assert_eq!(broker.publish(&broker.message()).await, Err(MqttError::NotMqtt), "another identifier");
}

#[tokio::test]
async fn silent_broker_times_out() {
    let broker = Broker::start(|_| Answer::Nothing).await;
    let error = broker.publish_to_unresponsive(1).await.unwrap_err();
    assert_eq!(error, MqttError::Unresponsive { request: "the connection request" });
    let broker = Broker::start(|kind| if kind == 1 { ACCEPTED } else { Answer::Nothing }).await;
    let error = broker.publish_to_unresponsive(2).await.unwrap_err();
    assert_eq!(error, MqttError::Unresponsive { request: "the message" });
}

#[tokio::test]
async fn answers_in_single_bytes_are_read() {
    let broker = Broker::start(|kind| match kind {
        1 => Answer::Drip(&[0x20, 2, 0, 0], Duration::from_millis(1)),
        _ => Answer::Drip(&[0x40, 2, 0, 1], Duration::from_millis(1)),
    })
    .await;
    broker.publish(&broker.message()).await.unwrap();
}

#[tokio::test]
async fn slow_broker_times_out_after_ten_seconds_in_total() {
    let broker = Broker::start(|kind| match kind {
        1 => ACCEPTED,
        _ => Answer::Drip(&[0x40, 2, 0, 1], Duration::from_secs(4)),
    })
    .await;
    let error = broker.publish_to_unresponsive(2).await.unwrap_err();
    assert_eq!(error, MqttError::Unresponsive { request: "the message" });
}

#[tokio::test]
async fn broker_on_a_private_address_is_refused_before_connecting() {
    let canary = Broker::start(good).await;
    let port = canary.address.port();
    let lookup: Arc<dyn Lookup> = NameTable::new(&[
        ("a.example.com", &[&["127.0.0.1"]]),
        ("mixed.example.com", &[&["93.184.216.34", "127.0.0.1"]]),
    ]);
    let fetcher = Fetcher::with_lookup(FetcherSettings::default(), &lookup).unwrap();
    for host in ["127.0.0.1", "0x7f.1", "[::1]", "localhost", "a.example.com", "mixed.example.com"] {
        for scheme in ["mqtt", "mqtts"] {
            let error = fetcher.publish(&message(format!("{scheme}://{host}:{port}"))).await.unwrap_err();
            let is_refused = matches!(error, MqttError::Connection(Error::NotAllowed { .. }));
            assert!(is_refused, "{host}: {error:?}");
        }
    }
    assert!(canary.packets.lock().unwrap().is_empty());
}

#[tokio::test]
async fn broker_is_reached_over_tls_only_with_a_trusted_certificate() {
    let authority = Authority::new();
    let packets = Packets::default();
    let log = Arc::clone(&packets);
    let acceptor = authority.acceptor(tls::NAME, "mqtt", 2100);
    let port = tls::serve(acceptor, move |stream| converse(stream, good, Arc::clone(&log))).await;
    let publish = async |root: Option<&Authority>| {
        let settings = FetcherSettings {
            allow: vec![format!("127.0.0.1:{port}").parse().unwrap()],
            extra_root_file: root.map(|authority| authority.file.path().to_owned()),
            ..FetcherSettings::default()
        };
        let lookup: Arc<dyn Lookup> = NameTable::new(&[(tls::NAME, &[&["127.0.0.1"]])]);
        let fetcher = Fetcher::with_lookup(settings, &lookup).unwrap();
        fetcher.publish(&message(format!("mqtts://{}:{port}", tls::NAME))).await
    };
    publish(Some(&authority)).await.unwrap();
    assert_eq!(packets.lock().unwrap()[1], b"\x32\x00\x03a/b\x00\x01hello");
    let error = publish(None).await.unwrap_err();
    assert!(matches!(error, MqttError::Connection(Error::Tls { .. })), "{error:?}");
}

#[test]
fn broker_address_has_a_default_port_and_no_path_or_query() {
    let settings = FetcherSettings::default();
    for (text, host_port) in [
        ("mqtts://broker.example.com", "broker.example.com:8883"),
        ("mqtt://broker.example.com/", "broker.example.com:1883"),
        ("MQTTS://broker.example.com:443", "broker.example.com:443"),
        ("mqtts://[2606:4700::1111]", "[2606:4700::1111]:8883"),
    ] {
        assert_eq!(MqttBroker::parse(text, &settings).unwrap().host_port(), host_port, "{text}");
    }
    for bad in [
        "https://broker.example.com",
        "broker.example.com",
        "mqtts://",
        "mqtts://me:pw@broker.example.com",
        "mqtts://broker.example.com/topic",
        r"mqtts://broker.example.com\topic",
        "mqtts://broker.example.com?retain=1",
        "mqtts://10.0.0.1",
        "mqtts://broker.example.com:25",
        "mqtts://broker.example.com:99999",
        "mqtt://broker.example.com:6379",
        "mqtts://broker.example.com:",
        "mqtts://broker example.com",
        "mqtts://broker",
    ] {
        assert!(MqttBroker::parse(bad, &settings).is_err(), "{bad}");
    }
}

#[tokio::test]
async fn password_is_not_sent_over_plain_tcp_to_a_public_address() {
    let open = FetcherSettings { allow: vec!["10.0.0.0/8".parse().unwrap()], ..FetcherSettings::default() };
    for (text, may_send) in [
        ("mqtts://broker.example.com", true),
        ("mqtt://broker.example.com", false),
        ("mqtt://93.184.216.34", false),
        ("mqtt://10.0.0.1", true),
        ("mqtt://nas.lan", true),
    ] {
        assert_eq!(MqttBroker::parse(text, &open).unwrap().may_send_password(&open), may_send, "{text}");
    }
    let sent = MqttMessage {
        user: Some("me".to_owned()),
        password: Some("pass".to_owned()),
        ..message("mqtt://broker.example.com".to_owned())
    };
    let lookup: Arc<dyn Lookup> = NameTable::new(&[]);
    let error = Fetcher::with_lookup(open, &lookup).unwrap().publish(&sent).await.unwrap_err();
    assert!(matches!(error, MqttError::Connection(Error::NotAllowed { .. })), "{error:?}");
}
