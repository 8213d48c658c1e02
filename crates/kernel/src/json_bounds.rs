//! Bounds of untrusted JSON: its nesting depth and number of values are checked before it is parsed, because a tree of
//! small values needs a hundred times the memory of its text.

use memchr::memchr2;

/// Maximum nesting depth.
pub const MAX_DEPTH: usize = 64;

/// Bound that a JSON text exceeds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum JsonBound {
    #[error("the JSON has more than {0} values and member names")]
    Values(usize),
    #[error("the JSON is nested more than {MAX_DEPTH} levels deep")]
    Depth,
}

/// Returns an upper bound on the number of values and member names in a JSON text. For a text that is not JSON, the
/// number has no meaning.
///
/// # Errors
/// Returns the bound that the text exceeds.
pub fn count_values(text: &[u8], max_values: usize) -> Result<usize, JsonBound> {
    let (mut values, mut depth, mut at) = (1_usize, 0_usize, 0);
    while let Some(byte) = text.get(at) {
        at += 1;
        match byte {
            b'"' => at = end_of_string(text, at),
            b'[' | b'{' => {
                values += 1;
                depth += 1;
                if depth > MAX_DEPTH {
                    return Err(JsonBound::Depth);
                }
            }
            b']' | b'}' => depth = depth.saturating_sub(1),
            b',' | b':' => values += 1,
            _ => {}
        }
        if values > max_values {
            return Err(JsonBound::Values(max_values));
        }
    }
    Ok(values)
}

/// Position after the closing quotation mark of the string that continues at `at`.
fn end_of_string(text: &[u8], mut at: usize) -> usize {
    while let Some(offset) = text.get(at..).and_then(|rest| memchr2(b'"', b'\\', rest)) {
        at += offset + 1;
        if text[at - 1] == b'"' {
            return at;
        }
        at += 1;
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    const MAX_VALUES: usize = 1000;

    #[test]
    fn values_and_names_are_counted_outside_strings() {
        for (text, most) in [
            (r#""[,:{""#, 1),
            (r#"{"a":1}"#, 3),
            ("[1,2,3]", 4),
            (r#"{"a\"b":"\\","c":[{}]}"#, 7),
            ("\"unfinished \\", 1),
        ] {
            assert_eq!(count_values(text.as_bytes(), MAX_VALUES), Ok(most), "{text}");
        }
    }

    #[test]
    fn count_is_at_least_the_size_of_the_parsed_tree() {
        fn size(value: &serde_json::Value) -> usize {
            match value {
                serde_json::Value::Array(items) => 1 + items.iter().map(size).sum::<usize>(),
                serde_json::Value::Object(members) => {
                    1 + members.values().map(|inner| 1 + size(inner)).sum::<usize>()
                }
                _ => 1,
            }
        }
        for text in [r#"{"a":{"b":{"c":[[],{},"x",null,[1]]}}}"#, "[[[[[]]]]]", r#"[{"a":1,"b":2},{"a":{}}]"#]
        {
            let tree: serde_json::Value = serde_json::from_str(text).unwrap();
            assert!(count_values(text.as_bytes(), MAX_VALUES).unwrap() >= size(&tree), "{text}");
        }
    }

    #[test]
    fn too_many_values_and_too_deep_nesting_are_refused() {
        let many = format!("[{}0]", "0,".repeat(MAX_VALUES));
        assert_eq!(count_values(many.as_bytes(), MAX_VALUES), Err(JsonBound::Values(MAX_VALUES)));
        assert_eq!(count_values("[".repeat(MAX_DEPTH).as_bytes(), MAX_VALUES), Ok(MAX_DEPTH + 1));
        assert_eq!(count_values("[".repeat(MAX_DEPTH + 1).as_bytes(), MAX_VALUES), Err(JsonBound::Depth));
        let text = format!("\"{}\"", "[{,:".repeat(MAX_VALUES));
        assert_eq!(count_values(text.as_bytes(), MAX_VALUES), Ok(1), "a long text is one value");
    }
}
