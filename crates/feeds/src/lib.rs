//! Feeds: subscriptions, entries, read state, and polling.
//!
//! A feed is one row for all accounts, and one poll serves all its followers. An entry is also one row for
//! all accounts. The read state of an account is a watermark in its subscription, plus marks for the entries
//! that differ from it. Unread counts are always computed from these rows and therefore cannot drift.

mod account_export;
mod account_rows;
mod addresses;
mod age_out;
mod app_streams;
mod author;
mod change_record;
mod changes;
mod collection_summary;
mod collections;
mod consumers;
mod dead_poll;
mod dedup;
mod discovery;
mod discovery_request;
mod dropped_entries;
mod due;
mod entries;
mod entry;
mod entry_filter;
mod entry_notices;
mod entry_scope;
mod entry_view;
mod episode_texts;
mod event_filter;
mod expressions;
mod follow;
mod follow_request;
mod full_text;
pub mod health;
pub mod hubs;
mod importance;
mod ingest;
pub mod internal_feed;
pub mod job_kinds;
mod labels;
mod log;
mod log_watch;
mod login;
mod mutate;
mod notice_requests;
mod opml;
mod order;
mod outcome;
mod playback;
mod playback_transfer;
mod poll;
mod previous_feeds;
mod query;
mod read_state;
mod redirects;
mod refresh_scope;
mod relevance;
mod relocation;
mod reschedule;
mod retention;
mod rewrite_previews;
mod rewrites;
mod rules;
mod saved_entries;
pub mod schedule;
mod search_text;
mod similarity;
mod source;
mod source_filter;
mod source_kind;
mod sql;
mod starred_entries;
mod statistics;
mod store;
mod stories;
mod subscribers;
mod subscription;
mod subscription_settings;
mod subscriptions;
mod suggestions;
mod text_preview;
mod unshared_feed;
mod usage;
mod validation;

pub use account_export::{ExportedSettings, ImportedSettings, export_settings, import_settings};
pub use account_rows::FeedRows;
pub use age_out::age_out;
pub use app_streams::{
    AppEntry, StreamEntry, StreamPage, StreamQuery, StreamScope, app_entries, count_entries, count_stream,
    feed_of_address, last_discovered_before, last_entry, last_refreshed, newest_times, stream,
};
pub use change_record::{ChangedEntries, changed_entries, settled_second};
pub use changes::{
    Attention, CHANGE_MARK_BYTES, ChangeMark, Event, EventLimits, EventPage, changes, latest, log_end,
    updated_sources,
};
pub use collection_summary::{COUNTED_UNREAD, CollectionSummary, collection_summaries, title_of};
pub use collections::{
    Collection, CollectionKind, CollectionSettings, NewCollection, UpdateCollection, create_collection,
    delete_collection, get_collection, list_collections, update_collection, update_collection_settings,
};
pub use consumers::{
    Consumer, ConsumerCreated, ConsumerStart, NewConsumer, acknowledge, consumer_ids, create_consumer,
    delete_consumer, delete_expired_consumers, has_events_after, list_consumers, read_consumer,
    reset_consumer,
};
pub use dead_poll::give_up_poll;
pub use discovery::{Discovered, DiscoveredFeed, discover};
pub use discovery_request::{PendingFeeds, request_discovery};
pub use due::{PollClaim, claim_batch, claim_due, claim_polls, split_batch};
pub use entries::{
    ContentSource, EntryContent, EntryPage, count_newer, entries_of_ids, get_entry, list_entries,
    visible_entries,
};
pub use entry::Entry;
pub use entry_filter::{EntryFilter, Order};
pub use entry_notices::write_entry_notices;
pub use entry_view::{ArticleState, EntryBody, EntryText, EntryView, entry_after, entry_before, view_entry};
pub use episode_texts::{EpisodePart, episode_text, request_episode_text};
pub use event_filter::{EventFilter, EventPredicate};
pub use fetch::RequestHeader;
pub use follow::{Follow, Followed, follow};
pub use follow_request::{PendingFollow, SiteFollowed, request_follow};
pub use full_text::claim_texts;
pub use health::Health;
pub use importance::{ImportantEntries, important_unread};
pub use labels::{check_label, find_collection, labels};
pub use log::{EventKind, delete_old_events};
pub use log_watch::watch_log;
pub use login::{Login, RequestUpdate, SealedLogin, seal_login, seal_request};
pub use mutate::{
    DeferredFollows, Mutation, MutationOp, MutationOutcome, MutationPreview, MutationResult,
    MutationSelection, MutationSet, PendingCommit, Sample, commit, commit_directly, delete_old_commits,
    dry_run, give_up_following,
};
pub use notice_requests::claim_notice_requests;
pub use opml::{Imported, export_list, import_list, read_list};
pub use opml::{MAX_FEEDS, STEP as LIST_STEP, UnreadableList, import_batch, read_outlines};
pub use playback::{Playback, playback, save_playback};
pub use playback_transfer::{ExportedPlayback, export_playback, import_playback};
pub use poll::poll_batch;
pub use query::{
    EntryQuery, QueryCursor, QueryOrder, QueryPage, SourceQuery, query_collections, query_entries,
    query_sources,
};
pub use read_state::{MarkRead, ReadBound, ReadScope, mark_entries, mark_read};
pub use refresh_scope::{ScopeRefresh, refresh_scope};
pub use reschedule::apply_plan;
pub use retention::delete_unfollowed;
pub use rewrite_previews::{
    PendingRewritePreview, RewritePreview, RewrittenEntry, RewrittenTexts, request_rewrite_preview,
    take_sample,
};
pub use rewrites::{NamedRewrite, Replacement, Rewrite, RewriteField};
pub use rules::{
    NewRule, Rule, RuleAction, RuleKind, RulePart, RulePreview, RuleScope, SAVE_RULES_PER_ENTRY,
    UnsavedEntries, UnsavedReason, claim_saves, create_rule, delete_rule, get_rule, list_rules, preview_rule,
    save_pending,
};
pub use saved_entries::{InstalledSavedEntries, RequestedSave, RuleSaveResults, SaveResult, SavedEntries};
pub use search_text::Texts;
pub use source::FollowedSource;
pub use source_filter::{SourceFilter, Sources};
pub use source_kind::SourceKind;
pub use starred_entries::{StarredPage, list_starred};
pub use statistics::{FeedStatistics, StatisticsFilter, StatisticsPage, list_statistics};
pub use stories::{RelatedEntry, Story, StoryRelation, group_stories};
pub use subscription::{MovedFrom, Subscription};
pub use subscription_settings::{
    RemovedSubscription, SubscriptionSettings, follow_again, removable_subscription, subscription_settings,
    unfollow_unchanged,
};
pub use subscriptions::{
    SubscriptionPage, SubscriptionUpdate, find_subscription, followed_feeds, get_subscription,
    list_subscriptions, refresh, unfollow, unfollow_monitor, update_subscription,
};
pub use suggestions::{SuggestedFeed, SuggestedTopic, follow_suggested, suggested_topics};
pub use text_preview::{
    ArticlePreview, PendingTextPreview, TextPreview, preview_rendered_text, request_text_preview,
};
pub use usage::{count_collections, count_consumers, count_subscriptions};

#[cfg(test)]
mod tests;
