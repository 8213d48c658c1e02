//! Data that scripts carry as literals: what is assigned to a name or handed to a call, and the parts of a page that are
//! streamed as calls to be put together.

use serde_json::Value;

/// Scripts are read up to this many bytes in all: a literal that ends badly is read more than once.
const MOST_BYTES: usize = 6 * 1024 * 1024;
/// Shorter literals hold no text.
const LEAST_BYTES: usize = 16;
/// Calls that stream a page's parts begin with it: `[1,"…"]` holds a piece of them.
const STREAM: &str = "__next_f.push(";

/// Digits of the length of a text in the stream, and the comma behind them.
const LENGTH_DIGITS: usize = 17;

/// The values of all literals of a page's scripts, and the rows of its stream.
pub(super) fn values<'s>(scripts: impl Iterator<Item = &'s str>) -> Vec<Value> {
    let (mut found, mut stream, mut left) = (Vec::new(), String::new(), MOST_BYTES);
    for script in scripts {
        let literals = Literals { script, at: 0, left: &mut left };
        for (value, streams) in literals {
            match value {
                Value::Array(parts) if streams => {
                    stream.extend(parts.get(1).and_then(Value::as_str));
                }
                value => found.push(value),
            }
        }
    }
    found.extend(rows(&stream));
    found
}

/// The literals of a script that are JSON, each with whether it is a piece of the stream.
struct Literals<'s, 'l> {
    script: &'s str,
    at: usize,
    /// Bytes that may still be read.
    left: &'l mut usize,
}

impl Iterator for Literals<'_, '_> {
    type Item = (Value, bool);

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let begin = self.at + self.script.get(self.at..)?.find(['{', '['])?;
            self.at = begin + 1;
            let before = self.script[..begin].trim_end();
            let literal = &self.script[begin..];
            if !before.ends_with(['=', '(', ',']) || literal.len() < LEAST_BYTES {
                continue;
            }
            let mut reader = serde_json::Deserializer::from_str(literal).into_iter::<Value>();
            let value = reader.next();
            // A literal that is no JSON ends at what is none; it is told by its place how much was read.
            let read = match &value {
                Some(Ok(_)) => reader.byte_offset(),
                Some(Err(error)) => place(literal, error.line(), error.column()),
                None => 1,
            };
            *self.left = self.left.checked_sub(read)?;
            if let Some(Ok(value)) = value {
                self.at = begin + read.max(1);
                return Some((value, before.ends_with(STREAM)));
            }
        }
    }
}

/// The byte at a line and a column, both counted from one.
fn place(text: &str, line: usize, column: usize) -> usize {
    let before: usize = text.split_inclusive('\n').take(line.saturating_sub(1)).map(str::len).sum();
    (before + column).min(text.len())
}

/// The rows of a stream: `id:JSON` on a line, or `id:Tlength,text` with the length in hexadecimal bytes, as React's server
/// components are sent.
fn rows(stream: &str) -> Vec<Value> {
    let mut values = Vec::new();
    let mut rest = stream;
    while let Some((id, row)) = rest.split_once(':') {
        let is_id =
            !id.trim_start().is_empty() && id.trim_start().bytes().all(|byte| byte.is_ascii_hexdigit());
        // A length that is looked for no further than it can be long: each row may begin like one.
        let text = row.strip_prefix('T').and_then(|row| {
            let comma = row.bytes().take(LENGTH_DIGITS).position(|byte| byte == b',')?;
            Some((row.get(..comma)?, row.get(comma + 1..)?))
        });
        if is_id
            && let Some((length, text)) = text
            && let Ok(length) = usize::from_str_radix(length, 16)
            && let Some(own) = text.get(..length)
        {
            values.push(Value::String(own.to_owned()));
            rest = &text[length..];
            continue;
        }
        let (line, next) = row.split_once('\n').unwrap_or((row, ""));
        values.extend(is_id.then(|| serde_json::from_str::<Value>(line).ok()).flatten());
        rest = next;
    }
    values
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(script: &str) -> Vec<String> {
        values(std::iter::once(script)).iter().map(Value::to_string).collect()
    }

    #[test]
    fn what_is_assigned_and_what_is_handed_over_is_data() {
        let long = "x".repeat(LEAST_BYTES);
        let script = format!(
            "window.a = {{\"text\": \"{long}\"}}; q.push([\"{long}\"]); if (a) {{ b = {{c: 1, d: \"{long}\"}} }}"
        );
        assert_eq!(of(&script), [format!("{{\"text\":\"{long}\"}}"), format!("[\"{long}\"]")]);
    }

    #[test]
    fn pieces_of_a_stream_are_put_together() {
        let text = "<p>A story that the page draws with its scripts, in two pieces.</p>";
        let stream = format!("1:[\"$\",\"div\"]\n2:T{:x},{text}3:{{\"a\":\"Ω\"}}\n", text.len());
        let (one, other) = stream.split_at(40);
        let calls: Vec<String> = [one, other]
            .iter()
            .map(|piece| {
                format!("self.__next_f.push({})", serde_json::json!([1, piece, "-".repeat(LEAST_BYTES)]))
            })
            .collect();
        let found = values(calls.iter().map(String::as_str));
        assert_eq!(
            found,
            [serde_json::json!(["$", "div"]), serde_json::json!(text), serde_json::json!({"a": "Ω"})]
        );
    }

    #[test]
    fn a_script_of_brackets_costs_no_more_than_its_bound() {
        assert!(of(&"([".repeat(200_000)).is_empty());
        assert!(of("a = {\"b\": ").is_empty());
        assert!(rows(&"1:T\n".repeat(1_000_000)).is_empty());
        assert!(rows("1:Tfffffffff,a\n2:T-1,b\nx:1").is_empty());
    }
}
