//! Chooses the languages of a page from the account's setting or the browser's header.

use http_kit::page_language::PageLanguages;
use kernel::Language;
use poem::Request;
use poem::http::header;

/// Returns the languages of an account or desk page. `setting` is the language of the account, if it has
/// chosen one.
pub(crate) fn of_account_page(request: &Request, setting: Option<Language>) -> PageLanguages {
    let language = setting.unwrap_or_else(|| of_browser(request));
    PageLanguages { shell: language, content: language }
}

/// Returns the language that the browser prefers.
pub(crate) fn of_browser(request: &Request) -> Language {
    Language::preferred(request.header(header::ACCEPT_LANGUAGE).unwrap_or_default())
}

/// Returns the language of a page of the reader's host: English for programs, which receive no page.
pub(crate) fn of_reader_page(request: &Request) -> Language {
    let accepts_page = request.header(header::ACCEPT).is_some_and(|accept| accept.contains("text/html"));
    if accepts_page { of_browser(request) } else { Language::English }
}

/// Returns the value of `lang` for texts that are English on every page, such as messages about errors. `None`
/// if the content that contains them is English too.
pub(crate) fn tag_of_english() -> Option<&'static str> {
    (http_kit::page_language::current().content != Language::English).then_some(Language::English.tag())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn account_setting_overrides_the_language_of_the_browser() {
        let request = Request::builder().header("accept-language", "fr, de;q=0.5").finish();
        let both = |language| PageLanguages { shell: language, content: language };
        assert_eq!(of_account_page(&request, None), both(Language::French));
        assert_eq!(of_account_page(&request, Some(Language::German)), both(Language::German));
        assert_eq!(of_reader_page(&request), Language::English, "programs receive no page");
        let request = Request::builder().header("accept-language", "fr").header("accept", "text/html");
        assert_eq!(of_reader_page(&request.finish()), Language::French);
    }
}
