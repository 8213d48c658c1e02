//! Tests of deliveries to an MQTT broker: content, attempts, and reported failures.

use std::collections::VecDeque;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

use super::fixture::{Fixture, ORIGIN};
use crate::*;
use kernel::clock::HOUR;
use kernel::testing::on_both;
use kernel::{Backend, Code};

#[derive(Default)]
struct State {
    /// Return codes of the next connections. Further connections get 0.
    codes: VecDeque<u8>,
    packets: Vec<Vec<u8>>,
}

/// Broker that confirms every message on the connections that it accepts.
struct Broker {
    address: SocketAddr,
    state: Arc<Mutex<State>>,
}

impl Broker {
    async fn start(codes: &[u8]) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let state =
            Arc::new(Mutex::new(State { codes: codes.iter().copied().collect(), ..State::default() }));
        let shared = Arc::clone(&state);
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(serve(stream, Arc::clone(&shared)));
            }
        });
        Self { address, state }
    }

    /// Returns and removes the packets that were received since the last call.
    fn take(&self) -> Vec<Vec<u8>> {
        std::mem::take(&mut self.state.lock().unwrap().packets)
    }
}

async fn serve(mut stream: TcpStream, state: Arc<Mutex<State>>) -> Option<()> {
    loop {
        let kind = stream.read_u8().await.ok()?;
        let (mut length, mut shift) = (0, 0);
        loop {
            let digit = stream.read_u8().await.ok()?;
            length |= usize::from(digit & 0x7f) << shift;
            shift += 7;
            if digit & 0x80 == 0 {
                break;
            }
        }
        let mut packet = vec![0; length];
        stream.read_exact(&mut packet).await.ok()?;
        packet.insert(0, kind);
        // DISCONNECT is the last packet of a client. The client does not wait for a response.
        if kind == 0xe0 {
            return None;
        }
        let code = {
            let mut state = state.lock().unwrap();
            state.packets.push(packet);
            if kind == 0x10 { state.codes.pop_front().unwrap_or(0) } else { 0 }
        };
        match kind {
            0x10 => stream.write_all(&[0x20, 2, 0, code]).await.ok()?,
            0x32 | 0x33 => stream.write_all(&[0x40, 2, 0, 1]).await.ok()?,
            _ => {}
        }
    }
}

/// Creates a channel to the topic `lamps` of a broker.
async fn channel_to(fixture: &Fixture, broker: &Broker, mqtt: NewMqtt<'_>) -> Channel {
    let address = format!("mqtt://{}", broker.address);
    let destination = NewDestination { address: &address, token: "pass", chat: "lamps", mqtt };
    let new = Fixture::new_channel(ChannelKind::Mqtt, destination);
    create(&fixture.domain, fixture.account_id, new).await.unwrap().channel
}

fn user(user: &str) -> NewMqtt<'_> {
    NewMqtt { user, ..NewMqtt::default() }
}

async fn change_is_published_as_json_and_retained(backend: Backend) {
    let fixture = Fixture::new(backend).await;
    let broker = Broker::start(&[]).await;
    let channel = channel_to(&fixture, &broker, NewMqtt { retain: true, ..user("me") }).await;
    let monitor = fixture.monitor(&[channel.id]).await;
    fixture.change_with(monitor, "120 → 90", "one").await;
    assert_eq!(fixture.after(1_000).await, 1);
    let packets = broker.take();
    assert!(packets[0].ends_with(b"\x00\x02me\x00\x04pass"), "{packets:?}");
    let payload = packets[1].strip_prefix(b"\x33\x00\x05lamps\x00\x01").unwrap();
    let body: Value = serde_json::from_slice(payload).unwrap();
    assert_eq!(body["title"], "120 → 90");
    assert_eq!(body["link"], format!("{ORIGIN}/changes/one"));
    assert_eq!(fixture.states().await, [NoticeState::Sent]);
    let template = TemplateEdit { text: Some("{{ title }}".to_owned()), title: None };
    set_templates(&fixture.domain, fixture.account_id, channel.id, template).await.unwrap();
    fixture.change(monitor, "90 → 80").await;
    fixture.after(1_000).await;
    assert!(broker.take()[1].ends_with("\x00\x0190 → 80".as_bytes()));
}

async fn refused_mqtt_password_is_reported_and_the_message_is_sent_again(backend: Backend) {
    let fixture = Fixture::new(backend).await;
    let broker = Broker::start(&[4, 3]).await;
    let channel = channel_to(&fixture, &broker, user("me")).await;
    let monitor = fixture.monitor(&[channel.id]).await;
    fixture.change(monitor, "120 → 90").await;
    let mut answers = Vec::new();
    assert_eq!(fixture.after(1_000).await, 1);
    answers.push(list_sent(&fixture.domain, fixture.account_id, channel.id).await.unwrap().remove(0).answer);
    assert_eq!(fixture.after(HOUR).await, 1);
    answers.push(list_sent(&fixture.domain, fixture.account_id, channel.id).await.unwrap().remove(0).answer);
    let answer_contains =
        |at: usize, words: &str| answers[at].as_deref().is_some_and(|answer| answer.contains(words));
    assert!(answer_contains(0, "the user name or the password is wrong"), "{answers:?}");
    assert!(answer_contains(1, "it is unavailable"), "{answers:?}");
    assert_eq!(fixture.states().await, [NoticeState::Waiting]);
    assert_eq!(broker.take().len(), 2, "nothing was published");
    fixture.after(HOUR).await;
    assert_eq!(fixture.states().await, [NoticeState::Sent]);
    assert_eq!(broker.take().len(), 2, "connect, publish");
}

#[tokio::test]
async fn invalid_mqtt_topic_and_user_have_specific_errors() {
    let fixture = Fixture::new(Backend::Sqlite).await;
    let message_of = async |address: &str, token: &str, chat: &str, name: &str| {
        let destination = NewDestination { address, token, chat, mqtt: user(name) };
        let new = Fixture::new_channel(ChannelKind::Mqtt, destination);
        let refused = create(&fixture.domain, fixture.account_id, new).await.unwrap_err();
        assert_eq!(refused.code, Code::InvalidRequest);
        refused.message
    };
    let (secure, long) = ("mqtts://example.org", "x".repeat(201));
    for (address, token, chat, name, words) in [
        ("https://example.org", "", "a", "", "mqtts://"),
        (secure, "", "", "", "Enter the topic"),
        (secure, "", "a/+/b", "", "not a topic"),
        (secure, "", "$SYS/a", "", "not a topic"),
        (secure, "", long.as_str(), "", "not a topic"),
        (secure, "pass", "a", "", "Enter the user"),
        (secure, long.as_str(), "a", "me", "200 characters"),
        (secure, "", "a", long.as_str(), "200 characters"),
        ("mqtt://example.org", "pass", "a", "me", "only over TLS"),
    ] {
        let message = message_of(address, token, chat, name).await;
        assert!(message.contains(words), "{address} {chat}: {message}");
    }
}

on_both! {
    change_is_published_as_json_and_retained,
    refused_mqtt_password_is_reported_and_the_message_is_sent_again,
}
