//! Runs of a monitor, as a bar chart with dates and a legend, and as a table.

use std::collections::HashMap;

use kernel::{Millis, MonitorRunId, rfc3339};
use maud::{Markup, html};
use monitors::Run;

use super::words;
use crate::language::text::Text;
use crate::page::parts::time;

/// Width of one bar with its gap, and height of the chart, in SVG user units.
const STEP: usize = 14;
const HEIGHT: usize = 40;

/// Outcomes of a run: identifier, label, and height of the bar.
const OUTCOMES: [(&str, Text, usize); 4] = [
    ("changed", Text("run-changed"), HEIGHT),
    ("error", Text("run-failed"), 26),
    ("unchanged", Text("run-unchanged"), 12),
    ("baseline", Text("run-first"), 12),
];

/// Describes the outcome of a run.
pub(super) fn outcome_words(outcome: Option<&str>) -> Text {
    let entry = OUTCOMES.iter().find(|(known, ..)| Some(*known) == outcome);
    entry.map_or(Text("run-running"), |(_, words, _)| *words)
}

/// Renders one bar per run, oldest first. Bars of runs that detected a change link to the change.
pub(super) fn timeline(runs: &[Run], links: &HashMap<MonitorRunId, &str>, now: Millis) -> Markup {
    let (Some(newest), Some(oldest)) = (runs.first(), runs.last()) else {
        return html! { p.soft { (Text("runs-none")) } };
    };
    let words = counts(runs);
    let width = runs.len() * STEP;
    html! {
        div.timeline {
            svg viewBox={ "0 0 " (width) " " (HEIGHT) } width=(width) height=(HEIGHT) preserveAspectRatio="none" role="group" aria-label=(words) {
                @for (index, run) in runs.iter().rev().enumerate() {
                    @match links.get(&run.id) {
                        Some(link) => a href=(link) aria-label=(Text("run-change-of").with("time", moment(run))) { (bar(index, run)) },
                        None => (bar(index, run)),
                    }
                }
            }
            p.dates.small.soft aria-hidden="true" {
                span { (day(oldest)) } @if day(newest) != day(oldest) { span { (day(newest)) } }
            }
        }
        p.legend.small aria-hidden="true" {
            @for (outcome, words, _) in OUTCOMES.iter().filter(|(word, ..)| runs.iter().any(|run| run.outcome.as_deref() == Some(word))) {
                span { i class={ "key " (outcome) } {} (words) }
            }
        }
        p.soft.small { (words) " " (Text("runs-last").markup(&[("time", time(newest.started_at, now))])) }
        (table(runs, links, now))
    }
}

fn bar(index: usize, run: &Run) -> Markup {
    let outcome = run.outcome.as_deref();
    let height =
        OUTCOMES.iter().find(|(known, ..)| Some(*known) == outcome).map_or(12, |(.., height)| *height);
    html! {
        rect class=(outcome.unwrap_or("running")) x=(index * STEP + 2) y=(HEIGHT - height) width=(STEP - 4) height=(height) {
            title { (moment(run)) ": " (outcome_words(outcome)) }
        }
    }
}

fn counts(runs: &[Run]) -> String {
    let count = |word: &str| runs.iter().filter(|run| run.outcome.as_deref() == Some(word)).count();
    Text("runs-counts")
        .with("count", runs.len())
        .with("changed", count("changed"))
        .with("unchanged", count("unchanged") + count("baseline"))
        .with("failed", count("error"))
        .get()
}

/// Formats the time of a run: `2026-11-20, 12:00`.
fn moment(run: &Run) -> String {
    rfc3339(run.finished_at.unwrap_or(run.started_at)).chars().take(16).collect::<String>().replace('T', ", ")
}

fn day(run: &Run) -> String {
    moment(run).chars().take(10).collect()
}

fn table(runs: &[Run], links: &HashMap<MonitorRunId, &str>, now: Millis) -> Markup {
    html! {
        details {
            summary { (Text("runs-table")) }
            div.scroll tabindex="0" role="region" aria-label=(Text("runs")) { table {
                thead { tr { th scope="col" { (Text("run-started")) } th scope="col" { (Text("run-outcome")) } th scope="col" { (Text("run-why")) } th scope="col" { (Text("run-added")) } th scope="col" { (Text("run-removed")) } th scope="col" { (Text("run-modified")) } th scope="col" { (Text("run-credits")) } } }
                tbody { @for run in runs { tr {
                    td { (time(run.started_at, now)) }
                    td {
                        @match links.get(&run.id) { Some(link) => a href=(link) { (outcome_words(run.outcome.as_deref())) }, None => (outcome_words(run.outcome.as_deref())) }
                        @if let Some(code) = run.error_code { ": " (words::failure(code)) }
                        @for warning in &run.warnings { p.small { (words::warning(warning)) } }
                    }
                    td { (reason(run)) }
                    td { (run.added) } td { (run.removed) } td { (run.modified) } td { (run.credits) }
                } } }
            } }
        }
    }
}

/// Describes the decision of a run, with the messages that it caused.
fn reason(run: &Run) -> Markup {
    html! {
        @if let Some(decision) = run.decision { (words::decision(decision)) }
        @for notice in &run.notices {
            p.small { bdi { (notice.channel) } ": " (words::notice(notice)) @if let Some(status) = notice.status { " (HTTP " (status) ")" } }
        }
    }
}
