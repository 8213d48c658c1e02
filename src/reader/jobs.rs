//! Read jobs on the wire.

use std::sync::Arc;

use domain::articles::Address;
use domain::reader::jobs::{self, NewReadJob, ReadJob, State};
use domain::rfc3339;
use poem::http::{HeaderValue, StatusCode, header};
use poem::{IntoResponse, Response};
use serde_json::{Value, json};
use uuid::Uuid;

use super::asked::{Asked, DEFAULT_MAX_AGE};
use crate::app::App;
use crate::problem::Problem;

/// Checks the body of a new job: its URL must be one that the guard would let through.
///
/// # Errors
/// The problems of a single read's parameters.
pub(super) fn check(app: &App, body: &Value) -> Result<Asked, Problem> {
    let asked = Asked::of_job(body)?;
    Address::parse(&asked.url, &app.guard)?;
    Ok(asked)
}

/// Writes a job down: 202, with the place to poll it.
///
/// # Errors
/// `capacity_exhausted` and `service_unavailable`; a job that was answered 202 is never lost.
pub(super) async fn create(app: &Arc<App>, asked: Asked) -> Result<Response, Problem> {
    let new = NewReadJob {
        url: asked.url,
        query: asked.query,
        format: asked.format.map(|format| format.as_str().to_owned()),
        max_age: asked.max_age.unwrap_or(DEFAULT_MAX_AGE),
    };
    let (job, submitted) = jobs::create(&app.domain, new).await?;
    // The row is written: if the queue is away, the sweep brings the job to a worker later.
    if let Err(error) = app.engine.push(&submitted).await {
        tracing::warn!(%error, job = %job.id, "a read job waits for the sweep");
    }
    let mut response = super::json_response(StatusCode::ACCEPTED, &record(app, &job, "")).into_response();
    let location = format!("{}/api/v1/read/jobs/{}", app.settings.origins.reader, job.id);
    if let Ok(location) = HeaderValue::from_str(&location) {
        response.headers_mut().insert(header::LOCATION, location);
    }
    response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(job.poll_after()));
    Ok(response)
}

/// The job with this id, as it stands.
///
/// # Errors
/// `job_not_found`, also for what is not an id at all.
pub(super) async fn get(app: &App, id: &str, request_id: &str) -> Result<Response, Problem> {
    let id = Uuid::parse_str(id)
        .map_err(|_| Problem::new("job_not_found", "This is not the id of a read job."))?;
    let job = jobs::get(&app.domain, id).await?;
    let mut response = super::json_response(StatusCode::OK, &record(app, &job, request_id)).into_response();
    if !job.state.is_final() {
        response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(job.poll_after()));
    }
    Ok(response)
}

fn record(app: &App, job: &ReadJob, request_id: &str) -> Value {
    let reader_url = app.settings.origins.reader.as_str();
    let problem = job.error.as_ref().map(|(code, message)| {
        let problem = Problem::new(code, message.clone());
        problem.to_json(reader_url, request_id)
    });
    json!({
        "job_id": job.id,
        "state": job.state.as_str(),
        "url": job.url,
        "query": job.query,
        "created_at": rfc3339(job.created_at),
        "started_at": job.started_at.map(rfc3339),
        "finished_at": job.finished_at.map(rfc3339),
        "expires_at": rfc3339(job.expires_at),
        "attempts": job.attempts,
        "poll_after": job.poll_after(),
        "result_url": (job.state == State::Complete).then(|| result_url(reader_url, job)),
        "error": problem,
    })
}

fn result_url(reader_url: &str, job: &ReadJob) -> String {
    let mut query = url::form_urlencoded::Serializer::new(String::new());
    query.append_pair("url", &job.url).append_pair("job_id", &job.id.to_string());
    if let Some(words) = &job.query {
        query.append_pair("query", words);
    }
    if let Some(format) = &job.format {
        query.append_pair("format", format);
    }
    format!("{reader_url}/api/v1/read?{}", query.finish())
}
