//! Operations that are not available as tools.

/// Reason why an operation is not a tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exception {
    /// Only the signed-in user may call the operation, or its response is a secret that does not belong in a
    /// conversation.
    PersonOnly,
    /// The tool of this other operation does the same.
    SameAs(&'static str),
    /// The object is configured on pages, and used by the tool of this other operation.
    UsedBy(&'static str),
    /// People use the operation on pages, so it is left out to keep the list of tools short.
    PageMatter,
}

const EXCEPTIONS: &[(&str, Exception)] = &[
    ("createApiKey", Exception::PersonOnly),
    ("revokeApiKey", Exception::PersonOnly),
    // Both take the bytes as an argument; the form also has a file name.
    ("uploadItemFile", Exception::SameAs("uploadItemFileForm")),
    // Left out to keep the list of tools short.
    ("listMonitorGroups", Exception::UsedBy("updateWebMonitor")),
    ("createMonitorGroup", Exception::UsedBy("updateWebMonitor")),
    ("updateMonitorGroup", Exception::UsedBy("updateWebMonitor")),
    ("deleteMonitorGroup", Exception::UsedBy("updateWebMonitor")),
    // People read the report of an import on its page.
    ("listImportRows", Exception::PageMatter),
    ("downloadImportReport", Exception::PageMatter),
    // Its addresses are for other people.
    ("listPublicTags", Exception::PageMatter),
    ("publishTag", Exception::PersonOnly),
    ("unpublishTag", Exception::PersonOnly),
    // A rule changes items that are saved in the future, so a page that an agent reads should not set one up.
    ("listLibraryRules", Exception::PageMatter),
    ("createLibraryRule", Exception::PageMatter),
    ("updateLibraryRule", Exception::PageMatter),
    ("deleteLibraryRule", Exception::PageMatter),
    // Members and shares are matters between people.
    ("listTeams", Exception::PageMatter),
    ("createTeam", Exception::PersonOnly),
    ("deleteTeam", Exception::PersonOnly),
    ("inviteToTeam", Exception::PersonOnly),
    ("revokeTeamInvitation", Exception::PersonOnly),
    ("acceptTeamInvitation", Exception::PersonOnly),
    ("updateTeamMember", Exception::PersonOnly),
    ("removeTeamMember", Exception::PersonOnly),
    ("shareTag", Exception::PersonOnly),
    ("unshareTag", Exception::PersonOnly),
    ("shareMonitor", Exception::PersonOnly),
    ("unshareMonitor", Exception::PersonOnly),
    ("listShared", Exception::PageMatter),
    ("listSharedItems", Exception::PageMatter),
    ("addSharedItem", Exception::PageMatter),
    ("removeSharedItem", Exception::PageMatter),
    ("listSharedChanges", Exception::PageMatter),
    // Programs use it to keep folders of notes in sync; agents list the highlights.
    ("renderLibraryItems", Exception::SameAs("listHighlights")),
    // People open copies of pages; agents read the text of the item.
    ("copyItemPage", Exception::PageMatter),
    ("copyItemPages", Exception::PageMatter),
    ("listItemCopies", Exception::PageMatter),
    ("getPageCopySettings", Exception::PageMatter),
    ("updatePageCopySettings", Exception::PageMatter),
    ("downloadItemCopy", Exception::PageMatter),
    ("sendItemCopy", Exception::PageMatter),
    ("deleteItemCopy", Exception::PageMatter),
    // Importing the file again imports the rows that failed.
    ("retryImport", Exception::SameAs("importLibrary")),
    ("listRssStatistics", Exception::PageMatter),
    ("getRssFeedSettings", Exception::PageMatter),
    ("updateRssFeedSettings", Exception::PageMatter),
    ("previewRssRewrites", Exception::PageMatter),
    ("getRssCollectionSettings", Exception::PageMatter),
    ("updateRssCollectionSettings", Exception::PageMatter),
    // Credentials of other services do not belong in a conversation.
    ("listImportServers", Exception::UsedBy("getImport")),
    ("addImportServer", Exception::PersonOnly),
    ("runImportServer", Exception::UsedBy("getImport")),
    ("deleteImportServer", Exception::UsedBy("getImport")),
    // Addresses are secrets; the items of messages have tools.
    ("listInboxAddresses", Exception::PersonOnly),
    ("createInboxAddress", Exception::PersonOnly),
    ("updateInboxAddress", Exception::PageMatter),
    ("replaceInboxAddress", Exception::PersonOnly),
    ("deleteInboxAddress", Exception::PageMatter),
    ("unsubscribeInboxMessage", Exception::PersonOnly),
    ("deliverInboxMessage", Exception::SameAs("saveLibraryItem")),
    ("updateChannel", Exception::PageMatter),
    ("previewChannel", Exception::PageMatter),
    // Cards are for reviews, which people do on pages.
    ("setHighlightCard", Exception::PageMatter),
    ("deleteHighlightCard", Exception::PageMatter),
    ("getReviewSettings", Exception::PageMatter),
    ("updateReviewSettings", Exception::PageMatter),
    ("listThemedReviews", Exception::PageMatter),
    ("createThemedReview", Exception::PageMatter),
    ("replaceThemedReview", Exception::PageMatter),
    ("deleteThemedReview", Exception::PageMatter),
    // An agent is a language model itself.
    ("getLibraryItemSummary", Exception::PageMatter),
    ("summarizeLibraryItem", Exception::PageMatter),
    ("getLibraryItemModelTags", Exception::PageMatter),
    ("removeLibraryItemModelTags", Exception::PageMatter),
    ("countLibraryModelTags", Exception::PageMatter),
    ("removeLibraryModelTags", Exception::PageMatter),
    ("getLibraryMeaningSearch", Exception::PageMatter),
    ("startLibraryMeaningSearch", Exception::PageMatter),
    ("getLibraryItemQuestion", Exception::PageMatter),
    ("askLibraryItem", Exception::PageMatter),
    ("getLibraryItemPassage", Exception::PageMatter),
    ("askLibraryItemPassage", Exception::PageMatter),
    ("getLibraryQuestion", Exception::PageMatter),
    ("askLibrary", Exception::PageMatter),
    ("getRssBriefing", Exception::PageMatter),
    ("writeRssBriefing", Exception::PageMatter),
];

/// Reason why an operation is not a tool; `None` if it is one.
pub fn exception_of(operation_id: &str) -> Option<Exception> {
    EXCEPTIONS.iter().find(|(id, _)| *id == operation_id).map(|(_, exception)| *exception)
}

/// Name of the tool of an operation: its id in snake case.
pub(super) fn tool_name(operation_id: &str) -> String {
    let id = if operation_id == "uploadItemFileForm" { "uploadItemFile" } else { operation_id };
    let mut name = String::with_capacity(id.len() + 4);
    for letter in id.chars() {
        if letter.is_ascii_uppercase() {
            name.push('_');
        }
        name.push(letter.to_ascii_lowercase());
    }
    name
}
