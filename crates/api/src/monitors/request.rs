//! Requests of the monitor operations.

use articles::Address;
use kernel::bounds::{MAX_NOTIFIED, MONITOR_FIELD_NAME_CHARS, MONITOR_MINUTES, MONITOR_NAME_CHARS};
use monitors::{Definition, Edit, Status, TargetType};

use extract::watch::{
    Field, Ignore, MAX_FIELDS, MAX_IGNORES, MAX_PATTERNS, MAX_TEXT_CHARS, NumberChoice, Target, Trigger,
};
use kernel::{ChannelId, Code, Error, MonitorId};
use poem_openapi::Enum;

use super::schema::{MonitorNumber, MonitorTargetType, MonitorTriggerKind};
use crate::error::ApiError;
use http_kit::http::fault::Fault;
use http_kit::http::params::{Flag, Integer, Text, TextOrNumber, Url};
use http_kit::http::request::request;
use http_kit::http::value::{List, Nullable, words};

/// A selector, a pattern or an ignored text.
type Rule = Text<1, MAX_TEXT_CHARS>;
/// Minutes between two runs.
type Minutes = Integer<1, { MONITOR_MINUTES as i64 }>;

words!(MonitorTargetType, MonitorTriggerKind, MonitorActivity, MonitorNumber, MonitorBaseline);

/// Ids of channels.
type Channels = List<Text<1, 36>, 0, MAX_NOTIFIED>;

/// The channels of a list. What is no id belongs to no channel.
pub fn channels(list: Option<&Channels>) -> Result<Vec<ChannelId>, Error> {
    let id = |text: &Text<1, 36>| text.0.parse().map_err(|_| notices::unknown_channel());
    list.map_or(Ok(Vec::new()), |list| list.0.iter().map(id).collect())
}

/// A monitor's id in a path. What is none belongs to no monitor.
pub(super) fn id_of(text: &str) -> Result<MonitorId, ApiError> {
    text.parse::<MonitorId>().map_err(|_| ApiError::new(Code::NotFound, "There is no such monitor."))
}

request! {
    /// A named value that is read of each item.
    pub struct MonitorFieldRequest in camelCase {
        /// The name under which changes are reported; unique.
        name: Text<1, MONITOR_FIELD_NAME_CHARS>,
        /// CSS inside the item; `selector@attribute` reads an attribute. `JSONPath` (`$…`) on a JSON document.
        /// Default: the item itself.
        selector: Text<0, MAX_TEXT_CHARS> => Text(String::new()),
        /// Whether the value says which item this is. Default false.
        key: Flag => false,
        /// Which of several numbers in the value counts. Default `first`.
        number: Option<MonitorNumber>,
    }
}

request! {
    /// What does not count: exactly one of the three.
    pub struct MonitorIgnoreRequest in camelCase {
        /// Blocks that hold this text, whatever its case.
        text: Option<Nullable<Rule>>,
        /// What this regular expression matches.
        regex: Option<Nullable<Rule>>,
        /// What this CSS selector finds.
        selector: Option<Nullable<Rule>>,
    }
    with exactly one of [text, regex, selector]
}

request! {
    /// Which changes are reported.
    pub struct MonitorTriggerRequest in camelCase {
        /// What must hold.
        kind: MonitorTriggerKind,
        /// A text or a number, as the kind needs; numbers may be sent as numbers.
        value: Option<Nullable<TextOrNumber<MAX_TEXT_CHARS>>>,
        /// Only this field of an extract.
        field: Option<Nullable<Text<1, MONITOR_FIELD_NAME_CHARS>>>,
    }
}

/// Declares the body of a monitor to make; its preview differs by one field.
macro_rules! monitor_request {
    ($(#[doc = $about:literal])+ $request:ident, $name:ty) => {
        request! {
            $(#[doc = $about])+
            pub struct $request in camelCase {
                /// What to call it.
                name: $name = "Example",
                /// The public http(s) address to watch.
                target_url: Url = "https://example.com/",
                /// What kind of thing it is. Default `page`.
                target_type: Option<MonitorTargetType>,
                /// Minutes between two runs, not fewer than the plan allows. Default 1440.
                interval_minutes: Option<Minutes> = 1440,
                /// Of a page: CSS, or `JSONPath` (`$…`) for a JSON document. Default: the main text.
                selector: Option<Rule>,
                /// Of a sitemap: patterns of addresses to keep. Default: all.
                include: Option<List<Text<0, MAX_TEXT_CHARS>, 0, MAX_PATTERNS>>,
                /// Of a sitemap: patterns of addresses to leave out.
                exclude: Option<List<Text<0, MAX_TEXT_CHARS>, 0, MAX_PATTERNS>>,
                /// Of an extract: the repeated element. Default: the whole source is one item.
                items: Option<Rule>,
                /// Of an extract, and required there: what is read of each item.
                fields: Option<List<MonitorFieldRequest, 1, MAX_FIELDS>>,
                /// What does not count.
                ignore: Option<List<MonitorIgnoreRequest, 0, MAX_IGNORES>>,
                /// Which changes are reported. Default: any.
                trigger: Option<MonitorTriggerRequest>,
                /// Whether the order of a list matters. Default false.
                ordered: Flag => false,
                /// Ids of channels that are told.
                notify: Option<Channels>,
                /// Of an extract: whether a list without items is a list like others from the first run on, as a
                /// list of free appointments is. Otherwise it must be found empty twice. Default false.
                allow_empty: Flag => false,
                /// Whether its changes are added to the account's feeds. Default true.
                follow: Flag => true,
            }
        }

        impl $request {
            /// What is watched.
            pub fn definition(self) -> Result<Definition, Fault> {
                let target = Parts {
                    selector: self.selector,
                    include: self.include,
                    exclude: self.exclude,
                    items: self.items,
                    fields: self.fields,
                };
                Ok(Definition {
                    target: target.of_type(self.target_type)?,
                    ignore: self.ignore.map(ignored).unwrap_or_default(),
                    trigger: self.trigger.map(Trigger::from).unwrap_or_default(),
                    ordered: self.ordered.0,
                    allow_empty: self.allow_empty.0,
                })
            }
        }
    };
}

monitor_request! {
    /// A monitor to make.
    WebMonitorRequest, Text<1, MONITOR_NAME_CHARS>
}

monitor_request! {
    /// A monitor to try out.
    MonitorPreviewRequest, Option<Text<1, MONITOR_NAME_CHARS>>
}

/// What a monitor can be set to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Enum)]
#[oai(rename_all = "snake_case")]
pub enum MonitorActivity {
    /// It runs when it is due.
    Active,
    /// It does not run.
    Paused,
}

/// From where a monitor is to compare.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Enum)]
#[oai(rename_all = "snake_case")]
pub enum MonitorBaseline {
    /// From its next run: what it knows of the source is forgotten.
    Reset,
}

request! {
    /// What to change about a monitor.
    pub struct WebMonitorUpdate in camelCase {
        /// What to call it.
        name: Option<Text<1, MONITOR_NAME_CHARS>> = "Example, hourly",
        /// Minutes between two runs.
        interval_minutes: Option<Minutes> = 60,
        /// Of a page; null for the main text.
        selector: Option<Nullable<Text<0, MAX_TEXT_CHARS>>>,
        /// Of a sitemap.
        include: Option<List<Text<0, MAX_TEXT_CHARS>, 0, MAX_PATTERNS>>,
        /// Of a sitemap.
        exclude: Option<List<Text<0, MAX_TEXT_CHARS>, 0, MAX_PATTERNS>>,
        /// Of an extract; null for the whole source as one item.
        items: Option<Nullable<Text<0, MAX_TEXT_CHARS>>>,
        /// Of an extract.
        fields: Option<List<MonitorFieldRequest, 1, MAX_FIELDS>>,
        /// What does not count.
        ignore: Option<List<MonitorIgnoreRequest, 0, MAX_IGNORES>> = serde_json::json!([{"text": "Updated on"}]),
        /// Which changes are reported.
        trigger: Option<MonitorTriggerRequest>,
        /// Whether the order of a list matters.
        ordered: Option<Flag>,
        /// Whether its changes are added to the account's feeds.
        follow: Option<Flag>,
        /// Active or paused.
        status: Option<MonitorActivity> = "active",
        /// The public http(s) address to watch instead.
        target_url: Option<Url>,
        /// Whether a list without items is a list like others.
        allow_empty: Option<Flag>,
        /// `reset`: the next run is a baseline.
        baseline: Option<MonitorBaseline>,
        /// Ids of channels that are told.
        notify: Option<Channels>,
        /// An empty list: what was learned of the source's noise is watched again, and nothing more is learned.
        masks: Option<List<Rule, 0, 0>>,
    }
}

/// The fields that belong to one type of target each.
struct Parts {
    selector: Option<Rule>,
    include: Option<List<Text<0, MAX_TEXT_CHARS>, 0, MAX_PATTERNS>>,
    exclude: Option<List<Text<0, MAX_TEXT_CHARS>, 0, MAX_PATTERNS>>,
    items: Option<Rule>,
    fields: Option<List<MonitorFieldRequest, 1, MAX_FIELDS>>,
}

impl Parts {
    fn of_type(self, kind: Option<MonitorTargetType>) -> Result<Target, Fault> {
        let kind = kind.map_or(TargetType::Page, TargetType::from);
        for (name, is_sent, owner) in [
            ("selector", self.selector.is_some(), TargetType::Page),
            ("include", self.include.is_some(), TargetType::Sitemap),
            ("exclude", self.exclude.is_some(), TargetType::Sitemap),
            ("items", self.items.is_some(), TargetType::Extract),
            ("fields", self.fields.is_some(), TargetType::Extract),
        ] {
            if is_sent && kind != owner {
                return Err(Fault::new("does not belong to this type of target").under(name));
            }
        }
        Ok(match kind {
            TargetType::Page => Target::Page { selector: self.selector.map(|text| text.0) },
            TargetType::Sitemap => Target::Sitemap {
                include: self.include.map(texts).unwrap_or_default(),
                exclude: self.exclude.map(texts).unwrap_or_default(),
            },
            TargetType::Extract => {
                let fields = self.fields.ok_or_else(|| Fault::new("is missing").under("fields"))?;
                let items = self.items.map(|text| text.0);
                Target::Extract { items, fields: fields.0.into_iter().map(Field::from).collect() }
            }
        })
    }
}

impl WebMonitorUpdate {
    /// The edit that is asked for, with the address that `target_url` stands for.
    pub fn edit(self, target: Option<Address>) -> Result<Edit, Error> {
        let update = self;
        let cleared = |text: Nullable<Text<0, MAX_TEXT_CHARS>>| text.0.map(|text| text.0);
        let notify = update.notify.as_ref().map(|list| channels(Some(list))).transpose()?;
        Ok(Edit {
            name: update.name.map(|name| name.0),
            interval_minutes: update.interval_minutes.map(Integer::get),
            selector: update.selector.map(cleared),
            include: update.include.map(texts),
            exclude: update.exclude.map(texts),
            items: update.items.map(cleared),
            fields: update.fields.map(|fields| fields.0.into_iter().map(Field::from).collect()),
            ignore: update.ignore.map(ignored),
            trigger: update.trigger.map(Trigger::from),
            ordered: update.ordered.map(|flag| flag.0),
            follow: update.follow.map(|flag| flag.0),
            status: update.status.map(|status| match status {
                MonitorActivity::Active => Status::Active,
                MonitorActivity::Paused => Status::Paused,
            }),
            target,
            allow_empty: update.allow_empty.map(|flag| flag.0),
            reset_baseline: update.baseline.is_some(),
            drop_masks: update.masks.is_some(),
            notify,
            tags: None,
        })
    }
}

impl From<MonitorFieldRequest> for Field {
    fn from(field: MonitorFieldRequest) -> Self {
        let number = field.number.map(NumberChoice::from).unwrap_or_default();
        Self { name: field.name.0, selector: field.selector.0, key: field.key.0, number }
    }
}

impl From<MonitorTriggerRequest> for Trigger {
    fn from(trigger: MonitorTriggerRequest) -> Self {
        Self {
            kind: trigger.kind.into(),
            value: trigger.value.and_then(|value| value.0).map(|value| value.0),
            field: trigger.field.and_then(|field| field.0).map(|field| field.0),
        }
    }
}

fn texts<const MIN: usize, const MAX: usize, const MOST: usize>(
    list: List<Text<MIN, MAX>, 0, MOST>,
) -> Vec<String> {
    list.0.into_iter().map(|text| text.0).collect()
}

fn ignored(rules: List<MonitorIgnoreRequest, 0, MAX_IGNORES>) -> Vec<Ignore> {
    let rule = |rule: MonitorIgnoreRequest| {
        let text = |text: Option<Nullable<Rule>>| text.and_then(|text| text.0).map(|text| text.0);
        let regex = text(rule.regex).map(Ignore::Regex);
        text(rule.text).map(Ignore::Text).or(regex).or(text(rule.selector).map(Ignore::Selector))
    };
    rules.0.into_iter().filter_map(rule).collect()
}
