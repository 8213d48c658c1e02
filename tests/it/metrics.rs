//! The metrics catalogue matches the code and the naming rules of Prometheus. The dashboard and the alerts
//! use only its metrics. Every role serves the operator endpoints.

use std::collections::BTreeMap;

use carrel::ops::{METRICS, Metric, MetricKind};
use jobs::JobKind;
use jobs::metric::OUTCOMES;
use kernel::Backend;
use kernel::testing::TestDatabase;
use rustix::process::Signal;
use serde_json::{Value, json};

use crate::support::deployment::Web;
use crate::support::servers::{PrivateRedis, Process, free_port};
use crate::support::sources;
use crate::support::{eventually, run};

/// Returns the metrics that the code records, with their kind and labels.
fn recorded_metrics() -> BTreeMap<String, (&'static str, Vec<String>)> {
    let mut recorded: BTreeMap<String, (&'static str, Vec<String>)> = BTreeMap::new();
    for (name, text) in sources().filter(|(name, _)| !name.starts_with("tests/")) {
        for kind in ["counter", "gauge", "histogram"] {
            for call in text.split(&format!("metrics::{kind}!(")).skip(1) {
                let inside = arguments(call);
                let metric = inside.split('"').nth(1).unwrap_or_default().to_owned();
                let labels: Vec<String> = inside
                    .match_indices("=>")
                    .filter_map(|(at, _)| inside[..at].trim().trim_end_matches('"').rsplit('"').next())
                    .map(str::to_owned)
                    .collect();
                let known = recorded.entry(metric.clone()).or_insert((kind, labels.clone()));
                assert_eq!(known.0, kind, "kind of {metric} in {name}");
                known.1.extend(labels);
            }
        }
    }
    for (_, labels) in recorded.values_mut() {
        labels.sort();
        labels.dedup();
    }
    recorded
}

/// Returns the text up to the matching closing parenthesis.
fn arguments(call: &str) -> &str {
    let mut depth = 1;
    let end = call.find(|c| {
        depth += match c {
            '(' => 1,
            ')' => -1,
            _ => 0,
        };
        depth == 0
    });
    &call[..end.unwrap_or(call.len())]
}

fn kind_word(metric: &Metric) -> &'static str {
    match metric.kind {
        MetricKind::Counter => "counter",
        MetricKind::Gauge => "gauge",
        MetricKind::Histogram(_) => "histogram",
    }
}

#[test]
fn catalogue_matches_the_metrics_recorded_in_the_code() {
    let described: BTreeMap<String, (&str, Vec<String>)> = METRICS
        .iter()
        .map(|metric| {
            let mut labels: Vec<String> = metric.labels.iter().map(|label| (*label).to_owned()).collect();
            labels.sort();
            (metric.name.to_owned(), (kind_word(metric), labels))
        })
        .collect();
    assert_eq!(described.len(), METRICS.len(), "each metric is described once");
    assert_eq!(described, recorded_metrics());
}

#[test]
fn metric_names_and_help_texts_follow_prometheus_conventions() {
    let mut faults = Vec::new();
    for metric in METRICS {
        let Metric { name, kind, labels, help } = *metric;
        let is_counter = matches!(kind, MetricKind::Counter);
        if is_counter != name.ends_with("_total") {
            faults.push(format!("{name}: counters, and they alone, end in _total"));
        }
        if matches!(kind, MetricKind::Histogram(_)) && !name.ends_with("_seconds") {
            faults.push(format!("{name}: histograms are of seconds"));
        }
        if let MetricKind::Histogram(bounds) = kind
            && !bounds.is_sorted_by(|one, next| one < next)
        {
            faults.push(format!("{name}: bounds rise"));
        }
        if ["_ms", "_millis", "_minutes", "_kb", "_mb", "_percent"].iter().any(|unit| name.contains(unit)) {
            faults.push(format!("{name}: no base unit"));
        }
        let is_plain = |word: &str| word.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_');
        if !is_plain(name) || !labels.iter().all(|label| is_plain(label)) {
            faults.push(format!("{name}: letters and underscores"));
        }
        if !help.ends_with('.') {
            faults.push(format!("{name}: the help is a sentence"));
        }
    }
    assert!(faults.is_empty(), "{faults:#?}");
}

/// Returns the errors of an expression: unknown metrics, and labels that its metrics do not have.
fn faults(expression: &str) -> Vec<String> {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut faults = Vec::new();
    let mut labels: Vec<&str> = vec!["le", "instance", "job"];
    let words = || expression.split(|c| !is_word(c)).filter(|word| !word.is_empty());
    for word in words().filter(|word| word.starts_with("carrel_") || word.starts_with("process_")) {
        let base = ["_bucket", "_sum", "_count"].iter().find_map(|end| word.strip_suffix(end));
        let definition = METRICS.iter().find(|metric| match metric.kind {
            MetricKind::Histogram(_) => base == Some(metric.name),
            MetricKind::Counter | MetricKind::Gauge => word == metric.name,
        });
        match definition {
            Some(metric) => labels.extend(metric.labels),
            None => faults.push(format!("{word} is no metric: {expression}")),
        }
    }
    let inside = |open: char, close: char, before: &str| -> Vec<String> {
        let begin = format!("{before}{open}");
        let parts = expression.split(&begin).skip(1);
        parts.filter_map(|part| part.split(close).next()).map(str::to_owned).collect()
    };
    let mut named: Vec<String> = inside('(', ')', "by ").iter().flat_map(|list| split(list)).collect();
    for matcher in inside('{', '}', "").iter().flat_map(|list| split(list)) {
        named.extend(matcher.split(['=', '!', '~']).next().map(str::to_owned));
    }
    faults.extend(
        named
            .into_iter()
            .filter(|label| !labels.contains(&label.as_str()))
            .map(|label| format!("{label} is no label of it: {expression}")),
    );
    faults
}

fn split(list: &str) -> Vec<String> {
    list.split(',').map(|one| one.trim().to_owned()).filter(|one| !one.is_empty()).collect()
}

fn expressions(value: &Value, queries: &mut Vec<String>) {
    match value {
        Value::Object(fields) => {
            for (name, field) in fields {
                match field {
                    Value::String(text) if name == "expr" => queries.push(text.clone()),
                    other => expressions(other, queries),
                }
            }
        }
        Value::Array(items) => items.iter().for_each(|item| expressions(item, queries)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

#[test]
fn dashboard_and_alerts_use_existing_metrics() {
    let dashboard: Value =
        serde_json::from_str(include_str!("../../deploy/grafana.json")).expect("the dashboard is JSON");
    let mut queries = Vec::new();
    expressions(&dashboard, &mut queries);
    assert!(queries.len() > 20, "the dashboard has queries: {queries:?}");
    let alerts = include_str!("../../deploy/alerts.yml");
    let rules = alerts.lines().filter_map(|line| line.trim().strip_prefix("expr: ")).map(str::to_owned);
    let before = queries.len();
    queries.extend(rules);
    assert!(queries.len() > before + 5, "there are alerts");
    let wrong: Vec<String> = queries.iter().flat_map(|expression| faults(expression)).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
    let is_unseen = |metric: &&Metric| !queries.iter().any(|expression| expression.contains(metric.name));
    let unseen: Vec<&str> = METRICS.iter().filter(is_unseen).map(|metric| metric.name).collect();
    assert!(unseen.is_empty(), "no panel and no alert shows {unseen:?}");
    assert_eq!(
        faults("sum by (kind) (rate(carrel_nothing_total{x=\"1\"}[5m]))").len(),
        3,
        "the check detects unknown metrics"
    );
}

#[test]
fn every_role_serves_operator_endpoints_during_startup() {
    run(async {
        let (database, redis) = (TestDatabase::create(Backend::Postgres).await, PrivateRedis::start().await);
        for role in ["web", "worker", "scheduler"] {
            let port = free_port();
            let settings = [
                ("DATABASE_URL", database.url.clone()),
                ("REDIS_URL", redis.url()),
                ("CARREL_LISTEN", format!("127.0.0.1:{}", free_port())),
                ("CARREL_OPS_LISTEN", format!("127.0.0.1:{port}")),
                ("CARREL_ADMIN_TOKEN", "a-long-admin-token".to_owned()),
            ];
            let mut process = Process::start(&[role], &settings);
            let ops = Web::at(port);
            ops.wait_until_ready().await;
            assert_eq!(ops.get("/healthz").await.expect(200).json(), json!({"status": "ok"}), "{role}");
            ops.get("/metrics").await.expect(404);
            ops.get("/settings").await.expect(404);
            let request = ops.client.get(format!("{}/metrics", ops.origin));
            let numbers =
                request.bearer_auth("a-long-admin-token").send().await.unwrap().text().await.unwrap();
            for line in ["# HELP carrel_build_info ", "carrel_database_connections{pool=\"shared\",state="] {
                assert!(numbers.contains(line), "{role}: {line} is missing in\n{numbers}");
            }
            if role == "scheduler" {
                let ticked = async || {
                    let request = ops.client.get(format!("{}/metrics", ops.origin));
                    request.bearer_auth("a-long-admin-token").send().await.unwrap().text().await.unwrap()
                };
                eventually("a tick is told of", ticked, |text| {
                    text.contains("carrel_tick_duration_seconds_count")
                })
                .await;
            }
            process.signal(Signal::TERM);
            assert!(process.wait_for_exit().await.success(), "{role}: {}", process.log());
        }
    });
}

#[test]
fn new_process_reports_zero_for_every_job_kind_and_outcome() {
    run(async {
        let (database, port) = (TestDatabase::create(Backend::Postgres).await, free_port());
        let settings =
            [("DATABASE_URL", database.url.clone()), ("CARREL_LISTEN", format!("127.0.0.1:{port}"))];
        let _process = Process::start(&["web"], &settings);
        let web = Web::at(port);
        web.wait_until_ready().await;
        let metrics = web.get("/metrics").await.expect(200).text();
        let value = |name: &str, labels: [(&str, &str); 2]| {
            let labels = labels.map(|(label, value)| format!("{label}=\"{value}\""));
            let is_series = |line: &&str| {
                line.starts_with(&format!("{name}{{")) && labels.iter().all(|label| line.contains(label))
            };
            metrics.lines().find(is_series).and_then(|line| line.rsplit(' ').next())
        };
        for kind in JobKind::ALL.iter().map(|kind| kind.as_str()) {
            for outcome in OUTCOMES {
                let labels = [("kind", kind), ("outcome", outcome)];
                assert_eq!(value("carrel_jobs_total", labels), Some("0"), "{labels:?}");
            }
            for attempt in ["first", "again"] {
                let labels = [("kind", kind), ("attempt", attempt)];
                assert_eq!(value("carrel_job_starts_total", labels), Some("0"), "{labels:?}");
            }
        }
    });
}
