//! Every code in one table: what it is called, what it means, what to do about it, and how each surface
//! answers with it. The pages of problems, the documents and every error are rendered from it.
//!
//! A code that a surface does not have is shown as another one that it has, so that callers meet only codes
//! that are documented for them. The match is exhaustive: a new code does not compile without its row.

use kernel::Code;

use Shown::{As, Is, Malformed};

/// What a code means, and what to do about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entry {
    /// The code.
    pub code: Code,
    /// A short title, the same for every occurrence.
    pub title: &'static str,
    /// What it means, for its page.
    pub meaning: &'static str,
    /// What to do about it.
    pub resolution: &'static str,
    /// Whole seconds to wait when the occurrence does not say.
    pub retry_after: Option<u32>,
    pub(super) reader: Shown,
    pub(super) api: Shown,
}

/// How a surface answers with a code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shown {
    /// With this status.
    Is(u16),
    /// As a request that fails its schema: which status that is depends on the group of the operation.
    Malformed,
    /// As another code.
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
        /// The row of `code`.
        pub(super) fn row(code: Code) -> Entry {
            match code {
                $(Code::$name => Entry {
                    code,
                    title: $title,
                    meaning: $meaning,
                    resolution: $resolution,
                    retry_after: catalogue!(@wait $($seconds)?),
                    reader: $reader,
                    api: $api,
                },)+
                $(Code::$alias => Entry {
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
        "There is nothing here",
        "Nothing has this path or this id: it is unknown, deleted, or another account's.",
        "Check the path and the id. See /docs for the operations, or put a URL after the reader's address to read it.";
    JobNotFound: reader Is(404), api As(Code::NotFound);
        "There is no such job",
        "The id is unknown, or the job ended more than 24 hours ago.",
        "Create the job again; results are kept for 24 hours after the end.";
    InvalidRequest: reader As(Code::InvalidParameter), api Malformed;
        "The request fails its schema",
        "A field of the body or a parameter is out of its bounds, of the wrong type, or unknown.",
        "Change the request as `details` says: it points to the field.";
    InvalidParameter: reader Is(400), api As(Code::InvalidRequest);
        "A parameter is wrong",
        "A query parameter, header or JSON field is out of its bounds, of the wrong type, or unknown.",
        "Correct the parameter named in `detail`; its bounds stand in the API description at /docs.";
    ConflictingParameters: reader Is(400), api As(Code::InvalidRequest);
        "These parameters exclude each other",
        "Paging, a relevance query and a range of lines are three different ways to choose blocks.",
        "Send only one of: `query`, `lines`, or `limit` with `cursor`.";
    MissingUrl: reader Is(400), api As(Code::InvalidUrl);
        "No URL was given",
        "A read needs the address of a public page.",
        "Send the address as the query parameter `url`, percent-encoded, or as the JSON field `url`.";
    InvalidUrl: reader Is(400), api Malformed;
        "The URL cannot be read",
        "The address is not an absolute http or https URL of at most 4096 characters, or it holds a user name.",
        "Send a complete address that begins with https:// or http://, without user name and password.";
    UrlNotAllowed: reader Is(400), api Malformed;
        "The URL points to a place that is not public",
        "Only the public internet is fetched from: no private, local or reserved addresses, and none of our own.",
        "Use the public address of the page. An operator can open addresses of their own network with CARREL_FETCH_ALLOW.";
    CredentialInUrl: reader Is(400), api As(Code::InvalidUrl);
        "The URL holds an API key or token",
        "A key or token inside a source address would be handed to the source. The request was refused before anything was fetched.",
        "Remove it from the URL, and revoke it if the URL was seen by others. The reader needs neither.";
    LinesOutOfRange: reader Is(400), api As(Code::InvalidRequest);
        "The range begins beyond the end of the text",
        "The text has fewer blocks than the first number of `lines`.",
        "Read the page without `lines` first: `total_blocks` tells how many blocks there are.";
    InvalidCursor: reader Is(400), api Is(422);
        "The cursor is not one of ours",
        "Cursors are opaque, signed, and good for what they were made for.",
        "Pass the cursor back exactly as it came, with the same request, or start again without a cursor.";
    CursorMismatch: reader As(Code::InvalidCursor), api Is(422);
        "The cursor was made with other filters",
        "A cursor goes on with the list it came from.",
        "Send the filters that the cursor was made with, or start again without a cursor.";
    CursorOutOfRange: reader As(Code::InvalidCursor), api Is(422);
        "The cursor lies beyond the end",
        "The article has fewer blocks than the cursor says; it may have become shorter.",
        "Start again without a cursor.";
    InvalidJson: reader Is(400), api As(Code::InvalidRequest);
        "The body is not the JSON that was expected",
        "The body must be one JSON object in UTF-8.",
        "Send a JSON object with `Content-Type: application/json`; `detail` says what is wrong with this one.";
    BatchSize: reader Is(400), api As(Code::InvalidRequest);
        "A batch holds 1 to 10 reads",
        "`requests` is missing, empty or longer than 10.",
        "Split the batch, or create read jobs for larger amounts.";
    InvalidIdempotencyKey: reader Is(400), api As(Code::InvalidRequest);
        "The Idempotency-Key is malformed",
        "A key is 1 to 255 visible ASCII characters, quoted or bare.",
        "Send a UUID, for instance, and a new one for each new request.";
    MethodNotAllowed: reader Is(405), api Is(405);
        "The path does not answer this method",
        "The `Allow` header names the methods it answers.",
        "Use one of the methods in the `Allow` header.";
    PayloadTooLarge: reader Is(413), api Is(413);
        "The body is too large",
        "Bodies of the reader are limited to 64 KiB, files of an account by its plan.",
        "Send fewer or shorter values.";
    UnsupportedMediaType: reader Is(415), api Is(415);
        "The body is of the wrong type",
        "The reader takes JSON; a file must be of a type that can be kept.",
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
        "One change undoes what another of the same request does.",
        "Send only one of them.";
    CollectionImmutable: reader As(Code::InvalidParameter), api Is(422);
        "This collection cannot be changed",
        "The collection of unsorted feeds belongs to every account.",
        "Make a collection of your own.";
    IntervalTooShort: reader As(Code::InvalidParameter), api Is(422);
        "The interval is too short",
        "The plan has a shortest interval; `details` names it.",
        "Send a longer interval, or change the plan.";
    ChecksumMismatch: reader As(Code::InvalidParameter), api Is(422);
        "The checksum does not fit",
        "The bytes that came are not those that were announced.",
        "Send the file again.";
    RangeNotSatisfiable: reader As(Code::InvalidParameter), api Is(416);
        "There are no such bytes",
        "`Range` names bytes behind the end of the file; `Content-Range` says how long it is.",
        "Ask for bytes that the file has, or for all of it.";
    MissingCredential: reader As(Code::ServiceUnavailable), api Is(401);
        "No credential was sent",
        "Operations of an account need an API key or an access token.",
        "Send an API key or an access token as `Authorization: Bearer …`, or a key as `X-API-Key`.";
    InvalidCredential: reader As(Code::ServiceUnavailable), api Is(401);
        "The credential is not valid",
        "It is none of ours, or it was copied incompletely.",
        "Check the key, or make a new one; refresh a token.";
    ExpiredCredential: reader As(Code::ServiceUnavailable), api Is(401);
        "The credential has expired",
        "Its time is over.",
        "Make a new key.";
    RevokedCredential: reader As(Code::ServiceUnavailable), api Is(401);
        "The credential was revoked",
        "It was revoked, or its account is disabled.",
        "Make a new key.";
    ConflictingCredentials: reader As(Code::ServiceUnavailable), api Is(401);
        "Two different credentials were sent",
        "`Authorization` and `X-API-Key` do not hold the same.",
        "Send one credential.";
    InsufficientScope: reader As(Code::ServiceUnavailable), api Is(403);
        "The credential lacks a scope",
        "`details` names the scope that the operation needs.",
        "Use a credential with this scope.";
    PlanRequired: reader As(Code::ServiceUnavailable), api Is(403);
        "The plan does not include this",
        "The account's plan has none of it.",
        "Use another operation, or change the plan.";
    LimitReached: reader As(Code::ServiceUnavailable), api Is(403);
        "The plan has no room left",
        "`details` holds the limit and what is used of it.",
        "Remove something of this kind, or change the plan.";
    StorageLimitReached: reader As(Code::ServiceUnavailable), api Is(403);
        "The plan's storage is used up",
        "`details` holds the limit and what is used of it.",
        "Remove items or files, or change the plan.";
    OwnerRequired: reader As(Code::ServiceUnavailable), api Is(403);
        "Only the signed-in person may do this",
        "A key or token may not, whatever its scopes.",
        "Do it in a browser, signed in.";
    NameTaken: reader As(Code::ServiceUnavailable), api Is(409);
        "The name is taken",
        "Something of the account has this name or address already.",
        "Use another name, or what is there.";
    Superseded: reader As(Code::ServiceUnavailable), api As(Code::CommitConflict);
        "The run was overtaken by a change",
        "What the monitor watches was changed while it ran. The run cost nothing.",
        "Nothing: the monitor runs again at once.";
    ConsumerConflict: reader As(Code::ServiceUnavailable), api Is(409);
        "The consumer has other settings",
        "A consumer of this name exists with other filters.",
        "Use another name, or the settings it was made with.";
    CursorNotDeliverable: reader As(Code::ServiceUnavailable), api Is(409);
        "The cursor was not delivered",
        "Only what was delivered to this consumer can be acknowledged.",
        "Acknowledge a cursor that was received.";
    AssetConflict: reader As(Code::ServiceUnavailable), api Is(409);
        "The file is in use",
        "The file belongs to something else already.",
        "Upload the file again.";
    PreconditionFailed: reader As(Code::ServiceUnavailable), api Is(412);
        "It was changed meanwhile",
        "`If-Match` names a version that is not the present one.",
        "Read the present version and decide again.";
    NotReady: reader As(Code::ServiceUnavailable), api Is(409), wait 5;
        "The text is not there yet",
        "The item is saved, and its text waits to be fetched, read or uploaded.",
        "Ask again after the number of seconds in Retry-After; `articleStatus` of the item says where its text stands.";
    CommitConflict: reader As(Code::ServiceUnavailable), api Is(409);
        "Another change came first",
        "Two changes met; this one was not made.",
        "Read the present state and decide again.";
    IdempotencyKeyReused: reader Is(409), api As(Code::CommitConflict);
        "The Idempotency-Key belongs to another request",
        "Within 24 hours a key stands for one request: the same path, body and format.",
        "Use a new key for a new request.";
    IdempotencyKeyInProgress: reader Is(409), api As(Code::CommitConflict), wait 1;
        "The first request with this key is still running",
        "Its response will be stored and sent again to every repetition.",
        "Repeat the request in a second.";
    ContentChanged: reader Is(409), api As(Code::CommitConflict);
        "The text this cursor belongs to is gone",
        "Pages are cut from one snapshot of the text; this one is no longer kept.",
        "Start again without a cursor.";
    CursorExpired: reader As(Code::ContentChanged), api Is(410);
        "The cursor is too old",
        "Changes are kept for a time; this cursor is older.",
        "Start again without the cursor.";
    RateLimited: reader Is(429), api Is(429), wait 1;
        "Too many requests",
        "The limits hold per network or per account; RateLimit-Policy and RateLimit report them and what is left.",
        "Wait the number of seconds in Retry-After. Batches and jobs save requests; a Developer API key has limits of its own.";
    DailyLimitReached: reader As(Code::RateLimited), api Is(429), wait 1;
        "The day's operations are used up",
        "A day is a calendar day in UTC.",
        "Wait the number of seconds in Retry-After, or change the plan.";
    FreshExtractionLimit: reader As(Code::RateLimited), api Is(429), wait 1;
        "The downloads of new sources are used up",
        "`details` names the limit: of a minute, or of a day in UTC.",
        "Wait the number of seconds in Retry-After. Texts of the last hour cost nothing.";
    MonitorCreditsExhausted: reader As(Code::RateLimited), api Is(429), wait 1;
        "The month's monitor credits are used up",
        "Each run of a monitor costs credits; a month is a calendar month in UTC.",
        "Wait for the next month, or change the plan.";
    SourceNotFound: reader Is(422), api Is(422);
        "The source has no such page",
        "The source answered 404 or 410.",
        "Check the address in a browser; the page may have moved or been deleted.";
    SourceForbidden: reader Is(422), api Is(422);
        "The source refuses access",
        "The source answered 403 or the like. The reader does not bypass access control.",
        "Read the page in a browser, or ask the site for access.";
    LoginRequired: reader Is(422), api Is(422);
        "The page requires signing in",
        "The source answered 401.",
        "Choose a page that is open to everybody.";
    Paywalled: reader Is(422), api Is(422);
        "The page requires a subscription",
        "The source shows its text to subscribers alone.",
        "Read it as a subscriber, in a browser.";
    RobotsDisallowed: reader Is(422), api Is(422);
        "The site asks robots to stay away",
        "The site's robots.txt excludes this page for CarrelBot.",
        "Choose another source, or ask the site to allow CarrelBot.";
    UnsupportedContent: reader Is(422), api Is(422);
        "The source is of a kind that cannot be read",
        "Neither a page nor a document with text, or shaped so that reading it would take more time or memory than any page may.",
        "Choose a page, a text or a PDF.";
    ContentTooLarge: reader Is(422), api Is(422);
        "The source is too large",
        "Sources are read up to 10 MiB of HTML and 20 MiB of anything else.",
        "Choose a smaller page, or a part of the document.";
    NoReadableText: reader Is(422), api Is(422);
        "There is no text on the page",
        "The source was fetched, but no text was found in it.",
        "If the page shows text only to browsers that run scripts, look for a print or text version.";
    TooManyRedirects: reader Is(422), api Is(422);
        "The source redirects too often",
        "More than 10 redirects, or a circle.",
        "Use the address the page has in a browser once it is open.";
    NoFeedFound: reader As(Code::NoReadableText), api Is(422);
        "There is no feed",
        "There is no feed at the address, and the page names none.",
        "Send the feed's own address.";
    SourceUnreachable: reader Is(502), api Is(502);
        "The source cannot be reached",
        "No such name, no connection, or the connection broke.",
        "Check the address; try again in a while.";
    SourceTimeout: reader Is(502), api Is(502);
        "The source takes too long",
        "The source did not answer in full within the time a download may take.",
        "Try again; the reader also takes read jobs, which try three times.";
    SourceTlsError: reader Is(502), api Is(502);
        "No secure connection to the source",
        "The source does not speak TLS here, or cannot prove who it is.",
        "Check the address; a site without TLS is asked for as http://. All else its owner has to mend.";
    SourceError: reader Is(502), api Is(502);
        "The source reports an error of its own",
        "The source answered with a status that holds no page.",
        "Try again in a while.";
    SourceRateLimited: reader Is(502), api Is(502);
        "The source limits how often it may be read",
        "The source answered 429, or asked for a pause that is not over.",
        "Try again after Retry-After.";
    SourceInvalidResponse: reader Is(502), api Is(502);
        "The source's answer is broken",
        "Broken HTTP, a broken encoding, or a body that ended early.",
        "Try again; if it persists, the site has to fix it.";
    CapacityExhausted: reader Is(503), api Is(503), wait 5;
        "The service is busy",
        "More reads are waiting than can be taken on.",
        "Repeat the request after Retry-After; the reader also takes read jobs, to come back for.";
    ServiceUnavailable: reader Is(503), api Is(503), wait 5;
        "The service cannot answer now",
        "Something that is needed, such as the database or the queue, is away for the moment.",
        "Nothing is lost. Repeat the request after the number of seconds in Retry-After.";
    Maintenance: reader As(Code::ServiceUnavailable), api Is(503), wait 60;
        "The service is being maintained",
        "The operator is at work.",
        "Repeat the request after the number of seconds in Retry-After.";
    ReadTimeout: reader Is(504), api As(Code::ServiceUnavailable);
        "The read took too long",
        "The page was not ready within the time a caller can be kept waiting. Its extraction goes on.",
        "Repeat the request: the text may be there by now. For slow sources create a read job.";
    // No surface has these: they are those of pages, of public feeds, and of jobs.
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
