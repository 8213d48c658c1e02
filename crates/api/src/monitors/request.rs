//! Requests of the monitor operations.

use articles::Address;
use kernel::bounds::{
    MAX_NOTIFIED, MONITOR_FIELD_NAME_CHARS, MONITOR_MINUTES, MONITOR_NAME_CHARS, OBJECT_TAGS, TAG_CHARS,
};
use monitors::{Definition, Edit, Status, TargetType};

use extract::watch::{
    Ignore, MAX_FIELDS, MAX_IGNORES, MAX_PATTERNS, MAX_TEXT_CHARS, NumberChoice, Target, Trigger,
    WatchedField,
};
use kernel::{ChannelId, Code, Error, MonitorId};
use poem_openapi::Enum;

use super::schema::{MonitorNumber, MonitorTargetType, MonitorTriggerKind};
use crate::error::ApiError;
use http_kit::http::fault::Fault;
use http_kit::http::params::{Flag, Integer, Text, TextOrNumber, Url};
use http_kit::http::request::request;
use http_kit::http::value::{List, Nullable, words};

/// Selector, pattern or ignored text.
type Rule = Text<1, MAX_TEXT_CHARS>;
/// Minutes between two runs.
type Minutes = Integer<1, { MONITOR_MINUTES as i64 }>;

words!(MonitorTargetType, MonitorTriggerKind, MonitorActivity, MonitorNumber, MonitorBaseline);

/// Ids of channels.
type Channels = List<Text<1, 36>, 0, MAX_NOTIFIED>;

/// Parses channel ids; a malformed id is answered like an unknown channel.
pub fn channels(list: Option<&Channels>) -> Result<Vec<ChannelId>, Error> {
    let id = |text: &Text<1, 36>| text.0.parse().map_err(|_| notices::unknown_channel());
    list.map_or(Ok(Vec::new()), |list| list.0.iter().map(id).collect())
}

/// Parses the monitor id of a path; a malformed id is answered with `not_found`.
pub(super) fn id_of(text: &str) -> Result<MonitorId, ApiError> {
    text.parse::<MonitorId>().map_err(|_| ApiError::new(Code::NotFound, "There is no such monitor."))
}

request! {
    /// Value to read from each item.
    pub struct MonitorFieldRequest in camelCase {
        /// Unique name, used in reports.
        name: Text<1, MONITOR_FIELD_NAME_CHARS>,
        /// CSS selector in the item, `selector@attribute`, or `JSONPath` (`$…`). Default: the item itself.
        selector: Text<0, MAX_TEXT_CHARS> => Text(String::new()),
        /// True if it identifies the item. Default: false.
        key: Flag => false,
        /// Number to use if there are several. Default: `first`.
        number: Option<MonitorNumber>,
    }
}

request! {
    /// Content to ignore.
    pub struct MonitorIgnoreRequest in camelCase {
        /// Blocks that contain this text, in any case. In a sitemap, `lastmod` ignores all dates.
        text: Option<Nullable<Rule>>,
        /// Matches of this regular expression.
        regex: Option<Nullable<Rule>>,
        /// Matches of this CSS selector.
        selector: Option<Nullable<Rule>>,
    }
    with exactly one of [text, regex, selector]
}

request! {
    /// Condition for reporting changes.
    pub struct MonitorTriggerRequest in camelCase {
        /// Kind of the condition.
        kind: MonitorTriggerKind,
        /// Text or number that the kind needs. A `*` at the start or end of a text also matches a part of a
        /// word. For `text_appears` and `text_disappears`, a text after a word such as `not` is absent.
        value: Option<Nullable<TextOrNumber<MAX_TEXT_CHARS>>>,
        /// Field of an extract; null for all.
        field: Option<Nullable<Text<1, MONITOR_FIELD_NAME_CHARS>>>,
    }
}

/// Declares the body of a new monitor; the body of its preview differs only in the optional name.
macro_rules! monitor_request {
    ($(#[doc = $about:literal])+ $request:ident, $name:ty) => {
        request! {
            $(#[doc = $about])+
            pub struct $request in camelCase {
                /// Name of the monitor.
                name: $name = "Example",
                /// Public http(s) URL to monitor.
                target_url: Url = "https://example.com/",
                /// Type of the target. Default: `page`.
                target_type: Option<MonitorTargetType>,
                /// Minutes between runs, within the plan's minimum. Default: 1440.
                interval_minutes: Option<Minutes> = 1440,
                /// For a page: CSS selector or `JSONPath` (`$…`). Default: the main text.
                selector: Option<Rule>,
                /// For a sitemap: URL patterns to include. Default: all.
                include: Option<List<Text<0, MAX_TEXT_CHARS>, 0, MAX_PATTERNS>>,
                /// For a sitemap: URL patterns to exclude. Default: none.
                exclude: Option<List<Text<0, MAX_TEXT_CHARS>, 0, MAX_PATTERNS>>,
                /// For an extract: repeated element. Default: the whole source is one item.
                items: Option<Rule>,
                /// For an extract, required: values to read from each item.
                fields: Option<List<MonitorFieldRequest, 1, MAX_FIELDS>>,
                /// Content to ignore. Default: none.
                ignore: Option<List<MonitorIgnoreRequest, 0, MAX_IGNORES>>,
                /// Condition for reporting changes. Default: any change.
                trigger: Option<MonitorTriggerRequest>,
                /// True if the order of a list matters. Default: false.
                ordered: Flag => false,
                /// Ids of the channels to notify. Default: none.
                notify: Option<Channels>,
                /// For an extract: true if an empty list is valid at once; otherwise it must be found
                /// twice. Default: false.
                allow_empty: Flag => false,
                /// True to add changes to the account's feeds. Default: true.
                follow: Flag => true,
            }
        }

        impl $request {
            /// Definition of the monitor.
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
    /// Monitor to create.
    WebMonitorRequest, Text<1, MONITOR_NAME_CHARS>
}

monitor_request! {
    /// Monitor to preview.
    MonitorPreviewRequest, Option<Text<1, MONITOR_NAME_CHARS>>
}

/// Status that a caller can set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Enum)]
#[oai(rename_all = "snake_case")]
pub enum MonitorActivity {
    /// The monitor runs when it is due.
    Active,
    /// The monitor does not run.
    Paused,
}

impl MonitorActivity {
    pub(super) fn to_domain(self) -> Status {
        match self {
            Self::Active => Status::Active,
            Self::Paused => Status::Paused,
        }
    }
}

/// Change of the baseline.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Enum)]
#[oai(rename_all = "snake_case")]
pub enum MonitorBaseline {
    /// The next run records a new baseline; everything learned about the source is discarded.
    Reset,
}

request! {
    /// Changes to a monitor; omitted fields stay unchanged.
    pub struct WebMonitorUpdate in camelCase {
        /// Name of the monitor.
        name: Option<Text<1, MONITOR_NAME_CHARS>> = "Example, hourly",
        /// Minutes between two runs.
        interval_minutes: Option<Minutes> = 60,
        /// For a page: CSS selector or `JSONPath`; null for the main text.
        selector: Option<Nullable<Text<0, MAX_TEXT_CHARS>>>,
        /// For a sitemap: URL patterns to include; empty for all.
        include: Option<List<Text<0, MAX_TEXT_CHARS>, 0, MAX_PATTERNS>>,
        /// For a sitemap: URL patterns to exclude.
        exclude: Option<List<Text<0, MAX_TEXT_CHARS>, 0, MAX_PATTERNS>>,
        /// For an extract: repeated element; null for the whole source as one item.
        items: Option<Nullable<Text<0, MAX_TEXT_CHARS>>>,
        /// For an extract: values to read from each item.
        fields: Option<List<MonitorFieldRequest, 1, MAX_FIELDS>>,
        /// Content to ignore; replaces all rules.
        ignore: Option<List<MonitorIgnoreRequest, 0, MAX_IGNORES>> = serde_json::json!([{"text": "Updated on"}]),
        /// Condition for reporting changes.
        trigger: Option<MonitorTriggerRequest>,
        /// True if the order of a list matters.
        ordered: Option<Flag>,
        /// True to add changes to the account's feeds.
        follow: Option<Flag>,
        /// `active` or `paused`.
        status: Option<MonitorActivity> = "active",
        /// New public http(s) URL to monitor.
        target_url: Option<Url>,
        /// For an extract: true if an empty list is valid.
        allow_empty: Option<Flag>,
        /// `reset`: the next run records a new baseline.
        baseline: Option<MonitorBaseline>,
        /// Ids of the channels to notify; replaces all.
        notify: Option<Channels>,
        /// Tags; replaces all.
        tags: Option<List<Text<1, TAG_CHARS>, 0, OBJECT_TAGS>>,
        /// An empty list discards all masks: nothing is learned, and clocks and counters are compared.
        masks: Option<List<Rule, 0, 0>>,
    }
}

/// Fields that belong to one target type each.
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
                return Err(Fault::new("is not supported for this target type").under(name));
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
                Target::Extract { items, fields: fields.0.into_iter().map(WatchedField::from).collect() }
            }
        })
    }
}

impl WebMonitorUpdate {
    /// Converts the request to an edit; `target` is the parsed `target_url`.
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
            fields: update.fields.map(|fields| fields.0.into_iter().map(WatchedField::from).collect()),
            ignore: update.ignore.map(ignored),
            trigger: update.trigger.map(Trigger::from),
            ordered: update.ordered.map(|flag| flag.0),
            follow: update.follow.map(|flag| flag.0),
            status: update.status.map(MonitorActivity::to_domain),
            target,
            allow_empty: update.allow_empty.map(|flag| flag.0),
            reset_baseline: update.baseline.is_some(),
            drop_masks: update.masks.is_some(),
            notify,
            tags: update.tags.map(|tags| tags.0.into_iter().map(|tag| tag.0).collect()),
            ..Edit::default()
        })
    }
}

impl From<MonitorFieldRequest> for WatchedField {
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

fn texts<const MIN: usize, const MAX: usize, const MAX_COUNT: usize>(
    list: List<Text<MIN, MAX>, 0, MAX_COUNT>,
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
