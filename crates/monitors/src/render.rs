//! Renders changes as feed items and for public links.
//!
//! The link of a change is its id, signed for the current feed token. It cannot be guessed and gives access
//! to a single change. It becomes invalid when the feed gets a new token.

use data_encoding::{BASE64URL_NOPAD, HEXLOWER};
use entities::ids::ChangeId;
use extract::watch::{Kind, Op, Operation, render};
use sha2::{Digest, Sha256};

use super::change::Change;
use super::message_text;
use super::monitor::TargetType;
use kernel::cursor::CursorKey;
use kernel::hash::hash64;
use kernel::{Domain, Language, Millis, Result};

/// Maximum number of feed items of a sitemap change.
const MAX_URL_ITEMS: usize = 50;

/// Item of a feed that Carrel publishes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FeedItem {
    /// Id of the item. It is never changed or reused. For a change: id of the change and number of the URL in
    /// the change.
    pub guid: String,
    /// Link of the item.
    pub link: String,
    /// Plain text on one line.
    pub title: String,
    /// Plain text on a few lines.
    pub summary: String,
    /// Content as HTML, such as the rendered change.
    pub html: String,
    /// Time of the item, such as the time at which the change was detected.
    pub at: Millis,
    /// Names of categories.
    pub categories: Vec<String>,
    /// Screenshot after the change.
    pub screenshot: Option<FeedScreenshot>,
}

/// Screenshot of a feed item, in PNG.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FeedScreenshot {
    pub url: String,
    pub size_bytes: u64,
}

impl FeedItem {
    /// Adds the screenshot of a change to its item. The summary, which contains the changed share, is its alternative
    /// text.
    pub(super) fn with_screenshot(self, screenshot: Option<FeedScreenshot>) -> Self {
        let Some(screenshot) = screenshot else { return self };
        let (url, alt) = (attribute(&screenshot.url), attribute(&self.summary));
        let html = format!("{}<p><img src=\"{url}\" alt=\"{alt}\"></p>", self.html);
        Self { html, screenshot: Some(screenshot), ..self }
    }
}

impl FeedItem {
    /// Adds a sentence before the content and the summary.
    fn with_sentence(self, sentence: Option<&str>) -> Self {
        let Some(sentence) = sentence else { return self };
        let sentence = clean(sentence);
        let html = format!("<p>{}</p>{}", escape(&sentence), self.html);
        Self { summary: format!("{sentence}\n{}", self.summary), html, ..self }
    }
}

/// Escapes a text as the value of an HTML attribute.
fn attribute(text: &str) -> String {
    escape(text).replace('"', "&quot;")
}

/// Creates public links to changes.
pub(super) struct Links {
    key: CursorKey,
    base_url: String,
    token_hash: String,
}

impl Links {
    pub(super) async fn load(domain: &Domain, base_url: &str, feed_token: &str) -> Result<Self> {
        let key = domain.cursor_key().await?.clone();
        Ok(Self { key, base_url: base_url.to_owned(), token_hash: token_hash(feed_token) })
    }

    pub(super) fn of(&self, change_id: ChangeId) -> String {
        let sealed = self.key.seal(&binding(&self.token_hash), change_id.as_bytes());
        format!("{}/changes/{sealed}", self.base_url)
    }

    /// Returns the current link to the change that an older link refers to. `None` for other URLs.
    pub(super) fn renewed(&self, link: &str) -> Option<String> {
        let sealed = link.strip_prefix(self.base_url.as_str())?.strip_prefix("/changes/")?;
        change_id_of(sealed).map(|change_id| self.of(change_id))
    }
}

/// Hash of a feed token. It is stored permanently, and links to changes are signed for it.
pub(super) fn token_hash(feed_token: &str) -> String {
    HEXLOWER.encode(&Sha256::digest(feed_token.as_bytes()))
}

fn binding(token_hash: &str) -> String {
    format!("change|{token_hash}")
}

/// Id of the change in a link, even if the signature of the link is invalid. `None` if the text is not a
/// link.
pub(super) fn change_id_of(sealed: &str) -> Option<ChangeId> {
    let bytes = BASE64URL_NOPAD.decode(sealed.as_bytes()).ok()?;
    ChangeId::from_slice(bytes.get(..16)?)
}

/// True if a link was signed for this feed token.
pub(super) async fn is_sealed(domain: &Domain, token_hash: &str, sealed: &str) -> Result<bool> {
    Ok(domain.cursor_key().await?.open(&binding(token_hash), sealed).is_some())
}

/// Feed items of a change. A change to a sitemap has one item per added or removed URL, up to fifty, and one
/// item for all updated URLs. Other changes have one item.
/// If the language model has explained the change, each item begins with its sentence.
pub(super) fn items(change: &Change, links: &Links) -> Vec<FeedItem> {
    let sentence = change.explanation.as_ref();
    let sentence = sentence.and_then(|explanation| message_text::explained(Language::English, explanation));
    let items = items_of_operations(change, links).into_iter();
    items.map(|item| item.with_sentence(sentence.as_deref())).collect()
}

fn items_of_operations(change: &Change, links: &Links) -> Vec<FeedItem> {
    let operations = change.operations.as_slice();
    let link = links.of(change.id);
    let of = |number: Option<usize>, operations: &[Operation], line: ItemText| {
        FeedItem::of(change, number, operations, line)
    };
    if item_count(operations) == 1 {
        let line = ItemText { link, title: change.title.clone(), summary: change.summary.clone() };
        return vec![of(None, operations, line)];
    }
    let numbered = (1..).zip(operations);
    let (updates, mut own): (Vec<_>, Vec<_>) =
        numbered.partition(|(_, operation): &(usize, &Operation)| operation.op == Op::Changed);
    let updates = if updates.len() == 1 {
        own.extend(updates);
        Vec::new()
    } else {
        updates
    };
    let most = MAX_URL_ITEMS - usize::from(!updates.is_empty());
    let rest = if own.len() > most { own.split_off(most - 1) } else { Vec::new() };
    let mut items = Vec::with_capacity(own.len() + 2);
    for (number, operation) in own {
        let address = operation.link.as_deref().unwrap_or(&change.url);
        let target = if operation.op == Op::Removed { &link } else { address };
        let title = clean(&format!("{}: {address}", label(operation.op)));
        let line = ItemText { link: target.to_owned(), title: title.clone(), summary: title };
        items.push(of(Some(number), std::slice::from_ref(operation), line));
    }
    let groups = [
        (format!("{} more addresses", rest.len()), rest),
        (format!("{} pages updated", updates.len()), updates),
    ];
    for (title, group) in groups {
        let Some(&(number, _)) = group.first() else { continue };
        let group: Vec<Operation> = group.into_iter().map(|(_, operation)| operation.clone()).collect();
        let line = ItemText { link: link.clone(), title, summary: change.summary.clone() };
        items.push(of(Some(number), &group, line));
    }
    items
}

/// Number of feed items of a change with these operations.
pub(super) fn item_count(operations: &[Operation]) -> usize {
    if !operations.iter().all(|operation| operation.kind == Kind::Url) {
        return 1;
    }
    let updated = operations.iter().filter(|operation| operation.op == Op::Changed).count();
    (operations.len() - updated + updated.min(1)).clamp(1, MAX_URL_ITEMS)
}

/// Texts and link of a feed item.
struct ItemText {
    link: String,
    title: String,
    summary: String,
}

impl FeedItem {
    /// Hash of `guid`. Key of the entry in followed feeds.
    pub(super) fn key(&self) -> i64 {
        hash64(self.guid.as_bytes())
    }

    /// Creates an item whose content is a plain text. `guid` identifies the item.
    pub fn of_text(guid: String, link: String, title: &str, text: &str, at: Millis) -> Self {
        let text = clean(text);
        let html = format!("<p>{}</p>", escape(&text));
        let title = clean(title);
        Self { guid, link, title, summary: text, html, at, categories: Vec::new(), screenshot: None }
    }

    /// Creates an item for some operations of a change. `number` distinguishes the items of the change.
    fn of(change: &Change, number: Option<usize>, operations: &[Operation], line: ItemText) -> Self {
        let number = number.map(|number| format!("-{number}")).unwrap_or_default();
        let guid = format!("urn:uuid:{}#{}{number}", change.monitor_id, change.id);
        Self {
            guid,
            link: line.link,
            title: line.title,
            summary: line.summary,
            html: if operations.is_empty() {
                format!("<p>{}</p>", escape(&change.summary))
            } else {
                clean(&render::html(operations))
            },
            at: change.detected_at,
            categories: Vec::new(),
            screenshot: None,
        }
    }
}

/// Escapes a text as HTML.
fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// Label of an operation at the start of a line.
pub(super) fn label(op: Op) -> &'static str {
    match op {
        Op::Added => "New",
        Op::Removed => "Gone",
        Op::Changed => "Changed",
        Op::Moved => "Moved",
    }
}

/// Removes characters that XML does not allow or that reorder text.
pub(super) fn clean(text: &str) -> String {
    let mut text = text.to_owned();
    extract::clean::strip_controls(&mut text);
    text
}

/// Kind of a change with these operations.
pub(super) fn kind_of(kind: TargetType, operations: &[Operation]) -> &'static str {
    let all = |op: Op| operations.iter().all(|operation| operation.op == op);
    let is_list = kind != TargetType::Page;
    if is_list && all(Op::Added) {
        "added"
    } else if is_list && all(Op::Removed) {
        "removed"
    } else {
        "changed"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn several_updated_urls_become_one_item() {
        let count = |ops: &[(Op, usize)]| {
            let of = |(op, count): &(Op, usize)| vec![Operation::new(*op, Kind::Url, 1); *count];
            item_count(&ops.iter().flat_map(of).collect::<Vec<_>>())
        };
        assert_eq!(count(&[(Op::Added, 1), (Op::Changed, 300)]), 2);
        assert_eq!(count(&[(Op::Changed, 300)]), 1);
        assert_eq!(count(&[(Op::Added, 2), (Op::Removed, 1), (Op::Changed, 1)]), 4);
        assert_eq!(count(&[(Op::Added, 80), (Op::Changed, 9)]), MAX_URL_ITEMS);
        assert_eq!(count(&[]), 1);
        let blocks = vec![Operation::new(Op::Added, Kind::Paragraph, 1); 3];
        assert_eq!(item_count(&blocks), 1);
    }
}
