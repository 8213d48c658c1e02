//! Operations that create and poll read jobs.

use std::sync::Arc;

use articles::reader::read_jobs::{self, NewReadJob, ReadJob, ReadJobState};
use articles::{Address, Render};
use kernel::{Code, ReadJobId, rfc3339};
use poem::http::{HeaderValue, StatusCode, header};
use poem::{Request, Response};
use poem_openapi::OpenApi;
use poem_openapi::param::{Header, Path};
use poem_openapi::types::Example;

use super::body::Payload;
use super::described::{Answered, describe, json, json_response};
use super::fixture::TIME;
use super::idempotent::Idempotent;
use super::limits::{Charged, Cost, OnePoll, RateLimiter};
use super::negotiate::ResponseFormat;
use super::parameters::{IdempotencyKey, OrNull, SourceUrl, present};
use super::params::DEFAULT_MAX_AGE;
use super::schema::{FormatName, ReadJobResult, RenderName};
use super::service::{ReaderService, ReaderTag};
use http_kit::http::enum_param::EnumParam;
use http_kit::http::params::{Integer, Text};
use http_kit::http::request::request;
use http_kit::problem::Problem;

describe!(
    /// New read job.
    JobCreated,
    (202, "The job was accepted."),
    [400, 409, 413, 415, 429, 503],
    vec![json::<ReadJobResult>()],
    [("Location", "Where to poll the job."), ("Retry-After", "Seconds until the first poll.")],
    [ReadJobResult]
);
describe!(
    /// State of a read job.
    JobResponse,
    (200, "The job with its state."),
    [400, 404, 429, 503],
    vec![json::<ReadJobResult>()],
    [("Retry-After", "Seconds until the next poll, unless the job is finished.")],
    [ReadJobResult]
);

request! {
    /// Read that runs in the background.
    pub(super) struct JobRequest in snake_case {
        /// Public http(s) URL to read.
        url: SourceUrl = "https://example.com/article",
        /// Search query within the result; null or omitted for the complete text.
        query: OrNull<Text<0, 500>>,
        /// Format of the response at `result_url`.
        format: OrNull<FormatName>,
        /// Maximum age of a cached copy, in seconds; 0 forces a fetch. Default: 3600.
        max_age: OrNull<Integer<0, 86_400>>,
        /// Rendering of the page in a browser, charged to the limit `render`. Default: `auto`.
        render: OrNull<RenderName>,
    }
}

impl Payload for JobRequest {
    fn cost(&self) -> Cost {
        Cost::Reads(1)
    }
}

pub(super) struct JobsApi;

#[OpenApi(tag = "ReaderTag::Reader")]
impl JobsApi {
    /// Create a read job
    ///
    /// Reads a slow source in the background. The job is attempted up to three times, and its result is
    /// stored for 24 hours.
    #[oai(path = "/api/v1/read/jobs", method = "post", operation_id = "createReadJob")]
    async fn create_job(
        &self,
        /// 1 to 255 visible ASCII characters, quoted or bare.
        #[oai(name = "Idempotency-Key")]
        _key: Header<Option<IdempotencyKey>>,
        body: Idempotent<JobRequest>,
    ) -> Answered<JobCreated> {
        let id = body.job_id(ResponseFormat::Json).await?;
        let response = body.run(ResponseFormat::Json, move |reader, request| async move {
            create(&reader, request, id).await
        });
        Ok(response.await?.into())
    }

    /// Poll a read job
    #[oai(path = "/api/v1/read/jobs/:jobId", method = "get", operation_id = "getReadJob")]
    async fn get_job(
        &self,
        reader: Charged<OnePoll>,
        request: &Request,
        /// Id of the job (UUID).
        #[oai(name = "jobId", example = "job_id")]
        job_id: Path<String>,
    ) -> Answered<JobResponse> {
        let id = job_id
            .0
            .parse::<ReadJobId>()
            .map_err(|_| Problem::new(Code::JobNotFound, "This is not the id of a read job."))?;
        let job = read_jobs::get(&reader.app.domain, id).await?;
        let record = record(reader.url(), &job, &http_kit::http::request_id::of(request));
        let mut response = json_response(StatusCode::OK, &record);
        if !job.state.is_final() {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(job.poll_after()));
        }
        Ok(response.into())
    }
}

fn job_id() -> String {
    ReadJobResult::example().job_id.to_string()
}

/// Creates a job and responds with 202 and its URL. The job is durable when the response is sent. If the
/// response is lost, a retry with the same key returns that job.
async fn create(
    reader: &Arc<ReaderService>,
    request: JobRequest,
    id: Option<ReadJobId>,
) -> Result<Response, Problem> {
    let app = &reader.app;
    let url = request.url.into_text();
    Address::parse(&app.domain, &url)?;
    let limiter = RateLimiter::current().ok_or_else(|| kernel::Error::internal("no limiter in this task"))?;
    let new = NewReadJob {
        url,
        query: present(request.query.0.map(|text| text.0)),
        format: request.format.0.map(|name| ResponseFormat::from(name).as_str().to_owned()),
        max_age: request.max_age.0.map_or(DEFAULT_MAX_AGE, Integer::get),
        render: request.render.0.map(Into::into).unwrap_or_default(),
        network: limiter.rendering_network(),
    };
    let job = app.engine.dispatch(read_jobs::create(&app.domain, new, id).await?).await;
    let mut response = json_response(StatusCode::ACCEPTED, &record(reader.url(), &job, ""));
    let location = format!("{}/api/v1/read/jobs/{}", reader.url(), job.id);
    if let Ok(location) = HeaderValue::from_str(&location) {
        response.headers_mut().insert(header::LOCATION, location);
    }
    response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(job.poll_after()));
    Ok(response)
}

fn record(reader_url: &str, job: &ReadJob, request_id: &str) -> ReadJobResult {
    let problem = job.error.as_ref().map(|failure| {
        let problem = Problem::new(failure.code, failure.message.clone());
        problem.body(reader_url, request_id)
    });
    ReadJobResult {
        job_id: job.id.as_uuid(),
        state: EnumParam(job.state),
        url: job.url.clone(),
        query: job.query.clone(),
        created_at: rfc3339(job.created_at),
        started_at: job.started_at.map(rfc3339),
        finished_at: job.finished_at.map(rfc3339),
        expires_at: rfc3339(job.expires_at),
        attempts: job.attempts,
        poll_after: job.poll_after(),
        result_url: (job.state == ReadJobState::Complete).then(|| result_url(reader_url, job)),
        error: problem,
    }
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

impl Example for ReadJobResult {
    fn example() -> Self {
        let job = ReadJob {
            id: ReadJobId::from_u128(0x0193_a0b2_7c00_7000_8000_3f1e_2d4c_5b6a),
            url: "https://example.com/article".to_owned(),
            query: None,
            format: None,
            max_age: DEFAULT_MAX_AGE,
            render: Render::Auto,
            state: ReadJobState::Complete,
            created_at: TIME,
            started_at: Some(TIME),
            finished_at: Some(TIME + 1_200),
            expires_at: TIME + 86_401_200,
            attempts: 1,
            snapshot_id: None,
            error: None,
        };
        record("https://read.example.org", &job, "")
    }
}
