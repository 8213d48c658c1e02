//! Undo of actions on lists. The redirect address after an action contains the steps that undo it, and the page
//! renders them as a message with a button. A step can only restore states of the person's own objects.

use data_encoding::HEXLOWER;
use maud::{Markup, Render, html};
use poem::Response;

use super::frame::{back_field, redirect_done};
use crate::language::text::Text;
use crate::page::form::FormToken;
use crate::page::request::PageRequest;

/// Maximum length of encoded steps, in bytes. An action with longer steps, such as adding four tags to a
/// hundred items, cannot be undone.
const MAX_BYTES: usize = 12 * 1024;
/// Maximum number of steps. The largest action has one for each of its items.
const MAX_STEPS: usize = kernel::bounds::CHANGED_ITEMS;

/// Step that undoes an action, or a part of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct UndoStep {
    /// Action of the list, such as `unread`.
    pub(super) act: String,
    /// Argument of the action, such as a tag. Empty if it has none.
    pub(super) argument: String,
    pub(super) ids: Vec<String>,
}

impl UndoStep {
    pub(super) fn new(act: &str, ids: impl IntoIterator<Item = impl ToString>) -> Self {
        let ids = ids.into_iter().map(|id| id.to_string()).collect();
        Self { act: act.to_owned(), argument: String::new(), ids }
    }

    pub(super) fn with_argument(self, argument: &str) -> Self {
        Self { argument: argument.to_owned(), ..self }
    }
}

/// Encodes steps with characters that an address contains unescaped: `unread__-c.1*untag_61_0193a0b2-…`.
fn encode(steps: &[UndoStep]) -> String {
    let steps = steps.iter().filter(|step| !step.ids.is_empty());
    let texts: Vec<String> = steps
        .map(|step| {
            let argument = HEXLOWER.encode(step.argument.as_bytes());
            format!("{}_{argument}_{}", step.act, encode_ids(&step.ids))
        })
        .collect();
    texts.join("*")
}

/// Encodes ids. Numbers are encoded as the largest number and the differences between consecutive numbers, in
/// base 36, because some proxies refuse a redirect to an address of more than 4 KB: `-c.1` for 11 and 12.
fn encode_ids(ids: &[String]) -> String {
    let numbers: Option<Vec<u64>> = ids.iter().map(|id| id.parse().ok()).collect();
    let Some(mut numbers) = numbers else { return ids.join(".") };
    numbers.sort_unstable();
    numbers.reverse();
    let differences = numbers.iter().zip(numbers.iter().skip(1)).map(|(larger, number)| larger - number);
    let parts: Vec<String> = numbers.first().copied().into_iter().chain(differences).map(base36).collect();
    format!("-{}", parts.join("."))
}

/// Decodes ids. Stops at an invalid number.
fn decode_ids(text: &str) -> Vec<String> {
    let Some(differences) = text.strip_prefix('-') else {
        return text.split('.').map(str::to_owned).collect();
    };
    let mut last: Option<u64> = None;
    let number = |part: &str| {
        let part = u64::from_str_radix(part, 36).ok()?;
        let number = last.map_or(Some(part), |last| last.checked_sub(part))?;
        last = Some(number);
        Some(number.to_string())
    };
    differences.split('.').map_while(number).collect()
}

/// Returns a number in base 36.
fn base36(mut number: u64) -> String {
    let mut digits = Vec::new();
    loop {
        let digit = u32::try_from(number % 36).unwrap_or_default();
        digits.extend(char::from_digit(digit, 36));
        number /= 36;
        if number == 0 {
            return digits.into_iter().rev().collect();
        }
    }
}

/// Parses encoded steps. Invalid steps, and steps beyond the maximum number, are ignored.
pub(super) fn parse_steps(text: &str) -> Vec<UndoStep> {
    if text.is_empty() || text.len() > MAX_BYTES {
        return Vec::new();
    }
    let step = |text: &str| {
        let (act, rest) = text.split_once('_')?;
        let (argument, ids) = rest.split_once('_')?;
        let argument = String::from_utf8(HEXLOWER.decode(argument.as_bytes()).ok()?).ok()?;
        Some(UndoStep { act: act.to_owned(), argument, ids: decode_ids(ids) })
    };
    text.split('*').take(MAX_STEPS).filter_map(step).collect()
}

/// Redirects to a page that displays the message `done` with a button that undoes the action. There is no
/// button if nothing has changed.
pub(super) fn redirect_undoable(target: &str, done: &str, steps: &[UndoStep]) -> Response {
    let code = encode(steps);
    if code.is_empty() || code.len() > MAX_BYTES {
        return redirect_done(target, done);
    }
    redirect_done(target, &format!("{done}&undo={code}"))
}

/// Renders the message about the last action, with a button that undoes it. The button's form is submitted to
/// `action`. Empty if the message is not in `known`.
pub(super) fn notice(
    request: &PageRequest,
    token: &FormToken,
    known: &[(&str, impl Render)],
    action: &str,
) -> Markup {
    let done = request.parameter("done");
    let words = known.iter().find(|(word, _)| *word == done).map(|(_, words)| words);
    let code = request.parameter("undo");
    let can_undo = !parse_steps(&code).is_empty();
    html! {
        @if let Some(words) = words {
            div.notice.good.line role="status" {
                span { (words) }
                @if can_undo {
                    form method="post" action=(action) {
                        (token.field()) (back_field(request))
                        input type="hidden" name="undo" value=(code);
                        button.link #undo type="submit" { (Text("undo")) }
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_round_trip_and_invalid_steps_are_ignored() {
        let steps = [
            UndoStep::new("unread", [13, 12]),
            UndoStep::new("untag", ["0193a0b2-7c00-7000-8000-7e2b3c4d5e6f"]).with_argument("A_b*c. ü"),
        ];
        let code = encode(&steps);
        let encoded: String = url::form_urlencoded::byte_serialize(code.as_bytes()).collect();
        assert_eq!(encoded, code, "the code needs no escaping in an address");
        assert_eq!(parse_steps(&code), steps);
        assert_eq!(encode(&[UndoStep::new("unread", Vec::<u32>::new())]), "");
        let many = UndoStep::new("unread", (0..500_u64).map(|at| 12_345_678 - at * 1_000));
        let code = encode(std::slice::from_ref(&many));
        assert!(code.len() < 2_048, "{} bytes", code.len());
        assert_eq!(parse_steps(&code), [many]);
        assert_eq!(decode_ids("-5.6.1"), ["5"], "the rest is invalid");
        assert_eq!(decode_ids("-z.9."), ["35", "26"]);
        assert!(parse_steps("").is_empty() && parse_steps("unread").is_empty());
        assert!(parse_steps("untag_zz_1").is_empty());
        assert!(parse_steps(&"unread__1*".repeat(MAX_BYTES)).is_empty());
        assert_eq!(parse_steps(&"unread__1*".repeat(MAX_STEPS + 1)).len(), MAX_STEPS);
    }
}
