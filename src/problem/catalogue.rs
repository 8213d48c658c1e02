//! Every problem the public reader can answer with, in one table. Each has a page under `/problems/`.

/// One kind of problem.
#[derive(Debug, PartialEq, Eq)]
pub struct Entry {
    /// Stable word.
    pub code: &'static str,
    /// HTTP status.
    pub status: u16,
    /// A short title, the same for every occurrence.
    pub title: &'static str,
    /// What it means, for its page.
    pub meaning: &'static str,
    /// What to do about it.
    pub resolution: &'static str,
    /// Whole seconds to wait when the occurrence does not say.
    pub retry_after: Option<u32>,
}

/// The entry of `code`; a word that is not in the table becomes `service_unavailable`.
pub fn entry(code: &str) -> &'static Entry {
    CATALOGUE.iter().find(|entry| entry.code == code).unwrap_or(&UNAVAILABLE)
}

const UNAVAILABLE: Entry = waiting(
    "service_unavailable",
    503,
    "The reader cannot answer now",
    "Something the reader needs, such as its database or its queue, is away for the moment.",
    "Nothing is lost. Repeat the request after the number of seconds in Retry-After.",
    5,
);

/// All problems, by status.
pub static CATALOGUE: &[Entry] = &[
    new(
        "missing_url",
        400,
        "No URL was given",
        "A read needs the address of a public page.",
        "Send the address as the query parameter `url`, percent-encoded, or as the JSON field `url`.",
    ),
    new(
        "invalid_url",
        400,
        "The URL cannot be read",
        "The address is not an absolute http or https URL of at most 4096 characters, or it holds a user name.",
        "Send a complete address that begins with https:// or http://, without user name and password.",
    ),
    new(
        "url_not_allowed",
        400,
        "The URL points to a place that is not public",
        "The reader fetches from the public internet alone: no private, local or reserved addresses, and none of its own.",
        "Use the public address of the page. An operator can open addresses of their own network with CARREL_FETCH_ALLOW.",
    ),
    new(
        "credential_in_url",
        400,
        "The URL holds an API key",
        "A key inside a source address would be handed to the source. The request was refused before anything was fetched.",
        "Remove the key from the URL, and revoke it if the URL was seen by others. The reader needs no key at all.",
    ),
    new(
        "invalid_parameter",
        400,
        "A parameter is wrong",
        "A query parameter, header or JSON field is out of its bounds, of the wrong type, or unknown.",
        "Correct the parameter named in `detail`; its bounds stand in the API description at /docs.",
    ),
    new(
        "conflicting_parameters",
        400,
        "These parameters exclude each other",
        "Paging, a relevance query and a range of lines are three different ways to choose blocks.",
        "Send only one of: `query`, `lines`, or `limit` with `cursor`.",
    ),
    new(
        "lines_out_of_range",
        400,
        "The range begins beyond the end of the text",
        "The text has fewer blocks than the first number of `lines`.",
        "Read the page without `lines` first: `total_blocks` tells how many blocks there are.",
    ),
    new(
        "invalid_cursor",
        400,
        "The cursor is not one of ours",
        "Cursors are opaque, signed, and good for the URL they were made for.",
        "Pass `next_cursor` back exactly as it came, with the same `url`, or start again without a cursor.",
    ),
    new(
        "invalid_json",
        400,
        "The body is not the JSON that was expected",
        "The body must be one JSON object in UTF-8.",
        "Send a JSON object with `Content-Type: application/json`; `detail` says what is wrong with this one.",
    ),
    new(
        "batch_size",
        400,
        "A batch holds 1 to 10 reads",
        "`requests` is missing, empty or longer than 10.",
        "Split the batch, or create read jobs for larger amounts.",
    ),
    new(
        "invalid_idempotency_key",
        400,
        "The Idempotency-Key is malformed",
        "A key is 1 to 255 visible ASCII characters, quoted or bare.",
        "Send a UUID, for instance, and a new one for each new request.",
    ),
    new(
        "not_found",
        404,
        "There is nothing here",
        "No operation and no page of this service has this path.",
        "See /docs for the operations, or put a URL after the reader's address to read it.",
    ),
    new(
        "job_not_found",
        404,
        "There is no such job",
        "The id is unknown, or the job ended more than 24 hours ago.",
        "Create the job again; results are kept for 24 hours after the end.",
    ),
    new(
        "method_not_allowed",
        405,
        "The path does not answer this method",
        "The `Allow` header names the methods it answers.",
        "Use one of the methods in the `Allow` header.",
    ),
    new(
        "idempotency_key_reused",
        409,
        "The Idempotency-Key belongs to another request",
        "Within 24 hours a key stands for one request: the same path, body and format.",
        "Use a new key for a new request.",
    ),
    waiting(
        "idempotency_key_in_progress",
        409,
        "The first request with this key is still running",
        "Its answer will be kept and told to every repetition.",
        "Repeat the request in a second.",
        1,
    ),
    new(
        "content_changed",
        409,
        "The text this cursor belongs to is gone",
        "Pages are cut from one snapshot of the text; this one is no longer kept.",
        "Start again without a cursor.",
    ),
    new(
        "payload_too_large",
        413,
        "The body is too large",
        "Bodies of the reader are limited to 64 KiB.",
        "Send fewer or shorter values.",
    ),
    new(
        "unsupported_media_type",
        415,
        "The body is of the wrong type",
        "The reader takes JSON.",
        "Send `Content-Type: application/json`.",
    ),
    new(
        "source_not_found",
        422,
        "The source has no such page",
        "The source answered 404 or 410.",
        "Check the address in a browser; the page may have moved or been deleted.",
    ),
    new(
        "source_forbidden",
        422,
        "The source refuses access",
        "The source answered 403 or the like. The reader does not work round access control.",
        "Read the page in a browser, or ask the site for access.",
    ),
    new(
        "login_required",
        422,
        "The page wants a login",
        "The source answered 401.",
        "Choose a page that is open to everybody.",
    ),
    new(
        "paywalled",
        422,
        "The page wants a payment",
        "The source shows its text to subscribers alone.",
        "Read it as a subscriber, in a browser.",
    ),
    new(
        "robots_disallowed",
        422,
        "The site asks robots to stay away",
        "The site's robots.txt excludes this page for CarrelBot.",
        "Choose another source, or ask the site to allow CarrelBot.",
    ),
    new(
        "unsupported_content",
        422,
        "The source is of a kind that cannot be read",
        "Neither a page nor a document with text, or shaped so that reading it would take more time or memory than any page may.",
        "Choose a page, a text or a PDF.",
    ),
    new(
        "content_too_large",
        422,
        "The source is too large",
        "Sources are read up to 10 MiB of HTML and 20 MiB of anything else.",
        "Choose a smaller page, or a part of the document.",
    ),
    new(
        "no_readable_text",
        422,
        "There is no text on the page",
        "The source was fetched, but no text was found in it.",
        "If the page shows text only to browsers that run scripts, look for a print or text version.",
    ),
    new(
        "too_many_redirects",
        422,
        "The source redirects too often",
        "More than 10 redirects, or a circle.",
        "Use the address the page has in a browser once it is open.",
    ),
    waiting(
        "rate_limited",
        429,
        "Too many requests",
        "The limits hold per network; RateLimit-Policy and RateLimit tell them and what is left.",
        "Wait the number of seconds in Retry-After. Batches and jobs save requests; a Developer API key has limits of its own.",
        1,
    ),
    new(
        "source_unreachable",
        502,
        "The source cannot be reached",
        "No such name, no connection, or the connection broke.",
        "Check the address; try again in a while.",
    ),
    new(
        "source_timeout",
        502,
        "The source takes too long",
        "The source did not answer in full within the time a download may take.",
        "Try again, or create a read job, which tries three times.",
    ),
    new(
        "source_tls_error",
        502,
        "No secure connection to the source",
        "The certificate or the TLS handshake failed.",
        "Check the address; the site's owner has to mend its certificate.",
    ),
    new(
        "source_error",
        502,
        "The source reports an error of its own",
        "The source answered with a status that holds no page.",
        "Try again in a while.",
    ),
    new(
        "source_rate_limited",
        502,
        "The source limits how often it may be read",
        "The source answered 429, or asked for a pause that is not over.",
        "Try again after Retry-After.",
    ),
    new(
        "source_invalid_response",
        502,
        "The source's answer is broken",
        "Broken HTTP, a broken encoding, or a body that ended early.",
        "Try again; if it persists, the site has to mend it.",
    ),
    waiting(
        "capacity_exhausted",
        503,
        "All hands are busy",
        "More reads are waiting than can be taken on.",
        "Repeat the request after Retry-After, or create a read job and come back for it.",
        5,
    ),
    UNAVAILABLE,
    new(
        "read_timeout",
        504,
        "The read took too long",
        "The page was not ready within the time a caller can be kept waiting. Its extraction goes on.",
        "Repeat the request: the text may be there by now. For slow sources create a read job.",
    ),
];

const fn new(
    code: &'static str,
    status: u16,
    title: &'static str,
    meaning: &'static str,
    resolution: &'static str,
) -> Entry {
    Entry { code, status, title, meaning, resolution, retry_after: None }
}

const fn waiting(
    code: &'static str,
    status: u16,
    title: &'static str,
    meaning: &'static str,
    resolution: &'static str,
    retry_after: u32,
) -> Entry {
    Entry { code, status, title, meaning, resolution, retry_after: Some(retry_after) }
}
