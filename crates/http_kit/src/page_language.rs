//! Languages of the page that the current task renders. They are task-local, so functions that render a part of a
//! page do not pass them on. Spawned tasks and blocking threads do not inherit them.

use std::future::Future;

use kernel::Language;

/// Languages of a page. The content of a page that is not translated yet is English in every shell.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PageLanguages {
    /// Language of the header, the navigation, and the footer.
    pub shell: Language,
    /// Language of the main part.
    pub content: Language,
}

tokio::task_local! {
    static LANGUAGES: PageLanguages;
}

/// Runs `work`, which renders pages in these languages.
pub async fn with<F: Future>(languages: PageLanguages, work: F) -> F::Output {
    LANGUAGES.scope(languages, work).await
}

/// Runs `work`, which renders pages in these languages, without waiting.
pub fn with_sync<T>(languages: PageLanguages, work: impl FnOnce() -> T) -> T {
    LANGUAGES.sync_scope(languages, work)
}

/// Runs `work`, which renders a page whose content is in the language of the shell.
pub fn with_translated_content<T>(work: impl FnOnce() -> T) -> T {
    with_sync(PageLanguages { content: current().shell, ..current() }, work)
}

/// Runs `work`, which renders a page whose content is English.
pub fn with_english_content<T>(work: impl FnOnce() -> T) -> T {
    with_sync(PageLanguages { content: Language::English, ..current() }, work)
}

/// Returns the languages of the page that the current task renders. English if none are set.
pub fn current() -> PageLanguages {
    LANGUAGES.try_with(|languages| *languages).unwrap_or_default()
}
