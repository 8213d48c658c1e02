//! Catalogue of the texts of pages.

use language::Catalogue;

/// Texts of pages.
pub(super) static PAGES: Catalogue = language::catalogue!(
    "shell.ftl", "sign_in.ftl", "reading.ftl", "home.ftl", "today.ftl", "lists.ftl", "feeds.ftl", "save.ftl",
    "item.ftl", "entry.ftl", "monitor_form.ftl", "monitors.ftl", "monitor.ftl", "scripts.ftl", "welcome.ftl",
    "subscription.ftl", "search.ftl", "imports.ftl", "import_servers.ftl", "import_fields.ftl", "export.ftl",
    "feed_import.ftl", "rules.ftl", "collections.ftl", "library_pages.ftl", "monitor_pages.ftl",
    "offline.ftl", "public.ftl", "settings.ftl", "model.ftl", "consent.ftl", "security.ftl", "keys.ftl",
    "apps.ftl", "channels.ftl", "channel_guide.ftl", "channel_steps.ftl", "notice_links.ftl", "plan.ftl",
    "teams.ftl", "inbox.ftl", "review.ftl", "public_quotes.ftl", "errors.ftl", "searches.ftl", "look.ftl",
    "admin.ftl", "admin_jobs.ftl", "faults.ftl", "messages.ftl", "questions.ftl", "monitor_settings.ftl",
    "item_rules.ftl",
);

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::Path;

    use jobs::JobKind;
    use language::{FluentArgs, Language, testing};

    use super::*;
    use crate::language::job_kind_name;

    #[test]
    fn every_language_has_every_text_with_the_same_arguments_and_links() {
        assert_eq!(testing::faults_of_languages(&PAGES), Vec::<String>::new());
    }

    #[test]
    fn code_uses_exactly_the_texts_of_the_catalogue() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
        let computed = JobKind::ALL.iter().map(|kind| job_kind_name::key(*kind));
        let mut unseen: Vec<String> = computed.map(|key| format!("no code uses {key}")).collect();
        unseen.sort_unstable();
        assert_eq!(testing::faults_of_keys(&PAGES, &folder, "Text(\""), unseen);
    }

    #[test]
    fn plural_forms_follow_the_rules_of_the_language() {
        let ago = |language: Language, count: i64| {
            let mut arguments = FluentArgs::new();
            arguments.set("count", count);
            PAGES.format(language, "time-days-ago", Some(&arguments))
        };
        assert_eq!([1, 2].map(|count| ago(Language::English, count)), ["1 day ago", "2 days ago"]);
        assert_eq!(
            [1, 2, 5, 22].map(|count| ago(Language::Polish, count)),
            ["1 dzień temu", "2 dni temu", "5 dni temu", "22 dni temu"]
        );
        assert_eq!(
            [1, 3, 11, 21].map(|count| ago(Language::Ukrainian, count)),
            ["1 день тому", "3 дні тому", "11 днів тому", "21 день тому"]
        );
        let arabic: BTreeSet<String> = [1, 2, 3, 11].map(|count| ago(Language::Arabic, count)).into();
        assert_eq!(arabic.len(), 4, "{arabic:?}");
        let longer = [1, 2].map(|count| ago(Language::Pseudo, count));
        assert_eq!(longer, ["⟦1 dááý áágöö⟧", "⟦2 dááýš áágöö⟧"]);
    }
}
