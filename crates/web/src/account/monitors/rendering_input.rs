//! Form fields for opening the page of a monitor in a browser: a checkbox, and the steps, one per line.

use articles::Address;
use kernel::bounds::MONITOR_STEPS;
use kernel::{AccountId, Code, Domain, Error};
use maud::{Markup, html};
use monitors::{PageStep, Rendering, SealedStepText, StepKey, StepKind, TargetType};
use serde_json::{Map, Value, json};

use super::new_step::SECRET;
use super::text_fields::{area, line};
use crate::language::text::Text;
use crate::page::form::{Form, FormError};

/// Separator between the selector and the text or key of a step.
const ARROW: &str = " => ";
/// Mark after the keyword of an optional step.
const OPTIONAL: char = '?';

/// Types of monitors whose page a browser can open.
pub(super) const RENDERED: [TargetType; 4] =
    [TargetType::Page, TargetType::Extract, TargetType::Product, TargetType::Visual];

/// Form values as typed.
#[derive(Default)]
pub(super) struct RenderingInput {
    /// True if a browser opens the page.
    pub(super) is_rendered: bool,
    wait_for: String,
    /// Steps, one per line.
    steps: String,
    /// True if cookie notices are dismissed.
    dismisses_cookie_notices: bool,
    /// Typed secret texts. They are never displayed.
    typed: Vec<TypedSecret>,
    /// Sealed texts in hidden fields of the form, which are not stored yet.
    carried: Vec<SealedStepText>,
    /// Stored texts of an existing monitor.
    stored: Vec<SealedStepText>,
}

/// Line that describes a step: its keyword, and the rest of the line.
struct StepLine<'a> {
    word: &'a str,
    is_optional: bool,
    rest: &'a str,
}

impl<'a> StepLine<'a> {
    fn of(line: &'a str) -> Self {
        let (word, rest) = line.split_once(' ').map_or((line, ""), |(word, rest)| (word, rest.trim()));
        match word.strip_suffix(OPTIONAL) {
            Some(word) => Self { word, is_optional: true, rest },
            None => Self { word, is_optional: false, rest },
        }
    }

    /// Returns true if the line contains a typed secret text.
    fn is_secret(&self) -> bool {
        self.word == SECRET && !self.rest.is_empty()
    }
}

/// Typed secret text of a step.
struct TypedSecret {
    selector: String,
    /// Number of previous secret steps with the same selector.
    index: usize,
    text: String,
}

impl RenderingInput {
    /// Creates the values of a new form from a query parameter of a link.
    pub(super) fn of_link(render: &str) -> Self {
        Self { is_rendered: render == "1", ..Self::default() }
    }

    /// Reads the values of a submitted form.
    pub(super) fn of(form: &Form) -> Self {
        let text = |name: &str| form.get(name).trim().to_owned();
        let mut typed: Vec<TypedSecret> = Vec::new();
        for (selector, text) in form.all("secretSelector").zip(form.all("secretText")).take(MONITOR_STEPS) {
            let index = typed.iter().filter(|other| other.selector == selector).count();
            typed.push(TypedSecret { selector: selector.to_owned(), index, text: text.to_owned() });
        }
        Self {
            is_rendered: form.get("render") == "1",
            wait_for: text("waitFor"),
            steps: text("steps"),
            dismisses_cookie_notices: form.get("dismissCookieNotices") == "1",
            typed,
            carried: form
                .all("sealedText")
                .filter_map(SealedStepText::from_form)
                .take(MONITOR_STEPS)
                .collect(),
            stored: Vec::new(),
        }
    }

    /// Returns the values of an existing monitor.
    pub(super) fn of_rendering(rendering: Option<&Rendering>) -> Self {
        let Some(rendering) = rendering else { return Self::default() };
        Self {
            is_rendered: true,
            wait_for: rendering.wait_for.clone().unwrap_or_default(),
            steps: step_lines(&rendering.steps),
            dismisses_cookie_notices: rendering.dismiss_cookie_notices,
            stored: rendering.secrets.clone(),
            ..Self::default()
        }
    }

    /// Takes over the stored secret texts of `other`, which belongs to the same monitor.
    pub(super) fn keep_stored(&mut self, other: Self) {
        self.stored = other.stored;
    }

    /// Seals the typed secret texts for the site of the address, so that hidden fields of the form can contain them.
    ///
    /// # Errors
    /// `invalid_request` if a text is too long; database errors.
    pub(super) async fn seal_typed(
        &mut self,
        domain: &Domain,
        account_id: AccountId,
        address: &Address,
    ) -> Result<(), Error> {
        let mut typed = std::mem::take(&mut self.typed);
        typed.retain(|secret| !secret.text.is_empty());
        if typed.is_empty() {
            return Ok(());
        }
        let steps = self.secret_steps().into_iter().map(|(selector, index)| (selector.to_owned(), index));
        let steps: Vec<(String, usize)> = steps.collect();
        let mut carried: Vec<SealedStepText> = Vec::with_capacity(steps.len());
        for (selector, index) in steps {
            // A text after a missing text would be assigned to the previous step.
            if carried.iter().filter(|text| text.selector() == selector).count() < index {
                continue;
            }
            let new = typed.iter().find(|secret| secret.selector == selector && secret.index == index);
            carried.extend(match new {
                Some(new) => {
                    Some(monitors::seal_step_text(domain, account_id, address, &selector, &new.text).await?)
                }
                None => self.sealed_text(&selector, index).cloned(),
            });
        }
        self.carried = carried;
        Ok(())
    }

    /// Returns the sealed text of each secret step that has a text. A text in the form takes precedence over the
    /// stored text.
    pub(super) fn sealed_texts(&self) -> Vec<SealedStepText> {
        let text = |(selector, index): (&str, usize)| self.sealed_text(selector, index).cloned();
        self.secret_steps().into_iter().filter_map(text).collect()
    }

    /// Returns the text of the secret step that follows `index` other steps with the same selector.
    fn sealed_text(&self, selector: &str, index: usize) -> Option<&SealedStepText> {
        let mut carried = self.carried.iter().filter(|text| text.selector() == selector);
        let mut stored = self.stored.iter().filter(|text| text.selector() == selector);
        carried.nth(index).or_else(|| stored.nth(index))
    }

    /// Returns the selectors of the steps with secret texts, each with the number of previous steps with the same
    /// selector.
    fn secret_steps(&self) -> Vec<(&str, usize)> {
        let secrets = self.lines().into_iter().map(StepLine::of).filter(StepLine::is_secret);
        let mut steps: Vec<(&str, usize)> = Vec::new();
        for StepLine { rest: selector, .. } in secrets.take(MONITOR_STEPS) {
            let index = steps.iter().filter(|(other, _)| *other == selector).count();
            steps.push((selector, index));
        }
        steps
    }

    /// Adds a step that fills in a secret text.
    pub(super) fn add_secret_step(&mut self, selector: &str, is_optional: bool, text: String) {
        let selector = one_line(selector);
        let index = self.secret_steps().into_iter().filter(|(other, _)| *other == selector).count();
        let line = format!("{} {selector}", word(SECRET, is_optional));
        let steps: Vec<&str> = self.lines().into_iter().chain([line.as_str()]).collect();
        self.steps = steps.join("\n");
        self.typed.push(TypedSecret { selector, index, text });
    }

    /// Adds the values to the body of an API request.
    ///
    /// # Errors
    /// Returns an error if a line is not a valid step.
    pub(super) fn add_to(&self, body: &mut Map<String, Value>) -> Result<(), Error> {
        body.insert("render".to_owned(), json!(self.is_rendered));
        if !self.wait_for.is_empty() {
            body.insert("waitFor".to_owned(), json!(self.wait_for));
        }
        body.insert("steps".to_owned(), Value::Array(parse_steps(&self.steps)?));
        body.insert("dismissCookieNotices".to_owned(), json!(self.dismisses_cookie_notices));
        Ok(())
    }

    /// Returns the lines of the steps.
    pub(super) fn lines(&self) -> Vec<&str> {
        self.steps.lines().map(str::trim).filter(|line| !line.is_empty()).collect()
    }

    /// Adds a step after the other steps.
    pub(super) fn add_step(&mut self, step: PageStep) {
        let selector = step.selector.as_deref().map(one_line);
        let text = step.text.as_deref().map(one_line);
        let step = step_lines(&[PageStep { selector, text, ..step }]);
        let steps: Vec<&str> = self.lines().into_iter().chain([step.trim_end()]).collect();
        self.steps = steps.join("\n");
    }

    /// Removes a step by its number, which starts at 1. Returns false if there is no such step.
    pub(super) fn remove_step(&mut self, number: usize) -> bool {
        self.remove_secret(number);
        let lines = self.lines();
        let count = lines.len();
        let left = (1..).zip(lines).filter(|(other, _)| *other != number).map(|(_, line)| line);
        self.steps = left.collect::<Vec<_>>().join("\n");
        (1..=count).contains(&number)
    }

    /// Removes the secret text of a step by its number. The other steps with the same selector keep their
    /// texts.
    fn remove_secret(&mut self, number: usize) {
        let is_secret = |line: &&str| StepLine::of(line).is_secret();
        let lines = self.lines();
        if !number.checked_sub(1).and_then(|at| lines.get(at)).is_some_and(is_secret) {
            return;
        }
        let before = lines.iter().take(number).filter(|line| is_secret(line)).count();
        let step = before.checked_sub(1).and_then(|at| self.secret_steps().get(at).copied());
        let Some((selector, index)) = step.map(|(selector, index)| (selector.to_owned(), index)) else {
            return;
        };
        let texts = (0..MONITOR_STEPS).map_while(|at| Some((at, self.sealed_text(&selector, at)?.clone())));
        let left: Vec<SealedStepText> = texts.filter(|(at, _)| *at != index).map(|(_, text)| text).collect();
        self.stored.retain(|text| text.selector() != selector);
        self.carried.retain(|text| text.selector() != selector);
        self.carried.extend(left);
        self.typed.retain(|secret| secret.selector != selector || secret.index != index);
        for secret in
            self.typed.iter_mut().filter(|secret| secret.selector == selector && secret.index > index)
        {
            secret.index -= 1;
        }
    }

    fn is_wrong(form_error: &FormError) -> bool {
        ["render", "waitFor", "steps", "dismissCookieNotices"]
            .iter()
            .any(|name| form_error.at(name).is_some())
    }
}

/// Returns a text as one line. A line break would begin another step.
fn one_line(text: &str) -> String {
    text.split(['\r', '\n']).collect::<Vec<_>>().join(" ")
}

/// Returns the keyword of a step, with a mark if the step is optional.
fn word(word: &str, is_optional: bool) -> String {
    if is_optional { format!("{word}{OPTIONAL}") } else { word.to_owned() }
}

/// Formats steps as form lines.
pub(super) fn step_lines(steps: &[PageStep]) -> String {
    steps.iter().map(step_line).collect::<Vec<_>>().join("\n")
}

fn step_line(step: &PageStep) -> String {
    let (selector, text) =
        (step.selector.as_deref().unwrap_or_default(), step.text.as_deref().unwrap_or_default());
    let rest = match step.kind {
        StepKind::Type if step.secret => {
            return format!("{} {selector}", word(SECRET, step.optional));
        }
        StepKind::Type | StepKind::Select => format!("{selector}{ARROW}{text}"),
        StepKind::Press => with_selector(selector, step.key.map_or("", StepKey::as_str)),
        StepKind::WaitText => with_selector(selector, text),
        StepKind::Wait if step.selector.is_none() => {
            (f64::from(step.wait_ms.unwrap_or_default()) / 1000.0).to_string()
        }
        StepKind::Open => step.url.clone().unwrap_or_default(),
        StepKind::Click
        | StepKind::Check
        | StepKind::Uncheck
        | StepKind::Hover
        | StepKind::Scroll
        | StepKind::ScrollEnd
        | StepKind::Wait
        | StepKind::WaitGone
        | StepKind::Back
        | StepKind::Remove => selector.to_owned(),
    };
    format!("{} {rest}", word(step.kind.as_str(), step.optional)).trim_end().to_owned()
}

/// Formats a value after its selector. If the selector is empty, returns only the value, unless it contains an arrow,
/// which would be parsed as the end of a selector.
fn with_selector(selector: &str, value: &str) -> String {
    if selector.is_empty() && !value.contains(ARROW) {
        value.to_owned()
    } else {
        format!("{selector}{ARROW}{value}")
    }
}

/// Splits a selector from the value after it. The selector may be empty.
fn split_selector(rest: &str) -> (String, String) {
    let padded = format!(" {rest} ");
    match padded.split_once(ARROW) {
        Some((selector, value)) => (selector.trim().to_owned(), value.trim_end().to_owned()),
        None => (String::new(), rest.to_owned()),
    }
}

/// Parses form lines into the steps of an API request.
fn parse_steps(text: &str) -> Result<Vec<Value>, Error> {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let mut steps = Vec::new();
    for (number, line) in (1..).zip(lines) {
        let line = StepLine::of(line);
        let mut step = parse_step(&line).map_err(|reason| {
            let message = format!("Line {number} {reason}");
            Error::new(Code::InvalidRequest, message.clone()).at("steps", message)
        })?;
        if line.is_optional {
            step["optional"] = json!(true);
        }
        steps.push(step);
    }
    Ok(steps)
}

/// Parses a line into a step of an API request. The error is a text for the person.
fn parse_step(line: &StepLine<'_>) -> Result<Value, &'static str> {
    let StepLine { word, rest, .. } = *line;
    if word == SECRET {
        let secret = json!({ "kind": StepKind::Type.as_str(), "selector": rest, "secret": true });
        return if rest.is_empty() { Err("needs a selector, such as: secret #password") } else { Ok(secret) };
    }
    let kind =
        StepKind::parse(word).ok_or("is not a step. Begin it with the name of a step, such as click.")?;
    let on_element = || json!({ "kind": word, "selector": rest });
    Ok(match kind {
        StepKind::Scroll | StepKind::ScrollEnd | StepKind::Back if rest.is_empty() => json!({ "kind": word }),
        StepKind::Click
        | StepKind::Check
        | StepKind::Uncheck
        | StepKind::Hover
        | StepKind::Scroll
        | StepKind::ScrollEnd
        | StepKind::WaitGone
        | StepKind::Back
        | StepKind::Remove => on_element(),
        StepKind::Type | StepKind::Select => match format!("{rest} ").split_once(ARROW) {
            Some((selector, text)) => {
                json!({ "kind": word, "selector": selector.trim(), "text": text.trim_end() })
            }
            None => return Err("needs a text, such as: type #search => boats"),
        },
        StepKind::Press => {
            let (selector, key) = split_selector(rest);
            let key = StepKey::parse(&key).ok_or("needs a key, such as: press Enter")?;
            with_element(json!({ "kind": word, "key": key.as_str() }), selector)
        }
        StepKind::WaitText => {
            let (selector, text) = split_selector(rest);
            if text.is_empty() {
                return Err("needs a text, such as: wait_text In stock");
            }
            with_element(json!({ "kind": word, "text": text }), selector)
        }
        StepKind::Open if rest.is_empty() => return Err("needs an address, such as: open /offers"),
        StepKind::Open => json!({ "kind": word, "url": rest }),
        StepKind::Wait if !is_time(rest) => on_element(),
        StepKind::Wait => match rest.parse::<f64>() {
            Ok(seconds) if (0.001..=60.0).contains(&seconds) => {
                let wait_ms: u32 = format!("{:.0}", seconds * 1000.0).parse().unwrap_or_default();
                json!({ "kind": word, "waitMs": wait_ms })
            }
            Ok(_) | Err(_) => return Err("needs a number of seconds, such as: wait 2"),
        },
    })
}

/// Returns true if the rest of a wait step is a time. No selector begins like a number.
fn is_time(rest: &str) -> bool {
    let after_sign = rest.trim_start_matches(['+', '-', '.']);
    rest.is_empty() || after_sign.starts_with(|first: char| first.is_ascii_digit())
}

/// Adds a selector to a step, unless it is empty.
fn with_element(mut step: Value, selector: String) -> Value {
    if !selector.is_empty() {
        step["selector"] = Value::String(selector);
    }
    step
}

/// Renders a field for the secret text of each step that has one. A text that is set is not displayed.
fn secret_fields(input: &RenderingInput) -> Markup {
    html! {
        @for (number, (selector, index)) in (1_usize..).zip(input.secret_steps()) {
            @let is_set = input.sealed_text(selector, index).is_some();
            div {
                label for={ "secret-" (number) } { (Text("step-secret").markup(&[("selector", html! { code dir="ltr" { (selector) } })])) }
                p.rule id={ "secret-" (number) "-rule" } {
                    (Text("step-secret-hint")) @if is_set { " " (Text("step-secret-set")) }
                }
                input type="hidden" name="secretSelector" value=(selector);
                input id={ "secret-" (number) } type="password" name="secretText" autocomplete="new-password" aria-describedby={ "secret-" (number) "-rule" };
            }
        }
        @for text in &input.carried { input type="hidden" name="sealedText" value=(text.to_form()); }
    }
}

/// Renders the fields for opening the page in a browser. Only some types support a browser.
pub(super) fn rendering_fields(
    input: &RenderingInput,
    types: &[TargetType],
    form_error: &FormError,
) -> Markup {
    let wrong = form_error.at("render");
    html! {
        @if input.is_rendered || types.iter().any(|kind| RENDERED.contains(kind)) {
            details open[input.is_rendered || RenderingInput::is_wrong(form_error)] { summary { (Text("rendering")) }
                label.choice { input #render type="checkbox" name="render" value="1" checked[input.is_rendered]
                    aria-invalid=[wrong.map(|_| "true")] aria-describedby=[wrong.map(|_| "render-error")];
                    span { (Text("rendering-open")) " " span.soft { (Text("rendering-open-words")) } } }
                (form_error.on_group("render"))
                (line("waitFor", &Text("rendering-wait").get(), &Text("rendering-wait-hint").get(), &input.wait_for).show(form_error))
                (area("steps", &Text("rendering-steps").get(), &Text("rendering-steps-hint").get(), &input.steps, form_error))
                (secret_fields(input))
                label.choice { input #dismissCookieNotices type="checkbox" name="dismissCookieNotices" value="1" checked[input.dismisses_cookie_notices];
                    span { (Text("rendering-cookie-notices")) " " span.soft { (Text("rendering-cookie-notices-words")) } } }
                (form_error.on_group("dismissCookieNotices"))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use kernel::Backend;
    use kernel::testing::{TestDatabase, person};
    use kernel::tiers::Tier;

    use super::*;

    #[test]
    fn step_lines_round_trip() {
        let text = "click .more > a\ntype #search => boats\nscroll\nscroll .list\nwait 1.5\nwait .list\nsecret #code\n\
            click? #close\nselect #sort => Price\npress enter\npress #search => arrow_down\nwait_text In stock\n\
            wait_text .state => In stock\nwait_text  => a => b\nwait_gone .spinner\nback\nopen /offers?page=2\nscroll_end\nremove .advert";
        let parsed = parse_steps(text).unwrap();
        assert_eq!(parsed[1], json!({"kind": "type", "selector": "#search", "text": "boats"}));
        assert_eq!(parsed[4], json!({"kind": "wait", "waitMs": 1500}));
        assert_eq!(parsed[5], json!({"kind": "wait", "selector": ".list"}));
        let step = |kind, selector: Option<&str>| PageStep {
            selector: selector.map(str::to_owned),
            ..PageStep::new(kind)
        };
        let with_text = |text: &str, step: PageStep| PageStep { text: Some(text.to_owned()), ..step };
        let steps = [
            step(StepKind::Click, Some(".more > a")),
            PageStep { text: Some("boats".to_owned()), ..step(StepKind::Type, Some("#search")) },
            step(StepKind::Scroll, None),
            step(StepKind::Scroll, Some(".list")),
            PageStep { wait_ms: Some(1_500), ..step(StepKind::Wait, None) },
            step(StepKind::Wait, Some(".list")),
            PageStep { secret: true, ..step(StepKind::Type, Some("#code")) },
            PageStep { optional: true, ..step(StepKind::Click, Some("#close")) },
            with_text("Price", step(StepKind::Select, Some("#sort"))),
            PageStep { key: Some(StepKey::Enter), ..step(StepKind::Press, None) },
            PageStep { key: Some(StepKey::ArrowDown), ..step(StepKind::Press, Some("#search")) },
            with_text("In stock", step(StepKind::WaitText, None)),
            with_text("In stock", step(StepKind::WaitText, Some(".state"))),
            with_text("a => b", step(StepKind::WaitText, None)),
            step(StepKind::WaitGone, Some(".spinner")),
            step(StepKind::Back, None),
            PageStep { url: Some("/offers?page=2".to_owned()), ..step(StepKind::Open, None) },
            step(StepKind::ScrollEnd, None),
            step(StepKind::Remove, Some(".advert")),
        ];
        assert_eq!(parsed[7], json!({"kind": "click", "selector": "#close", "optional": true}));
        assert_eq!(parsed[10], json!({"kind": "press", "selector": "#search", "key": "arrow_down"}));
        assert_eq!(parsed[11], json!({"kind": "wait_text", "text": "In stock"}));
        assert_eq!(parsed[13], json!({"kind": "wait_text", "text": "a => b"}));
        assert_eq!(parsed[16], json!({"kind": "open", "url": "/offers?page=2"}));
        assert_eq!(step_lines(&steps), text);
        assert_eq!(parse_steps("type #search =>").unwrap()[0]["text"], "");
        for wrong in [
            "jump a", "press a", "press", "wait_text", "open", "wait", "wait 2s", "secret", "wait 90",
            "type #search boats",
        ] {
            assert!(parse_steps(wrong).unwrap_err().message.starts_with("Line 1 "), "{wrong}");
        }
    }

    #[tokio::test]
    async fn steps_with_the_same_selector_have_their_own_secrets() {
        let database = TestDatabase::create(Backend::Sqlite).await;
        let domain = &database.domain;
        let owner = person(domain, Tier::Free).await;
        let address = Address::parse(domain, "https://shop.example/").unwrap();
        let typed = |index: usize, text: &str| TypedSecret {
            selector: "#field".to_owned(),
            index,
            text: text.to_owned(),
        };
        let steps = "secret #field\nclick #next";
        let mut input = RenderingInput { steps: steps.to_owned(), ..RenderingInput::default() };
        input.typed = vec![typed(0, "ada lamp")];
        input.add_secret_step("#field", false, "oil lamp".to_owned());
        input.seal_typed(domain, owner, &address).await.unwrap();
        let both = input.sealed_texts();
        assert!(both.len() == 2 && both[0] != both[1], "{both:?}");
        let mut again = RenderingInput { steps: input.steps.clone(), ..RenderingInput::default() };
        again.stored.clone_from(&both);
        again.typed = vec![typed(0, ""), typed(1, "brass lamp")];
        again.seal_typed(domain, owner, &address).await.unwrap();
        let changed = again.sealed_texts();
        assert!(changed[0] == both[0] && changed[1] != both[1], "{changed:?}");
        assert!(again.remove_step(1));
        assert_eq!(again.sealed_texts(), changed[1..], "the second step keeps its text");
        again = RenderingInput { steps: input.steps, ..RenderingInput::default() };
        again.typed = vec![typed(1, "brass lamp")];
        again.seal_typed(domain, owner, &address).await.unwrap();
        assert!(again.sealed_texts().is_empty(), "it is not the text of the first step");
    }

    #[test]
    fn steps_are_added_at_the_end_and_removed_by_their_number() {
        let mut input =
            RenderingInput { steps: "click #a\r\n\r\nscroll".to_owned(), ..RenderingInput::default() };
        let typing =
            |text: &str| PageStep { text: Some(text.to_owned()), ..PageStep::on(StepKind::Type, "#q") };
        input.add_step(typing(" two\nlines "));
        input.add_step(typing(""));
        input.add_step(PageStep::on(StepKind::Wait, ".list"));
        assert_eq!(input.steps, "click #a\nscroll\ntype #q =>  two lines\ntype #q =>\nwait .list");
        assert!(input.remove_step(2) && !input.remove_step(9));
        assert_eq!(input.lines(), ["click #a", "type #q =>  two lines", "type #q =>", "wait .list"]);
        let parsed = parse_steps(&input.steps).unwrap();
        assert_eq!((&parsed[1]["text"], &parsed[2]["text"]), (&json!(" two lines"), &json!("")));
    }
}
