//! Form values of a monitor, and their conversion to an API request. The form has the same fields, bounds,
//! and defaults as the API, because it is parsed as the same body.

use std::collections::HashSet;

use articles::{Address, typed_address};
use extract::watch::{Condition, Filter, FilterKind, Ignore, Target};
use kernel::{Code, Domain, Error, FieldPath, MonitorGroupId, looks_like_a_secret};
use monitors::{
    Credentials, Definition, Edit, GroupSetting, Monitor, MonitorGroup, MonitorOptions, NewMonitor,
    TargetType,
};
use notices::Channel;
use serde_json::{Map, Value, json};

use super::explanation_input::ExplanationInput;
use super::frame::sorted_groups;
use super::new_step::{NewStep, PickPurpose};
use super::rendering_input::{RENDERED, RenderingInput};
use super::request_input::RequestInput;
use super::schedule_input::ScheduleInput;
use super::words;
use crate::form_input::tags_of;
use crate::page::form::{Form, FormError};
use crate::page::request::{PageRequest, User};
use api::monitors::{MonitorPreviewRequest, WebMonitorRequest, WebMonitorUpdate, channels};
use http_kit::http::fault::Fault;
use http_kit::http::params::Integer;
use http_kit::http::value::RequestValue;

/// Form values as typed.
#[derive(Default)]
pub(super) struct MonitorInput {
    pub(super) name: String,
    pub(super) url: String,
    pub(super) kind: String,
    pub(super) minutes: String,
    pub(super) selector: String,
    pub(super) include: String,
    pub(super) exclude: String,
    pub(super) items: String,
    pub(super) fields: String,
    pub(super) ignore: String,
    /// Filters, one per line.
    pub(super) filters: String,
    pub(super) trigger: String,
    pub(super) value: String,
    pub(super) trigger_field: String,
    /// Condition, one test per line.
    pub(super) conditions: String,
    pub(super) repeat_hours: String,
    pub(super) allow_empty: bool,
    pub(super) follow: bool,
    /// Ids of the channels to notify.
    pub(super) notify: Vec<String>,
    pub(super) tags: String,
    pub(super) request: RequestInput,
    pub(super) rendering: RenderingInput,
    pub(super) schedule: ScheduleInput,
    pub(super) explanation: ExplanationInput,
    /// Key of the picture on which a part may be chosen. Empty if there is none.
    pub(super) picture: String,
    /// Action when a part of the picture is pressed.
    pub(super) pick: PickPurpose,
    /// Step on a part of the picture. It has not been added to the steps yet.
    pub(super) new_step: NewStep,
    /// Id of the group. Empty if the monitor has no group.
    pub(super) group: String,
    /// Names of the settings that differ from the group's.
    pub(super) own: Vec<String>,
    /// Channels to choose from.
    pub(super) channels: Vec<Channel>,
    /// Groups to choose from.
    pub(super) groups: Vec<MonitorGroup>,
    /// Ignore rules that no field displays. Saving the form does not change them.
    hidden_rules: Vec<Value>,
    /// Stored filters of the monitor. Some of them may not be expressible as lines.
    known_filters: Vec<Filter>,
    /// Stored condition of the monitor, which may not be expressible as lines.
    known_condition: Option<Condition>,
}

/// Keywords that select one of several numbers in a value. They are written in brackets after the name. The
/// first is the default.
const NUMBERS: [&str; 4] = [FIRST, "last", "least", "greatest"];
const FIRST: &str = "first";
/// Kinds of filters with their keywords.
const FILTERS: [(FilterKind, &str); 5] = [
    (FilterKind::Keep, "keep"),
    (FilterKind::Drop, "drop"),
    (FilterKind::Replace, "replace"),
    (FilterKind::Sort, "sort"),
    (FilterKind::Unique, "unique"),
];
/// Separator between the pattern and the replacement of a filter.
const ARROW: &str = " => ";
/// Form value of the trigger that has a condition, which is typed as lines.
const CONDITION: &str = "condition";

impl MonitorInput {
    /// Creates the values of a new form from the query parameters of a link.
    pub(super) fn of_link(request: &PageRequest) -> Self {
        let given = |name| request.parameter(name);
        Self {
            name: given("name").trim().to_owned(),
            url: typed_address(&given("url")),
            kind: given("targetType"),
            selector: given("selector"),
            items: given("items"),
            fields: given("fields"),
            trigger: given("trigger"),
            trigger_field: given("triggerField"),
            value: given("value"),
            conditions: given("conditions"),
            rendering: RenderingInput::of_link(&given("render")),
            group: given("groupId"),
            follow: true,
            ..Self::default()
        }
    }

    /// Loads the account's channels and groups, which the form offers.
    pub(super) async fn with_channels(mut self, request: &PageRequest, user: &User) -> Result<Self, Error> {
        self.channels = notices::list(&request.app.domain, user.account.id).await?;
        self.groups = sorted_groups(request, user).await?;
        Ok(self)
    }

    /// Reads the values of a submitted form.
    pub(super) fn of(form: &Form) -> Self {
        let text = |name: &str| form.get(name).trim().to_owned();
        Self {
            name: text("name"),
            url: typed_address(&text("targetUrl")),
            kind: text("targetType"),
            minutes: text("intervalMinutes"),
            selector: text("selector"),
            include: text("include"),
            exclude: text("exclude"),
            items: text("items"),
            fields: text("fields"),
            ignore: text("ignore"),
            filters: text("filters"),
            trigger: text("trigger"),
            value: text("value"),
            trigger_field: text("triggerField"),
            conditions: text("conditions"),
            repeat_hours: text("repeatHours"),
            allow_empty: form.get("allowEmpty") == "1",
            follow: form.get("follow") == "1",
            notify: form.all("notify").map(str::to_owned).collect(),
            picture: text("picture"),
            pick: PickPurpose::of(form),
            new_step: NewStep::of(form),
            group: text("groupId"),
            own: form.all("own").map(str::to_owned).collect(),
            tags: text("tags"),
            request: RequestInput::of(form),
            rendering: RenderingInput::of(form),
            schedule: ScheduleInput::of(form),
            explanation: ExplanationInput::of(form),
            ..Self::default()
        }
    }

    /// Reads the values of a submitted edit form. Settings that no field displays are copied from the
    /// monitor.
    pub(super) fn of_edit(form: &Form, monitor: &Monitor) -> Self {
        let current = Self::of_monitor(monitor);
        let mut input = Self {
            kind: current.kind,
            hidden_rules: current.hidden_rules,
            known_filters: current.known_filters,
            known_condition: current.known_condition,
            ..Self::of(form)
        };
        input.request.has_stored_credentials = current.request.has_stored_credentials;
        input.rendering.keep_stored(current.rendering);
        input
    }

    /// Returns the values of an existing monitor.
    pub(super) fn of_monitor(monitor: &Monitor) -> Self {
        let definition = &monitor.definition;
        let mut input = Self {
            name: monitor.name.clone(),
            url: monitor.target_url.clone(),
            kind: monitor.target_type.as_str().to_owned(),
            minutes: monitor.interval_minutes.to_string(),
            trigger: words::trigger(definition.trigger.kind).0.to_owned(),
            value: definition.trigger.value.clone().unwrap_or_default(),
            trigger_field: definition.trigger.field.clone().unwrap_or_default(),
            filters: filter_lines(&definition.filters),
            known_filters: definition.filters.clone(),
            conditions: lines_of(definition.trigger.condition.as_ref()),
            repeat_hours: definition.trigger.repeat_hours.map(|hours| hours.to_string()).unwrap_or_default(),
            known_condition: definition.trigger.condition.clone(),
            allow_empty: definition.allow_empty,
            follow: monitor.is_followed,
            notify: monitor.notify.iter().map(ToString::to_string).collect(),
            group: monitor.group.map(|id| id.to_string()).unwrap_or_default(),
            own: monitor.own_settings.iter().map(|own| own.as_str().to_owned()).collect(),
            tags: monitor.tags.join(", "),
            request: RequestInput::of_settings(&definition.request),
            rendering: RenderingInput::of_rendering(definition.rendering.as_ref()),
            schedule: ScheduleInput::of_monitor(monitor),
            explanation: ExplanationInput::of_settings(definition.explanation.as_ref()),
            ..Self::default()
        };
        match &definition.target {
            Target::Page { selector } | Target::Visual { selector } => {
                input.selector = selector.clone().unwrap_or_default();
            }
            Target::Product | Target::Calendar | Target::File | Target::Image => {}
            Target::Sitemap { include, exclude } => {
                (input.include, input.exclude) = (include.join("\n"), exclude.join("\n"));
            }
            Target::Extract { items, fields } => {
                input.items = items.clone().unwrap_or_default();
                input.fields = value_lines(fields);
            }
            Target::Headers { fields } => input.fields = value_lines(fields),
        }
        for rule in &definition.ignore {
            match rule {
                Ignore::Text(text) if input.ignore.is_empty() => input.ignore.clone_from(text),
                Ignore::Text(text) => input.ignore = format!("{}\n{text}", input.ignore),
                Ignore::Regex(regex) => input.hidden_rules.push(json!({ "regex": regex })),
                Ignore::Selector(selector) => input.hidden_rules.push(json!({ "selector": selector })),
            }
        }
        input
    }

    /// Returns the type of the watched target.
    pub(super) fn target_type(&self) -> TargetType {
        TargetType::parse(&self.kind).unwrap_or(TargetType::Page)
    }

    /// Seals the typed secret texts of steps for the site of the address. If there is no valid address, they must be typed
    /// again.
    ///
    /// Returns the errors of the form.
    ///
    /// # Errors
    /// Database errors.
    pub(super) async fn seal_secrets(
        &mut self,
        request: &PageRequest,
        user: &User,
    ) -> Result<FormError, Error> {
        let domain = &request.app.domain;
        let Ok(address) = address(domain, &self.url) else { return Ok(FormError::default()) };
        match self.rendering.seal_typed(domain, user.account.id, &address).await {
            Ok(()) => Ok(FormError::default()),
            Err(error) => words::form_error(error, 0),
        }
    }

    /// Returns an error if the address is empty.
    pub(super) fn missing_address(&self) -> FormError {
        let missing = FormError::default();
        if self.url.is_empty() { missing.and("targetUrl", "Enter the address of a page.") } else { missing }
    }

    /// Returns true if the address in the form is `url`.
    pub(super) fn has_address(&self, domain: &Domain, url: &str) -> bool {
        address(domain, &self.url).is_ok_and(|address| address.url.as_str() == url)
    }

    /// Adds the selector of a part that was chosen on the picture of the rendered page, or removes it if the part was
    /// chosen before. A page monitor has one selector per line, an extract monitor one value per part, and a visual
    /// monitor one selector. Types without a selector change to the page type.
    pub(super) fn choose(&mut self, selector: &str) {
        self.rendering.is_rendered = true;
        let was_chosen = self.chosen_selectors().contains(selector);
        match self.target_type() {
            TargetType::Extract if was_chosen => self.fields = without_value(&self.fields, selector),
            TargetType::Extract => self.fields = with_value(&self.fields, selector),
            TargetType::Visual if was_chosen => self.selector.clear(),
            TargetType::Visual => selector.clone_into(&mut self.selector),
            TargetType::Page if was_chosen => self.selector = without_selector(&self.selector, selector),
            TargetType::Page if self.selector.is_empty() => selector.clone_into(&mut self.selector),
            TargetType::Page => self.selector = format!("{}\n{selector}", self.selector),
            TargetType::Sitemap
            | TargetType::Product
            | TargetType::Calendar
            | TargetType::File
            | TargetType::Image
            | TargetType::Headers => {
                TargetType::Page.as_str().clone_into(&mut self.kind);
                selector.clone_into(&mut self.selector);
            }
        }
    }

    /// Selects that a browser opens the page. A type that does not support a browser changes to the page type.
    pub(super) fn open_in_browser(&mut self) {
        self.rendering.is_rendered = true;
        if !RENDERED.contains(&self.target_type()) {
            TargetType::Page.as_str().clone_into(&mut self.kind);
        }
    }

    /// Returns the selectors in the form that can refer to parts of the picture.
    pub(super) fn chosen_selectors(&self) -> HashSet<&str> {
        match self.target_type() {
            TargetType::Extract => lines(&self.fields).into_iter().filter_map(selector_of_value).collect(),
            TargetType::Visual => HashSet::from([self.selector.as_str()]),
            TargetType::Page => {
                let all: Vec<&str> = self.selector.lines().collect();
                let whole = (0..).zip(&all).filter(|(index, _)| is_whole(&all, *index));
                whole.map(|(_, line)| line.trim_end()).collect()
            }
            TargetType::Sitemap
            | TargetType::Product
            | TargetType::Calendar
            | TargetType::File
            | TargetType::Image
            | TargetType::Headers => HashSet::new(),
        }
    }

    /// Returns errors for required fields that are empty. `name` defines whether a name is required.
    pub(super) fn missing(&self, name: Naming) -> FormError {
        let mut missing = self.missing_address();
        if self.target_type() == TargetType::Extract && self.fields.is_empty() {
            missing = missing.and("fields", "Enter at least one value, such as price = .price");
        }
        if let (true, Some(words)) = (self.value.is_empty(), words::missing_value(&self.trigger)) {
            missing = missing.and("value", words);
        }
        if self.trigger == CONDITION && self.conditions.is_empty() && self.known_condition.is_none() {
            missing = missing.and("conditions", "Enter at least one condition, such as price falls by 10%");
        }
        if self.compares_number() && self.trigger_field.is_empty() && lines(&self.fields).len() > 1 {
            missing = missing.and("triggerField", "Enter the name of the value to compare, such as price.");
        }
        if self.request.lacks_secret() {
            let words = "Enter the password, token or value. It is never shown.";
            missing = missing.and("credentialSecret", words);
        }
        if name == Naming::Required && self.name.is_empty() {
            missing = missing.and("name", "Enter a name for the monitor.");
        }
        missing
    }

    /// Returns true if the trigger compares an extracted value with a number.
    fn compares_number(&self) -> bool {
        self.target_type() == TargetType::Extract && matches!(self.trigger.as_str(), "above" | "below")
    }

    pub(super) fn new_monitor(&self, domain: &Domain) -> Result<NewMonitor, Error> {
        let request = WebMonitorRequest::parse(&Value::Object(self.body()?)).map_err(wrong)?;
        Ok(NewMonitor {
            name: request.name.0.clone(),
            address: address(domain, &request.target_url.0)?,
            interval_minutes: request.interval_minutes.map(Integer::get),
            follow: request.follow.0,
            notify: channels(request.notify.as_ref())?,
            tags: tags_of("tags", &self.tags)?,
            options: MonitorOptions {
                group: self.group_id()?,
                own_settings: self.own_settings(),
                ..request.options()
            },
            definition: self.with_secrets(request.definition().map_err(wrong)?),
        })
    }

    /// Adds the sealed secret texts to the steps.
    fn with_secrets(&self, mut definition: Definition) -> Definition {
        if let Some(rendering) = &mut definition.rendering {
            rendering.secrets = self.rendering.sealed_texts();
        }
        definition
    }

    fn group_id(&self) -> Result<Option<MonitorGroupId>, Error> {
        if self.group.is_empty() {
            return Ok(None);
        }
        self.group.parse().map(Some).map_err(|_| at("group_id", "Choose one of your groups."))
    }

    /// Returns the settings that are selected to differ from the group's.
    fn own_settings(&self) -> Vec<GroupSetting> {
        self.own.iter().filter_map(|word| GroupSetting::parse(word)).collect()
    }

    /// Returns the settings that are selected to differ from the group's and, if the monitor stays in its group, the
    /// settings that were changed in the form.
    fn changed_own_settings(&self, current: &Monitor, group: Option<MonitorGroupId>) -> Vec<GroupSetting> {
        let before = Self::of_monitor(current);
        let (mut channels, mut channels_before) = (self.notify.clone(), before.notify);
        channels.sort_unstable();
        channels_before.sort_unstable();
        let changed = [
            (GroupSetting::Interval, self.minutes != before.minutes),
            (GroupSetting::Schedule, self.schedule.schedule() != before.schedule.schedule()),
            (GroupSetting::Notify, channels != channels_before),
        ];
        let changed = changed.into_iter().filter(|(_, is_changed)| *is_changed && group == current.group);
        self.own_settings().into_iter().chain(changed.map(|(setting, _)| setting)).collect()
    }

    /// Returns the address and the definition to preview.
    pub(super) fn preview(&self, domain: &Domain) -> Result<PreviewTarget, Error> {
        let mut body = self.body()?;
        body.remove("name");
        let target = PreviewTarget::of(domain, body)?;
        Ok(PreviewTarget { definition: self.with_secrets(target.definition), ..target })
    }

    /// Returns the address and the browser settings of the page whose picture is requested.
    pub(super) fn pictured_page(&self, domain: &Domain) -> Result<PreviewTarget, Error> {
        let mut body = Map::new();
        body.insert("targetUrl".to_owned(), json!(self.url));
        body.insert("targetType".to_owned(), json!(TargetType::Page.as_str()));
        body.insert("request".to_owned(), self.request.settings()?);
        if let Some(credentials) = self.request.credentials() {
            body.insert("credentials".to_owned(), credentials);
        }
        self.rendering.add_to(&mut body)?;
        body.insert("render".to_owned(), json!(true));
        let target = PreviewTarget::of(domain, body)?;
        Ok(PreviewTarget { definition: self.with_secrets(target.definition), ..target })
    }

    /// Returns the changes to an existing monitor.
    pub(super) fn edit(&self, domain: &Domain, current: &Monitor) -> Result<Edit, Error> {
        let moved = (self.url != current.target_url).then(|| address(domain, &self.url)).transpose()?;
        let mut body = self.body()?;
        body.remove("targetType");
        body.remove("targetUrl");
        if self.minutes == current.interval_minutes.to_string() {
            // The displayed interval may be the one that the plan allows. The owner's choice must not be
            // overwritten, because it applies again under another plan.
            body.remove("intervalMinutes");
        }
        for cleared in ["selector", "items"] {
            let owners = if cleared == "selector" {
                &[TargetType::Page, TargetType::Visual][..]
            } else {
                &[TargetType::Extract][..]
            };
            if owners.contains(&self.target_type()) && !body.contains_key(cleared) {
                body.insert(cleared.to_owned(), Value::Null);
            }
        }
        if self.target_type() == TargetType::Headers {
            // An empty list of names means all headers.
            body.entry("fields").or_insert(json!([]));
        }
        body.entry("notifyFailures").or_insert(Value::Null);
        body.entry("waitFor").or_insert(Value::Null);
        let request = WebMonitorUpdate::parse(&Value::Object(body)).map_err(wrong)?;
        let group = self.group_id()?;
        Ok(Edit {
            tags: Some(tags_of("tags", &self.tags)?),
            group: Some(group),
            own_settings: Some(self.changed_own_settings(current, group)),
            step_texts: self.rendering.sealed_texts(),
            ..request.edit(moved)?
        })
    }

    /// Returns the request body for the API. Fields of other target types are omitted, because the form
    /// displays all fields regardless of the selected type.
    fn body(&self) -> Result<Map<String, Value>, Error> {
        let mut body = Map::new();
        let mut put = |name: &str, value: Value| body.insert(name.to_owned(), value);
        put("name", json!(self.name));
        put("targetUrl", json!(self.url));
        put("targetType", json!(self.target_type().as_str()));
        put("follow", json!(self.follow));
        put("notify", json!(self.notify));
        if !self.minutes.is_empty() {
            put("intervalMinutes", json!(self.minutes));
        }
        match self.target_type() {
            TargetType::Page => {
                if !self.selector.is_empty() {
                    put("selector", json!(self.selector));
                }
                put("filters", json!(self.filters()?));
            }
            TargetType::Visual => {
                if !self.selector.is_empty() {
                    put("selector", json!(self.selector));
                }
            }
            TargetType::Product | TargetType::Calendar | TargetType::File | TargetType::Image => {}
            TargetType::Sitemap => {
                put("include", json!(lines(&self.include)));
                put("exclude", json!(lines(&self.exclude)));
            }
            TargetType::Headers => {
                if !self.fields.is_empty() {
                    put("fields", self.values()?);
                }
            }
            TargetType::Extract => {
                put("fields", self.values()?);
                put("allowEmpty", json!(self.allow_empty));
                if !self.items.is_empty() {
                    put("items", json!(self.items));
                }
            }
        }
        let texts = lines(&self.ignore).into_iter().map(|text| json!({ "text": text }));
        put("ignore", texts.chain(self.hidden_rules.iter().cloned()).collect());
        put("trigger", self.trigger_body()?);
        put("request", self.request.settings()?);
        put("schedule", self.schedule.schedule());
        if let Some(failures) = self.schedule.failures() {
            put("notifyFailures", failures);
        }
        if let Some(explanation) = self.explanation.settings() {
            put("explanation", explanation);
        }
        if let Some(credentials) = self.request.credentials() {
            put("credentials", credentials);
        }
        self.rendering.add_to(&mut body)?;
        if self.target_type() == TargetType::Visual {
            body.insert("render".to_owned(), json!(true));
        }
        Ok(body)
    }

    /// Parses the lines of filters. Returns the stored filters if the lines are unchanged.
    fn filters(&self) -> Result<Vec<Filter>, Error> {
        let typed = parse_filters(&self.filters)?;
        let known = parse_filters(&filter_lines(&self.known_filters));
        let is_unchanged = known.is_ok_and(|known| known == typed);
        Ok(if is_unchanged { self.known_filters.clone() } else { typed })
    }

    fn trigger_body(&self) -> Result<Value, Error> {
        let kind = if self.trigger.is_empty() { "any" } else { self.trigger.as_str() };
        let mut trigger = json!({ "kind": kind });
        if !self.repeat_hours.is_empty() {
            trigger["repeatHours"] = json!(self.repeat_hours);
        }
        if kind == CONDITION {
            trigger["condition"] = json!(self.condition()?);
            return Ok(trigger);
        }
        if !self.value.is_empty() && kind != "any" {
            trigger["value"] = json!(self.value);
        }
        if !self.trigger_field.is_empty() && self.target_type().has_values() {
            trigger["field"] = json!(self.trigger_field);
        }
        Ok(trigger)
    }

    /// Parses the lines of the condition. Returns the stored condition if the lines are unchanged.
    fn condition(&self) -> Result<Condition, Error> {
        let typed = Condition::parse(&self.conditions).map_err(|line| {
            let message = format!("Line {line} is not a condition. Write it as: price falls by 10%");
            at("conditions", &message)
        })?;
        let known = self.known_condition.as_ref();
        let is_unchanged = |known: &&Condition| {
            Condition::parse(&lines_of(Some(*known))).is_ok_and(|unchanged| unchanged == typed)
        };
        Ok(known.filter(is_unchanged).cloned().unwrap_or(typed))
    }

    /// Parses lines such as `name = selector`. A star after the name marks the key. A keyword in brackets
    /// selects the number.
    fn values(&self) -> Result<Value, Error> {
        let value = |line: &str| {
            let (name, selector) =
                line.split_once('=').ok_or_else(|| at("fields", "Enter each value as: name = selector"))?;
            let (name, key, number) = split_name(name);
            Ok(json!({ "name": name, "selector": selector.trim(), "key": key, "number": number }))
        };
        lines(&self.fields).into_iter().map(value).collect::<Result<Vec<_>, Error>>().map(Value::Array)
    }
}

/// Formats filters as form lines: `drop ^Advert`, `replace \d+ => many`, `sort`.
fn filter_lines(filters: &[Filter]) -> String {
    let line = |filter: &Filter| {
        let kind = FILTERS.iter().find(|(kind, _)| *kind == filter.kind).map_or("", |(_, word)| *word);
        let pattern = filter.pattern.as_ref().map(|pattern| format!(" {pattern}")).unwrap_or_default();
        let with = filter.with.as_ref().map(|with| format!("{ARROW}{with}")).unwrap_or_default();
        format!("{kind}{pattern}{with}")
    };
    filters.iter().map(line).collect::<Vec<_>>().join("\n")
}

fn parse_filters(text: &str) -> Result<Vec<Filter>, Error> {
    let filter = |line: &str| {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        let (kind, _) = FILTERS.into_iter().find(|(_, known)| *known == word).ok_or_else(|| {
            at("filters", "Begin each line with keep, drop, replace, sort or unique, such as: drop ^Advert")
        })?;
        let rest = format!("{rest} ");
        let (pattern, with) = match rest.rsplit_once(ARROW) {
            Some((pattern, with)) if kind == FilterKind::Replace => (pattern, Some(with.trim().to_owned())),
            Some(_) | None => (rest.as_str(), None),
        };
        let pattern = Some(pattern.trim().to_owned()).filter(|pattern| !pattern.is_empty());
        Ok(Filter { kind, pattern, with })
    };
    lines(text).into_iter().map(filter).collect()
}

/// Formats a condition as form lines. Empty if lines cannot express it.
fn lines_of(condition: Option<&Condition>) -> String {
    condition.and_then(Condition::lines).unwrap_or_default()
}

/// Adds a line for a value, with a name that no other line has.
fn with_value(text: &str, selector: &str) -> String {
    let known = lines(text);
    let names: Vec<&str> =
        known.iter().filter_map(|line| line.split_once('=')).map(|(name, _)| split_name(name).0).collect();
    let name = |number: usize| if number == 1 { "value".to_owned() } else { format!("value {number}") };
    let free = (1..=names.len() + 1).map(name).find(|name| !names.contains(&name.as_str()));
    let line = format!("{} = {selector}", free.unwrap_or_default());
    known.into_iter().chain([line.as_str()]).collect::<Vec<_>>().join("\n")
}

/// Returns the selector of a value that is written as a form line.
fn selector_of_value(line: &str) -> Option<&str> {
    line.split_once('=').map(|(_, selector)| selector.trim())
}

/// Removes the values with a selector.
fn without_value(text: &str, selector: &str) -> String {
    let is_other = |line: &&str| selector_of_value(line) != Some(selector);
    lines(text).into_iter().filter(is_other).collect::<Vec<_>>().join("\n")
}

/// Removes a selector from the selectors of a page.
fn without_selector(text: &str, selector: &str) -> String {
    let all: Vec<&str> = text.lines().collect();
    let is_removed = |index: usize, line: &str| line.trim_end() == selector && is_whole(&all, index);
    let rest = (0..).zip(&all).filter(|(index, line)| !is_removed(*index, line));
    rest.map(|(_, line)| *line).collect::<Vec<_>>().join("\n")
}

/// Returns true if a line is a complete selector of a page monitor. A line that begins with white space continues the
/// line before it.
fn is_whole(lines: &[&str], index: usize) -> bool {
    !lines.get(index + 1).is_some_and(|next| next.starts_with(char::is_whitespace))
}

/// Formats values as form lines.
pub(super) fn value_lines(fields: &[extract::watch::WatchedField]) -> String {
    fields.iter().map(value_line).collect::<Vec<_>>().join("\n")
}

/// Formats a value as a form line.
fn value_line(field: &extract::watch::WatchedField) -> String {
    let number = json!(field.number);
    let number = number.as_str().unwrap_or(FIRST);
    // If the name itself looks like a name with a number choice, the choice must be written explicitly.
    let is_explicit = number != FIRST || split_number_choice(&field.name).is_some();
    let number = if is_explicit { format!(" ({number})") } else { String::new() };
    format!("{}{}{number} = {}", field.name, if field.key { "*" } else { "" }, field.selector)
}

/// Splits a typed name into the bare name, true if it is the key, and the number keyword.
fn split_name(typed: &str) -> (&str, bool, &str) {
    let without_star = |name: &str| name.strip_suffix('*').map(str::len);
    let typed = typed.trim();
    let star = without_star(typed);
    let name = typed[..star.unwrap_or(typed.len())].trim_end();
    let (name, number) = split_number_choice(name).unwrap_or((name, FIRST));
    let other = if star.is_none() { without_star(name) } else { None };
    (name[..other.unwrap_or(name.len())].trim_end(), star.or(other).is_some(), number)
}

/// Splits `price (least)` into the name and the number keyword. `None` if there is no number keyword.
fn split_number_choice(name: &str) -> Option<(&str, &str)> {
    let (name, word) = name.strip_suffix(')')?.rsplit_once('(')?;
    let word = word.trim();
    NUMBERS.contains(&word).then(|| (name.trim_end(), word))
}

pub(super) struct PreviewTarget {
    pub(super) address: Address,
    pub(super) definition: Definition,
    pub(super) credentials: Option<Credentials>,
    pub(super) interval_minutes: Option<u32>,
}

impl PreviewTarget {
    fn of(domain: &Domain, body: Map<String, Value>) -> Result<Self, Error> {
        let request = MonitorPreviewRequest::parse(&Value::Object(body)).map_err(wrong)?;
        Ok(Self {
            address: address(domain, &request.target_url.0)?,
            interval_minutes: request.interval_minutes.map(Integer::get),
            credentials: request.options().credentials,
            definition: request.definition().map_err(wrong)?,
        })
    }
}

/// Defines whether a name is required.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Naming {
    /// The monitor is created or changed.
    Required,
    /// The monitor is only previewed.
    Optional,
}

fn address(domain: &Domain, url: &str) -> Result<Address, Error> {
    if looks_like_a_secret(url) {
        return Err(at("target_url", "The address contains an API key or token. Revoke it."));
    }
    Address::parse(domain, url).map_err(|error| at("target_url", &error.to_string()))
}

/// Maps an error in the request body to the form field that caused it.
pub(super) fn wrong(fault: Fault) -> Error {
    let root = fault.pointer.split('/').nth(1).unwrap_or_default();
    if matches!(root, "request" | "credentials" | "schedule") {
        let path = FieldPath::of_pointer(&fault.pointer);
        return Error::new(fault.code, fault.reason.clone()).at(path, fault.reason);
    }
    let field = match root {
        "targetUrl" => "target_url",
        "targetType" => "target_type",
        "intervalMinutes" => "interval_minutes",
        "selector" => "selector",
        "include" => "include",
        "exclude" => "exclude",
        "items" => "items",
        "fields" => "fields",
        "ignore" => "ignore",
        "filters" => "filters",
        "trigger" => "trigger",
        "notify" => "notify",
        "notifyFailures" => "notify_failures",
        "render" => "render",
        "waitFor" => "wait_for",
        "steps" => "steps",
        "dismissCookieNotices" => "dismiss_cookie_notices",
        "explanation" => "explanation",
        _ => "name",
    };
    let path = match fault.pointer.as_str() {
        "/trigger/repeatHours" => FieldPath::of_pointer("/trigger/repeat_hours"),
        condition if condition.starts_with("/trigger/condition") => FieldPath::from("conditions"),
        _ => FieldPath::from(field),
    };
    let reason = fault.reason;
    Error::new(fault.code, reason.clone()).at(path, reason)
}

fn at(field: &'static str, message: &str) -> Error {
    Error::new(Code::InvalidRequest, message).at(field, message)
}

fn lines(text: &str) -> Vec<&str> {
    text.lines().map(str::trim).filter(|line| !line.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use extract::watch::{NumberChoice, WatchedField};

    use super::*;

    #[test]
    fn value_lines_round_trip() {
        let lines = [
            ("price", false, NumberChoice::First, "price = .p"),
            ("name", true, NumberChoice::First, "name* = .p"),
            ("price", false, NumberChoice::Least, "price (least) = .p"),
            ("price", true, NumberChoice::Greatest, "price* (greatest) = .p"),
            ("price (EUR)", false, NumberChoice::Last, "price (EUR) (last) = .p"),
            ("size (last)", false, NumberChoice::First, "size (last) (first) = .p"),
        ];
        for (name, key, number, line) in lines {
            let field = WatchedField { name: name.into(), selector: ".p".into(), key, number };
            assert_eq!(value_line(&field), line);
            let (typed, _) = line.split_once('=').unwrap();
            assert_eq!(split_name(typed), (name, key, json!(number).as_str().unwrap()), "{line}");
        }
        assert_eq!(split_name(" price ( least ) * "), ("price", true, "least"));
        assert_eq!(split_name("price (any)"), ("price (any)", false, "first"));
    }

    /// Returns the type, the selector, and the values of a form after parts were chosen.
    fn chosen(kind: TargetType, fields: &str, selectors: &[&str]) -> (String, String, String) {
        let mut input = MonitorInput {
            kind: kind.as_str().to_owned(),
            fields: fields.to_owned(),
            ..MonitorInput::default()
        };
        for selector in selectors {
            input.choose(selector);
            assert!(input.rendering.is_rendered);
        }
        (input.kind, input.selector, input.fields)
    }

    fn is(kind: &str, selector: &str, fields: &str) -> (String, String, String) {
        (kind.to_owned(), selector.to_owned(), fields.to_owned())
    }

    #[test]
    fn chosen_part_becomes_a_selector_or_an_additional_value() {
        let choose = |kind: TargetType, fields: &str| chosen(kind, fields, &["#price"]);
        assert_eq!(choose(TargetType::Page, ""), is("page", "#price", ""));
        assert_eq!(choose(TargetType::Visual, ""), is("visual", "#price", ""));
        assert_eq!(choose(TargetType::Sitemap, ""), is("page", "#price", ""));
        assert_eq!(choose(TargetType::Extract, ""), is("extract", "", "value = #price"));
        let more = choose(TargetType::Extract, "value* = h1\r\nname = h2");
        assert_eq!(more, is("extract", "", "value* = h1\nname = h2\nvalue 2 = #price"));
    }

    #[test]
    fn choosing_a_part_adds_it_and_choosing_it_again_removes_it() {
        let page = |selectors: &[&str]| chosen(TargetType::Page, "", selectors);
        assert_eq!(page(&["#a", "#b > p"]), is("page", "#a\n#b > p", ""));
        assert_eq!(page(&["#a", "#b", "#c", "#b"]), is("page", "#a\n#c", ""));
        assert_eq!(page(&["#a", "#a"]), is("page", "", ""));
        let visual = |selectors: &[&str]| chosen(TargetType::Visual, "", selectors);
        assert_eq!(visual(&["#a", "#b"]), is("visual", "#b", ""), "a screenshot shows one part");
        assert_eq!(visual(&["#a", "#a"]), is("visual", "", ""));
        let values =
            chosen(TargetType::Extract, "name = h1", &["[itemprop=price]", "#b", "[itemprop=price]"]);
        assert_eq!(values, is("extract", "", "name = h1\nvalue 2 = #b"));
        let mut typed = MonitorInput { selector: "#a\n  > b".to_owned(), ..MonitorInput::default() };
        typed.choose("#a");
        assert_eq!(typed.selector, "#a\n  > b\n#a");
        typed.choose("#a");
        assert_eq!(typed.selector, "#a\n  > b", "a selector of two lines stays");
    }

    #[test]
    fn filters_are_formatted_as_lines() {
        let text = "drop ^Advert\nreplace (\\d+) left => $1\nsort\nkeep a b";
        let filters = parse_filters(text).unwrap();
        assert_eq!(filter_lines(&filters), text);
        assert_eq!(
            (filters[1].pattern.as_deref(), filters[1].with.as_deref()),
            (Some(r"(\d+) left"), Some("$1"))
        );
        assert_eq!(filters[2], Filter { kind: FilterKind::Sort, pattern: None, with: None });
        assert!(parse_filters("remove x").is_err());
        assert_eq!(parse_filters("replace x =>").unwrap()[0].with.as_deref(), Some(""));
        let spaced = vec![Filter { kind: FilterKind::Keep, pattern: Some(" x ".into()), with: None }];
        let input = MonitorInput {
            filters: filter_lines(&spaced).trim().to_owned(),
            known_filters: spaced.clone(),
            ..MonitorInput::default()
        };
        assert_eq!(input.filters().unwrap(), spaced, "unchanged lines retain the filters");
    }

    #[test]
    fn condition_is_retained_if_its_lines_are_unchanged() {
        let input = |known: &Condition, typed: &str| MonitorInput {
            trigger: CONDITION.to_owned(),
            conditions: typed.to_owned(),
            known_condition: Some(known.clone()),
            ..MonitorInput::default()
        };
        let parse = |lines: &str| Condition::parse(lines).unwrap();
        let mut either = parse("price falls\nprice rises");
        either.groups[0].join = extract::watch::Join::Any;
        let typed = lines_of(Some(&either)).replace('\n', "\r\n");
        assert_eq!(input(&either, &typed).condition().unwrap(), either);
        let mut inexpressible = parse("price falls\nprice rises\nor\nprice falls\nprice rises");
        inexpressible.join = extract::watch::Join::All;
        for group in &mut inexpressible.groups {
            group.join = extract::watch::Join::Any;
        }
        assert_eq!(input(&inexpressible, "").condition().unwrap(), inexpressible);
        assert_eq!(input(&inexpressible, "price falls").condition().unwrap(), parse("price falls"));
        let error = input(&either, "price falls\nprice is low").condition().unwrap_err();
        assert!(error.message.starts_with("Line 2 "), "{}", error.message);
    }
}
