//! What this process tells its operator as it goes: the log, always on standard error, so that what commands print stays
//! clean (lines for people, in colours on a terminal only, or JSON objects when asked for); and traces, where a collector
//! is named.

pub mod traces;

use std::io::IsTerminal;

use tracing::Metadata;
use tracing_subscriber::filter::FilterFn;
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::util::SubscriberInitExt as _;
use tracing_subscriber::{EnvFilter, Layer, Registry};

use crate::telemetry::traces::Traces;
use http_kit::config::{LogFormat, LogSettings, Settings, Switch};

/// What the targets of our own spans and lines begin with.
const OURS: [&str; 5] = ["carrel", "jobs", "domain", "fetch", "extract"];

type Written = Box<dyn Layer<Registry> + Send + Sync>;

/// Starts the log alone: for commands that do one thing.
///
/// # Errors
/// When the filter cannot be read.
pub fn start_log(settings: &LogSettings) -> anyhow::Result<()> {
    tracing_subscriber::registry().with(log(settings)?).init();
    Ok(())
}

/// Starts log and traces. What it returns sends the last spans when it is dropped. Needs a runtime.
///
/// # Errors
/// When the filter of the log cannot be read, or traces cannot be sent as the settings say.
pub fn start(settings: &Settings) -> anyhow::Result<Option<Traces>> {
    let traces = Traces::start(&settings.traces)?;
    let spans = traces.as_ref().map(|traces| {
        tracing_opentelemetry::layer()
            .with_tracer(traces.tracer())
            .with_location(false)
            .with_threads(false)
            .with_tracked_inactivity(false)
            .with_filter(FilterFn::new(is_traced))
    });
    tracing_subscriber::registry().with(log(&settings.log)?).with(spans).init();
    Ok(traces)
}

fn log(settings: &LogSettings) -> anyhow::Result<Written> {
    let filter = EnvFilter::try_new(&settings.filter)?;
    let lines = tracing_subscriber::fmt::layer()
        .with_ansi(settings.colors == Switch::On && std::io::stderr().is_terminal())
        .with_writer(std::io::stderr);
    Ok(match settings.format {
        LogFormat::Text => lines.with_target(false).with_filter(filter).boxed(),
        LogFormat::Json => lines.json().flatten_event(true).with_filter(filter).boxed(),
    })
}

/// Whether traces have it: our own spans, and our own lines but those for the search for faults.
fn is_traced(metadata: &Metadata<'_>) -> bool {
    let crate_name = metadata.target().split("::").next().unwrap_or_default();
    OURS.contains(&crate_name) && (metadata.is_span() || *metadata.level() <= tracing::Level::INFO)
}
