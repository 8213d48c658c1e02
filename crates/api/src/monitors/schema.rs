//! Response types of the monitor operations.

use extract::watch::{
    Condition, ConditionGroup, Filter, FilterKind, Ignore, Join, NumberChoice, Target, TestKind, Trigger,
    TriggerKind, ValueTest, WatchedField,
};
use kernel::rfc3339;
use monitors::{
    CustomHeader, Day, ExplanationSettings, GroupSetting, Monitor, PageStep, PauseReason, Post, PostMethod,
    Rendering, RequestSettings, StepKey, StepKind, TargetType, Week,
};
use poem_openapi::{Enum, Object};

use super::schedule::{MonitorDay, MonitorSchedule, MonitorWeek};
use http_kit::http::enum_param::EnumParam;

/// Type of the monitored target.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Enum)]
#[oai(rename_all = "snake_case")]
pub enum MonitorTargetType {
    /// Text of a page, or of a part of it.
    Page,
    /// URLs of a sitemap.
    Sitemap,
    /// Named values.
    Extract,
    /// Fields `name`, `price`, `currency` and `availability` of a product, for each variant.
    Product,
    /// Events of an iCalendar file, with the fields `title`, `start`, `end`, `location`, `status` and
    /// `repeats`.
    Calendar,
    /// Fields `size`, in bytes, and `sha256` of a file of any format.
    File,
    /// Appearance of a PNG, JPEG, GIF or WebP picture, as a hash of 64 bits in the field `picture`. A change
    /// of fewer than 8 bits is ignored; the value of the trigger `share` is a percentage of the bits.
    Image,
    /// Appearance of a page, or of the element that a CSS selector matches, in a browser. A change of less than 0.1 %
    /// of the pixels is ignored; the value of the trigger `share` is a percentage of the pixels.
    Visual,
    /// Field `status` and one field per response header, with the name of the header. Without `fields`: all headers
    /// except those that always differ, such as `Date`.
    Headers,
}

/// Status of a monitor.
#[derive(Debug, Clone, Copy, Enum)]
#[oai(rename_all = "snake_case")]
pub(super) enum MonitorStatus {
    /// The monitor runs when it is due.
    Active,
    /// The monitor does not run until it is set to active.
    Paused,
    /// The monitor stopped after repeated failures.
    Failed,
}

impl MonitorStatus {
    pub(super) fn to_domain(self) -> monitors::Status {
        match self {
            Self::Active => monitors::Status::Active,
            Self::Paused => monitors::Status::Paused,
            Self::Failed => monitors::Status::Failed,
        }
    }
}

/// Named value that is read from each item.
#[derive(Debug, Object)]
pub(super) struct MonitorField {
    /// Name under which changes are reported.
    pub name: String,
    /// CSS selector, XPath, JSONPath or jq of the value, or name of the header; empty for the item itself, or for the
    /// header whose name is `name`.
    pub selector: String,
    /// True if the value identifies the item.
    pub key: bool,
    /// Number to use if the value contains several.
    pub number: MonitorNumber,
}

/// Number to use if a value contains several. Amounts with a currency take precedence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Enum)]
#[oai(rename_all = "snake_case")]
pub enum MonitorNumber {
    /// The first number.
    First,
    /// The last number.
    Last,
    /// The smallest number.
    Least,
    /// The greatest number.
    Greatest,
}

/// Content to ignore. Exactly one of `text`, `regex` and `selector` is not null.
#[derive(Debug, Object)]
pub(super) struct MonitorIgnore {
    /// Blocks that contain this text, regardless of case. In a sitemap, `lastmod` ignores all dates.
    pub text: Option<String>,
    /// Matches of this regular expression.
    pub regex: Option<String>,
    /// Matches of this CSS selector or XPath.
    pub selector: Option<String>,
}

/// Kind of a filter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Enum)]
#[oai(rename_all = "snake_case")]
pub enum MonitorFilterKind {
    /// Retains blocks that match the pattern.
    Keep,
    /// Drops blocks that match the pattern.
    Drop,
    /// Replaces all matches of the pattern. Blocks without text are dropped.
    Replace,
    /// Sorts blocks by their text.
    Sort,
    /// Drops blocks that have the same text as an earlier block.
    Unique,
}

/// Filter of the blocks of a page.
#[derive(Debug, Object)]
pub(super) struct MonitorFilter {
    /// Kind of the filter.
    pub kind: MonitorFilterKind,
    /// Regular expression; null if the kind needs none.
    pub pattern: Option<String>,
    /// Replacement; null if there is none.
    pub with: Option<String>,
}

/// Kind of a trigger condition.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Enum)]
#[oai(rename_all = "snake_case")]
pub enum MonitorTriggerKind {
    /// Any difference.
    Any,
    /// The text appears as whole words and was absent before. A `*` at its start or end also matches a part
    /// of a word. A text after a word such as `not` counts as absent.
    TextAppears,
    /// The text, as whole words, disappears and was present before. The rules of `text_appears` apply.
    TextDisappears,
    /// A number exceeds the value and did not before.
    Above,
    /// A number is below the value and was not before.
    Below,
    /// At least this percentage of the blocks, URLs or items changed.
    Share,
    /// Blocks, URLs or items were added; if there is a value, they contain it.
    Added,
    /// Blocks, URLs or items were removed; if there is a value, they contained it.
    Removed,
    /// The `condition` holds and did not before.
    Condition,
}

/// Combination of results.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Enum)]
#[oai(rename_all = "snake_case")]
pub enum MonitorJoin {
    /// All results must be true.
    All,
    /// At least one result must be true.
    Any,
}

/// Kind of a test.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Enum)]
#[oai(rename_all = "snake_case")]
pub enum MonitorTestKind {
    /// A text contains the value as whole words; a text after a word such as `not` counts as absent.
    Contains,
    /// A text equals the value, regardless of case, or a number equals it.
    Equals,
    /// A text matches the regular expression.
    Matches,
    /// A number exceeds the value.
    Above,
    /// A number is below the value.
    Below,
    /// A number is from `value` to `upTo`.
    Between,
    /// A number rose since the last report, at least by the value if there is one.
    Rises,
    /// A number fell since the last report, at least by the value if there is one.
    Falls,
    /// A number is lower than all numbers of the last days; the value is the number of days.
    NewLow,
    /// A number is higher than all numbers of the last days; the value is the number of days.
    NewHigh,
    /// A text has more characters than the value.
    LengthAbove,
    /// A text has fewer characters than the value.
    LengthBelow,
    /// There are more items, blocks or URLs than the value.
    CountAbove,
    /// There are fewer items, blocks or URLs than the value.
    CountBelow,
    /// The similarity of the text to the text of the last report is below this percentage.
    SimilarityBelow,
}

/// Test of a value.
#[derive(Debug, Object)]
#[oai(rename_all = "camelCase")]
pub(super) struct MonitorTest {
    /// Kind of the test.
    pub test: MonitorTestKind,
    /// Field of an extract; null for the only field or, in a text comparison, for any field.
    pub field: Option<String>,
    /// Text, number, percentage or number of days that the kind needs; null if it needs none.
    pub value: Option<String>,
    /// Upper bound of `between`; otherwise null.
    pub up_to: Option<String>,
    /// True if the test must not hold.
    pub not: bool,
}

/// Group of tests. Its tests are combined first, then the groups.
#[derive(Debug, Object)]
pub(super) struct MonitorConditionGroup {
    /// Combination of the tests.
    pub join: MonitorJoin,
    /// Tests.
    pub tests: Vec<MonitorTest>,
}

/// Combination of tests. For an extract, the tests refer to the same item.
#[derive(Debug, Object)]
pub(super) struct MonitorCondition {
    /// Combination of the groups.
    pub join: MonitorJoin,
    /// Groups of tests.
    pub groups: Vec<MonitorConditionGroup>,
}

/// Rule that decides which changes are reported.
#[derive(Debug, Object)]
#[oai(rename_all = "camelCase")]
pub(super) struct MonitorTrigger {
    /// Kind of the trigger.
    pub kind: MonitorTriggerKind,
    /// Text or number that the kind needs; null if it needs none. A `*` at the start or end of a text also
    /// matches a part of a word.
    pub value: Option<String>,
    /// Field of an extract to which the condition is restricted; null for all fields.
    pub field: Option<String>,
    /// Tests of values, if the kind of the trigger is `condition`; otherwise null.
    pub condition: Option<MonitorCondition>,
    /// Hours after which a condition that still holds is reported again; null if it is reported once.
    pub repeat_hours: Option<u32>,
}

/// Header that is sent to the source.
#[derive(Debug, Object)]
pub(super) struct MonitorHeader {
    /// Name of the header.
    pub name: String,
    /// Value of the header.
    pub value: String,
}

/// Method of a request with a body.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Enum)]
#[oai(rename_all = "snake_case")]
pub enum MonitorPostMethod {
    /// POST.
    Post,
    /// PUT.
    Put,
    /// PATCH.
    Patch,
}

/// Body that each run sends.
#[derive(Debug, Object)]
#[oai(rename_all = "camelCase")]
pub(super) struct MonitorPost {
    /// Method of the request.
    pub method: MonitorPostMethod,
    /// Text of the body.
    pub body: String,
    /// Media type of the body.
    pub content_type: String,
}

/// Request that is sent to the source.
#[derive(Debug, Object)]
#[oai(rename_all = "camelCase")]
pub(super) struct MonitorSourceRequest {
    /// Body of the request; null for a GET.
    pub post: Option<MonitorPost>,
    /// `User-Agent` header; null for the service's own.
    pub user_agent: Option<String>,
    /// Name of a proxy that the operator configured; null if none is used.
    pub proxy: Option<String>,
    /// Headers for the origin of the URL.
    pub headers: Vec<MonitorHeader>,
    /// True if responses with an error status, except 429, are monitored.
    pub any_status: bool,
    /// True if the cookies of the site are stored between runs.
    pub cookies: bool,
    /// `basic`, `bearer` or `header` if credentials are sent, which are never returned; otherwise null.
    pub credentials: Option<String>,
}

/// Kind of a step on a rendered page. All kinds except `back`, `open`, and waits for a time act on an element. `type`
/// fills a field, `select` chooses an option, `press` presses a key, `scroll_end` loads a list that grows while it is
/// scrolled, `wait_text` waits until a text is displayed and `wait_gone` until an element is not, `open` opens an
/// address of the site, and `remove` removes all matching elements.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Enum)]
#[oai(rename_all = "snake_case")]
pub enum MonitorStepKind {
    /// Clicks the element.
    Click,
    /// Replaces the text of the element, or chooses its option with this text. Password fields accept only secret
    /// texts.
    Type,
    /// Chooses the option with this text or value.
    Select,
    /// Ticks the checkbox, switch, or radio button.
    Check,
    /// Unticks the checkbox or switch.
    Uncheck,
    /// Presses a key in the element, or in the focused element.
    Press,
    /// Moves the pointer over the element.
    Hover,
    /// Scrolls to the element, or to the end of the page.
    Scroll,
    /// Scrolls to the end of the page, or of the element, until no more content is added.
    ScrollEnd,
    /// Waits for a time, or until the page has the element.
    Wait,
    /// Waits until the page, or the element, displays a text.
    WaitText,
    /// Waits until the page displays no matching element.
    WaitGone,
    /// Returns to the previous page.
    Back,
    /// Opens an address of the site of the target.
    Open,
    /// Removes all matching elements.
    Remove,
}

/// Key that a step presses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Enum)]
#[oai(rename_all = "snake_case")]
pub enum MonitorStepKey {
    Enter,
    Tab,
    Escape,
    Space,
    Backspace,
    Delete,
    ArrowUp,
    ArrowDown,
    ArrowLeft,
    ArrowRight,
    PageUp,
    PageDown,
    Home,
    End,
}

/// Step on a rendered page. It waits for its element for at most eight seconds.
#[derive(Debug, Object)]
#[oai(rename_all = "camelCase")]
pub(super) struct MonitorStep {
    /// Kind of the step.
    pub kind: MonitorStepKind,
    /// CSS selector of the element; null if there is none.
    pub selector: Option<String>,
    /// Text that is typed, chosen, or awaited; null for other kinds, and for a secret text.
    pub text: Option<String>,
    /// Key of `press`; null for other kinds.
    pub key: Option<MonitorStepKey>,
    /// Address of `open`, which may be relative to the target; null for other kinds.
    pub url: Option<String>,
    /// True if the step is skipped when the page has no such element.
    pub optional: bool,
    /// True if a text is stored as a secret, which is never returned.
    pub secret: bool,
    /// Milliseconds to wait; null unless the kind is `wait` without a selector.
    pub wait_ms: Option<u32>,
}

/// Explanations of changes by the language model.
#[derive(Debug, Object)]
#[oai(rename_all = "camelCase")]
pub(super) struct MonitorExplanation {
    /// Description of the changes that matter, in the words of the owner; null if there is none.
    pub wish: Option<String>,
    /// True if channels are notified only of changes that matter.
    pub only_relevant: bool,
}

/// Setting that a group determines for its monitors.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Enum)]
#[oai(rename_all = "snake_case")]
pub enum MonitorGroupSetting {
    /// The interval.
    Interval,
    /// Days and times of the runs, and hours without messages.
    Schedule,
    /// The channels.
    Notify,
}

/// Web monitor.
#[expect(clippy::struct_excessive_bools, reason = "each field is an independent setting")]
#[derive(Debug, Object)]
#[oai(rename_all = "camelCase")]
pub(super) struct WebMonitor {
    /// Id of the monitor (UUID).
    pub id: String,
    /// Name of the monitor.
    pub name: String,
    /// Monitored URL.
    pub target_url: String,
    /// Type of the target.
    pub target_type: MonitorTargetType,
    /// URL of the monitor's changes as an RSS 2.0 feed; with `.atom` or `.json` instead of `.xml`, as Atom or
    /// JSON Feed. The feed needs no credential: anyone with the URL can read it.
    pub feed_url: String,
    /// Status of the monitor.
    pub status: MonitorStatus,
    /// Time of the next run, RFC 3339 UTC; null unless the monitor is active.
    pub next_run_at: Option<String>,
    /// Creation time, RFC 3339 UTC.
    pub created_at: String,
    /// Minutes between two runs: the requested interval, or the minimum of the plan if that is longer.
    pub interval_minutes: u32,
    /// For a page and a visual target: selector of the monitored part; null for all of it and for other targets.
    pub selector: Option<String>,
    /// End of the last run, RFC 3339 UTC; null if there was none.
    pub last_run_at: Option<String>,
    /// Time of the last change, RFC 3339 UTC; null if there was none.
    pub last_change_at: Option<String>,
    /// Error code of the last run; null if it succeeded.
    pub last_error: Option<String>,
    /// Number of consecutive failed runs.
    pub failure_count: u32,
    /// Reason for the pause; null unless the monitor is paused.
    pub pause_reason: Option<EnumParam<PauseReason>>,
    /// Credits of a run that finds a changed source, or of any successful run if the page is rendered.
    pub credits_per_run: i64,
    /// For a sitemap: patterns of included URLs; otherwise null.
    pub include: Option<Vec<String>>,
    /// For a sitemap: patterns of excluded URLs; otherwise null.
    pub exclude: Option<Vec<String>>,
    /// For an extract: selector of the repeated element; null for the whole source as one item.
    pub items: Option<String>,
    /// For an extract: values that are read from each item. For headers: the headers that are read; empty for
    /// all. Otherwise null.
    pub fields: Option<Vec<MonitorField>>,
    /// Content to ignore.
    pub ignore: Vec<MonitorIgnore>,
    /// For a page: filters of its blocks, applied in order.
    pub filters: Vec<MonitorFilter>,
    /// Rule that decides which changes are reported.
    pub trigger: MonitorTrigger,
    /// True if the order of a list matters.
    pub ordered: bool,
    /// True if the changes are added to the account's feeds.
    pub follow: bool,
    /// For an extract: true if an empty list is valid from the first run on.
    pub allow_empty: bool,
    /// True if the trigger condition is met now; null before it was evaluated, and for `any`, `share`,
    /// `added` and `removed`. A condition that is met in the first run is reported when it is met again.
    pub triggered: Option<bool>,
    /// `flips` while a page alternates between two contents, which is not reported; otherwise null.
    #[oai(rename = "quiet")]
    pub suppression: Option<String>,
    /// Sentences about texts that are not compared: learned noise, and clocks and counters of the page.
    pub masks: Vec<String>,
    /// Credits for a month of 31 days if every run finds a changed source.
    pub credits_per_month: i64,
    /// Ids of the channels that are notified.
    pub notify: Vec<String>,
    /// Request that is sent to the source.
    pub request: MonitorSourceRequest,
    /// True if a browser opens the page and runs its scripts.
    pub render: bool,
    /// CSS selector of an element; the page is read as soon as it has such an element. Null for none.
    pub wait_for: Option<String>,
    /// Steps on the rendered page before it is read.
    pub steps: Vec<MonitorStep>,
    /// True if cookie notices are dismissed before the page is read.
    pub dismiss_cookie_notices: bool,
    /// Explanations of changes by the language model; null if they are off. They need a language model that the person
    /// switched on.
    pub explanation: Option<MonitorExplanation>,
    /// Days and times of the runs.
    pub schedule: MonitorSchedule,
    /// Times of the next run and of the two after it, if each succeeds, RFC 3339 UTC; empty unless the
    /// monitor is active.
    pub next_runs: Vec<String>,
    /// Number of consecutive failed runs after which the channels are notified; null for none.
    pub notify_failures: Option<u32>,
    /// Tags.
    pub tags: Vec<String>,
    /// Id of the group to which the monitor belongs (UUID); null for none.
    pub group_id: Option<String>,
    /// Settings that do not follow the group.
    pub own_settings: Vec<MonitorGroupSetting>,
}

impl WebMonitor {
    pub(super) fn of(monitor: Monitor, base_url: &str) -> Self {
        let feed_url = monitor.feed_url(base_url);
        let credits_per_run = monitor.definition.cost();
        let render = monitor.definition.rendering.is_some();
        let Rendering { wait_for, steps, dismiss_cookie_notices, .. } =
            monitor.definition.rendering.unwrap_or_default();
        let trigger = monitor.definition.trigger;
        let explanation = monitor.definition.explanation;
        let mut response = Self {
            id: monitor.id.to_string(),
            name: monitor.name,
            target_url: monitor.target_url,
            target_type: monitor.target_type.into(),
            feed_url,
            status: match monitor.status {
                monitors::Status::Active => MonitorStatus::Active,
                monitors::Status::Paused => MonitorStatus::Paused,
                monitors::Status::Failed => MonitorStatus::Failed,
            },
            next_run_at: monitor.next_run_at.map(rfc3339),
            created_at: rfc3339(monitor.created_at),
            interval_minutes: monitor.interval_minutes,
            selector: None,
            last_run_at: monitor.last_run_at.map(rfc3339),
            last_change_at: monitor.last_change_at.map(rfc3339),
            last_error: monitor.last_error.map(|code| code.to_string()),
            failure_count: monitor.failure_count,
            pause_reason: monitor.pause_reason.map(EnumParam),
            credits_per_run,
            include: None,
            exclude: None,
            items: None,
            fields: None,
            ignore: monitor.definition.ignore.into_iter().map(MonitorIgnore::from).collect(),
            filters: monitor.definition.filters.into_iter().map(MonitorFilter::from).collect(),
            trigger: trigger.into(),
            ordered: monitor.definition.ordered,
            follow: monitor.is_followed,
            allow_empty: monitor.definition.allow_empty,
            triggered: monitor.triggered,
            suppression: monitor.suppression.map(str::to_owned),
            masks: monitor.masks,
            credits_per_month: monitor.credits_per_month,
            notify: monitor.notify.iter().map(ToString::to_string).collect(),
            request: monitor.definition.request.into(),
            render,
            wait_for,
            steps: steps.into_iter().map(MonitorStep::from).collect(),
            dismiss_cookie_notices,
            explanation: explanation.map(MonitorExplanation::from),
            schedule: monitor.schedule.into(),
            next_runs: monitor.next_runs.into_iter().map(rfc3339).collect(),
            notify_failures: monitor.notify_failures,
            tags: monitor.tags,
            group_id: monitor.group.map(|id| id.to_string()),
            own_settings: monitor.own_settings.into_iter().map(MonitorGroupSetting::from).collect(),
        };
        response.set_target(monitor.definition.target);
        response
    }

    fn set_target(&mut self, target: Target) {
        match target {
            Target::Page { selector } | Target::Visual { selector } => self.selector = selector,
            Target::Product | Target::Calendar | Target::File | Target::Image => {}
            Target::Sitemap { include, exclude } => {
                (self.include, self.exclude) = (Some(include), Some(exclude));
            }
            Target::Extract { items, fields } => {
                self.items = items;
                self.fields = Some(fields.into_iter().map(MonitorField::from).collect());
            }
            Target::Headers { fields } => {
                self.fields = Some(fields.into_iter().map(MonitorField::from).collect());
            }
        }
    }
}

impl From<WatchedField> for MonitorField {
    fn from(field: WatchedField) -> Self {
        Self { name: field.name, selector: field.selector, key: field.key, number: field.number.into() }
    }
}

impl From<Ignore> for MonitorIgnore {
    fn from(rule: Ignore) -> Self {
        let none = Self { text: None, regex: None, selector: None };
        match rule {
            Ignore::Text(text) => Self { text: Some(text), ..none },
            Ignore::Regex(regex) => Self { regex: Some(regex), ..none },
            Ignore::Selector(selector) => Self { selector: Some(selector), ..none },
        }
    }
}

impl From<RequestSettings> for MonitorSourceRequest {
    fn from(settings: RequestSettings) -> Self {
        let credentials = settings.credential_kind().map(|kind| kind.as_str().to_owned());
        let post = |post: Post| MonitorPost {
            method: post.method.into(),
            body: post.body,
            content_type: post.content_type,
        };
        let header = |header: CustomHeader| MonitorHeader { name: header.name, value: header.value };
        Self {
            post: settings.post.map(post),
            user_agent: settings.user_agent,
            proxy: settings.proxy,
            headers: settings.headers.into_iter().map(header).collect(),
            any_status: settings.any_status,
            cookies: settings.cookies,
            credentials,
        }
    }
}

impl From<PageStep> for MonitorStep {
    fn from(step: PageStep) -> Self {
        Self {
            kind: step.kind.into(),
            selector: step.selector,
            text: step.text.filter(|_| !step.secret),
            key: step.key.map(MonitorStepKey::from),
            url: step.url,
            optional: step.optional,
            secret: step.secret,
            wait_ms: step.wait_ms,
        }
    }
}

impl From<ExplanationSettings> for MonitorExplanation {
    fn from(settings: ExplanationSettings) -> Self {
        Self { wish: settings.wish, only_relevant: settings.only_relevant }
    }
}

impl From<Filter> for MonitorFilter {
    fn from(filter: Filter) -> Self {
        Self { kind: filter.kind.into(), pattern: filter.pattern, with: filter.with }
    }
}

impl From<Trigger> for MonitorTrigger {
    fn from(trigger: Trigger) -> Self {
        Self {
            kind: trigger.kind.into(),
            value: trigger.value,
            field: trigger.field,
            condition: trigger.condition.map(MonitorCondition::from),
            repeat_hours: trigger.repeat_hours,
        }
    }
}

impl From<Condition> for MonitorCondition {
    fn from(condition: Condition) -> Self {
        let groups = condition.groups.into_iter().map(MonitorConditionGroup::from).collect();
        Self { join: condition.join.into(), groups }
    }
}

impl From<ConditionGroup> for MonitorConditionGroup {
    fn from(group: ConditionGroup) -> Self {
        Self { join: group.join.into(), tests: group.tests.into_iter().map(MonitorTest::from).collect() }
    }
}

impl From<ValueTest> for MonitorTest {
    fn from(test: ValueTest) -> Self {
        Self {
            test: test.kind.into(),
            field: test.field,
            value: test.value,
            up_to: test.up_to,
            not: test.is_negated,
        }
    }
}

/// Implements the conversions between an enum of the API and the enum of the domain with the same variants.
macro_rules! same_words {
    ($api:ident, $domain:ident: $($word:ident),+) => {
        impl From<$api> for $domain {
            fn from(word: $api) -> Self {
                match word {
                    $($api::$word => Self::$word,)+
                }
            }
        }

        impl From<$domain> for $api {
            fn from(word: $domain) -> Self {
                match word {
                    $($domain::$word => Self::$word,)+
                }
            }
        }
    };
}

same_words!(MonitorFilterKind, FilterKind: Keep, Drop, Replace, Sort, Unique);
same_words!(MonitorJoin, Join: All, Any);
same_words!(MonitorPostMethod, PostMethod: Post, Put, Patch);
same_words!(
    MonitorStepKind, StepKind:
    Click, Type, Select, Check, Uncheck, Press, Hover, Scroll, ScrollEnd, Wait, WaitText, WaitGone, Back, Open,
    Remove
);
same_words!(
    MonitorStepKey, StepKey:
    Enter, Tab, Escape, Space, Backspace, Delete, ArrowUp, ArrowDown, ArrowLeft, ArrowRight, PageUp, PageDown, Home,
    End
);
same_words!(
    MonitorTargetType, TargetType:
    Page, Sitemap, Extract, Product, Calendar, File, Image, Visual, Headers
);
same_words!(MonitorNumber, NumberChoice: First, Last, Least, Greatest);
same_words!(MonitorGroupSetting, GroupSetting: Interval, Schedule, Notify);
same_words!(MonitorDay, Day: Monday, Tuesday, Wednesday, Thursday, Friday, Saturday, Sunday);
same_words!(MonitorWeek, Week: First, Second, Third, Fourth, Last);
same_words!(
    MonitorTestKind, TestKind:
    Contains, Equals, Matches, Above, Below, Between, Rises, Falls, NewLow, NewHigh, LengthAbove, LengthBelow,
    CountAbove, CountBelow, SimilarityBelow
);
same_words!(
    MonitorTriggerKind, TriggerKind:
    Any, TextAppears, TextDisappears, Above, Below, Share, Added, Removed, Condition
);

/// Page of monitors.
#[derive(Debug, Object)]
#[oai(rename_all = "camelCase", example)]
pub(super) struct WebMonitorList {
    /// Monitors, newest first.
    pub monitors: Vec<WebMonitor>,
    /// Cursor of the next page; null on the last page.
    pub next_cursor: Option<String>,
}

/// Response with one monitor.
#[derive(Debug, Object)]
#[oai(example)]
pub(super) struct WebMonitorOne {
    /// The monitor.
    pub monitor: WebMonitor,
}

/// Created or updated monitor.
#[derive(Debug, Object)]
#[oai(example)]
pub(super) struct WebMonitorSaved {
    /// The monitor.
    pub monitor: WebMonitor,
    /// Warnings about the definition, such as `monthly_credits_exceeded` or `items_without_key`.
    pub warnings: Vec<String>,
}
