//! Choice of the languages of a page: by the setting of the account, by the browser's header, and by the path.

use http_kit::page_language::PageLanguages;
use kernel::{EntryId, ItemId, Language, MonitorId};
use poem::Request;
use poem::http::header;

/// Paths without ids of account and desk pages whose content is translated.
const TRANSLATED: [&str; 11] = [
    "/entries", "/highlights/review", "/library", "/monitors", "/monitors/new", "/save", "/sign-in",
    "/sign-up", "/subscriptions", "/subscriptions/new", "/today",
];

/// Returns the languages of an account or desk page. `setting` is the language of the account, if it has
/// chosen one.
pub(crate) fn of_account_page(request: &Request, setting: Option<Language>) -> PageLanguages {
    languages_of(request.original_uri().path(), setting.unwrap_or_else(|| of_browser(request)))
}

fn languages_of(path: &str, shell: Language) -> PageLanguages {
    let content = if is_translated(path) { shell } else { Language::English };
    PageLanguages { shell, content }
}

/// Returns true if the content of the page at this path is translated.
fn is_translated(path: &str) -> bool {
    let segments: Vec<&str> = path.split('/').skip(1).collect();
    TRANSLATED.contains(&path)
        || match segments.as_slice() {
            ["library", id] | ["library", id, "highlights" | "notes"] => id.parse::<ItemId>().is_ok(),
            ["entries", id] => id.parse::<EntryId>().is_ok(),
            ["monitors", id] => id.parse::<MonitorId>().is_ok(),
            _ => false,
        }
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
    fn account_setting_precedes_the_browser() {
        let request = Request::builder().header("accept-language", "fr, de;q=0.5").finish();
        assert_eq!(of_account_page(&request, None).shell, Language::French);
        assert_eq!(of_account_page(&request, Some(Language::German)).shell, Language::German);
        assert_eq!(of_reader_page(&request), Language::English, "programs receive no page");
        let request = Request::builder().header("accept-language", "fr").header("accept", "text/html");
        assert_eq!(of_reader_page(&request.finish()), Language::French);
    }

    #[test]
    fn content_that_is_not_translated_is_english() {
        let german = Language::German;
        assert_eq!(languages_of("/today", german), PageLanguages { shell: german, content: german });
        let item = "/library/01890000-0000-7000-8000-000000000000";
        for path in [item.to_owned(), format!("{item}/notes"), "/entries/7".to_owned()] {
            assert_eq!(languages_of(&path, german).content, german, "{path}");
        }
        for path in [
            "/settings/keys", "/today/x", "/", "/library/tags", "/library/import", "/entries/new",
            "/monitors/groups",
        ] {
            assert_eq!(
                languages_of(path, german),
                PageLanguages { shell: german, content: Language::English }
            );
        }
    }
}
