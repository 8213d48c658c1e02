//! What a message says, before it is put into the form of a channel.

use entities::ids::MonitorId;
use entities::notice::NoticeKind;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use kernel::clock::{Millis, rfc3339};

/// The longest text that comes from a page, in characters.
const MAX_TEXT_CHARS: usize = 300;

/// What happened, in words.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Content {
    /// One line.
    pub(super) title: String,
    /// A few lines.
    pub(super) text: String,
    /// Where one reads more, under our own origin.
    pub(super) link: String,
    /// When it happened.
    pub(super) at: Millis,
    /// What the monitor is called that it is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) monitor: Option<String>,
    /// The address that the monitor watches.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) source: Option<String>,
}

impl Content {
    /// A content of our own words or of a page's: on lines without characters that no line should have.
    pub(super) fn new(title: &str, text: &str, link: String, at: Millis) -> Self {
        Self { title: one_line(title), text: short(text), link, at, monitor: None, source: None }
    }

    /// The same about a monitor.
    pub(super) fn of_monitor(mut self, name: &str, source: &str) -> Self {
        self.monitor = Some(one_line(name));
        self.source = Some(source.to_owned());
        self
    }

    /// The content of a row; nothing of one that cannot be read.
    pub(super) fn read(json: &str) -> Self {
        serde_json::from_str(json).unwrap_or_default()
    }
}

/// A message.
#[derive(Clone, Debug)]
pub(super) struct Message {
    /// What it is about.
    pub(super) kind: NoticeKind,
    /// What it says itself.
    pub(super) content: Content,
    /// The monitor that it is about.
    pub(super) monitor_id: Option<MonitorId>,
    /// The newest of what it gathers, oldest first.
    pub(super) gathered: Vec<(NoticeKind, Content)>,
    /// How many more there are.
    pub(super) more: u64,
}

impl Message {
    /// The body of a webhook.
    pub(super) fn json(&self) -> Value {
        let mut data = shown(&self.content);
        if let Some(id) = self.monitor_id {
            data["monitor"]["id"] = json!(id);
        }
        if gathers(self.kind) {
            let gathered = self.gathered.iter().map(|(kind, content)| {
                let mut one = shown(content);
                one["type"] = json!(word(*kind));
                one["timestamp"] = json!(rfc3339(content.at));
                one
            });
            data["messages"] = gathered.collect();
            data["more"] = json!(self.more);
        }
        json!({ "type": word(self.kind), "timestamp": rfc3339(self.content.at), "data": data })
    }
}

fn shown(content: &Content) -> Value {
    let mut data = json!({ "title": content.title, "text": content.text, "link": content.link });
    if let Some(name) = &content.monitor {
        data["monitor"] = json!({ "name": name, "targetUrl": content.source });
    }
    data
}

/// Whether a message is made of others.
pub(super) const fn gathers(kind: NoticeKind) -> bool {
    match kind {
        NoticeKind::Digest | NoticeKind::Several | NoticeKind::Summary => true,
        NoticeKind::Change
        | NoticeKind::Failed
        | NoticeKind::Credits
        | NoticeKind::SignIn
        | NoticeKind::Key
        | NoticeKind::Grant
        | NoticeKind::ChannelOff
        | NoticeKind::Test => false,
    }
}

/// Whether it is about what monitors find, which may wait for a message of the day.
pub(super) const fn is_of_monitors(kind: NoticeKind) -> bool {
    gathers(kind) || matches!(kind, NoticeKind::Change | NoticeKind::Failed)
}

/// The type of a message, as webhooks have it.
const fn word(kind: NoticeKind) -> &'static str {
    match kind {
        NoticeKind::Change => "monitor.changed",
        NoticeKind::Failed => "monitor.failed",
        NoticeKind::Credits => "credits.used",
        NoticeKind::SignIn => "account.signed_in",
        NoticeKind::Key => "account.key_created",
        NoticeKind::Grant => "account.app_connected",
        NoticeKind::ChannelOff => "channel.switched_off",
        NoticeKind::Digest => "digest",
        NoticeKind::Several => "monitor.changes",
        NoticeKind::Summary => "summary",
        NoticeKind::Test => "test",
    }
}

/// On one line, without characters that steer or reorder text, as long as may be.
pub(super) fn one_line(text: &str) -> String {
    let words: String = text.chars().map(|c| if c.is_whitespace() { ' ' } else { c }).collect();
    short(&words.split(' ').filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" "))
}

/// Without characters that steer or reorder text, as long as may be.
fn short(text: &str) -> String {
    let mut clean: String = text.chars().filter(|c| *c == '\n' || !c.is_control()).collect();
    extract::clean::strip_controls(&mut clean);
    cut(&clean, MAX_TEXT_CHARS)
}

/// The beginning of a text, with a sign that there was more.
pub(super) fn cut(text: &str, most: usize) -> String {
    if text.chars().nth(most).is_none() {
        return text.to_owned();
    }
    text.chars().take(most.saturating_sub(1)).chain(['…']).collect()
}
