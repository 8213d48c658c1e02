//! The reader's operations: each takes its input apart, makes one call and dresses the result.

use std::sync::Arc;

use poem::Request;
use poem_openapi::param::{Header, Path, Query};
use poem_openapi::{OpenApi, Tags};
use uuid::Uuid;

use super::answer::{self, Asking};
use super::asked::{Asked, check_length, present};
use super::body::JsonBody;
use super::described::{Batch, Described, Job, JobCreated, Read, ReadByPost, Sandbox, Verified};
use super::meter::{Cost, Meter};
use super::negotiate::Format;
use super::replay::{self, Call};
use super::schema::{BatchRequest, FormatName, JobRequest, ReadRequest, VerifyRequest};
use super::{batch, jobs, prefix, sandbox, verify};
use crate::app::App;
use crate::http::params::{Integer, Text};
use crate::problem::Problem;

/// The public reader.
pub(super) struct ReaderApi {
    /// What it stands on.
    pub app: Arc<App>,
}

#[derive(Tags)]
enum Tag {
    /// Reading public URLs.
    Reader,
}

type Answered<D> = Result<Described<D>, Problem>;

#[OpenApi(tag = "Tag::Reader")]
#[expect(
    clippy::too_many_arguments,
    clippy::unused_async,
    reason = "one argument for each parameter; the macro wants async"
)]
impl ReaderApi {
    /// Read one public URL
    ///
    /// Fetches the URL, or takes a copy that is fresh enough, and answers with its clean text. Choose blocks
    /// by a query, by a range of lines or page by page; choose the form by `format` or `Accept`.
    #[oai(path = "/api/v1/read", method = "get", operation_id = "readPublicUrl")]
    async fn read(
        &self,
        request: &Request,
        meter: poem::web::Data<&Meter>,
        /// The public http(s) URL to read.
        url: Query<Option<String>>,
        /// Words to find: the answer holds the best matching blocks, ranked.
        query: Query<Option<Text<0, 500>>>,
        /// The most blocks returned for a query. Default 5.
        passages: Query<Option<Integer<1, 20>>>,
        /// A block or a range of blocks: `N` or `A-B`, at most 500 blocks.
        lines: Query<Option<String>>,
        /// Blocks a page, for paging; 20 is a good size.
        limit: Query<Option<Integer<1, 200>>>,
        /// `next_cursor` of the page before.
        cursor: Query<Option<Text<0, 500>>>,
        /// The form of the answer; wins over `Accept`.
        format: Query<Option<FormatName>>,
        /// Whole blocks up to so many tokens; the rest by `next_cursor`.
        max_tokens: Query<Option<Integer<100, 25_000>>>,
        /// Accept a copy of this age, in seconds; 0 fetches anew. Default 3600.
        max_age: Query<Option<Integer<0, 86_400>>>,
        /// Answer from the text of this read job.
        job_id: Query<Option<Uuid>>,
        /// The same as the parameter `query`, which wins.
        #[oai(name = "X-Svc-Query")]
        query_header: Header<Option<Text<0, 500>>>,
        /// The same as the parameter `passages`, which wins.
        #[oai(name = "X-Svc-Passages")]
        passages_header: Header<Option<Integer<1, 20>>>,
        /// The same as the parameter `lines`, which wins.
        #[oai(name = "X-Svc-Lines")]
        lines_header: Header<Option<String>>,
    ) -> Answered<Read> {
        meter.charge(Cost::Read).await?;
        let asked = Asked {
            url: url_of(url.0)?,
            query: present(query.0.map(|text| text.0)).or(present(query_header.0.map(|text| text.0))),
            passages: passages.0.or(passages_header.0).map(small),
            lines: lines_of("lines", lines.0)?.or(lines_of("X-Svc-Lines", lines_header.0)?),
            limit: limit.0.map(small),
            cursor: present(cursor.0.map(|text| text.0)),
            format: format.0.map(name_of),
            max_tokens: max_tokens.0.map(small),
            max_age: max_age.0.map(small),
            job_id: job_id.0,
        };
        let format = asked.format.unwrap_or_else(|| accepted(request));
        let page =
            answer::read(&self.app, Asking { asked, format }, self.app.settings.deadlines.read).await?;
        Ok(page.respond(request.header("if-none-match")).into())
    }

    /// Read one public URL, asked for in JSON
    ///
    /// With an `Idempotency-Key` the first final answer is kept for 24 hours and told again to every
    /// repetition, without a new extraction or charge.
    #[oai(path = "/api/v1/read", method = "post", operation_id = "readPublicUrlJson")]
    async fn read_json(
        &self,
        request: &Request,
        meter: poem::web::Data<&Meter>,
        /// 1 to 255 visible ASCII characters, quoted or bare.
        #[oai(name = "Idempotency-Key")]
        _key: Header<Option<String>>,
        body: JsonBody<ReadRequest>,
    ) -> Answered<ReadByPost> {
        let asked = Asked::of_body(&body.0)?;
        let format = asked.format.unwrap_or_else(|| accepted_or_json(request));
        let call = Call { app: &self.app, meter: &meter, request, body: &body.0, format };
        let (app, counted) = (Arc::clone(&self.app), meter.clone());
        let made = async move {
            counted.charge(Cost::Read).await?;
            let page = answer::read(&app, Asking { asked, format }, app.settings.deadlines.read).await?;
            Ok(page.respond(None))
        };
        Ok(replay::once(call, made).await?.into())
    }

    /// Read up to ten public URLs
    ///
    /// The results come in the order of the requests; one source that fails does not hide the others.
    #[oai(path = "/api/v1/read/batch", method = "post", operation_id = "readPublicUrls")]
    async fn read_batch(
        &self,
        request: &Request,
        meter: poem::web::Data<&Meter>,
        /// 1 to 255 visible ASCII characters, quoted or bare.
        #[oai(name = "Idempotency-Key")]
        _key: Header<Option<String>>,
        body: JsonBody<BatchRequest>,
    ) -> Answered<Batch> {
        let items = batch::items(&body.0)?;
        let call = Call { app: &self.app, meter: &meter, request, body: &body.0, format: Format::Json };
        let (app, counted) = (Arc::clone(&self.app), meter.clone());
        let request_id = crate::http::request_id::of(request);
        let made = async move {
            counted.charge(Cost::Batch(u32::try_from(items.len()).unwrap_or(u32::MAX))).await?;
            Ok(batch::read(&app, items, &request_id).await)
        };
        Ok(replay::once(call, made).await?.into())
    }

    /// Create a read job
    ///
    /// For slow sources: the job is written down, tried up to three times, and its result is kept for 24 hours.
    #[oai(path = "/api/v1/read/jobs", method = "post", operation_id = "createReadJob")]
    async fn create_job(
        &self,
        request: &Request,
        meter: poem::web::Data<&Meter>,
        /// 1 to 255 visible ASCII characters, quoted or bare.
        #[oai(name = "Idempotency-Key")]
        _key: Header<Option<String>>,
        body: JsonBody<JobRequest>,
    ) -> Answered<JobCreated> {
        let asked = jobs::check(&self.app, &body.0)?;
        let call = Call { app: &self.app, meter: &meter, request, body: &body.0, format: Format::Json };
        let (app, counted) = (Arc::clone(&self.app), meter.clone());
        let made = async move {
            counted.charge(Cost::Read).await?;
            jobs::create(&app, asked).await
        };
        Ok(replay::once(call, made).await?.into())
    }

    /// Poll a read job
    #[oai(path = "/api/v1/read/jobs/:jobId", method = "get", operation_id = "getReadJob")]
    async fn get_job(
        &self,
        request: &Request,
        meter: poem::web::Data<&Meter>,
        /// The job's id.
        #[oai(name = "jobId")]
        job_id: Path<String>,
    ) -> Answered<Job> {
        meter.charge(Cost::Poll).await?;
        Ok(jobs::get(&self.app, &job_id.0, &crate::http::request_id::of(request)).await?.into())
    }

    /// Check quotes against a page
    ///
    /// Tells for each quote whether it stands in the text word for word, nearly so, or not at all.
    #[oai(path = "/api/v1/read/verify", method = "post", operation_id = "verifyQuotes")]
    async fn verify(
        &self,
        meter: poem::web::Data<&Meter>,
        body: JsonBody<VerifyRequest>,
    ) -> Answered<Verified> {
        meter.charge(Cost::Read).await?;
        Ok(verify::check(&self.app, &body.0).await?.into())
    }

    /// Read by prefix
    ///
    /// The source's URL stands after the reader's address, query string included; `https://` may be left
    /// out. Options go by header alone.
    #[oai(path = "/*url", method = "get", operation_id = "readByPrefix")]
    async fn read_by_prefix(
        &self,
        request: &Request,
        meter: poem::web::Data<&Meter>,
        /// Words to find: the answer holds the best matching blocks, ranked.
        #[oai(name = "X-Svc-Query")]
        query: Header<Option<Text<0, 500>>>,
        /// The most blocks returned for a query. Default 5.
        #[oai(name = "X-Svc-Passages")]
        passages: Header<Option<Integer<1, 20>>>,
        /// A block or a range of blocks: `N` or `A-B`, at most 500 blocks.
        #[oai(name = "X-Svc-Lines")]
        lines: Header<Option<String>>,
    ) -> Answered<Read> {
        let target = request.original_uri().path_and_query().map_or("/", |target| target.as_str());
        let Some(url) = prefix::url_of(target) else {
            return Err(Problem::new(
                "not_found",
                "There is no page at this path, and it is no URL to read.",
            ));
        };
        meter.charge(Cost::Read).await?;
        let asked = Asked {
            url: url_of(Some(url))?,
            query: present(query.0.map(|text| text.0)),
            passages: passages.0.map(small),
            lines: lines_of("X-Svc-Lines", lines.0)?,
            ..Asked::default()
        };
        let format = accepted(request);
        let page =
            answer::read(&self.app, Asking { asked, format }, self.app.settings.deadlines.read).await?;
        Ok(page.respond(request.header("if-none-match")).into())
    }

    /// Read a fixture
    ///
    /// Always the same heading, paragraphs and outline: nothing is fetched, charged or changed. `scenario`
    /// answers with the problem of that code.
    #[oai(path = "/api/v1/sandbox/read", method = "get", operation_id = "sandboxRead")]
    async fn sandbox(
        &self,
        request: &Request,
        /// Words to find in the fixture.
        query: Query<Option<Text<0, 500>>>,
        /// The most blocks returned for a query. Default 5.
        passages: Query<Option<Integer<1, 20>>>,
        /// A block or a range of blocks: `N` or `A-B`.
        lines: Query<Option<String>>,
        /// Blocks a page.
        limit: Query<Option<Integer<1, 200>>>,
        /// `next_cursor` of the page before.
        cursor: Query<Option<Text<0, 500>>>,
        /// The form of the answer; wins over `Accept`.
        format: Query<Option<FormatName>>,
        /// Whole blocks up to so many tokens.
        max_tokens: Query<Option<Integer<100, 25_000>>>,
        /// Answer with the problem of this code.
        scenario: Query<Option<Text<0, 64>>>,
    ) -> Answered<Sandbox> {
        let asked = Asked {
            url: sandbox::URL.to_owned(),
            query: present(query.0.map(|text| text.0)),
            passages: passages.0.map(small),
            lines: lines_of("lines", lines.0)?,
            limit: limit.0.map(small),
            cursor: present(cursor.0.map(|text| text.0)),
            format: format.0.map(name_of),
            max_tokens: max_tokens.0.map(small),
            ..Asked::default()
        };
        let format = asked.format.unwrap_or_else(|| accepted(request));
        let page = sandbox::read(&self.app, asked, format, present(scenario.0.map(|text| text.0)))?;
        Ok(page.respond(request.header("if-none-match")).into())
    }
}

fn url_of(url: Option<String>) -> Result<String, Problem> {
    let url = url.filter(|url| !url.is_empty());
    let url = url.ok_or_else(|| Problem::new("missing_url", "The query parameter `url` is missing."))?;
    check_length(&url)?;
    Ok(url)
}

fn lines_of(name: &str, lines: Option<String>) -> Result<Option<domain::reader::Lines>, Problem> {
    let Some(lines) = present(lines) else { return Ok(None) };
    lines.parse().map(Some).map_err(|reason: String| Problem::parameter(name, reason))
}

fn small<const MIN: i64, const MAX: i64>(number: Integer<MIN, MAX>) -> u32 {
    u32::try_from(number.0).unwrap_or(0)
}

fn name_of(name: FormatName) -> Format {
    match name {
        FormatName::Json => Format::Json,
        FormatName::Text => Format::Text,
        FormatName::Markdown => Format::Markdown,
        FormatName::Html => Format::Html,
    }
}

/// The form that `Accept` prefers.
pub(super) fn accepted(request: &Request) -> Format {
    let lines: Vec<&str> =
        request.headers().get_all("accept").iter().filter_map(|value| value.to_str().ok()).collect();
    Format::accepted((!lines.is_empty()).then(|| lines.join(",")).as_deref())
}

/// A POST answers in JSON unless the caller prefers something else by name.
fn accepted_or_json(request: &Request) -> Format {
    let named = request.header("accept").is_some_and(|accept| accept.contains("text/"));
    if named { accepted(request) } else { Format::Json }
}
