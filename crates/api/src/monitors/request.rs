//! Requests of the monitor operations.

use articles::Address;
use kernel::bounds::{
    MAX_NOTIFIED, MONITOR_BODY_CHARS, MONITOR_CREDENTIAL_CHARS, MONITOR_FIELD_NAME_CHARS,
    MONITOR_HEADER_NAME_CHARS, MONITOR_HEADER_VALUE_CHARS, MONITOR_HEADERS, MONITOR_MEDIA_TYPE_CHARS,
    MONITOR_MINUTES, MONITOR_NAME_CHARS, MONITOR_NOTIFY_FAILURES, MONITOR_PROXY_CHARS,
    MONITOR_STEP_SELECTOR_CHARS, MONITOR_STEP_TEXT_CHARS, MONITOR_STEP_WAIT_MS, MONITOR_STEPS,
    MONITOR_USER_AGENT_CHARS, MONITOR_WISH_CHARS, OBJECT_TAGS, TAG_CHARS, URL_CHARS,
};
use monitors::{
    Credentials, CustomHeader, Definition, Edit, ExplanationSettings, GroupSetting, MonitorOptions, PageStep,
    Post, PostMethod, Rendering, RequestSettings, Schedule, Status, StepKey, StepKind, TargetType,
};

use extract::watch::{
    Condition, ConditionGroup, Filter, Ignore, Join, MAX_FIELDS, MAX_FILTERS, MAX_GROUPS, MAX_IGNORES,
    MAX_PATTERNS, MAX_REPEAT_HOURS, MAX_SELECTOR_CHARS, MAX_TESTS, MAX_TEXT_CHARS, NumberChoice, Target,
    Trigger, ValueTest, WatchedField,
};
use kernel::{ChannelId, Error, MonitorGroupId, MonitorId};
use poem_openapi::Enum;

use super::schedule::MonitorScheduleRequest;
use super::schema::{
    MonitorFilterKind, MonitorGroupSetting, MonitorJoin, MonitorNumber, MonitorPostMethod, MonitorStepKey,
    MonitorStepKind, MonitorTargetType, MonitorTestKind, MonitorTriggerKind,
};
use crate::body::address;
use crate::error::ApiError;
use crate::path_id::path_id;
use http_kit::app::App;
use http_kit::http::fault::Fault;
use http_kit::http::params::{Flag, Integer, Text, TextOrNumber, True, Url, UuidText};
use http_kit::http::request::request;
use http_kit::http::value::{List, Nullable, words};

/// Selector, pattern or ignored text.
type RuleText = Text<1, MAX_TEXT_CHARS>;
/// Selector of an element of a rendered page.
type StepSelector = Text<1, MONITOR_STEP_SELECTOR_CHARS>;
/// Steps on a rendered page.
type MonitorSteps = List<MonitorStepRequest, 0, MONITOR_STEPS>;
/// Selectors of a page, one per line.
type SelectorLines = Text<1, MAX_SELECTOR_CHARS>;
/// Minutes between two runs.
pub(super) type RunIntervalMinutes = Integer<1, { MONITOR_MINUTES as i64 }>;

/// Number of consecutive failed runs.
type FailureCount = Integer<1, { MONITOR_NOTIFY_FAILURES as i64 }>;

words!(
    MonitorTargetType, MonitorTriggerKind, MonitorActivity, MonitorNumber, MonitorBaseline,
    MonitorFilterKind, MonitorGroupSetting, MonitorJoin, MonitorPostMethod, MonitorStepKey, MonitorStepKind,
    MonitorTestKind
);

/// Ids of channels.
pub(crate) type Channels = List<Text<1, 36>, 0, MAX_NOTIFIED>;

/// Parses channel ids; a malformed id is refused like the id of an unknown channel.
pub fn channels(list: Option<&Channels>) -> Result<Vec<ChannelId>, Error> {
    let id = |text: &Text<1, 36>| text.0.parse().map_err(|_| notices::unknown_channel());
    list.map_or(Ok(Vec::new()), |list| list.0.iter().map(id).collect())
}

pub(super) fn id_of(text: &str) -> Result<MonitorId, ApiError> {
    path_id(text, "monitor")
}

/// Converts the body of an update to an edit.
pub(super) fn edit_of(app: &App, update: WebMonitorUpdate) -> Result<Edit, ApiError> {
    let target = update.target_url.as_ref().map(|url| address(app, "target_url", url)).transpose()?;
    Ok(update.edit(target)?)
}

request! {
    /// Value to read from each item.
    pub struct MonitorFieldRequest in camelCase {
        /// Unique name, used in reports.
        name: Text<1, MONITOR_FIELD_NAME_CHARS>,
        /// CSS selector in the item, `selector@attribute`, XPath, JSONPath, jq, or name of a header. Default: the
        /// item itself, or the header whose name is `name`.
        selector: Text<0, MAX_TEXT_CHARS> => Text(String::new()),
        /// True if the value identifies the item. Default: false.
        key: Flag => false,
        /// Number to use if there are several. Default: `first`.
        number: Option<MonitorNumber>,
    }
}

request! {
    /// Content to ignore.
    pub struct MonitorIgnoreRequest in camelCase {
        /// Blocks that contain this text, regardless of case. In a sitemap, `lastmod` ignores all dates.
        text: Option<Nullable<RuleText>>,
        /// Matches of this regular expression.
        regex: Option<Nullable<RuleText>>,
        /// Matches of this CSS selector or XPath.
        selector: Option<Nullable<RuleText>>,
    }
    with exactly one of [text, regex, selector]
}

request! {
    /// Filter of the blocks of a page.
    pub struct MonitorFilterRequest in camelCase {
        /// Kind of the filter.
        kind: MonitorFilterKind,
        /// Regular expression for `keep`, `drop` and `replace`.
        pattern: Option<Nullable<RuleText>>,
        /// Replacement text for `replace`, with `$1` for the first group. Default: empty.
        with: Option<Nullable<Text<0, MAX_TEXT_CHARS>>>,
    }
}

request! {
    /// Test of a value.
    pub struct MonitorTestRequest in camelCase {
        /// Kind of the test.
        test: MonitorTestKind,
        /// Field of an extract. For a test of a number, required if there are several fields; for a test of a text,
        /// the default is any field.
        field: Option<Nullable<Text<1, MONITOR_FIELD_NAME_CHARS>>>,
        /// Text, number or number of days that the kind needs. For `rises` and `falls`, a number or a percentage such
        /// as `10%`; the default is any difference.
        value: Option<Nullable<TextOrNumber<MAX_TEXT_CHARS>>>,
        /// Upper bound of `between`.
        up_to: Option<Nullable<TextOrNumber<MAX_TEXT_CHARS>>>,
        /// True if the test must not hold. Default: false.
        not: Flag => false,
    }
}

request! {
    /// Group of tests. Its tests are combined first, then the groups.
    pub struct MonitorConditionGroupRequest in camelCase {
        /// Combination of the tests. Default: `all`.
        join: Option<MonitorJoin>,
        /// Tests.
        tests: List<MonitorTestRequest, 1, MAX_TESTS>,
    }
}

request! {
    /// Combination of at most 10 tests. For an extract, the tests refer to the same item.
    pub struct MonitorConditionRequest in camelCase {
        /// Combination of the groups. Default: `all`.
        join: Option<MonitorJoin>,
        /// Groups of tests.
        groups: List<MonitorConditionGroupRequest, 1, MAX_GROUPS>,
    }
}

request! {
    /// Rule that decides which changes are reported.
    pub struct MonitorTriggerRequest in camelCase {
        /// Kind of the trigger.
        kind: MonitorTriggerKind,
        /// Text or number that the kind needs. A `*` at the start or end of a text also matches a part of a
        /// word. For `text_appears` and `text_disappears`, negated occurrences ("not in stock") are ignored.
        value: Option<Nullable<TextOrNumber<MAX_TEXT_CHARS>>>,
        /// Field of an extract; null for all.
        field: Option<Nullable<Text<1, MONITOR_FIELD_NAME_CHARS>>>,
        /// Tests of values, if the kind of the trigger is `condition`.
        condition: Option<Nullable<MonitorConditionRequest>>,
        /// Hours after which a condition that still holds is reported again; not for `any`, `share`, `added`
        /// and `removed`. Default: it is reported once.
        repeat_hours: Option<Nullable<Integer<1, { MAX_REPEAT_HOURS as i64 }>>>,
    }
}

request! {
    /// Header to send.
    pub struct MonitorHeaderRequest in camelCase {
        /// Name of the header.
        name: Text<1, MONITOR_HEADER_NAME_CHARS>,
        /// Value, in ASCII.
        value: Text<0, MONITOR_HEADER_VALUE_CHARS>,
    }
}

request! {
    /// Body to send in each run.
    pub struct MonitorPostRequest in camelCase {
        /// Method. Default: `post`.
        method: Option<MonitorPostMethod>,
        /// Text of the body.
        body: Text<0, MONITOR_BODY_CHARS>,
        /// Media type. Default: `application/x-www-form-urlencoded`.
        content_type: Text<1, MONITOR_MEDIA_TYPE_CHARS> =>
            Text("application/x-www-form-urlencoded".to_owned()),
    }
}

request! {
    /// Request to send to the source; an empty object is a plain GET.
    pub struct MonitorSourceRequestBody in camelCase {
        /// Body to send. Default: none (a GET).
        post: Option<MonitorPostRequest>,
        /// `User-Agent`. Default: the service's own.
        user_agent: Option<Text<1, MONITOR_USER_AGENT_CHARS>>,
        /// Name of a proxy that the operator configured.
        proxy: Option<Text<1, MONITOR_PROXY_CHARS>>,
        /// Headers for the URL's origin, without secrets.
        headers: Option<List<MonitorHeaderRequest, 0, MONITOR_HEADERS>>,
        /// True to monitor responses with an error status, except 429.
        any_status: Flag => false,
        /// True to store the site's cookies between runs.
        cookies: Flag => false,
    }
}

request! {
    /// Step on a rendered page.
    pub struct MonitorStepRequest in camelCase {
        /// Kind of the step.
        kind: MonitorStepKind,
        /// CSS selector of the element. Default for `scroll`, `scroll_end`, `press` and `wait_text`: the page; for
        /// `wait`: none, so it waits for `waitMs`.
        selector: Option<Nullable<StepSelector>>,
        /// Text for `type` and `wait_text`, or option for `select`. It is stored unencrypted unless `secret` is true.
        text: Option<Nullable<Text<0, MONITOR_STEP_TEXT_CHARS>>>,
        /// Key for `press`.
        key: Option<Nullable<MonitorStepKey>>,
        /// Address for `open`: absolute or relative to the target, on the same site.
        url: Option<Nullable<Text<1, URL_CHARS>>>,
        /// True to skip the step if the page has no such element after two seconds; not for waits.
        optional: Flag => false,
        /// True if `text` is secret: it is stored encrypted and never returned. Without `text`, the stored text is
        /// retained.
        secret: Flag => false,
        /// Duration of `wait` without a selector, in milliseconds. In total, all steps wait at most 10000.
        wait_ms: Option<Nullable<Integer<1, { MONITOR_STEP_WAIT_MS as i64 }>>>,
    }
}

request! {
    /// Explanations of changes by the language model, if the person has switched it on.
    pub struct MonitorExplanationRequest in camelCase {
        /// Description of the changes that matter. Default: none.
        wish: Option<Nullable<Text<0, MONITOR_WISH_CHARS>>>,
        /// True to notify channels only of changes that matter. Default: false.
        only_relevant: Flag => false,
    }
}

request! {
    /// User name and password.
    pub struct MonitorLoginRequest in camelCase {
        /// User name, without a colon.
        username: Text<0, MONITOR_HEADER_VALUE_CHARS>,
        /// Password.
        password: Text<0, MONITOR_HEADER_VALUE_CHARS>,
    }
}

request! {
    /// Credentials for the origin of the URL. They are stored encrypted and never returned.
    pub struct MonitorCredentialsRequest in camelCase {
        /// HTTP basic.
        basic: Option<MonitorLoginRequest>,
        /// Bearer token.
        bearer: Option<Text<1, MONITOR_CREDENTIAL_CHARS>>,
        /// Other header, such as a cookie.
        header: Option<MonitorHeaderRequest>,
        /// True to send no credentials.
        remove: Option<True>,
    }
    with exactly one of [basic, bearer, header, remove]
}

/// Declares the body of a new monitor; the body of its preview differs only in the optional name.
macro_rules! monitor_request {
    ($(#[doc = $about:literal])+ $request:ident, $name:ty $(, $($more:tt)+)?) => {
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
                interval_minutes: Option<RunIntervalMinutes> = 1440,
                /// For a page: CSS selector, XPath 1.0 (`/…`, `./…`, or `xpath:…`), JSONPath (`$…`) or jq (`jq:…`).
                /// With several selectors, one per line, a change is also reported when one starts or stops matching.
                /// Default: the main text. For a visual target: CSS selector. Default: the page.
                selector: Option<SelectorLines>,
                /// For a sitemap: URL patterns to include. Default: all.
                include: Option<List<Text<0, MAX_TEXT_CHARS>, 0, MAX_PATTERNS>>,
                /// For a sitemap: URL patterns to exclude. Default: none.
                exclude: Option<List<Text<0, MAX_TEXT_CHARS>, 0, MAX_PATTERNS>>,
                /// For an extract: selector of the repeated element. Default: the whole source is one item.
                items: Option<RuleText>,
                /// For an extract, required: values to read from each item. For headers: the headers to read.
                fields: Option<List<MonitorFieldRequest, 1, MAX_FIELDS>>,
                /// Content to ignore. Default: none.
                ignore: Option<List<MonitorIgnoreRequest, 0, MAX_IGNORES>>,
                /// For a page: filters of its blocks, applied in order. Default: none.
                filters: Option<List<MonitorFilterRequest, 0, MAX_FILTERS>>,
                /// Rule that decides which changes are reported. Default: any change.
                trigger: Option<MonitorTriggerRequest>,
                /// True if the order of a list matters. Default: false.
                ordered: Flag => false,
                /// Ids of the channels to notify. Default: none.
                notify: Option<Channels>,
                /// For an extract: true if an empty list is accepted immediately; otherwise two consecutive
                /// runs must read an empty list. Default: false.
                allow_empty: Flag => false,
                /// True to add changes to the account's feeds. Default: true.
                follow: Flag => true,
                /// Request to send. Default: a GET.
                request: Option<MonitorSourceRequestBody>,
                /// For a page, extract or product: true to open the page in a browser, which runs its scripts; not
                /// allowed with `post` or `proxy` of `request`. A run costs 3 credits. Default: true for a visual
                /// target, otherwise false.
                render: Flag => false,
                /// With `render`: CSS selector of an element to wait for. Default: none.
                wait_for: Option<StepSelector>,
                /// With `render`: steps on the page before it is read. Default: none.
                steps: Option<MonitorSteps>,
                /// With `render`: true to reject or hide cookie notices, never to accept them.
                dismiss_cookie_notices: Flag => false,
                /// Explanations of changes; null for none. Default: none.
                explanation: Option<Nullable<MonitorExplanationRequest>>,
                /// Credentials to send. Default: none.
                credentials: Option<MonitorCredentialsRequest>,
                /// Days and times of runs. Default: the interval.
                schedule: Option<MonitorScheduleRequest>,
                /// Number of consecutive failed runs after which the channels are notified. Default: never.
                notify_failures: Option<FailureCount>,
                $($($more)+)?
            }
        }

        impl $request {
            /// Returns the settings other than the definition.
            pub fn options(&self) -> MonitorOptions {
                let credentials = self.credentials.clone().and_then(MonitorCredentialsRequest::given);
                let schedule = self.schedule.clone().map(Schedule::from).unwrap_or_default();
                let notify_failures = self.notify_failures.map(Integer::get);
                MonitorOptions { credentials, schedule, notify_failures, ..MonitorOptions::default() }
            }

            /// Returns the definition of the monitor.
            pub fn definition(self) -> Result<Definition, Fault> {
                let is_rendered = self.render.0 || self.target_type == Some(MonitorTargetType::Visual);
                let target = TargetFields {
                    selector: self.selector,
                    include: self.include,
                    exclude: self.exclude,
                    items: self.items,
                    fields: self.fields,
                };
                Ok(Definition {
                    target: target.of_type(self.target_type)?,
                    ignore: self.ignore.map(ignored).unwrap_or_default(),
                    filters: self.filters.map(filters).unwrap_or_default(),
                    trigger: self.trigger.map(Trigger::from).unwrap_or_default(),
                    ordered: self.ordered.0,
                    allow_empty: self.allow_empty.0,
                    request: self.request.map(RequestSettings::from).unwrap_or_default(),
                    rendering: rendering(is_rendered, (self.wait_for, self.steps, self.dismiss_cookie_notices.0))?,
                    explanation: self.explanation.and_then(explanation),
                })
            }
        }
    };
}

monitor_request! {
    /// Monitor to create.
    WebMonitorRequest, Text<1, MONITOR_NAME_CHARS>,
    /// Id of a group. Settings that are not sent follow the group. Default: none.
    group_id: Option<UuidText>,
}

impl WebMonitorRequest {
    /// Returns the settings other than the definition, with the group. Settings that are sent do not follow
    /// the group.
    pub fn options_in_group(&self) -> MonitorOptions {
        let own = [
            (GroupSetting::Interval, self.interval_minutes.is_some()),
            (GroupSetting::Schedule, self.schedule.is_some()),
            (GroupSetting::Notify, self.notify.is_some()),
        ];
        let own_settings = own.into_iter().filter(|(_, is_sent)| *is_sent).map(|(setting, _)| setting);
        MonitorOptions {
            group: self.group_id.map(group_of),
            own_settings: own_settings.collect(),
            ..self.options()
        }
    }
}

/// Returns the id of the group that a request names.
pub(super) fn group_of(id: UuidText) -> MonitorGroupId {
    MonitorGroupId::from_u128(id.0)
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
        interval_minutes: Option<RunIntervalMinutes> = 60,
        /// For a page: selectors, one per line; null for the main text.
        selector: Option<Nullable<Text<0, MAX_SELECTOR_CHARS>>>,
        /// For a sitemap: URL patterns to include; empty for all.
        include: Option<List<Text<0, MAX_TEXT_CHARS>, 0, MAX_PATTERNS>>,
        /// For a sitemap: URL patterns to exclude.
        exclude: Option<List<Text<0, MAX_TEXT_CHARS>, 0, MAX_PATTERNS>>,
        /// For an extract: selector of the repeated element; null for the whole source as one item.
        items: Option<Nullable<Text<0, MAX_TEXT_CHARS>>>,
        /// For an extract: values to read from each item. For headers: the headers to read; empty for all.
        fields: Option<List<MonitorFieldRequest, 0, MAX_FIELDS>>,
        /// Content to ignore; replaces all rules.
        ignore: Option<List<MonitorIgnoreRequest, 0, MAX_IGNORES>> = serde_json::json!([{"text": "Updated on"}]),
        /// For a page: filters of its blocks, applied in order; replaces all filters.
        filters: Option<List<MonitorFilterRequest, 0, MAX_FILTERS>>,
        /// Rule that decides which changes are reported.
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
        /// Ids of the channels to notify; replaces all channels.
        notify: Option<Channels>,
        /// Tags; replaces all tags.
        tags: Option<List<Text<1, TAG_CHARS>, 0, OBJECT_TAGS>>,
        /// An empty list discards all masks: nothing is learned, and clocks and counters are compared.
        masks: Option<List<RuleText, 0, 0>>,
        /// Request to send; replaces the previous request except its credentials.
        request: Option<MonitorSourceRequestBody>,
        /// True to open the page in a browser, which runs its scripts; false also removes the steps.
        render: Option<Flag>,
        /// With `render`: CSS selector of an element to wait for; null for none.
        wait_for: Option<Nullable<StepSelector>>,
        /// With `render`: steps on the page before it is read; replaces all steps.
        steps: Option<MonitorSteps>,
        /// With `render`: true to reject or hide cookie notices, never to accept them.
        dismiss_cookie_notices: Option<Flag>,
        /// Explanations of changes; null for none.
        explanation: Option<Nullable<MonitorExplanationRequest>>,
        /// Credentials to send from now on.
        credentials: Option<MonitorCredentialsRequest>,
        /// Days and times of runs; replaces all.
        schedule: Option<MonitorScheduleRequest>,
        /// Number of consecutive failed runs after which the channels are notified; null for none.
        notify_failures: Option<Nullable<FailureCount>>,
        /// Id of the group; null for none.
        group_id: Option<Nullable<UuidText>>,
        /// Settings that do not follow the group.
        own_settings: Option<List<MonitorGroupSetting, 0, 3>>,
    }
}

/// Fields that apply to only one target type.
struct TargetFields {
    selector: Option<SelectorLines>,
    include: Option<List<Text<0, MAX_TEXT_CHARS>, 0, MAX_PATTERNS>>,
    exclude: Option<List<Text<0, MAX_TEXT_CHARS>, 0, MAX_PATTERNS>>,
    items: Option<RuleText>,
    fields: Option<List<MonitorFieldRequest, 1, MAX_FIELDS>>,
}

impl TargetFields {
    fn of_type(self, kind: Option<MonitorTargetType>) -> Result<Target, Fault> {
        let kind = kind.map_or(TargetType::Page, TargetType::from);
        for (name, is_sent, owner) in [
            ("selector", self.selector.is_some() && kind != TargetType::Visual, TargetType::Page),
            ("include", self.include.is_some(), TargetType::Sitemap),
            ("exclude", self.exclude.is_some(), TargetType::Sitemap),
            ("items", self.items.is_some(), TargetType::Extract),
            ("fields", self.fields.is_some() && kind != TargetType::Headers, TargetType::Extract),
        ] {
            if is_sent && kind != owner {
                return Err(Fault::new("is not supported for this target type").under(name));
            }
        }
        Ok(match kind {
            TargetType::Page => Target::Page { selector: self.selector.map(|text| text.0) },
            TargetType::Product => Target::Product,
            TargetType::Calendar => Target::Calendar,
            TargetType::File => Target::File,
            TargetType::Image => Target::Image,
            TargetType::Visual => Target::Visual { selector: self.selector.map(|text| text.0) },
            TargetType::Headers => Target::Headers { fields: self.fields.map(watched).unwrap_or_default() },
            TargetType::Sitemap => Target::Sitemap {
                include: self.include.map(texts).unwrap_or_default(),
                exclude: self.exclude.map(texts).unwrap_or_default(),
            },
            TargetType::Extract => {
                let fields = self.fields.ok_or_else(|| Fault::new("is missing").under("fields"))?;
                let items = self.items.map(|text| text.0);
                Target::Extract { items, fields: watched(fields) }
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
            selector: update.selector.map(|selectors| selectors.0.map(|selectors| selectors.0)),
            include: update.include.map(texts),
            exclude: update.exclude.map(texts),
            items: update.items.map(cleared),
            fields: update.fields.map(watched),
            ignore: update.ignore.map(ignored),
            filters: update.filters.map(filters),
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
            request: update.request.map(RequestSettings::from),
            render: update.render.map(|flag| flag.0),
            wait_for: update.wait_for.map(|selector| selector.0.map(|selector| selector.0)),
            steps: update.steps.map(steps),
            dismiss_cookie_notices: update.dismiss_cookie_notices.map(|flag| flag.0),
            explanation: update.explanation.map(explanation),
            credentials: update.credentials.map(MonitorCredentialsRequest::given),
            schedule: update.schedule.map(Schedule::from),
            notify_failures: update.notify_failures.map(|count| count.0.map(Integer::get)),
            group: update.group_id.map(|id| id.0.map(group_of)),
            own_settings: update.own_settings.map(|own| own.0.into_iter().map(GroupSetting::from).collect()),
            ..Edit::default()
        })
    }
}

/// Converts the settings of explanations. `None` if they are off.
fn explanation(request: Nullable<MonitorExplanationRequest>) -> Option<ExplanationSettings> {
    let request = request.0?;
    let wish = request.wish.and_then(|wish| wish.0).map(|wish| wish.0.trim().to_owned());
    let wish = wish.filter(|wish| !wish.is_empty());
    Some(ExplanationSettings { wish, only_relevant: request.only_relevant.0 })
}

impl MonitorCredentialsRequest {
    /// Converts the request to credentials. `None` if no credentials are to be sent.
    fn given(self) -> Option<Credentials> {
        let basic = self
            .basic
            .map(|login| Credentials::Basic { username: login.username.0, password: login.password.0 });
        let bearer = self.bearer.map(|token| Credentials::Bearer(token.0));
        basic.or(bearer).or(self.header.map(|header| Credentials::Header(header.into())))
    }
}

impl From<MonitorHeaderRequest> for CustomHeader {
    fn from(header: MonitorHeaderRequest) -> Self {
        Self { name: header.name.0, value: header.value.0 }
    }
}

impl From<MonitorSourceRequestBody> for RequestSettings {
    fn from(request: MonitorSourceRequestBody) -> Self {
        let headers = request.headers.map(|headers| headers.0).unwrap_or_default();
        let post = |post: MonitorPostRequest| Post {
            method: post.method.map(PostMethod::from).unwrap_or_default(),
            content_type: post.content_type.0,
            body: post.body.0,
        };
        Self {
            headers: headers.into_iter().map(CustomHeader::from).collect(),
            user_agent: request.user_agent.map(|text| text.0),
            proxy: request.proxy.map(|name| name.0),
            post: request.post.map(post),
            any_status: request.any_status.0,
            cookies: request.cookies.0,
            credentials: None,
        }
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
            condition: trigger.condition.and_then(|condition| condition.0).map(Condition::from),
            repeat_hours: trigger.repeat_hours.and_then(|hours| hours.0).map(Integer::get),
        }
    }
}

impl From<MonitorConditionRequest> for Condition {
    fn from(condition: MonitorConditionRequest) -> Self {
        let groups = condition.groups.0.into_iter().map(ConditionGroup::from).collect();
        Self { join: condition.join.map(Join::from).unwrap_or_default(), groups }
    }
}

impl From<MonitorConditionGroupRequest> for ConditionGroup {
    fn from(group: MonitorConditionGroupRequest) -> Self {
        let tests = group.tests.0.into_iter().map(ValueTest::from).collect();
        Self { join: group.join.map(Join::from).unwrap_or_default(), tests }
    }
}

impl From<MonitorTestRequest> for ValueTest {
    fn from(test: MonitorTestRequest) -> Self {
        Self {
            kind: test.test.into(),
            field: test.field.and_then(|field| field.0).map(|field| field.0),
            value: test.value.and_then(|value| value.0).map(|value| value.0),
            up_to: test.up_to.and_then(|value| value.0).map(|value| value.0),
            is_negated: test.not.0,
        }
    }
}

fn texts<const MIN: usize, const MAX: usize, const MAX_COUNT: usize>(
    list: List<Text<MIN, MAX>, 0, MAX_COUNT>,
) -> Vec<String> {
    list.0.into_iter().map(|text| text.0).collect()
}

fn watched<const MIN: usize>(list: List<MonitorFieldRequest, MIN, MAX_FIELDS>) -> Vec<WatchedField> {
    list.0.into_iter().map(WatchedField::from).collect()
}

fn filters(list: List<MonitorFilterRequest, 0, MAX_FILTERS>) -> Vec<Filter> {
    list.0.into_iter().map(Filter::from).collect()
}

impl From<MonitorFilterRequest> for Filter {
    fn from(filter: MonitorFilterRequest) -> Self {
        Self {
            kind: filter.kind.into(),
            pattern: filter.pattern.and_then(|pattern| pattern.0).map(|pattern| pattern.0),
            with: filter.with.and_then(|with| with.0).map(|with| with.0),
        }
    }
}

/// Returns the settings of the browser. `None` if the page is not rendered.
fn rendering(
    is_rendered: bool,
    (wait_for, sent, dismiss_cookie_notices): (Option<StepSelector>, Option<MonitorSteps>, bool),
) -> Result<Option<Rendering>, Fault> {
    let rendering = Rendering {
        wait_for: wait_for.map(|selector| selector.0),
        steps: sent.map(steps).unwrap_or_default(),
        dismiss_cookie_notices,
        ..Rendering::default()
    };
    if is_rendered {
        return Ok(Some(rendering));
    }
    if rendering == Rendering::default() {
        return Ok(None);
    }
    let name = match (&rendering.wait_for, rendering.steps.is_empty()) {
        (Some(_), _) => "waitFor",
        (None, false) => "steps",
        (None, true) => "dismissCookieNotices",
    };
    Err(Fault::new("needs the page in a browser (render)").under(name))
}

fn steps(sent: MonitorSteps) -> Vec<PageStep> {
    let step = |step: MonitorStepRequest| PageStep {
        kind: StepKind::from(step.kind),
        selector: step.selector.and_then(|selector| selector.0).map(|selector| selector.0),
        text: step.text.and_then(|text| text.0).map(|text| text.0),
        key: step.key.and_then(|key| key.0).map(StepKey::from),
        url: step.url.and_then(|url| url.0).map(|url| url.0),
        optional: step.optional.0,
        wait_ms: step.wait_ms.and_then(|wait_ms| wait_ms.0).map(Integer::get),
        secret: step.secret.0,
    };
    sent.0.into_iter().map(step).collect()
}

fn ignored(rules: List<MonitorIgnoreRequest, 0, MAX_IGNORES>) -> Vec<Ignore> {
    let rule = |rule: MonitorIgnoreRequest| {
        let text = |text: Option<Nullable<RuleText>>| text.and_then(|text| text.0).map(|text| text.0);
        let regex = text(rule.regex).map(Ignore::Regex);
        text(rule.text).map(Ignore::Text).or(regex).or(text(rule.selector).map(Ignore::Selector))
    };
    rules.0.into_iter().filter_map(rule).collect()
}
