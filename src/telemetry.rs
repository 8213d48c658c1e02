//! Log and traces of the process. The log goes to standard error, so that the output of commands stays clean:
//! as text, coloured on terminals only, or as JSON objects. Traces are exported if a collector is configured.

pub mod traces;

use std::io::IsTerminal;

use tracing::Metadata;
use tracing_subscriber::filter::FilterFn;
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::util::SubscriberInitExt as _;
use tracing_subscriber::{EnvFilter, Layer, Registry};

use crate::telemetry::traces::Traces;
use http_kit::config::{LogFormat, LogSettings, Settings, Switch};

/// Crates whose spans and log lines are exported as traces.
const OWN_CRATES: [&str; 28] = [
    "allocator", "api", "application", "apps", "articles", "browser", "carrel", "entities", "extract",
    "feeds", "fetch", "http_kit", "identity", "inbox", "jobs", "kernel", "language", "library", "mcp",
    "migrations", "model", "monitors", "notices", "oauth", "permits", "reader", "sites", "web",
];

type BoxedLayer = Box<dyn Layer<Registry> + Send + Sync>;

/// Starts the log only, for one-off commands.
///
/// # Errors
/// If the log filter is invalid.
pub fn start_log(settings: &LogSettings) -> anyhow::Result<()> {
    tracing_subscriber::registry().with(log(settings)?).init();
    Ok(())
}

/// Starts log and traces. The returned value exports the remaining spans on drop. Needs a Tokio runtime.
///
/// # Errors
/// If the log filter is invalid, or the trace exporter cannot be created from the settings.
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

fn log(settings: &LogSettings) -> anyhow::Result<BoxedLayer> {
    let filter = EnvFilter::try_new(&settings.filter)?;
    let lines = tracing_subscriber::fmt::layer()
        .with_ansi(settings.colors == Switch::On && std::io::stderr().is_terminal())
        .with_writer(std::io::stderr);
    Ok(match settings.format {
        LogFormat::Text => lines.with_target(false).with_filter(filter).boxed(),
        LogFormat::Json => lines.json().flatten_event(true).with_filter(filter).boxed(),
    })
}

/// Returns true if a span or event is exported: spans of [`OWN_CRATES`], and their events of level info or above.
fn is_traced(metadata: &Metadata<'_>) -> bool {
    let crate_name = metadata.target().split("::").next().unwrap_or_default();
    OWN_CRATES.contains(&crate_name) && (metadata.is_span() || *metadata.level() <= tracing::Level::INFO)
}

#[cfg(test)]
mod tests {
    use super::OWN_CRATES;

    #[test]
    fn own_crates_are_the_workspace_members() {
        let manifest = include_str!("../Cargo.toml");
        let members =
            manifest.lines().filter(|line| line.contains("package = \"carrel-") && line.contains("path = "));
        let mut names: Vec<&str> = members.filter_map(|line| line.split_whitespace().next()).collect();
        names.push("carrel");
        names.sort_unstable();
        assert_eq!(OWN_CRATES.as_slice(), names);
    }
}
