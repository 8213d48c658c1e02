//! Database migrations, one dated file each. A migration is named for its effect, never changes after it was
//! merged, is compatible with the versions of the program before and after it, and never imports `entities`.
//!
//! A migration that creates tables or changes small ones runs in a transaction on both databases: if it is
//! killed, nothing is left behind, and the next start repeats it. A migration that builds indexes of tables
//! in use or rewrites their rows is a list of repeatable parts outside of a transaction (`online`). Both wait
//! for a table lock only briefly and then retry, so that other statements can proceed.
#![expect(elided_lifetimes_in_paths, reason = "async_trait cannot name the lifetime of SchemaManager")]

use std::time::Instant;

use sea_orm_migration::prelude::*;
use sea_orm_migration::sea_orm::{
    ConnectionTrait, DatabaseConnection, DatabaseTransaction, DbBackend, DbErr, EntityTrait, Statement,
    TransactionTrait,
};

mod dialect;
mod m20261120_000001_job;
mod m20261120_000010_reading;
mod m20261120_000100_account;
mod m20261120_000101_api_key;
mod m20261120_000102_usage_day;
mod m20261120_000200_feed;
mod m20261120_000201_rss_subscription;
mod m20261120_000202_rss_site;
mod m20261120_000300_monitor;
mod m20261122_000001_host_pause;
mod m20261122_000002_stored_texts;
mod m20261122_000003_feed_entry_size;
mod m20261122_000040_monitor_looks;
mod m20261122_000100_password_reset;
mod m20261122_000101_mail;
mod m20261122_000110_stored_responses;
mod m20261122_000130_monitor_without_due_at;
mod m20261122_000150_moved_feeds;
mod m20261122_000151_entry_times;
mod m20261122_000152_dropped_entries;
mod m20261122_000153_pause_witness;
mod m20261122_000154_entry_texts;
mod m20261122_000200_library;
mod m20261122_000210_library_file;
mod m20261122_000211_library_export;
mod m20261122_000212_library_import;
mod m20261122_000230_run_warnings;
mod m20261122_000240_entry_words;
mod m20261122_000250_import_include;
mod m20261122_000300_oauth;
mod m20261122_000301_oauth_clients;
mod m20261122_000310_feed_event;
mod m20261122_000311_feed_consumer;
mod m20261122_000312_feed_commit;
mod m20261122_000320_job_indexes;
mod m20261122_000321_scheduler_leader;
mod m20261122_000330_operators;
mod m20261122_000340_entry_enclosures;
mod m20261122_000350_star;
mod m20261122_000351_app_credential;
mod m20261122_000360_notices;
mod m20261122_000370_asked_texts;
mod m20261123_000400_rate_counts;
mod m20261123_000410_host_turns;
mod m20261123_000420_feed_rules;
mod m20261123_000440_library_stretches;
mod m20261123_000441_library_tagged_saved;
mod m20261123_000510_picture;
mod m20261123_000520_notice_indexes;
mod m20261123_000521_monitor_tags;
mod m20261123_000540_turns_of_owners;
mod m20261123_000550_import_kind;
mod m20261123_000564_library_kind;
mod m20261123_000565_session_browser;
mod m20261123_000566_job_limits;
mod m20261123_000567_library_waiting;
mod m20261124_000568_library_waiting_times;
mod m20261126_000569_job_lost_starts;
mod m20261126_000570_file_hold;
mod m20261126_000571_entry_marks;
mod m20261126_000580_feed_login;
mod m20261126_000590_library_word_order;
mod m20261126_000600_url_passwords;
mod m20261126_000601_import_mark;
mod m20261126_000602_import_folders;
mod m20261126_000603_discovery_retry;
mod m20261126_000611_monitor_schedule;
mod m20261126_000612_monitor_cookies;
mod m20261126_000741_run_decision;
mod m20261126_000742_channel_template;
mod m20261126_000743_notice_snooze;
mod m20261126_000744_changes_of_account;
mod m20261127_000780_monitor_groups;
mod m20261127_000810_library_servers;
mod m20261127_000820_import_report;
mod m20261127_000830_episodes;
mod m20261127_000840_discovery_list;
mod m20261127_000860_device_sync;
mod m20261127_000870_agent_connections;
mod m20261127_000870_read_week;
mod m20261127_000871_feed_request;
mod m20261127_000872_text_selector;
mod m20261127_000873_dropping_rules;
mod m20261127_000874_read_after;
mod m20261127_000875_story_signature;
mod m20261127_000880_agent_subscriptions;
mod m20261127_000881_agent_approvals;
mod m20261127_000890_address_check;
mod m20261127_000930_inbox;
mod m20261127_001000_agent_undo;
mod m20261127_001070_first_steps;
mod m20261127_001071_item_preview;
mod m20261127_001072_star_feed;
mod m20261127_001073_pending_deletion;
mod m20261127_001090_inbox_destinations;
mod m20261127_001091_inbox_message_details;
mod m20261127_001110_email_change;
mod m20261127_001111_second_factor;
mod m20261127_001112_session_network;
mod m20261127_001113_passkey;
mod m20261127_001150_render_choice;
mod m20261127_001155_monitor_picture;
mod m20261127_001165_page_copy;
mod m20261127_001170_model;
mod m20261127_001171_briefing;
mod m20261127_001172_meaning_search;
mod m20261127_001180_public_tags;
mod m20261127_001181_teams;
mod m20261127_001190_account_language;
mod m20261127_001220_entry_embedding;
mod m20261127_001235_account_quotas;
mod m20261127_001245_saved_searches;
mod m20261127_001250_highlight_review;
mod m20261127_001251_public_highlights;
mod m20261127_001255_page_picture;
mod m20261128_001275_show_original;
mod m20261128_001280_text_sizes;
mod m20261128_001281_search_feeds;
mod m20261128_001282_text_removals;
mod m20261128_001290_digest_today;
mod m20261128_001300_review_frequency;
mod m20261128_001301_digest_review;
mod m20261128_001302_model_choice;
mod m20261128_001310_highlight_cards;
mod m20261128_001315_model_question;
mod m20261128_001320_change_record;
mod m20261128_001325_picture_width;
mod m20261128_001330_channel_title;
mod m20261128_001336_feed_rewrites;
mod m20261128_001337_render_articles;
mod m20261128_001338_feed_sample;
mod m20261128_001339_model_tags;
mod m20261128_001340_monitor_explanation;
mod m20261128_001341_question_history;
mod m20261128_001343_highlight_picture;
mod m20261128_001344_reviews_per_day;
mod m20261128_001350_import_parts;
mod m20261128_001360_rule_saves;
mod m20261128_001370_entry_notices;
mod m20261128_001380_item_rules;
mod m20261128_001390_copies_and_appearance;
mod m20261128_001400_oidc_identity;
mod m20261128_001420_model_passage;
mod m20261128_001436_rule_save_tries;
mod m20261128_001450_oidc_label;
mod m20261128_001460_copies_of_imports;
mod m20261128_001470_translation_language;
mod m20261128_001480_entry_categories;
mod m20261128_001490_themed_reviews;
mod m20261128_001500_push_choices;
mod m20261128_001510_item_passages;
mod m20261128_001520_reviewed_sources;
mod online;
pub mod plan;
mod statement;
mod work;

pub use sea_orm_migration::MigratorTrait;
use sea_orm_migration::seaql_migrations;

use work::PlannedMigration;

/// Maximum number of attempts at a step if another process migrates the same SQLite file.
const ATTEMPTS: u32 = 3;
/// Key of the PostgreSQL advisory lock that the migrating process holds: "carrel" in ASCII.
const LOCK: i64 = 0x6361_7272_656c;

/// All migrations, oldest first.
#[derive(Debug)]
pub struct Migrator;

impl Migrator {
    #[expect(clippy::too_many_lines, reason = "a list with one line per migration")]
    fn steps() -> Vec<Box<dyn PlannedMigration>> {
        vec![
            Box::new(m20261120_000001_job::Migration),
            Box::new(m20261120_000010_reading::Migration),
            Box::new(m20261120_000100_account::Migration),
            Box::new(m20261120_000101_api_key::Migration),
            Box::new(m20261120_000102_usage_day::Migration),
            Box::new(m20261120_000200_feed::Migration),
            Box::new(m20261120_000201_rss_subscription::Migration),
            Box::new(m20261120_000202_rss_site::Migration),
            Box::new(m20261120_000300_monitor::Migration),
            Box::new(m20261122_000001_host_pause::Migration),
            Box::new(m20261122_000002_stored_texts::Migration),
            Box::new(m20261122_000003_feed_entry_size::Migration),
            Box::new(m20261122_000040_monitor_looks::Migration),
            Box::new(m20261122_000100_password_reset::Migration),
            Box::new(m20261122_000101_mail::Migration),
            Box::new(m20261122_000110_stored_responses::Migration),
            Box::new(m20261122_000130_monitor_without_due_at::Migration),
            Box::new(m20261122_000150_moved_feeds::Migration),
            Box::new(m20261122_000151_entry_times::Migration),
            Box::new(m20261122_000152_dropped_entries::Migration),
            Box::new(m20261122_000153_pause_witness::Migration),
            Box::new(m20261122_000154_entry_texts::Migration),
            Box::new(m20261122_000200_library::Migration),
            Box::new(m20261122_000210_library_file::Migration),
            Box::new(m20261122_000211_library_export::Migration),
            Box::new(m20261122_000212_library_import::Migration),
            Box::new(m20261122_000230_run_warnings::Migration),
            Box::new(m20261122_000240_entry_words::Migration),
            Box::new(m20261122_000250_import_include::Migration),
            Box::new(m20261122_000300_oauth::Migration),
            Box::new(m20261122_000301_oauth_clients::Migration),
            Box::new(m20261122_000310_feed_event::Migration),
            Box::new(m20261122_000311_feed_consumer::Migration),
            Box::new(m20261122_000312_feed_commit::Migration),
            Box::new(m20261122_000320_job_indexes::Migration),
            Box::new(m20261122_000321_scheduler_leader::Migration),
            Box::new(m20261122_000330_operators::Migration),
            Box::new(m20261122_000340_entry_enclosures::Migration),
            Box::new(m20261122_000350_star::Migration),
            Box::new(m20261122_000351_app_credential::Migration),
            Box::new(m20261122_000360_notices::Migration),
            Box::new(m20261122_000370_asked_texts::Migration),
            Box::new(m20261123_000400_rate_counts::Migration),
            Box::new(m20261123_000410_host_turns::Migration),
            Box::new(m20261123_000420_feed_rules::Migration),
            Box::new(m20261123_000440_library_stretches::Migration),
            Box::new(m20261123_000441_library_tagged_saved::Migration),
            Box::new(m20261123_000510_picture::Migration),
            Box::new(m20261123_000520_notice_indexes::Migration),
            Box::new(m20261123_000521_monitor_tags::Migration),
            Box::new(m20261123_000540_turns_of_owners::Migration),
            Box::new(m20261123_000550_import_kind::Migration),
            Box::new(m20261123_000564_library_kind::Migration),
            Box::new(m20261123_000565_session_browser::Migration),
            Box::new(m20261123_000566_job_limits::Migration),
            Box::new(m20261123_000567_library_waiting::Migration),
            Box::new(m20261124_000568_library_waiting_times::Migration),
            Box::new(m20261126_000569_job_lost_starts::Migration),
            Box::new(m20261126_000570_file_hold::Migration),
            Box::new(m20261126_000571_entry_marks::Migration),
            Box::new(m20261126_000580_feed_login::Migration),
            Box::new(m20261126_000590_library_word_order::Migration),
            Box::new(m20261126_000600_url_passwords::Migration),
            Box::new(m20261126_000601_import_mark::Migration),
            Box::new(m20261126_000602_import_folders::Migration),
            Box::new(m20261126_000603_discovery_retry::Migration),
            Box::new(m20261126_000611_monitor_schedule::Migration),
            Box::new(m20261126_000612_monitor_cookies::Migration),
            Box::new(m20261126_000741_run_decision::Migration),
            Box::new(m20261126_000742_channel_template::Migration),
            Box::new(m20261126_000743_notice_snooze::Migration),
            Box::new(m20261126_000744_changes_of_account::Migration),
            Box::new(m20261127_000780_monitor_groups::Migration),
            Box::new(m20261127_000810_library_servers::Migration),
            Box::new(m20261127_000820_import_report::Migration),
            Box::new(m20261127_000830_episodes::Migration),
            Box::new(m20261127_000840_discovery_list::Migration),
            Box::new(m20261127_000860_device_sync::Migration),
            Box::new(m20261127_000870_agent_connections::Migration),
            Box::new(m20261127_000870_read_week::Migration),
            Box::new(m20261127_000871_feed_request::Migration),
            Box::new(m20261127_000872_text_selector::Migration),
            Box::new(m20261127_000873_dropping_rules::Migration),
            Box::new(m20261127_000874_read_after::Migration),
            Box::new(m20261127_000875_story_signature::Migration),
            Box::new(m20261127_000880_agent_subscriptions::Migration),
            Box::new(m20261127_000881_agent_approvals::Migration),
            Box::new(m20261127_000890_address_check::Migration),
            Box::new(m20261127_000930_inbox::Migration),
            Box::new(m20261127_001000_agent_undo::Migration),
            Box::new(m20261127_001070_first_steps::Migration),
            Box::new(m20261127_001071_item_preview::Migration),
            Box::new(m20261127_001072_star_feed::Migration),
            Box::new(m20261127_001073_pending_deletion::Migration),
            Box::new(m20261127_001090_inbox_destinations::Migration),
            Box::new(m20261127_001091_inbox_message_details::Migration),
            Box::new(m20261127_001110_email_change::Migration),
            Box::new(m20261127_001111_second_factor::Migration),
            Box::new(m20261127_001112_session_network::Migration),
            Box::new(m20261127_001113_passkey::Migration),
            Box::new(m20261127_001150_render_choice::Migration),
            Box::new(m20261127_001155_monitor_picture::Migration),
            Box::new(m20261127_001165_page_copy::Migration),
            Box::new(m20261127_001170_model::Migration),
            Box::new(m20261127_001171_briefing::Migration),
            Box::new(m20261127_001172_meaning_search::Migration),
            Box::new(m20261127_001180_public_tags::Migration),
            Box::new(m20261127_001181_teams::Migration),
            Box::new(m20261127_001190_account_language::Migration),
            Box::new(m20261127_001220_entry_embedding::Migration),
            Box::new(m20261127_001235_account_quotas::Migration),
            Box::new(m20261127_001245_saved_searches::Migration),
            Box::new(m20261127_001250_highlight_review::Migration),
            Box::new(m20261127_001251_public_highlights::Migration),
            Box::new(m20261127_001255_page_picture::Migration),
            Box::new(m20261128_001275_show_original::Migration),
            Box::new(m20261128_001280_text_sizes::Migration),
            Box::new(m20261128_001281_search_feeds::Migration),
            Box::new(m20261128_001282_text_removals::Migration),
            Box::new(m20261128_001290_digest_today::Migration),
            Box::new(m20261128_001300_review_frequency::Migration),
            Box::new(m20261128_001301_digest_review::Migration),
            Box::new(m20261128_001302_model_choice::Migration),
            Box::new(m20261128_001310_highlight_cards::Migration),
            Box::new(m20261128_001315_model_question::Migration),
            Box::new(m20261128_001320_change_record::Migration),
            Box::new(m20261128_001325_picture_width::Migration),
            Box::new(m20261128_001330_channel_title::Migration),
            Box::new(m20261128_001336_feed_rewrites::Migration),
            Box::new(m20261128_001337_render_articles::Migration),
            Box::new(m20261128_001338_feed_sample::Migration),
            Box::new(m20261128_001339_model_tags::Migration),
            Box::new(m20261128_001340_monitor_explanation::Migration),
            Box::new(m20261128_001341_question_history::Migration),
            Box::new(m20261128_001343_highlight_picture::Migration),
            Box::new(m20261128_001344_reviews_per_day::Migration),
            Box::new(m20261128_001350_import_parts::Migration),
            Box::new(m20261128_001360_rule_saves::Migration),
            Box::new(m20261128_001370_entry_notices::Migration),
            Box::new(m20261128_001380_item_rules::Migration),
            Box::new(m20261128_001390_copies_and_appearance::Migration),
            Box::new(m20261128_001400_oidc_identity::Migration),
            Box::new(m20261128_001420_model_passage::Migration),
            Box::new(m20261128_001436_rule_save_tries::Migration),
            Box::new(m20261128_001450_oidc_label::Migration),
            Box::new(m20261128_001460_copies_of_imports::Migration),
            Box::new(m20261128_001470_translation_language::Migration),
            Box::new(m20261128_001480_entry_categories::Migration),
            Box::new(m20261128_001490_themed_reviews::Migration),
            Box::new(m20261128_001500_push_choices::Migration),
            Box::new(m20261128_001510_item_passages::Migration),
            Box::new(m20261128_001520_reviewed_sources::Migration),
        ]
    }
}

#[async_trait::async_trait]
impl MigratorTrait for Migrator {
    fn migrations() -> Vec<Box<dyn MigrationTrait>> {
        Self::steps().into_iter().map(|step| -> Box<dyn MigrationTrait> { step }).collect()
    }

    /// Leaves out the steps of a newer version, so that this version accepts its schema; see [`newer_steps`].
    async fn get_migration_models<C>(connection: &C) -> Result<Vec<seaql_migrations::Model>, DbErr>
    where
        C: ConnectionTrait,
    {
        Self::install(connection).await?;
        let models = seaql_migrations::Entity::find().all(connection).await?;
        let steps = Self::steps();
        Ok(models.into_iter().filter(|model| steps.iter().any(|step| step.name() == model.version)).collect())
    }
}

/// Migrates the database to the current schema. Several processes may call this concurrently.
///
/// # Errors
/// If a statement of a migration fails. The database then has the schema from before that migration.
pub async fn run(connection: &DatabaseConnection) -> Result<(), DbErr> {
    if connection.get_database_backend() == DbBackend::Postgres {
        return on_postgres(connection).await;
    }
    let (mut attempt, mut left) = (1, usize::MAX);
    loop {
        let Err(error) = on_sqlite(connection).await else { return Ok(()) };
        // A step fails if another process has run it first. That process may do so with each of the next steps.
        let Ok(pending) = pending(connection).await else { return Err(error) };
        attempt = if pending < left { 1 } else { attempt + 1 };
        if attempt > ATTEMPTS {
            return Err(error);
        }
        tracing::warn!(%error, attempt, pending, "migration failed, retrying: another process may have run first");
        left = pending;
    }
}

async fn on_sqlite(connection: &DatabaseConnection) -> Result<(), DbErr> {
    if applied(connection).await?.is_empty() {
        return Migrator::up(connection, None).await;
    }
    let mut last_pause = Instant::now();
    while pending(connection).await? > 0 {
        Migrator::up(connection, Some(1)).await?;
        online::yield_to_writers(&mut last_pause).await;
    }
    Ok(())
}

async fn on_postgres(connection: &DatabaseConnection) -> Result<(), DbErr> {
    let lock = acquire_migration_lock(connection).await?;
    let mut attempt = 1;
    loop {
        match Migrator::up(connection, None).await {
            Ok(()) => return lock.commit().await,
            Err(error) if attempt < online::MAX_ATTEMPTS && online::is_lock_timeout(&error) => {
                tracing::info!(attempt, "table in use, retrying migration");
            }
            Err(error) => return Err(error),
        }
        attempt += 1;
        online::pause().await;
    }
}

/// Waits until no other process migrates, and acquires the advisory lock. The lock is released with the
/// returned transaction. Each attempt uses a new transaction, because an index build of the other
/// process waits for all older transactions.
async fn acquire_migration_lock(connection: &DatabaseConnection) -> Result<DatabaseTransaction, DbErr> {
    loop {
        let transaction = connection.begin().await?;
        transaction.execute_unprepared("SET LOCAL idle_in_transaction_session_timeout = 0").await?;
        let sql = format!("SELECT pg_try_advisory_xact_lock({LOCK})");
        let row = transaction.query_one_raw(Statement::from_string(DbBackend::Postgres, sql)).await?;
        if row.map(|row| row.try_get_by_index::<bool>(0)).transpose()?.unwrap_or_default() {
            return Ok(transaction);
        }
        transaction.rollback().await?;
        online::pause().await;
    }
}

/// Returns the number of migrations of this version.
#[must_use]
pub fn step_count() -> usize {
    Migrator::steps().len()
}

/// Returns the number of pending migrations. Changes nothing.
///
/// # Errors
/// If the database cannot be read.
pub async fn pending(connection: &DatabaseConnection) -> Result<usize, DbErr> {
    let applied = applied(connection).await?;
    let steps = Migrator::steps();
    Ok(steps.iter().filter(|step| applied.iter().all(|model| model.version != step.name())).count())
}

/// Steps of a newer version that the database has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewerSteps {
    /// Names of the steps, oldest first.
    pub names: Vec<String>,
    /// Time at which the first of them was applied, in milliseconds.
    pub since: i64,
}

/// Returns the steps that the database has but this version does not know. `None` if there are none.
///
/// # Errors
/// If the database cannot be read.
pub async fn newer_steps(connection: &DatabaseConnection) -> Result<Option<NewerSteps>, DbErr> {
    let steps = Migrator::steps();
    let mut unknown = applied(connection).await?;
    unknown.retain(|model| steps.iter().all(|step| step.name() != model.version));
    unknown.sort_by(|one, other| one.version.cmp(&other.version));
    let since = unknown.iter().map(|model| model.applied_at).min();
    let names = unknown.into_iter().map(|model| model.version).collect();
    Ok(since.map(|seconds| NewerSteps { names, since: seconds.saturating_mul(1000) }))
}

/// Returns the applied steps, including those of a newer version. Changes nothing.
async fn applied(connection: &DatabaseConnection) -> Result<Vec<seaql_migrations::Model>, DbErr> {
    if !SchemaManager::new(connection).has_table("seaql_migrations").await? {
        return Ok(Vec::new());
    }
    seaql_migrations::Entity::find().all(connection).await
}
