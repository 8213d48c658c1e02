//! Opening bytes of a tunnel. They must belong to the host that the browser requested: a TLS handshake with
//! its name, or a request for a `WebSocket`. Other bytes could belong to a protocol that the guard cannot
//! check.

use std::io;

use rustls::server::Acceptor;
use tokio::io::{AsyncRead, AsyncReadExt};
use url::{Host, Url};

use super::head::{Head, MAX_HEAD_BYTES, read_head_after};

/// First byte of a TLS handshake.
const HANDSHAKE: u8 = 0x16;

/// Reads the opening bytes of a tunnel to the host and port of `url`, to be sent to the server. `None` if they
/// are not allowed, or if the browser sent none.
pub(super) async fn read_opening(
    stream: &mut (impl AsyncRead + Unpin),
    bytes: Vec<u8>,
    url: &Url,
) -> io::Result<Option<Vec<u8>>> {
    let mut bytes = bytes;
    if bytes.is_empty() && stream.read_buf(&mut bytes).await? == 0 {
        return Ok(None);
    }
    if bytes.first() == Some(&HANDSHAKE) {
        read_handshake(stream, bytes, url).await
    } else {
        read_web_socket(stream, bytes, url).await
    }
}

/// Reads the first message of a TLS handshake and compares its server name.
async fn read_handshake(
    stream: &mut (impl AsyncRead + Unpin),
    mut bytes: Vec<u8>,
    url: &Url,
) -> io::Result<Option<Vec<u8>>> {
    let mut acceptor = Acceptor::default();
    let mut parsed = 0;
    loop {
        while let Some(mut unparsed) = bytes.get(parsed..).filter(|unparsed| !unparsed.is_empty()) {
            match acceptor.read_tls(&mut unparsed) {
                Ok(0) | Err(_) => return Ok(None),
                Ok(count) => parsed += count,
            }
            match acceptor.accept() {
                Ok(None) => {}
                Ok(Some(accepted)) => {
                    let is_own = is_name_of(url, accepted.client_hello().server_name());
                    return Ok(is_own.then_some(bytes));
                }
                Err(_) => return Ok(None),
            }
        }
        if bytes.len() > MAX_HEAD_BYTES || stream.read_buf(&mut bytes).await? == 0 {
            return Ok(None);
        }
    }
}

/// True if a handshake with this server name belongs to the host. An address has no server name.
fn is_name_of(url: &Url, name: Option<&str>) -> bool {
    match (url.host(), name) {
        (Some(Host::Domain(host)), Some(name)) => {
            let without_dot = |name: &str| name.strip_suffix('.').unwrap_or(name).to_ascii_lowercase();
            without_dot(host) == without_dot(name)
        }
        (Some(Host::Ipv4(_) | Host::Ipv6(_)), None) => true,
        _ => false,
    }
}

/// Reads the request of a `WebSocket` and compares its host. The result includes bytes that were received
/// after the head.
async fn read_web_socket(
    stream: &mut (impl AsyncRead + Unpin),
    bytes: Vec<u8>,
    url: &Url,
) -> io::Result<Option<Vec<u8>>> {
    let Some((mut head, rest)) = read_head_after(bytes, stream).await? else { return Ok(None) };
    let is_allowed = Head::parse(&head).is_some_and(|head| {
        let host = head.value("host").and_then(|host| Url::parse(&format!("http://{host}/")).ok());
        let is_same_host = host.is_some_and(|host| host.host() == url.host());
        let is_get =
            head.request_line().is_some_and(|(method, target)| method == "GET" && target.starts_with('/'));
        let upgrades = head.value("upgrade").is_some_and(|value| value.eq_ignore_ascii_case("websocket"));
        let has_body = head.value("content-length").is_some() || head.value("transfer-encoding").is_some();
        is_same_host && is_get && upgrades && !has_body
    });
    head.extend(rest);
    Ok(is_allowed.then_some(head))
}
