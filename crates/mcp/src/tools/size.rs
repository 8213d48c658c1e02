//! Size limit of results. Clients reject larger results completely, so a page or window is requested again with
//! fewer rows or tokens, and its cursor continues after these. Any other result is cut and marked as truncated.

use serde_json::{Map, Value};

/// Maximum number of `o200k_base` tokens in a result.
pub(crate) const MAX_TOKENS: u32 = 20_000;
/// Texts below this size are not cut while there is a list to shorten.
const SHORT_BYTES: usize = 2_000;
/// Maximum number of cuts of one result.
const MAX_CUTS: usize = 64;
/// Maximum number of repetitions of a request whose result is too large.
pub(super) const MAX_ROUNDS: usize = PERCENTS.len() + 1;
/// Parts of the size limit that the repetitions aim at, in percent. The last one requests the smallest extent.
const PERCENTS: [u64; 3] = [90, 75, 50];
/// Smallest window of a text, in tokens.
const MIN_WINDOW: u32 = 100;
/// Maximum size of the outline of a window that is too large, in bytes of JSON. About a tenth of a result.
const MAX_OUTLINE_BYTES: u64 = 8_000;

/// Part of a result that a smaller argument shortens, so that the cursor of the result continues after it.
#[derive(Clone, Copy, Debug)]
pub(super) enum Extent<'a> {
    /// Rows of a page, limited by `limit`.
    Rows(&'a [Value]),
    /// Tokens of a window, limited by `maxTokens`.
    Window(u32),
}

impl Extent<'_> {
    /// Argument that shortens a result of this many tokens, and its value, after this many repetitions. `None` if
    /// the result cannot be shorter.
    pub(super) fn shortened(self, tokens: u32, repetitions: usize) -> Option<(&'static str, u32)> {
        let percent = PERCENTS.get(repetitions).copied().unwrap_or_default();
        let scaled =
            |extent: u64| extent * u64::from(MAX_TOKENS) * percent / (100 * u64::from(tokens.max(1)));
        match self {
            Self::Rows(rows) => {
                let most = u32::try_from(rows.len()).ok()?.checked_sub(1).filter(|most| *most > 0)?;
                Some(("limit", rows_within(rows, scaled).clamp(1, most)))
            }
            Self::Window(window) => {
                let most = window.checked_sub(1).filter(|most| *most >= MIN_WINDOW)?;
                let window = u32::try_from(scaled(window.into())).unwrap_or(most);
                Some(("maxTokens", window.clamp(MIN_WINDOW, most)))
            }
        }
    }
}

/// Number of first rows within the budget that `scaled` returns for the bytes of all rows.
fn rows_within(rows: &[Value], scaled: impl Fn(u64) -> u64) -> u32 {
    let sizes: Vec<u64> = rows.iter().map(|row| row.to_string().len() as u64).collect();
    let (budget, mut used) = (scaled(sizes.iter().sum()), 0);
    let fitting = sizes.iter().take_while(|size| {
        used += **size;
        used <= budget
    });
    u32::try_from(fitting.count()).unwrap_or(u32::MAX)
}

/// Number of tokens in a value.
pub(super) async fn tokens(value: &Value) -> u32 {
    tokens_of(value.to_string()).await
}

/// Number of tokens in a text. The tokens of a text of at most [`MAX_TOKENS`] bytes are not counted, because its
/// size in bytes is an upper bound.
pub(super) async fn tokens_of(text: String) -> u32 {
    if text.len() <= MAX_TOKENS as usize {
        return u32::try_from(text.len()).unwrap_or(MAX_TOKENS);
    }
    let counted = tokio::task::spawn_blocking(move || extract::tokens::count(&text)).await;
    counted.unwrap_or(u32::MAX)
}

/// Number of tokens in a value. The outline of a window that is too large is shortened first, because it is the same in
/// each window and would leave no tokens for the text.
pub(super) async fn tokens_with_short_outline(value: &mut Value) -> u32 {
    let complete = tokens(value).await;
    if complete > MAX_TOKENS && shorten_outline(value) { tokens(value).await } else { complete }
}

/// Removes the last headings of a window's long outline, and adds their number. Returns false if no heading was removed.
fn shorten_outline(window: &mut Value) -> bool {
    let Some(members) = window.as_object_mut().filter(|members| has_cursor(members)) else { return false };
    let Some(Value::Array(headings)) = members.get_mut("outline") else { return false };
    let (total, fitting) = (headings.len(), rows_within(headings, |_| MAX_OUTLINE_BYTES) as usize);
    headings.truncate(fitting);
    let omitted = total.saturating_sub(fitting);
    if omitted > 0 {
        members.insert("outlineOmitted".into(), omitted.into());
        members.insert("truncated".into(), true.into());
    }
    omitted > 0
}

/// Cuts a value to the size limit, longest text first. An object whose text was cut is marked as truncated. A page
/// keeps all of its rows, and a window its text, because the cursor continues after them.
pub(super) async fn fit(mut value: Value) -> Value {
    if tokens_with_short_outline(&mut value).await <= MAX_TOKENS {
        return value;
    }
    tokio::task::spawn_blocking(move || cut_to_fit(value)).await.unwrap_or_default()
}

fn cut_to_fit(mut value: Value) -> Value {
    for _ in 0..MAX_CUTS {
        let tokens = extract::tokens::count(&value.to_string());
        let Some(excess) = tokens.checked_sub(MAX_TOKENS).filter(|excess| *excess > 0) else { break };
        cut(&mut value, excess);
    }
    value
}

/// Cuts the longest text by about `excess` tokens, or halves the longest list if all texts are short.
fn cut(value: &mut Value, excess: u32) {
    let mut longest = Longest::default();
    longest.visit(value, "");
    let (Some((path, bytes)), list) = (longest.text, longest.list) else { return };
    if bytes < SHORT_BYTES
        && let Some(list) = list.and_then(|(path, _)| value.pointer_mut(&path))
    {
        halve(list);
        value["truncated"] = true.into();
        return;
    }
    let Some(Value::String(text)) = value.pointer_mut(&path) else { return };
    // JSON encoding adds tokens to a text; further rounds remove the rest.
    let budget = extract::tokens::count(text).saturating_sub(excess + excess / 20 + 20);
    let head = if budget == 0 { "" } else { extract::tokens::cut(text, budget).0 };
    let (head, characters) = (head.to_owned(), head.chars().count());
    *text = head;
    let parent = path.rsplit_once('/').map_or("", |(parent, _)| parent).to_owned();
    let parent = value.pointer_mut(&parent).and_then(Value::as_object_mut);
    match parent.filter(|parent| parent.contains_key("truncated")) {
        None => value["truncated"] = true.into(),
        Some(parent) => {
            parent.insert("truncated".into(), true.into());
            if let Some(returned) = parent.get_mut("returnedCharacters") {
                *returned = characters.into();
            }
        }
    }
}

/// Removes the second half of a list or of the members of an object.
fn halve(list: &mut Value) {
    match list {
        Value::Array(items) => items.truncate(items.len() / 2),
        Value::Object(members) => {
            let half = members.len() / 2;
            *members = std::mem::take(members).into_iter().take(half).collect();
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// Longest text and longest list in a value that can be cut, with their JSON pointers. The metadata of an item counts
/// as a list.
#[derive(Default)]
struct Longest {
    text: Option<(String, usize)>,
    list: Option<(String, usize)>,
}

impl Longest {
    fn visit(&mut self, value: &Value, path: &str) {
        match value {
            Value::String(text) => replace_if_longer(&mut self.text, path, text.len()),
            Value::Array(items) => {
                replace_if_longer(&mut self.list, path, items.len());
                self.visit_items(items, path);
            }
            Value::Object(members) => self.visit_members(members, path),
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }

    fn visit_items(&mut self, items: &[Value], path: &str) {
        for (at, item) in items.iter().enumerate() {
            self.visit(item, &format!("{path}/{at}"));
        }
    }

    fn visit_members(&mut self, members: &Map<String, Value>, path: &str) {
        let is_window = has_cursor(members) && members.contains_key("text");
        let is_page = has_cursor(members) && !is_window;
        for (name, member) in members {
            let path = format!("{path}/{}", name.replace('~', "~0").replace('/', "~1"));
            match member {
                Value::String(_) if name.to_ascii_lowercase().ends_with("cursor") => {}
                Value::String(_) if is_window && name == "text" => {}
                Value::Array(rows) if is_page => self.visit_items(rows, &path),
                Value::Object(fields) if name == "metadata" => {
                    replace_if_longer(&mut self.list, &path, fields.len());
                    self.visit(member, &path);
                }
                _ => self.visit(member, &path),
            }
        }
    }
}

/// True if an object is a page or a window: it states the cursor of the next one, or that there is none.
fn has_cursor(members: &Map<String, Value>) -> bool {
    const CURSOR: &str = "nextCursor";
    let metadata = members.get("metadata").and_then(Value::as_object);
    members.contains_key(CURSOR) || metadata.is_some_and(|metadata| metadata.contains_key(CURSOR))
}

fn replace_if_longer(longest: &mut Option<(String, usize)>, path: &str, length: usize) {
    if longest.as_ref().is_none_or(|(_, known)| length > *known) {
        *longest = Some((path.to_owned(), length));
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[tokio::test]
    async fn long_text_is_cut_and_its_object_is_marked_truncated() {
        let text = "A desk for one reader. ".repeat(20_000);
        let article = json!({
            "article": {"content": text, "contentCharacters": text.len(), "returnedCharacters": text.len(), "truncated": false},
        });
        let cut = fit(article.clone()).await;
        let tokens = extract::tokens::count(&cut.to_string());
        assert!((MAX_TOKENS / 2..=MAX_TOKENS).contains(&tokens), "{tokens}");
        let content = cut["article"]["content"].as_str().unwrap();
        assert!(text.starts_with(content));
        assert_eq!(cut["article"]["truncated"], true);
        assert_eq!(cut["article"]["returnedCharacters"], content.chars().count());
        assert_eq!(cut["article"]["contentCharacters"], text.len());
    }

    #[tokio::test]
    async fn page_keeps_its_rows_and_window_its_text() {
        let value = |at: u32| format!("value {at} of the reference, page {} of volume {}", at * 7, at * 13);
        let metadata: Map<String, Value> =
            (0..800).map(|at| (format!("field{at}"), value(at).into())).collect();
        let cursor = "c".repeat(3_000);
        let row = |id: &str| json!({"id": id, "metadata": metadata, "tags": []});
        let page = fit(json!({"items": [row("a"), row("b")], "nextCursor": cursor})).await;
        assert!(extract::tokens::count(&page.to_string()) <= MAX_TOKENS);
        assert_eq!((&page["items"][0]["id"], &page["items"][1]["id"]), (&json!("a"), &json!("b")));
        assert_eq!((&page["nextCursor"], &page["truncated"]), (&json!(cursor), &json!(true)));
        let text = "A desk for one reader. ".repeat(500);
        let outline: Vec<String> = (0..10_000).map(|at| format!("Heading {at}")).collect();
        let window = fit(json!({"text": text, "nextCursor": 7, "outline": outline})).await;
        assert!(extract::tokens::count(&window.to_string()) <= MAX_TOKENS);
        assert_eq!((&window["text"], &window["truncated"]), (&json!(text), &json!(true)));
        let listed = window["outline"].as_array().unwrap();
        assert_eq!(listed[..], outline[..listed.len()]);
        assert_eq!(window["outlineOmitted"], outline.len() - listed.len());
    }

    #[tokio::test]
    async fn outline_of_a_window_within_the_limit_is_complete() {
        let outline: Vec<String> = (0..2_000).map(|at| format!("Heading {at}")).collect();
        let mut window = json!({"text": "A desk.", "nextCursor": null, "outline": outline});
        let complete = window.clone();
        assert!(tokens_with_short_outline(&mut window).await <= MAX_TOKENS);
        assert_eq!(window, complete);
    }

    #[test]
    fn repetition_requests_the_first_rows_that_fit() {
        let (large, small) = (json!("a".repeat(40_000)), json!("a".repeat(400)));
        let mut rows = vec![large.clone(), large.clone()];
        rows.extend(vec![small; 98]);
        assert_eq!(Extent::Rows(&rows).shortened(40_000, 0), Some(("limit", 1)));
        rows.rotate_left(2);
        assert_eq!(Extent::Rows(&rows).shortened(40_000, 0), Some(("limit", 98)));
        assert_eq!(Extent::Rows(&rows).shortened(40_000, MAX_ROUNDS - 1), Some(("limit", 1)));
        assert_eq!(Extent::Rows(&[large]).shortened(40_000, 0), None, "one row is the smallest page");
    }

    #[test]
    fn repetition_requests_a_smaller_window() {
        assert_eq!(Extent::Window(18_000).shortened(24_000, 0), Some(("maxTokens", 13_500)));
        assert_eq!(Extent::Window(18_000).shortened(24_000, MAX_ROUNDS - 1), Some(("maxTokens", MIN_WINDOW)));
        assert_eq!(Extent::Window(MIN_WINDOW).shortened(24_000, 0), None);
        assert_eq!(Extent::Window(18_000).shortened(u32::MAX, 0), Some(("maxTokens", MIN_WINDOW)));
    }

    #[tokio::test]
    async fn small_value_is_unchanged_and_long_list_is_shortened() {
        let small = json!({"a": "b", "truncated": false});
        assert_eq!(fit(small.clone()).await, small);
        let many = json!({"names": (0..50_000).map(|at| format!("name {at}")).collect::<Vec<_>>()});
        let cut = fit(many).await;
        assert!(extract::tokens::count(&cut.to_string()) <= MAX_TOKENS);
        assert_eq!(cut["truncated"], true);
    }
}
