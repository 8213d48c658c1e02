//! Reads data in scripts: JSON literals that are assigned or passed to a call, and the parts of a page that
//! React streams with calls.

use serde_json::Value;

/// Maximum total number of bytes that are read from the scripts. Bytes that are read again after an invalid
/// literal are counted again.
const MAX_BYTES: usize = 6 * 1024 * 1024;
/// Minimum number of bytes of a literal that can contain text.
const MIN_LITERAL_BYTES: usize = 16;
/// Start of a call that streams a part of the page. Its argument `[1,"…"]` contains a chunk of the stream.
const STREAM: &str = "__next_f.push(";

/// Maximum number of digits in a text length in the stream, plus 1 for the comma after them.
const LENGTH_DIGITS: usize = 17;

/// Values of all JSON literals in the scripts, followed by the rows of the stream.
pub(super) fn values<'s>(scripts: impl Iterator<Item = &'s str>) -> Vec<Value> {
    let (mut result, mut stream, mut remaining) = (Vec::new(), String::new(), MAX_BYTES);
    for script in scripts {
        let literals = Literals { script, at: 0, remaining: &mut remaining };
        for (value, streams) in literals {
            match value {
                Value::Array(parts) if streams => {
                    stream.extend(parts.get(1).and_then(Value::as_str));
                }
                value => result.push(value),
            }
        }
    }
    result.extend(rows(&stream));
    result
}

/// Iterator over the JSON literals of a script. An item is a value, and true if the value is a chunk of the
/// stream.
struct Literals<'s, 'l> {
    script: &'s str,
    at: usize,
    /// Bytes that may still be read.
    remaining: &'l mut usize,
}

impl Iterator for Literals<'_, '_> {
    type Item = (Value, bool);

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let begin = self.at + self.script.get(self.at..)?.find(['{', '['])?;
            self.at = begin + 1;
            let before = self.script[..begin].trim_end();
            let literal = &self.script[begin..];
            if !before.ends_with(['=', '(', ',']) || literal.len() < MIN_LITERAL_BYTES {
                continue;
            }
            let mut reader = serde_json::Deserializer::from_str(literal).into_iter::<Value>();
            let value = reader.next();
            // If the literal is not JSON, the position of the error is the number of bytes that were read.
            let read = match &value {
                Some(Ok(_)) => reader.byte_offset(),
                Some(Err(error)) => byte_offset(literal, error.line(), error.column()),
                None => 1,
            };
            *self.remaining = self.remaining.checked_sub(read)?;
            if let Some(Ok(value)) = value {
                self.at = begin + read.max(1);
                return Some((value, before.ends_with(STREAM)));
            }
        }
    }
}

/// Byte offset of a line and column, which both count from one.
fn byte_offset(text: &str, line: usize, column: usize) -> usize {
    let before: usize = text.split_inclusive('\n').take(line.saturating_sub(1)).map(str::len).sum();
    (before + column).min(text.len())
}

/// Rows of a stream, as React Server Components send it: `id:JSON` on a line, or `id:Tlength,text` with the
/// length in bytes as a hexadecimal number.
fn rows(stream: &str) -> Vec<Value> {
    let mut values = Vec::new();
    let mut rest = stream;
    while let Some((id, row)) = rest.split_once(':') {
        let is_id =
            !id.trim_start().is_empty() && id.trim_start().bytes().all(|byte| byte.is_ascii_hexdigit());
        // The comma is searched for only within the maximum length. Otherwise, a page of such rows would take
        // quadratic time.
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

    fn literals(script: &str) -> Vec<String> {
        values(std::iter::once(script)).iter().map(Value::to_string).collect()
    }

    #[test]
    fn assigned_literals_and_literal_arguments_are_read() {
        let long = "x".repeat(MIN_LITERAL_BYTES);
        let script = format!(
            "window.a = {{\"text\": \"{long}\"}}; q.push([\"{long}\"]); if (a) {{ b = {{c: 1, d: \"{long}\"}} }}"
        );
        assert_eq!(literals(&script), [format!("{{\"text\":\"{long}\"}}"), format!("[\"{long}\"]")]);
    }

    #[test]
    fn stream_chunks_are_joined() {
        let text = "<p>A story that the page draws with its scripts, in two pieces.</p>";
        let stream = format!("1:[\"$\",\"div\"]\n2:T{:x},{text}3:{{\"a\":\"Ω\"}}\n", text.len());
        let (one, other) = stream.split_at(40);
        let calls: Vec<String> = [one, other]
            .iter()
            .map(|piece| {
                format!(
                    "self.__next_f.push({})",
                    serde_json::json!([1, piece, "-".repeat(MIN_LITERAL_BYTES)])
                )
            })
            .collect();
        let parsed = values(calls.iter().map(String::as_str));
        assert_eq!(
            parsed,
            [serde_json::json!(["$", "div"]), serde_json::json!(text), serde_json::json!({"a": "Ω"})]
        );
    }

    #[test]
    fn reading_of_unclosed_brackets_is_stopped_at_the_byte_limit() {
        assert!(literals(&"([".repeat(200_000)).is_empty());
        assert!(literals("a = {\"b\": ").is_empty());
        assert!(rows(&"1:T\n".repeat(1_000_000)).is_empty());
        assert!(rows("1:Tfffffffff,a\n2:T-1,b\nx:1").is_empty());
    }
}
