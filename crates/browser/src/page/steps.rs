//! Performs the steps of a page, in a script world that the page cannot see, or by events of a keyboard and a pointer.
//! Each step has a limited time. If a step cannot be performed in this time, the load fails, so that no document
//! results from only some of the steps.

use std::sync::PoisonError;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::time::{Instant, Interval, MissedTickBehavior, interval, sleep_until};

use super::{PROBE_INTERVAL, PageLoad, RenderRequest, SCROLL, STEP_TIMEOUT, impossible};
use crate::error::RenderError;
use crate::events::is_web;
use crate::page_step::{PageStep, StepKind};
use crate::pipe::CommandError;
use crate::rendering_warning::RenderingWarning;

/// Maximum time to wait for the effect of a step.
const STEP_EFFECT_TIME: Duration = Duration::from_secs(3);
/// Maximum time to wait for the element of an optional step.
const OPTIONAL_TIMEOUT: Duration = Duration::from_secs(2);
/// Time without new content after which the end of a page is reached.
const END_TIME: Duration = Duration::from_secs(2);
/// Maximum number of times that content may be added while a step scrolls to the end.
const MAX_GROWTHS: usize = 20;

/// Reason for the failure of a step whose element did not appear in time.
const NO_ELEMENT: &str = "the page has no such element";
/// Reason for the failure of a step whose text did not appear in time.
const NO_TEXT: &str = "the page does not display the text";
/// Reason for the failure of a step whose element did not disappear in time.
const NOT_GONE: &str = "the page still displays the element";
/// Reason for the failure of a step for which the monitor has no secret text.
const NO_SECRET: &str = "its secret is not set";
/// Reason for the failure of a step before which the deadline of the page expired.
const NO_TIME: &str = "the time for the page is over";
/// Reason for the failure of a step that returns from the first page.
const NO_PREVIOUS: &str = "there is no previous page";
/// Reason for the failure of a step that opens an address of another site.
const OTHER_SITE: &str = "the address is of another site than the monitor";
/// Reason for the failure of a step whose document was replaced before the step had an effect.
const REPLACED: &str = "the page was replaced";

const ACT: &str = include_str!("act.js");

/// Result of the script for a completed action, or for a condition that holds.
const DONE: &str = "done";
/// Result of the script if there is no element, or for a condition that does not hold yet.
const ABSENT: &str = "absent";

/// Result of a step that did not fail.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Performed {
    Completely,
    /// The element of an optional step is missing.
    Skipped,
    /// Content was still being added when the step ended.
    Cut,
}

impl Performed {
    fn warning(self, step: usize) -> Option<RenderingWarning> {
        match self {
            Self::Completely => None,
            Self::Skipped => Some(RenderingWarning::StepSkipped { step }),
            Self::Cut => Some(RenderingWarning::ListCut { step }),
        }
    }
}

impl PageLoad<'_> {
    /// Waits for the requested element, and performs the steps. Waits after each step until the page settles.
    pub(super) async fn interact(
        &self,
        request: &RenderRequest,
    ) -> Result<Vec<RenderingWarning>, RenderError> {
        if let Some(selector) = &request.wait_for
            && !self
                .await_condition("waitFor", &json!({ "kind": "find", "selector": selector }), self.until)
                .await?
        {
            return Err(impossible("waitFor", NO_ELEMENT));
        }
        if request.steps.iter().any(|step| matches!(step.kind, StepKind::Press | StepKind::Hover)) {
            // A page without focus ignores keys.
            let focused = json!({ "enabled": true });
            self.pipe.send(Some(self.session), "Emulation.setFocusEmulationEnabled", focused).await;
        }
        let mut warnings = Vec::new();
        for (number, step) in (1..).zip(&request.steps) {
            let performed = self.perform(&format!("step {number}"), step, &request.url).await?;
            warnings.extend(performed.warning(number));
            if performed != Performed::Skipped {
                self.settle(self.until.min(Instant::now() + STEP_EFFECT_TIME), &[]).await?;
            }
        }
        Ok(warnings)
    }

    async fn perform(&self, name: &str, step: &PageStep, url: &str) -> Result<Performed, RenderError> {
        if self.left().is_zero() {
            return Err(impossible(name, NO_TIME));
        }
        let selector = step.selector.as_deref();
        // Waits for a text or for the end of an element have conditions of their own.
        if let Some(selector) = selector
            && !matches!(step.kind, StepKind::WaitText | StepKind::WaitGone)
            && !self.await_element(name, selector, step.optional).await?
        {
            return Ok(Performed::Skipped);
        }
        match (step.kind, selector) {
            (StepKind::Wait, Some(_)) => {}
            (StepKind::Wait, None) => self.pause(name, step.wait_ms.unwrap_or_default()).await?,
            (StepKind::WaitText, _) => {
                let condition = json!({ "kind": "has_text", "selector": selector, "text": step.text });
                self.require(name, &condition, NO_TEXT).await?;
            }
            (StepKind::WaitGone, _) => {
                let condition = json!({ "kind": "is_gone", "selector": selector });
                self.require(name, &condition, NOT_GONE).await?;
            }
            (StepKind::Scroll, None) => drop(self.evaluate(SCROLL, self.left()).await),
            (StepKind::ScrollEnd, _) => return self.scroll_to_end(name, selector).await,
            (StepKind::Press, _) => self.press(name, step).await?,
            (StepKind::Hover, _) => self.hover(name, selector).await?,
            (StepKind::Back, _) => self.go_back(name).await?,
            (StepKind::Open, _) => self.open(name, step, url).await?,
            (
                StepKind::Click
                | StepKind::Type
                | StepKind::Select
                | StepKind::Check
                | StepKind::Uncheck
                | StepKind::Scroll
                | StepKind::Remove,
                _,
            ) => self.act(name, step, url).await?,
        }
        Ok(Performed::Completely)
    }

    /// Waits until the page has an element. Returns false if the element is optional and does not appear in time.
    async fn await_element(
        &self,
        name: &str,
        selector: &str,
        is_optional: bool,
    ) -> Result<bool, RenderError> {
        let timeout = if is_optional { OPTIONAL_TIMEOUT } else { STEP_TIMEOUT };
        let until = self.until.min(Instant::now() + timeout);
        let has = self.await_condition(name, &json!({ "kind": "find", "selector": selector }), until).await?;
        if has || is_optional { Ok(has) } else { Err(impossible(name, NO_ELEMENT)) }
    }

    /// Waits until a condition holds.
    async fn require(&self, name: &str, condition: &Value, reason: &str) -> Result<(), RenderError> {
        let until = self.until.min(Instant::now() + STEP_TIMEOUT);
        if self.await_condition(name, condition, until).await? {
            Ok(())
        } else {
            Err(impossible(name, reason))
        }
    }

    /// Waits until a condition of the script holds. Returns false if it does not hold in time.
    async fn await_condition(
        &self,
        name: &str,
        condition: &Value,
        until: Instant,
    ) -> Result<bool, RenderError> {
        let script = format!("({ACT})({condition})");
        let mut probes = probes();
        loop {
            probes.tick().await;
            let left = until.saturating_duration_since(Instant::now());
            self.check_crash()?;
            if left.is_zero() {
                return Ok(false);
            }
            match self.evaluate_expression(&script, left).await {
                Ok(result) if result == DONE => return Ok(true),
                Ok(result) if result == ABSENT => {}
                Ok(reason) => return Err(impossible(name, &reason)),
                Err(CommandError::Closed) => return Err(RenderError::BrowserLost),
                // A navigation removes the script's world. The next probe reads the new document.
                Err(CommandError::TimedOut | CommandError::Refused(_)) => {}
            }
        }
    }

    async fn pause(&self, name: &str, wait_ms: u32) -> Result<(), RenderError> {
        let end = Instant::now() + Duration::from_millis(wait_ms.into());
        if end > self.until {
            return Err(impossible(name, NO_TIME));
        }
        sleep_until(end).await;
        Ok(())
    }

    /// Performs the action of a step on its element.
    async fn act(&self, name: &str, step: &PageStep, url: &str) -> Result<(), RenderError> {
        if step.selector.is_none() {
            return Err(impossible(name, "it has no selector"));
        }
        let mut action = json!({ "kind": step.kind, "selector": step.selector, "text": step.text });
        if step.secret {
            let origin = fetch::Url::parse(url).map(|url| url.origin().ascii_serialization());
            let (Ok(origin), Some(_)) = (origin, &step.text) else { return Err(impossible(name, NO_SECRET)) };
            action["origin"] = json!(origin);
        }
        self.run(name, &action).await.map(drop)
    }

    /// Runs an action of the script. Returns its result: [`DONE`], or a position. If an action replaces the document,
    /// it counts as done and is not repeated.
    async fn run(&self, name: &str, action: &Value) -> Result<String, RenderError> {
        match self.evaluate_expression(&format!("({ACT})({action})"), self.left()).await {
            Ok(result) if result == DONE || result.starts_with("at ") => Ok(result),
            Ok(result) if result == ABSENT => Err(impossible(name, NO_ELEMENT)),
            Ok(reason) => Err(impossible(name, &reason)),
            Err(CommandError::Refused(_)) => Ok(DONE.to_owned()),
            Err(error) => Err(step_error(name, error)),
        }
    }

    /// Presses a key in an element, or where the focus is.
    async fn press(&self, name: &str, step: &PageStep) -> Result<(), RenderError> {
        let Some(key) = step.key else { return Err(impossible(name, "it has no key")) };
        if step.selector.is_some() {
            self.run(name, &json!({ "kind": "focus", "selector": step.selector })).await?;
        }
        let [down, up] = key.events();
        self.command(name, "Input.dispatchKeyEvent", down).await?;
        // The press may have replaced the document.
        self.pipe.send(Some(self.session), "Input.dispatchKeyEvent", up).await;
        Ok(())
    }

    /// Moves the pointer over an element.
    async fn hover(&self, name: &str, selector: Option<&str>) -> Result<(), RenderError> {
        let position = self.run(name, &json!({ "kind": "locate", "selector": selector })).await?;
        let mut numbers = position.split(' ').filter_map(|number| number.parse::<i32>().ok());
        let (Some(x), Some(y)) = (numbers.next(), numbers.next()) else {
            return Err(impossible(name, REPLACED));
        };
        self.command(name, "Input.dispatchMouseEvent", json!({ "type": "mouseMoved", "x": x, "y": y }))
            .await
            .map(drop)
    }

    /// Scrolls to the end of the page, or of an element, until its content no longer grows.
    async fn scroll_to_end(&self, name: &str, selector: Option<&str>) -> Result<Performed, RenderError> {
        let script = format!("({ACT})({})", json!({ "kind": "scroll_end", "selector": selector }));
        let until = self.until.min(Instant::now() + STEP_TIMEOUT);
        let (mut size, mut since, mut growths) = (String::new(), Instant::now(), 0);
        let mut probes = probes();
        loop {
            probes.tick().await;
            let left = until.saturating_duration_since(Instant::now());
            self.check_crash()?;
            if left.is_zero() || growths > MAX_GROWTHS {
                return Ok(Performed::Cut);
            }
            match self.evaluate_expression(&script, left).await {
                Ok(now) if now.starts_with("size ") => {
                    if now != size {
                        (size, since) = (now, Instant::now());
                        growths += 1;
                    }
                }
                Ok(result) if result == ABSENT => return Err(impossible(name, NO_ELEMENT)),
                Ok(reason) => return Err(impossible(name, &reason)),
                Err(CommandError::Closed) => return Err(RenderError::BrowserLost),
                Err(CommandError::TimedOut | CommandError::Refused(_)) => continue,
            }
            if since.elapsed() >= END_TIME {
                return Ok(Performed::Completely);
            }
        }
    }

    /// Returns to the previous page, and waits until the browser left the current one.
    async fn go_back(&self, name: &str) -> Result<(), RenderError> {
        let history = self.command(name, "Page.getNavigationHistory", json!({})).await?;
        let current = current_index(&history);
        let previous = current.checked_sub(1).and_then(|index| {
            let entry = history.pointer(&format!("/entries/{index}"))?;
            let is_page = entry.get("url").and_then(Value::as_str).is_some_and(is_web);
            entry.get("id").filter(|_| is_page).cloned()
        });
        let Some(id) = previous else { return Err(impossible(name, NO_PREVIOUS)) };
        self.command(name, "Page.navigateToHistoryEntry", json!({ "entryId": id })).await?;
        let until = self.until.min(Instant::now() + STEP_TIMEOUT);
        let mut probes = probes();
        loop {
            probes.tick().await;
            self.check_crash()?;
            // If the page is refused, the browser stays on the current page.
            if self.refusal().is_some() {
                return Ok(());
            }
            if Instant::now() >= until {
                return Err(impossible(name, NO_TIME));
            }
            let history = self.command(name, "Page.getNavigationHistory", json!({})).await?;
            if current_index(&history) < current {
                return Ok(());
            }
        }
    }

    /// Opens an address of the site of the requested URL. As for every document, the guard and robots.txt decide
    /// whether it is loaded.
    async fn open(&self, name: &str, step: &PageStep, url: &str) -> Result<(), RenderError> {
        let invalid = || impossible(name, "its address is not valid");
        let requested = fetch::Url::parse(url).map_err(|_| invalid())?;
        let address = step.url.as_deref().and_then(|address| requested.join(address).ok());
        let address = address.ok_or_else(invalid)?;
        if !fetch::is_same_site(&requested, &address) {
            return Err(impossible(name, OTHER_SITE));
        }
        let checked = self.fetcher.check_page_url(address.as_str());
        let address = checked.map_err(|error| impossible(name, &error.to_string()))?;
        let started = self.command(name, "Page.navigate", json!({ "url": address.as_str() })).await?;
        match (started.get("errorText").and_then(Value::as_str), self.refusal()) {
            (None, _) => Ok(()),
            (Some(_), Some(refusal)) => Err(RenderError::Refused(refusal)),
            (Some(reason), None) => Err(impossible(name, reason)),
        }
    }

    /// Calls a command for a step, within its time.
    async fn command(&self, name: &str, method: &str, params: Value) -> Result<Value, RenderError> {
        let called = self.call(method, params, self.left().min(STEP_TIMEOUT)).await;
        called.map_err(|error| step_error(name, error))
    }

    fn check_crash(&self) -> Result<(), RenderError> {
        let is_crashed = self.state.lock().unwrap_or_else(PoisonError::into_inner).is_crashed;
        if is_crashed { Err(RenderError::Crashed) } else { Ok(()) }
    }
}

fn probes() -> Interval {
    let mut probes = interval(PROBE_INTERVAL);
    probes.set_missed_tick_behavior(MissedTickBehavior::Delay);
    probes
}

/// Index of the current page in the history of the browser.
fn current_index(history: &Value) -> u64 {
    history.get("currentIndex").and_then(Value::as_u64).unwrap_or_default()
}

fn step_error(name: &str, error: CommandError) -> RenderError {
    match error {
        CommandError::Closed => RenderError::BrowserLost,
        CommandError::TimedOut => impossible(name, NO_TIME),
        CommandError::Refused(reason) => impossible(name, &reason),
    }
}
