//! Choice of the languages of a page: by the setting of the account, by the browser's header, and by the path.

use http_kit::page_language::PageLanguages;
use kernel::{
    AccountId, CollectionId, EntryId, ExportId, HighlightId, ImportId, ImportServerId, ItemId, JobId,
    Language, MonitorGroupId, MonitorId, NoteId, RuleId, SavedSearchId, SubscriptionId, TeamId,
};
use poem::Request;
use poem::http::header;

/// Paths without ids of account and desk pages whose content is translated.
const TRANSLATED_PATHS: &[&str] = &[
    "/admin",
    "/admin/accounts",
    "/admin/hosts",
    "/admin/jobs",
    "/admin/schedules",
    "/collections",
    "/entries",
    "/forgot",
    "/highlights/review",
    "/library",
    "/library/bulk",
    "/library/export",
    "/library/files",
    "/library/import",
    "/library/import-servers",
    "/library/meaning",
    "/library/public-tags",
    "/library/searches",
    "/library/shared",
    "/library/tags",
    "/monitors",
    "/monitors/changes",
    "/monitors/groups",
    "/monitors/lists",
    "/monitors/new",
    "/notices/confirm",
    "/notices/snooze",
    "/notices/stop",
    "/oauth/authorize",
    "/offline",
    "/offline/list",
    "/offline/no-connection",
    "/offline/texts",
    "/reset",
    "/save",
    "/search",
    "/settings",
    "/settings/apps",
    "/settings/apps/address",
    "/settings/apps/end-all",
    "/settings/channels",
    "/settings/delete",
    "/settings/email",
    "/settings/email/confirm",
    "/settings/email/undo",
    "/settings/inbox",
    "/settings/keys",
    "/settings/language",
    "/settings/look",
    "/settings/model",
    "/settings/passkeys",
    "/settings/password",
    "/settings/plan",
    "/settings/sample/delete",
    "/settings/second-factor",
    "/settings/second-factor/finish",
    "/settings/second-factor/recovery-codes",
    "/settings/second-factor/remove",
    "/settings/teams",
    "/settings/teams/join",
    "/sign-in",
    "/sign-in/code",
    "/sign-in/passkey",
    "/sign-up",
    "/subscriptions",
    "/subscriptions/new",
    "/subscriptions/opml",
    "/subscriptions/rules",
    "/subscriptions/statistics",
    "/today",
    "/welcome",
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
    TRANSLATED_PATHS.contains(&path) || is_translated_with_id(path)
}

/// Returns true if the path contains an id and the content of its page is translated.
fn is_translated_with_id(path: &str) -> bool {
    let segments: Vec<&str> = path.split('/').skip(1).collect();
    match segments.as_slice() {
        ["admin", "accounts", id, "quotas"] => id.parse::<AccountId>().is_ok(),
        ["admin", "jobs", id] => id.parse::<JobId>().is_ok(),
        ["collections", id] | ["collections", id, "briefing"] => id.parse::<CollectionId>().is_ok(),
        ["entries", id] => id.parse::<EntryId>().is_ok(),
        ["library", "export", id] => id.parse::<ExportId>().is_ok(),
        ["library", "highlights", id] | ["library", "highlights", id, "card" | "publish" | "quote"] => {
            id.parse::<HighlightId>().is_ok()
        }
        ["library", "import", id] | ["subscriptions", "opml", id] => id.parse::<ImportId>().is_ok(),
        ["library", "import-servers", id] => id.parse::<ImportServerId>().is_ok(),
        ["library", "searches", id] => id.parse::<SavedSearchId>().is_ok(),
        ["library", "notes", id] => id.parse::<NoteId>().is_ok(),
        ["library", "shared", id] | ["library", "shared", id, "monitors", _] => id.parse::<TeamId>().is_ok(),
        ["library", id] | ["library", id, "copies" | "delete" | "edit" | "highlights" | "notes"] => {
            id.parse::<ItemId>().is_ok()
        }
        ["monitors", "groups", id] | ["monitors", "groups", id, "delete"] => {
            id.parse::<MonitorGroupId>().is_ok()
        }
        ["monitors", id] | ["monitors", id, "delete" | "duplicate" | "edit" | "rotate-feed"] => {
            id.parse::<MonitorId>().is_ok()
        }
        ["subscriptions", "rules", id] => id.parse::<RuleId>().is_ok(),
        ["subscriptions", id] | ["subscriptions", id, "delete" | "rewrites" | "rules"] => {
            id.parse::<SubscriptionId>().is_ok()
        }
        ["admin", "kinds", _, "limits"]
        | ["settings", "apps", _, "activity" | "end"]
        | ["settings", "keys", _, "activity" | "revoke"]
        | ["settings", "channels" | "teams", _]
        | ["settings", "channels", _, "delete" | "rotate" | "template" | "test"]
        | ["settings", "inbox", "messages", _]
        | ["settings", "teams", _, "delete" | "invitations" | "members" | "shares"] => true,
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
        let tags = "/library/tags".to_owned();
        for path in [item.to_owned(), format!("{item}/notes"), "/entries/7".to_owned(), tags] {
            assert_eq!(languages_of(&path, german).content, german, "{path}");
        }
        for path in ["/settings/x", "/today/x", "/", "/library/x", "/library/delete", "/entries/new"] {
            assert_eq!(
                languages_of(path, german),
                PageLanguages { shell: german, content: Language::English }
            );
        }
    }

    #[test]
    fn pages_with_ids_are_translated_only_with_valid_ids() {
        let id = "01890000-0000-7000-8000-000000000000";
        for path in [
            "/subscriptions/7/rewrites".to_owned(),
            "/subscriptions/7/rules".to_owned(),
            "/subscriptions/rules/7".to_owned(),
            "/collections/7/briefing".to_owned(),
            format!("/admin/accounts/{id}/quotas"),
            format!("/subscriptions/opml/{id}"),
            format!("/library/{id}/edit"),
            format!("/library/highlights/{id}/card"),
            format!("/library/highlights/{id}/quote"),
            format!("/library/searches/{id}"),
            format!("/library/shared/{id}/monitors/{id}"),
            format!("/monitors/groups/{id}/delete"),
            format!("/monitors/{id}/rotate-feed"),
        ] {
            assert_eq!(languages_of(&path, Language::German).content, Language::German, "{path}");
            let unknown = path.replace(id, "x").replace('7', "x");
            assert_eq!(languages_of(&unknown, Language::German).content, Language::English, "{unknown}");
        }
    }
}
