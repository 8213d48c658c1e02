//! Texts of errors on pages, by their codes. Programs receive the English messages of the API.
//!
//! Pages in English display the message of an error, which is often more specific than its code. Pages in other
//! languages display the translation of the message, of the code, or of the reason at the field, whichever is the
//! first to exist. If none exists, they display the English message.

use kernel::{Class, Code, Error};
use maud::{Markup, Render, html};

use super::fault_text;
use crate::language::choice::tag_of_english;
use crate::language::text::Text;
use http_kit::problem::ErrorGroup;

/// Sentences about an error, and their language if it differs from that of the page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ErrorSentences {
    pub(crate) words: String,
    /// Value of the attribute `lang`. `None` if the words are in the language of the page.
    pub(crate) tag: Option<&'static str>,
}

impl ErrorSentences {
    /// Returns English words.
    pub(crate) fn in_english(words: impl Into<String>) -> Self {
        Self { words: words.into(), tag: tag_of_english() }
    }

    /// Returns an English message, translated to the language of the page if a translation exists.
    pub(crate) fn of_message(message: &str) -> Self {
        match translated(message) {
            Some(words) => Self { words, tag: None },
            None => Self::in_english(message),
        }
    }

    /// Returns the sentence about an error, in the language of the page if its message, its code, or the reason at
    /// its field has a translation.
    pub(crate) fn of(error: &Error) -> Self {
        let of_code = || text_of(error.code).filter(|_| tag_of_english().is_some()).map(sentence);
        let of_reason = || error.field().and_then(|field| reason_of_field(&field.reason));
        match translated(&error.message).or_else(of_code).or_else(of_reason) {
            Some(words) => Self { words, tag: None },
            None => Self::in_english(error.message.as_str()),
        }
    }
}

impl Render for ErrorSentences {
    fn render_to(&self, buffer: &mut String) {
        html! { @match self.tag {
            Some(tag) => { span lang=(tag) { (self.words) } },
            None => { (self.words) },
        } }
        .render_to(buffer);
    }
}

/// Renders an English message, translated to the language of the page if a translation exists.
pub(crate) fn message_text(message: &str) -> Markup {
    ErrorSentences::of_message(message).render()
}

/// Renders the stored message of an error, in the language of the page if the message or the code has a translation.
pub(crate) fn stored_message(code: Code, message: &str) -> Markup {
    ErrorSentences::of(&Error::new(code, message)).render()
}

/// Returns the name of a setting that was not imported, in the language of the page. Names of other programs are
/// unchanged.
pub(crate) fn setting_words(setting: &str) -> String {
    tag_of_english().and_then(|_| fault_text::of_setting(setting)).unwrap_or_else(|| setting.to_owned())
}

/// Returns the translation of an English message. `None` on English pages, and if no translation exists.
fn translated(message: &str) -> Option<String> {
    tag_of_english().and_then(|_| fault_text::of_message(message))
}

/// Returns the text of the reason at a field as a sentence.
fn reason_of_field(reason: &str) -> Option<String> {
    let words = translated(reason)?;
    Some(if reason.ends_with('.') { words } else { with_full_stop(capitalized(&words)) })
}

fn capitalized(words: &str) -> String {
    let mut letters = words.chars();
    match letters.next() {
        Some(first) => first.to_uppercase().chain(letters).collect(),
        None => String::new(),
    }
}

/// Returns the text of a code as a sentence.
fn sentence(text: Text) -> String {
    with_full_stop(text.get())
}

fn with_full_stop(words: String) -> String {
    Text("error-sentence").with("title", words).get()
}

/// Describes why a source could not be read or a request was refused, without a full stop.
pub(crate) fn reason(code: Code) -> Markup {
    html! { @match title_of(code) {
        Some(text) => { (text) },
        None => { (ErrorSentences::in_english(ErrorGroup::Developer.entry(code).0.title)) },
    } }
}

/// Returns what a person, or the agent of a person, can do about an error.
pub(crate) fn resolution(code: Code) -> Text {
    match code.class() {
        Class::NotFound | Class::Gone => Text("resolution-missing"),
        Class::Invalid | Class::Conflict => of_invalid(code),
        Class::Unauthenticated => Text("resolution-credential"),
        Class::Forbidden => of_forbidden(code),
        Class::Limited => Text("resolution-limit"),
        Class::Unreadable => of_unreadable(code),
        Class::Upstream => of_upstream(code),
        Class::Unavailable | Class::Internal => Text("resolution-later"),
    }
}

fn of_invalid(code: Code) -> Text {
    match code {
        Code::MissingUrl | Code::InvalidUrl => Text("resolution-url"),
        Code::UrlNotAllowed => Text("resolution-public"),
        Code::CredentialInUrl => Text("resolution-secret"),
        Code::NameTaken => Text("resolution-name"),
        Code::NotReady | Code::IdempotencyKeyInProgress => Text("resolution-later"),
        Code::InvalidCursor | Code::CursorMismatch | Code::CursorOutOfRange | Code::ContentChanged => {
            Text("resolution-cursor")
        }
        Code::PreconditionFailed | Code::CommitConflict | Code::Superseded => Text("resolution-changed"),
        _ => Text("resolution-request"),
    }
}

fn of_forbidden(code: Code) -> Text {
    match code {
        Code::PlanRequired | Code::LimitReached | Code::StorageLimitReached => Text("resolution-plan"),
        Code::ApprovalRequired => Text("resolution-approval"),
        Code::InsufficientScope => Text("resolution-scope"),
        Code::EditorRequired => Text("resolution-editor"),
        _ => Text("resolution-owner"),
    }
}

fn of_unreadable(code: Code) -> Text {
    match code {
        Code::SourceNotFound | Code::TooManyRedirects | Code::NoFeedFound => Text("resolution-address"),
        Code::SourceForbidden | Code::LoginRequired | Code::Paywalled | Code::RobotsDisallowed => {
            Text("resolution-browser")
        }
        Code::SelectorFailed | Code::SelectorNotFound | Code::StepFailed => Text("resolution-selector"),
        Code::ProxyNotOffered => Text("resolution-proxy"),
        Code::RendererUnavailable => Text("resolution-renderer"),
        _ => Text("resolution-other-page"),
    }
}

fn of_upstream(code: Code) -> Text {
    match code {
        Code::SourceTlsError => Text("resolution-tls"),
        _ => Text("resolution-later-address"),
    }
}

/// Returns the words of [`reason`], for texts that contain no markup.
pub(crate) fn reason_words(code: Code) -> String {
    title_of(code).map_or_else(|| ErrorGroup::Developer.entry(code).0.title.to_owned(), Text::get)
}

/// Describes why an action did not finish, as a sentence.
pub(crate) fn reason_sentence(code: Code) -> ErrorSentences {
    match title_of(code) {
        Some(text) => ErrorSentences { words: sentence(text), tag: None },
        None => ErrorSentences::in_english(format!("{}.", ErrorGroup::Developer.entry(code).0.title)),
    }
}

/// Returns the time to wait after too many requests, as a sentence: `Try again in 5 minutes.`
pub(crate) fn wait(seconds: u32) -> String {
    let (text, amount) = match seconds {
        0..=119 => (Text("time-in-seconds"), seconds),
        120..3600 => (Text("time-in-minutes"), seconds.div_ceil(60)),
        _ => (Text("time-in-hours"), seconds.div_ceil(3600)),
    };
    Text("error-step-wait").with("time", text.with("count", amount).get()).get()
}

/// Returns the title of an error page.
pub(crate) fn title(class: Class) -> Text {
    match class {
        Class::NotFound | Class::Gone => Text("error-title-missing"),
        Class::Invalid | Class::Conflict => Text("error-title-invalid"),
        Class::Unauthenticated => Text("error-title-sign-in"),
        Class::Forbidden => Text("error-title-forbidden"),
        Class::Limited => Text("error-title-limited"),
        Class::Unreadable | Class::Upstream | Class::Unavailable | Class::Internal => {
            Text("error-title-unavailable")
        }
    }
}

/// Returns the next step after an error.
pub(crate) fn next_step(error: &Error) -> String {
    let text = match (error.class(), error.retry_after) {
        (Class::Limited, Some(seconds)) => return wait(seconds),
        (Class::Limited, None) => Text("error-step-moment"),
        (Class::NotFound | Class::Gone, _) => Text("error-step-missing"),
        (Class::Invalid | Class::Conflict, _) => Text("error-step-change"),
        (Class::Unauthenticated, _) => Text("error-step-sign-in"),
        (Class::Forbidden, _) => Text("error-step-reopen"),
        (Class::Unreadable | Class::Upstream | Class::Unavailable | Class::Internal, _) => {
            Text("error-step-seconds")
        }
    };
    text.get()
}

/// Returns the text of a code. `None` if only the message states what happened: which value is invalid, or
/// which password is wrong.
fn text_of(code: Code) -> Option<Text> {
    of_source(code).or_else(|| of_service(code)).or_else(|| of_account(code)).or_else(|| of_state(code))
}

/// Returns the texts of codes about the source: the page or feed that was fetched.
fn of_source(code: Code) -> Option<Text> {
    Some(match code {
        Code::UrlNotAllowed => Text("problem-url-not-allowed"),
        Code::CredentialInUrl => Text("problem-credential-in-url"),
        Code::SourceNotFound => Text("problem-source-not-found"),
        Code::SourceForbidden => Text("problem-source-forbidden"),
        Code::LoginRequired => Text("problem-login"),
        Code::Paywalled => Text("problem-paywall"),
        Code::RobotsDisallowed => Text("problem-robots"),
        Code::UnsupportedContent => Text("problem-type"),
        Code::ContentTooLarge => Text("problem-source-large"),
        Code::NoReadableText => Text("problem-no-text"),
        Code::TooManyRedirects => Text("problem-redirects"),
        Code::NoFeedFound => Text("problem-no-feed"),
        Code::FeedGone => Text("problem-feed-gone"),
        Code::SourceUnreachable => Text("problem-unreachable"),
        Code::ProxyFailed => Text("problem-proxy"),
        Code::ProxyNotOffered => Text("problem-proxy-gone"),
        Code::StepFailed => Text("problem-step"),
        Code::RendererUnavailable => Text("problem-renderer"),
        Code::SourceTimeout => Text("problem-timeout"),
        Code::SourceTlsError => Text("problem-tls"),
        Code::SourceError => Text("problem-source-error"),
        Code::SourceRateLimited => Text("problem-source-rate"),
        Code::SourceInvalidResponse => Text("problem-source-broken"),
        _ => return None,
    })
}

/// Returns the texts of codes about the state of the service.
fn of_service(code: Code) -> Option<Text> {
    Some(match code {
        Code::CapacityExhausted => Text("problem-busy"),
        Code::StoreFull => Text("problem-full"),
        Code::ServiceUnavailable | Code::Internal | Code::WorkerLost | Code::RunTimeout => {
            Text("problem-unavailable")
        }
        Code::Maintenance => Text("problem-maintenance"),
        Code::ReadTimeout => Text("problem-read-timeout"),
        _ => return None,
    })
}

/// Returns the texts of codes about the account, its plan, and its objects.
fn of_account(code: Code) -> Option<Text> {
    Some(match code {
        Code::NotFound => Text("problem-not-found"),
        Code::InvalidUrl => Text("problem-url"),
        Code::PayloadTooLarge => Text("problem-too-large"),
        Code::CollectionImmutable => Text("problem-collection-immutable"),
        Code::IntervalTooShort => Text("problem-interval"),
        Code::PlanRequired => Text("problem-plan"),
        Code::LimitReached => Text("problem-limit"),
        Code::StorageLimitReached => Text("problem-storage"),
        Code::OwnerRequired => Text("problem-owner"),
        Code::EditorRequired => Text("problem-editor"),
        Code::SignupClosed => Text("problem-sign-up"),
        Code::FormExpired => Text("problem-form-expired"),
        Code::NameTaken => Text("problem-name-taken"),
        Code::PreconditionFailed | Code::CommitConflict => Text("problem-changed"),
        Code::NotReady => Text("problem-not-ready"),
        Code::RateLimited => Text("problem-rate"),
        Code::DailyLimitReached => Text("problem-daily"),
        Code::FreshExtractionLimit => Text("problem-fresh"),
        Code::MonitorCreditsExhausted => Text("problem-credits"),
        _ => return None,
    })
}

/// Returns the texts of codes about lists, files, and conflicts.
fn of_state(code: Code) -> Option<Text> {
    Some(match code {
        Code::JobNotFound => Text("problem-not-found"),
        Code::InvalidCursor
        | Code::CursorMismatch
        | Code::CursorOutOfRange
        | Code::CursorExpired
        | Code::CursorNotDeliverable
        | Code::ContentChanged => Text("problem-cursor"),
        Code::MethodNotAllowed => Text("problem-method"),
        Code::UnsupportedMediaType => Text("problem-type"),
        Code::MissingSource => Text("problem-nothing"),
        Code::ConflictingChanges => Text("problem-contradiction"),
        Code::ChecksumMismatch => Text("problem-checksum"),
        Code::RangeNotSatisfiable => Text("problem-range"),
        Code::ApprovalRequired => Text("problem-approval"),
        Code::Superseded => Text("problem-changed"),
        Code::ExternalIdConflict | Code::ConsumerConflict | Code::IdempotencyKeyReused => {
            Text("problem-name-taken")
        }
        Code::AssetConflict => Text("problem-file-conflict"),
        Code::IdempotencyKeyInProgress => Text("problem-running"),
        Code::SelectorNotFound => Text("problem-selector-none"),
        Code::SelectorFailed => Text("problem-selector"),
        Code::JobConflict | Code::LeaseLost => Text("problem-job"),
        Code::Cancelled => Text("problem-cancelled"),
        _ => return None,
    })
}

/// Returns the text of a code, for errors without a message.
fn title_of(code: Code) -> Option<Text> {
    text_of(code).or_else(|| of_request(code))
}

/// Returns the texts of codes whose messages are more specific: which value is invalid, or which credential.
fn of_request(code: Code) -> Option<Text> {
    Some(match code {
        Code::InvalidRequest
        | Code::InvalidParameter
        | Code::ConflictingParameters
        | Code::LinesOutOfRange
        | Code::InvalidJson
        | Code::BatchSize
        | Code::InvalidIdempotencyKey => Text("problem-invalid"),
        Code::MissingUrl => Text("problem-no-url"),
        Code::MissingCredential
        | Code::InvalidCredential
        | Code::ExpiredCredential
        | Code::RevokedCredential
        | Code::ConflictingCredentials => Text("problem-credential"),
        Code::InsufficientScope => Text("problem-scope"),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use http_kit::page_language::{PageLanguages, with_sync};
    use kernel::Language;

    use super::*;

    const GERMAN: PageLanguages = PageLanguages { shell: Language::German, content: Language::German };

    #[test]
    fn english_texts_about_sources_are_the_titles_of_the_api() {
        for (entry, _) in ErrorGroup::Developer.codes() {
            if let Some(text) = of_source(entry.code).or_else(|| of_service(entry.code)) {
                assert_eq!(text.get(), entry.title, "{}", entry.code);
            }
        }
    }

    #[test]
    fn error_messages_are_translated_by_code_on_pages_in_other_languages() {
        let taken = Error::new(Code::NameTaken, "There is a team with this name.");
        let invalid = Error::new(Code::InvalidRequest, "No text has this message.");
        assert_eq!(ErrorSentences::of(&taken).render().into_string(), "There is a team with this name.");
        let german = with_sync(GERMAN, || {
            [&taken, &invalid].map(|error| ErrorSentences::of(error).render().into_string())
        });
        assert_eq!(
            german,
            ["Der Name ist schon vergeben.", "<span lang=\"en\">No text has this message.</span>"]
        );
    }

    #[test]
    fn messages_about_values_are_translated() {
        let blank = Error::invalid_field("name", "must not be blank");
        let none = Error::new(Code::InvalidRequest, "Choose a file.").at("file", "Choose a file.");
        let short = Error::new(
            Code::IntervalTooShort,
            "Your plan allows a feed to be polled at most every 60 minutes.",
        );
        let all = [&blank, &none, &short];
        let german = with_sync(GERMAN, || all.map(|error| ErrorSentences::of(error).render().into_string()));
        let expected = [
            "Darf nicht leer sein.",
            "Wähle eine Datei.",
            "Dein Tarif ruft einen Feed höchstens alle 60 Minuten ab.",
        ];
        assert_eq!(german, expected);
        let english = all.map(|error| ErrorSentences::of(error).render().into_string());
        assert_eq!(english, all.map(|error| error.message.clone()));
        assert_eq!(ErrorSentences::of_message("Choose a file.").words, "Choose a file.");
    }

    #[test]
    fn every_code_has_a_title() {
        for code in Code::ALL {
            assert!(title_of(*code).is_some(), "{code}");
        }
        let denied =
            with_sync(GERMAN, || (reason(Code::InvalidCredential), resolution(Code::NameTaken).get()));
        let expected = ("Der Schlüssel oder das Token ist nicht gültig", "Verwende einen anderen Namen.");
        assert_eq!((denied.0.into_string().as_str(), denied.1.as_str()), expected);
    }

    #[test]
    fn stored_messages_are_translated_by_message_or_code() {
        let message = "The database is unavailable at the moment.";
        let german = |message: &str| {
            with_sync(GERMAN, || stored_message(Code::ServiceUnavailable, message).into_string())
        };
        assert_eq!(german(message), "Die Datenbank ist zurzeit nicht verfügbar.");
        assert_eq!(german("unknown"), "Der Dienst ist nicht verfügbar.");
        assert_eq!(stored_message(Code::ServiceUnavailable, message).into_string(), message);
        let setting = || setting_words("interval of 1 minutes: set to 60");
        assert_eq!(setting(), "interval of 1 minutes: set to 60");
        assert_eq!(with_sync(GERMAN, setting), "Intervall von 1 Minuten: auf 60 gesetzt");
    }

    #[test]
    fn waiting_times_are_rounded_up() {
        let rendered = [60, 121, 3600, 3601].map(wait);
        let expected = ["in 60 seconds", "in 3 minutes", "in 1 hour", "in 2 hours"];
        assert_eq!(rendered, expected.map(|time| format!("Try again {time}.")));
        assert_eq!(with_sync(GERMAN, || wait(3600)), "Versuche es in 1 Stunde noch einmal.");
    }
}
