//! Signatures of webhooks according to the Standard Webhooks specification 1.0.

use data_encoding::BASE64;
use entities::ids::NoticeId;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

use super::destination::Destination;
use kernel::Millis;
use kernel::clock::{DAY, SECOND};

/// Time for which messages are also signed with the previous secret.
pub(super) const BOTH_SECRETS: Millis = DAY;

/// Id of a message in its headers. It is the same at every attempt.
pub(super) fn message_id(id: NoticeId) -> String {
    format!("msg_{id}")
}

/// Returns the headers of an attempt. The id is the same at every attempt; the time and the signatures differ.
pub(super) fn headers(
    id: NoticeId,
    now: Millis,
    body: &[u8],
    secrets: &[&[u8]],
) -> Vec<(&'static str, String)> {
    let (id, seconds) = (message_id(id), now / SECOND);
    let signed = [format!("{id}.{seconds}.").as_bytes(), body].concat();
    let signatures: Vec<String> =
        secrets.iter().map(|secret| format!("v1,{}", BASE64.encode(&mac(secret, &signed)))).collect();
    vec![
        ("webhook-id", id),
        ("webhook-timestamp", seconds.to_string()),
        ("webhook-signature", signatures.join(" ")),
    ]
}

/// Returns the secrets with which messages are signed at `now`.
pub(super) fn secrets(destination: &Destination, rotated_at: Option<Millis>, now: Millis) -> Vec<&[u8]> {
    let is_recent = rotated_at.is_some_and(|at| now < at + BOTH_SECRETS);
    let previous = destination.previous_secret.as_deref().filter(|_| is_recent);
    destination.secret.as_deref().into_iter().chain(previous).collect()
}

fn mac(secret: &[u8], signed: &[u8]) -> Vec<u8> {
    #[expect(clippy::expect_used, reason = "HMAC takes keys of any length")]
    let mut mac = Hmac::<Sha256>::new_from_slice(secret).expect("HMAC takes keys of any length");
    mac.update(signed);
    mac.finalize().into_bytes().to_vec()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signature_equals_the_example_of_the_specification() {
        let secret = BASE64.decode(b"MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw").unwrap();
        let signed = br#"msg_p5jXN8AQM9LWM0D4loKWxJek.1614265330.{"test": 2432232314}"#;
        let signature = BASE64.encode(&mac(&secret, signed));
        assert_eq!(signature, "g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
    }
}
