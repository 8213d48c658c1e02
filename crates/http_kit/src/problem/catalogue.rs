//! Catalogue of all codes: title, meaning, resolution, and the status on each surface. The problem pages, the
//! documents, and all errors are rendered from it.
//!
//! A code that a surface does not document is replaced by a code that it documents, so that callers see only
//! documented codes. The match is exhaustive: a new code without a row does not compile.

use kernel::Code;

use StatusRule::{As, Is, Malformed};

/// Meaning and resolution of a code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ProblemEntry {
    pub code: Code,
    /// Short title, the same for every occurrence.
    pub title: &'static str,
    /// Explanation on the problem page.
    pub meaning: &'static str,
    /// Recommended way to resolve the problem.
    pub resolution: &'static str,
    /// Seconds to wait before a retry, unless the problem sets its own value.
    pub retry_after: Option<u32>,
    pub(super) reader: StatusRule,
    pub(super) api: StatusRule,
}

/// Status of a code on a surface.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum StatusRule {
    /// Fixed status.
    Is(u16),
    /// Status of an invalid request, which depends on the group of the operation.
    Malformed,
    /// Replaced by another code.
    As(Code),
}

macro_rules! catalogue {
    (@wait) => { None };
    (@wait $seconds:literal) => { Some($seconds) };
    (
        $($name:ident: reader $reader:expr, api $api:expr $(, wait $seconds:literal)?;
            $title:literal, $meaning:literal, $resolution:literal;)+
        [$($alias:ident => $other:ident,)+]
    ) => {
        /// Returns the row of `code`.
        pub(super) fn row(code: Code) -> ProblemEntry {
            match code {
                $(Code::$name => ProblemEntry {
                    code,
                    title: $title,
                    meaning: $meaning,
                    resolution: $resolution,
                    retry_after: catalogue!(@wait $($seconds)?),
                    reader: $reader,
                    api: $api,
                },)+
                $(Code::$alias => ProblemEntry {
                    code,
                    reader: As(Code::$other),
                    api: As(Code::$other),
                    ..row(Code::$other)
                },)+
            }
        }
    };
}

catalogue! {
    NotFound: reader Is(404), api Is(404);
        "Not found",
        "The path or id is unknown or deleted, or it belongs to another account.",
        "Check the path and the id. See /docs for the operations, or append a URL to the reader's address to read it.";
    JobNotFound: reader Is(404), api As(Code::NotFound);
        "Job not found",
        "The id is unknown, or the job ended more than 24 hours ago.",
        "Create the job again. Results are stored for 24 hours after the job ends.";
    InvalidRequest: reader As(Code::InvalidParameter), api Malformed;
        "The request is invalid",
        "A field of the body or a parameter is out of bounds, has the wrong type, or is unknown.",
        "Correct the field that `details` points to.";
    InvalidParameter: reader Is(400), api As(Code::InvalidRequest);
        "A parameter is invalid",
        "A query parameter, header or JSON field is out of bounds, has the wrong type, or is unknown.",
        "Correct the parameter named in `detail`. Its bounds are listed in the API description at /docs.";
    ConflictingParameters: reader Is(400), api As(Code::InvalidRequest);
        "These parameters cannot be combined",
        "Paging, a relevance query and a line range are alternative ways to select blocks.",
        "Send only one of: `query`, `lines`, or `limit` with `cursor`.";
    MissingUrl: reader Is(400), api As(Code::InvalidUrl);
        "No URL was given",
        "A read needs the address of a public page.",
        "Send the address as the query parameter `url`, percent-encoded, or as the JSON field `url`.";
    InvalidUrl: reader Is(400), api Malformed;
        "The URL is invalid",
        "The address is not an absolute http or https URL of at most 4096 characters, or it contains a user name.",
        "Send a complete address that begins with https:// or http://, without user name and password.";
    UrlNotAllowed: reader Is(400), api Malformed;
        "The URL is not public",
        "Only public internet addresses are fetched: no private, local or reserved addresses, and none of this service.",
        "Use the public address of the page. Operators can allow addresses of their own network with CARREL_FETCH_ALLOW.";
    CredentialInUrl: reader Is(400), api As(Code::InvalidUrl);
        "The URL contains an API key or token",
        "A key or token in the URL would be sent to the source, so the request was refused before anything was fetched.",
        "Remove it from the URL, and revoke it if others have seen the URL. The reader needs neither a key nor a token there.";
    LinesOutOfRange: reader Is(400), api As(Code::InvalidRequest);
        "The line range is beyond the end of the text",
        "The first number of `lines` is greater than the number of blocks.",
        "Read the page without `lines` first: `total_blocks` is the number of blocks.";
    InvalidCursor: reader Is(400), api Is(422);
        "The cursor is invalid",
        "Cursors are opaque and signed, and valid only for the request they were created for.",
        "Send the cursor exactly as received, with the same request, or start again without a cursor.";
    CursorMismatch: reader As(Code::InvalidCursor), api Is(422);
        "The cursor was made with other filters",
        "A cursor continues the list it was created for.",
        "Send the filters that the cursor was created with, or start again without a cursor.";
    CursorOutOfRange: reader As(Code::InvalidCursor), api Is(422);
        "The cursor is beyond the end",
        "The article has fewer blocks than the position of the cursor; it may have become shorter.",
        "Start again without a cursor.";
    InvalidJson: reader Is(400), api As(Code::InvalidRequest);
        "The body is not valid JSON",
        "The body must be one JSON object in UTF-8.",
        "Send a JSON object with `Content-Type: application/json`. `detail` describes the error.";
    BatchSize: reader Is(400), api As(Code::InvalidRequest);
        "A batch must contain 1 to 10 reads",
        "`requests` is missing, empty or has more than 10 items.",
        "Split the batch, or create read jobs for more pages.";
    InvalidIdempotencyKey: reader Is(400), api As(Code::InvalidRequest);
        "The Idempotency-Key is malformed",
        "A key is 1 to 255 visible ASCII characters, quoted or bare.",
        "Send a new key for each new request, for example a UUID.";
    MethodNotAllowed: reader Is(405), api Is(405);
        "The path does not support this method",
        "The `Allow` header lists the supported methods.",
        "Use one of the methods in the `Allow` header.";
    PayloadTooLarge: reader Is(413), api Is(413);
        "The body is too large",
        "Reader bodies are limited to 64 KiB, and files by the plan of the account.",
        "Send fewer or shorter values.";
    UnsupportedMediaType: reader Is(415), api Is(415);
        "Unsupported content type",
        "The reader accepts JSON; a file must be of a type that can be stored.",
        "Send `Content-Type: application/json`, or a file of another type.";
    MissingSource: reader As(Code::InvalidParameter), api Is(422);
        "There is nothing to save",
        "Neither a URL nor a text was sent.",
        "Send `url`, or the text itself.";
    ExternalIdConflict: reader As(Code::InvalidParameter), api Is(422);
        "The external id is taken",
        "Another item of the account has this external id.",
        "Use another external id, or change the item that has it.";
    ConflictingChanges: reader As(Code::InvalidParameter), api Is(422);
        "The changes contradict each other",
        "One change reverts another change of the same request.",
        "Send only one of these changes.";
    CollectionImmutable: reader As(Code::InvalidParameter), api Is(422);
        "This collection cannot be changed",
        "It is the built-in collection of unsorted feeds, which every account has.",
        "Create a collection of your own.";
    IntervalTooShort: reader As(Code::InvalidParameter), api Is(422);
        "The interval is too short",
        "The plan has a minimum interval; `details` names it.",
        "Send a longer interval, or change the plan.";
    ChecksumMismatch: reader As(Code::InvalidParameter), api Is(422);
        "The checksum does not match",
        "The received bytes do not match the announced checksum.",
        "Send the file again.";
    RangeNotSatisfiable: reader As(Code::InvalidParameter), api Is(416);
        "The range is not satisfiable",
        "`Range` begins beyond the end of the file. `Content-Range` gives its length.",
        "Request a range within the file, or the whole file.";
    MissingCredential: reader As(Code::ServiceUnavailable), api Is(401);
        "No credential was sent",
        "Operations of an account need an API key or an access token.",
        "Send an API key or an access token as `Authorization: Bearer …`, or a key as `X-API-Key`.";
    InvalidCredential: reader As(Code::ServiceUnavailable), api Is(401);
        "The credential is invalid",
        "It is unknown, or it was copied incompletely.",
        "Check the key, or create a new one. Refresh an access token.";
    ExpiredCredential: reader As(Code::ServiceUnavailable), api Is(401);
        "The credential has expired",
        "Its lifetime is over.",
        "Create a new key.";
    RevokedCredential: reader As(Code::ServiceUnavailable), api Is(401);
        "The credential was revoked",
        "It was revoked, or its account is disabled.",
        "Create a new key.";
    ConflictingCredentials: reader As(Code::ServiceUnavailable), api Is(401);
        "Two different credentials were sent",
        "`Authorization` and `X-API-Key` contain different credentials.",
        "Send only one credential.";
    InsufficientScope: reader As(Code::ServiceUnavailable), api Is(403);
        "The credential lacks a scope",
        "`details` names the scope that the operation needs.",
        "Use a credential with this scope.";
    PlanRequired: reader As(Code::ServiceUnavailable), api Is(403);
        "The plan does not include this",
        "The plan of the account allows none of it.",
        "Use another operation, or change the plan.";
    LimitReached: reader As(Code::ServiceUnavailable), api Is(403);
        "The limit of the plan is reached",
        "`details` contains the limit and the current usage.",
        "Delete something of this kind, or change the plan.";
    StorageLimitReached: reader As(Code::ServiceUnavailable), api Is(403);
        "The plan's storage is used up",
        "`details` contains the limit and the current usage.",
        "Delete items or files, or change the plan.";
    StoreFull: reader As(Code::ServiceUnavailable), api Is(507);
        "The server has no space left for files",
        "The disk of this service has too little free space. Everything but uploads works.",
        "Try again after the operator of the service has made space.";
    ApprovalRequired: reader As(Code::ServiceUnavailable), api Is(403);
        "The person must approve the call",
        "The person chose to be asked before this tool of the connection is called.",
        "Approve the call on the page of the connection, then send it again unchanged.";
    OwnerRequired: reader As(Code::ServiceUnavailable), api Is(403);
        "Only the signed-in person may do this",
        "API keys and tokens may not do this, whatever their scopes.",
        "Sign in with a browser and do it there.";
    EditorRequired: reader As(Code::ServiceUnavailable), api Is(403);
        "Only editors of the team may do this",
        "The account is a reader of the team.",
        "Ask the owner of the team to make the account an editor.";
    NameTaken: reader As(Code::ServiceUnavailable), api Is(409);
        "The name is taken",
        "Something in the account already has this name or address.",
        "Use another name, or the existing object.";
    Superseded: reader As(Code::ServiceUnavailable), api As(Code::CommitConflict);
        "The monitor changed during the run",
        "The target of the monitor was changed while it ran. The run cost nothing.",
        "No action is needed: the monitor runs again immediately.";
    ConsumerConflict: reader As(Code::ServiceUnavailable), api Is(409);
        "The consumer exists with other settings",
        "A consumer with this name exists with other filters.",
        "Use another name, or the settings the consumer was created with.";
    CursorNotDeliverable: reader As(Code::ServiceUnavailable), api Is(409);
        "The cursor was not delivered",
        "Only cursors that were delivered to this consumer can be acknowledged.",
        "Acknowledge a cursor that the consumer received.";
    AssetConflict: reader As(Code::ServiceUnavailable), api Is(409);
        "The file is in use",
        "The file already belongs to something else.",
        "Upload the file again.";
    PreconditionFailed: reader As(Code::ServiceUnavailable), api Is(412);
        "The object has changed",
        "`If-Match` does not name the current version.",
        "Fetch the current version and retry.";
    NotReady: reader As(Code::ServiceUnavailable), api Is(409), wait 5;
        "The text is not available yet",
        "The item is saved, but its text has not been fetched, extracted or uploaded yet.",
        "Retry after the number of seconds in Retry-After. `articleStatus` of the item gives the state of its text.";
    CommitConflict: reader As(Code::ServiceUnavailable), api Is(409);
        "Conflicting change",
        "Two changes conflicted, and this one was not made.",
        "Fetch the current state and retry.";
    IdempotencyKeyReused: reader Is(409), api As(Code::CommitConflict);
        "The Idempotency-Key was used for another request",
        "For 24 hours a key identifies one request: the same path, body and format.",
        "Use a new key for each new request.";
    IdempotencyKeyInProgress: reader Is(409), api As(Code::CommitConflict), wait 1;
        "The first request with this key is still running",
        "Its response will be stored and returned to every repetition.",
        "Retry in a second.";
    ContentChanged: reader Is(409), api As(Code::CommitConflict);
        "The text of this cursor is no longer stored",
        "Pages are cut from one snapshot of the text, and that snapshot is no longer stored.",
        "Start again without a cursor.";
    CursorExpired: reader As(Code::ContentChanged), api Is(410);
        "The cursor has expired",
        "Changes are stored for a limited time, and this cursor is older.",
        "Start again without the cursor.";
    RateLimited: reader Is(429), api Is(429), wait 1;
        "Too many requests",
        "Limits apply per network or per account. The headers RateLimit-Policy and RateLimit report them.",
        "Wait the number of seconds in Retry-After. Batches and jobs need fewer requests; Developer API keys have their own limits.";
    DailyLimitReached: reader As(Code::RateLimited), api Is(429), wait 1;
        "The day's operations are used up",
        "A day is a calendar day in UTC.",
        "Wait the number of seconds in Retry-After, or change the plan.";
    FreshExtractionLimit: reader As(Code::RateLimited), api Is(429), wait 1;
        "The limit for fresh extractions is reached",
        "`details` names the limit: per minute, or per day in UTC.",
        "Wait the number of seconds in Retry-After. Texts fetched within the last hour cost nothing.";
    MonitorCreditsExhausted: reader As(Code::RateLimited), api Is(429), wait 1;
        "The month's monitor credits are used up",
        "Each run of a monitor costs credits; a month is a calendar month in UTC.",
        "Wait for the next month, or change the plan.";
    SourceNotFound: reader Is(422), api Is(422);
        "The page does not exist",
        "The source answered 404 or 410.",
        "Check the address in a browser; the page may have moved or been deleted.";
    SourceForbidden: reader Is(422), api Is(422);
        "The site refuses access",
        "The source answered 403 or a similar status. The reader does not bypass access control.",
        "Read the page in a browser, or ask the site for access.";
    LoginRequired: reader Is(422), api Is(422);
        "The page requires you to sign in",
        "The source answered 401.",
        "Choose a page that is publicly accessible.";
    Paywalled: reader Is(422), api Is(422);
        "The page requires a subscription",
        "The source shows its text to subscribers only.",
        "Read it in a browser, as a subscriber.";
    RobotsDisallowed: reader Is(422), api Is(422);
        "The site does not allow automated access",
        "The site's robots.txt excludes this page for CarrelBot.",
        "Choose another source, or ask the site to allow CarrelBot.";
    UnsupportedContent: reader Is(422), api Is(422);
        "This file type is not supported",
        "It is not a page or document with text, or reading it would take more time or memory than is allowed.",
        "Choose a page, a text or a PDF.";
    ContentTooLarge: reader Is(422), api Is(422);
        "The page or file is too large",
        "Sources are read up to 10 MiB of HTML and 20 MiB of anything else.",
        "Choose a smaller page, or a part of the document.";
    NoReadableText: reader Is(422), api Is(422);
        "The page contains no text",
        "The source was fetched, but no text was found in it.",
        "If the page shows text only to browsers that run scripts, look for a print or text version.";
    TooManyRedirects: reader Is(422), api Is(422);
        "The site redirects too many times",
        "There were more than 10 redirects, or a redirect loop.",
        "Use the address that a browser shows once the page is open.";
    NoFeedFound: reader As(Code::NoReadableText), api Is(422);
        "No feed was found",
        "There is no feed at the address, and the page links to none.",
        "Send the address of the feed itself.";
    SelectorFailed: reader As(Code::NoReadableText), api Is(422);
        "The selector fails on the source",
        "A selector of the monitor cannot be evaluated on the source, or not within the limits of time and memory.",
        "Simplify the selector, or select a smaller part.";
    SourceUnreachable: reader Is(502), api Is(502);
        "The site cannot be reached",
        "The name does not resolve, the connection was refused, or it broke.",
        "Check the address, or retry later.";
    ProxyFailed: reader As(Code::SourceUnreachable), api Is(502);
        "The proxy failed",
        "The proxy of the monitor cannot be reached, refuses the sign-in, or refuses to connect to the source.",
        "Retry later, choose another proxy, or ask the operator.";
    ProxyNotOffered: reader As(Code::NoReadableText), api Is(422);
        "The proxy is no longer offered",
        "The operator has removed the proxy of the monitor. The source was not requested without it.",
        "Choose another proxy for the monitor, or none.";
    StepFailed: reader As(Code::NoReadableText), api Is(422);
        "A step on the page failed",
        "The page has no element for a step or for waitFor, or the element does not support the step.",
        "Preview the monitor to see which step failed, then correct its selector.";
    RendererUnavailable: reader As(Code::NoReadableText), api Is(422);
        "The page could not be opened in a browser",
        "The service has no browser, or its browser does not start. The page was not read.",
        "Watch the page as it is served, or ask the operator to install Chromium.";
    SourceTimeout: reader Is(502), api Is(502);
        "The site did not respond in time",
        "The source did not answer completely within the time limit for downloads.",
        "Retry later, or create a read job, which tries three times.";
    SourceTlsError: reader Is(502), api Is(502);
        "Could not connect securely to the site",
        "The source does not support TLS at this address, or its certificate is invalid.",
        "Check the address, and request sites without TLS as http://. Other TLS errors must be fixed by the owner of the site.";
    SourceError: reader Is(502), api Is(502);
        "The site returned an error",
        "The source answered with a status that holds no page.",
        "Retry later.";
    SourceRateLimited: reader Is(502), api Is(502);
        "The site is limiting requests",
        "The source answered 429, or a pause that it requested is not over.",
        "Retry after the number of seconds in Retry-After.";
    SourceInvalidResponse: reader Is(502), api Is(502);
        "The site sent an invalid response",
        "The response is not valid HTTP, has a broken encoding, or ended early.",
        "Retry later. If the error persists, the owner of the site must fix it.";
    CapacityExhausted: reader Is(503), api Is(503), wait 5;
        "The service is busy",
        "More reads are waiting than the service accepts.",
        "Retry after the number of seconds in Retry-After, or create a read job and fetch its result later.";
    ServiceUnavailable: reader Is(503), api Is(503), wait 5;
        "The service is unavailable",
        "Something that is needed, such as the database or the queue, is currently unavailable.",
        "Nothing is lost. Retry after the number of seconds in Retry-After.";
    Maintenance: reader As(Code::ServiceUnavailable), api Is(503), wait 60;
        "The service is down for maintenance",
        "The operator is performing maintenance.",
        "Retry after the number of seconds in Retry-After.";
    ReadTimeout: reader Is(504), api As(Code::ServiceUnavailable);
        "Reading the page took too long",
        "The page was not ready within the maximum waiting time. Its extraction continues.",
        "Retry: the text may be available by then. For slow sources, create a read job.";
    // Neither API returns these codes: they belong to web pages, public feeds, and jobs.
    [
        SelectorNotFound => NoReadableText,
        FeedGone => NotFound,
        SignupClosed => OwnerRequired,
        FormExpired => OwnerRequired,
        JobConflict => ServiceUnavailable,
        LeaseLost => ServiceUnavailable,
        Cancelled => ServiceUnavailable,
        Internal => ServiceUnavailable,
        WorkerLost => ServiceUnavailable,
        RunTimeout => ServiceUnavailable,
    ]
}
