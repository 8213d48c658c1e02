//! Time-based one-time passwords (RFC 6238): HMAC-SHA-1, 6 digits, a new code every 30 seconds. These are the
//! only parameters that every authenticator app supports.

use ring::hmac;
use subtle::ConstantTimeEq;

use kernel::Millis;

/// Length of a key in bytes.
pub(super) const KEY_BYTES: usize = 20;
/// Number of digits of a code.
pub(super) const DIGITS: usize = 6;
/// Period of a code.
const STEP_MS: Millis = 30_000;
/// Number of steps before and after the current one whose codes are accepted.
const WINDOW: i64 = 1;

/// Returns the time step of a code if the code is valid at `now` and its step is after `last_step`, so that each code
/// is accepted only once.
pub(super) fn accepted_step(key: &[u8], code: &str, now: Millis, last_step: Option<i64>) -> Option<i64> {
    let current = now.div_euclid(STEP_MS);
    let mut accepted = None;
    for step in current - WINDOW..=current + WINDOW {
        let is_new = last_step.is_none_or(|last| step > last);
        let is_equal: bool = code_at(key, step).as_bytes().ct_eq(code.as_bytes()).into();
        if is_new && is_equal && accepted.is_none() {
            accepted = Some(step);
        }
    }
    accepted
}

/// Computes the code of a time step, with the dynamic truncation of RFC 4226.
fn code_at(key: &[u8], step: i64) -> String {
    let key = hmac::Key::new(hmac::HMAC_SHA1_FOR_LEGACY_USE_ONLY, key);
    let tag = hmac::sign(&key, &step.to_be_bytes());
    let digest: &[u8] = tag.as_ref();
    let offset = usize::from(digest.last().copied().unwrap_or(0) & 0x0f);
    let word = digest.get(offset..).and_then(|rest| rest.first_chunk::<4>());
    let number = word.map_or(0, |word| u32::from_be_bytes(*word)) & 0x7fff_ffff;
    format!("{:06}", number % 1_000_000)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Key of the test vectors in RFC 6238.
    const KEY: &[u8] = b"12345678901234567890";

    #[test]
    fn codes_match_the_test_vectors_of_rfc_6238() {
        for (seconds, code) in [
            (59, "287082"),
            (1_111_111_109, "081804"),
            (1_111_111_111, "050471"),
            (1_234_567_890, "005924"),
            (2_000_000_000, "279037"),
            (20_000_000_000, "353130"),
        ] {
            assert_eq!(code_at(KEY, seconds / 30), code, "{seconds}");
        }
    }

    #[test]
    fn code_is_accepted_one_step_early_or_late_but_never_twice() {
        let now = 1_234_567_890_000;
        let step = now / STEP_MS;
        for distance in -1..=1 {
            let code = code_at(KEY, step + distance);
            assert_eq!(accepted_step(KEY, &code, now, None), Some(step + distance));
            assert_eq!(accepted_step(KEY, &code, now, Some(step + distance)), None, "a replay");
        }
        for distance in [-2, 2] {
            assert_eq!(accepted_step(KEY, &code_at(KEY, step + distance), now, None), None);
        }
        let earlier = code_at(KEY, step - 1);
        assert_eq!(accepted_step(KEY, &earlier, now, Some(step)), None, "older than the last code");
        for wrong in ["", "12345", "1234567", "a05924"] {
            assert_eq!(accepted_step(KEY, wrong, now, None), None, "{wrong}");
        }
    }
}
