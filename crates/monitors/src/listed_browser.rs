//! Conversion of the browser settings of monitors that are imported from lists of other programs.

use articles::worker_tools::{PageStep, StepKind};
use extract::monitor_lists::{ListedMonitor, ListedStep, StepAction};
use extract::watch::{Target, Trigger};

use super::rendering::Rendering;
use super::rendering_rules::{check_selector, check_step};
use kernel::Domain;
use kernel::bounds::{MONITOR_STEP_WAIT_MS, MONITOR_STEPS};

/// Report text for a monitor whose page would be opened in a browser.
const NO_BROWSER: &str = "loading with a browser: this service has none";
/// Maximum number of steps that a report lists.
const MAX_NAMED_STEPS: usize = 10;

/// Removes the browser settings of a monitor and returns its rendering. Without a browser, the served page is
/// read. Settings that are not imported are added to the report of the monitor.
pub(super) fn take_rendering(domain: &Domain, listed: &mut ListedMonitor) -> Option<Rendering> {
    let browser = listed.browser.take()?;
    if !domain.policy().renders_pages {
        listed.not_imported.push(NO_BROWSER.to_owned());
        listed.not_imported.extend(browser.not_imported_without);
        return None;
    }
    for setting in browser.not_imported {
        if !listed.not_imported.contains(&setting) {
            listed.not_imported.push(setting);
        }
    }
    if let Some(visual) = browser.visual {
        let selector = visual.selector.filter(|selector| {
            let is_valid = check_selector(selector).is_ok();
            if !is_valid {
                listed.not_imported.push(format!("selector of {} characters", selector.chars().count()));
            }
            is_valid
        });
        listed.target = Target::Visual { selector };
        listed.ignore.clear();
        listed.trigger = Trigger::default();
    }
    let (steps, not_imported) = page_steps(browser.steps);
    listed.not_imported.extend(not_imported);
    Some(Rendering { steps, ..Rendering::default() })
}

/// Converts steps. Also returns report texts about steps that were not imported or were changed. If a
/// necessary step is not imported, neither are the steps after it, because they depend on it.
fn page_steps(listed: Vec<ListedStep>) -> (Vec<PageStep>, Vec<String>) {
    let (mut steps, mut not_imported) = (Vec::new(), Vec::new());
    let (mut wait_ms, mut is_stopped) = (MONITOR_STEP_WAIT_MS, false);
    for ListedStep { label, action } in listed {
        let is_necessary = !matches!(action, StepAction::Wait { .. } | StepAction::Dispensable);
        let written_ms = if let StepAction::Wait { milliseconds } = action { milliseconds } else { 0 };
        let step = page_step(action, wait_ms)
            .filter(|step| !is_stopped && steps.len() < MONITOR_STEPS && check_step(step).is_ok());
        let Some(step) = step else {
            is_stopped |= is_necessary;
            not_imported.push(label);
            continue;
        };
        if let Some(used_ms) = step.wait_ms {
            wait_ms = wait_ms.saturating_sub(used_ms);
            if used_ms < written_ms {
                not_imported.push(format!("{label}: shortened to {used_ms} milliseconds"));
            }
        }
        steps.push(step);
    }
    let more = not_imported.len().saturating_sub(MAX_NAMED_STEPS);
    if more > 0 {
        not_imported.truncate(MAX_NAMED_STEPS);
        not_imported.push(format!("{more} more steps"));
    }
    (steps, not_imported)
}

/// Converts a step, which may wait for at most `wait_ms`. `None` if it has no counterpart.
fn page_step(action: StepAction, wait_ms: u32) -> Option<PageStep> {
    Some(match action {
        StepAction::Click { selector } => PageStep::on(StepKind::Click, selector),
        StepAction::Type { selector, text } => {
            PageStep { text: Some(text), ..PageStep::on(StepKind::Type, selector) }
        }
        StepAction::Wait { milliseconds } => {
            PageStep { wait_ms: Some(milliseconds.min(wait_ms)), ..PageStep::new(StepKind::Wait) }
        }
        StepAction::ScrollToEnd => PageStep::new(StepKind::Scroll),
        StepAction::Dispensable | StepAction::Unsupported => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn listed(label: &str, action: StepAction) -> ListedStep {
        ListedStep { label: label.to_owned(), action }
    }

    fn click(selector: &str) -> StepAction {
        StepAction::Click { selector: selector.to_owned() }
    }

    #[test]
    fn steps_after_a_missing_necessary_step_are_not_imported() {
        let secret = StepAction::Type { selector: "#password".to_owned(), text: "lamp".to_owned() };
        let (steps, not_imported) = page_steps(vec![
            listed("first", click("#more")),
            listed("banner", StepAction::Dispensable),
            listed("end", StepAction::ScrollToEnd),
            listed("sign in", secret),
            listed("submit", click("#submit")),
        ]);
        let kinds: Vec<StepKind> = steps.iter().map(|step| step.kind).collect();
        assert_eq!(kinds, [StepKind::Click, StepKind::Scroll]);
        assert_eq!(not_imported, ["banner", "sign in", "submit"]);
    }

    #[test]
    fn waits_share_a_limit_and_the_number_of_steps_is_limited() {
        let wait = |milliseconds| StepAction::Wait { milliseconds };
        let (steps, not_imported) = page_steps(vec![
            listed("delay", wait(4_000)),
            listed("long", wait(60_000)),
            listed("last", wait(1)),
            listed("click", click("#more")),
        ]);
        let waits: Vec<Option<u32>> = steps.iter().map(|step| step.wait_ms).collect();
        assert_eq!(waits, [Some(4_000), Some(6_000), None]);
        assert_eq!(not_imported, ["long: shortened to 6000 milliseconds", "last"]);
        let many = (0..25).map(|number| listed(&format!("step {number}"), click("#more"))).collect();
        let (steps, not_imported) = page_steps(many);
        assert_eq!((steps.len(), not_imported.len()), (MONITOR_STEPS, MAX_NAMED_STEPS + 1));
        assert_eq!((not_imported[0].as_str(), not_imported[10].as_str()), ("step 10", "5 more steps"));
    }
}
