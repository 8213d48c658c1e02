//! The private library: items with their texts, notes, highlights, tags, the keys by which saves are matched,
//! the ordered change log, and the search index.

use sea_orm_migration::prelude::*;
use sea_orm_migration::sea_orm::DbBackend;

use crate::{dialect, work};

const UP: &[&str] = &[
    "CREATE TABLE IF NOT EXISTS library_account (
        number {serial},
        account_id {uuid} NOT NULL UNIQUE REFERENCES account (id) ON DELETE CASCADE,
        last_sequence bigint NOT NULL DEFAULT 0,
        last_updated_at bigint NOT NULL DEFAULT 0,
        purged_sequence bigint NOT NULL DEFAULT 0,
        stored_bytes bigint NOT NULL DEFAULT 0,
        reserved_bytes bigint NOT NULL DEFAULT 0
    )",
    "CREATE TABLE IF NOT EXISTS library_item (
        id {uuid} NOT NULL PRIMARY KEY,
        account_id {uuid} NOT NULL REFERENCES account (id) ON DELETE CASCADE,
        sequence bigint NOT NULL,
        url text NOT NULL,
        original_url text,
        domain text NOT NULL,
        title text NOT NULL,
        title_rank smallint NOT NULL,
        author text,
        author_rank smallint NOT NULL,
        published_at text,
        published_rank smallint NOT NULL,
        content_kind text NOT NULL,
        kind_method text NOT NULL,
        kind_confidence smallint NOT NULL,
        kind_at bigint NOT NULL,
        capture_method text NOT NULL,
        format text NOT NULL,
        mime_type text,
        file_name text,
        external_id text,
        metadata text,
        status text NOT NULL,
        saved_at bigint NOT NULL,
        updated_at bigint NOT NULL,
        last_read_at bigint,
        finished_at bigint,
        read_progress smallint,
        article_status text NOT NULL,
        article_error text,
        quality_status text,
        extraction_source text,
        content_hash text,
        duplicate_of {uuid},
        asset_blob text,
        asset_name text,
        asset_mime text,
        asset_size bigint,
        asset_checksum text,
        asset_at bigint,
        stored_bytes bigint NOT NULL,
        lane text NOT NULL,
        next_try_at bigint,
        tries smallint NOT NULL DEFAULT 0,
        ask bigint NOT NULL DEFAULT 0,
        ask_from text,
        failed_at bigint,
        refreshed_at bigint
    )",
    "CREATE INDEX IF NOT EXISTS library_item_saved ON library_item (account_id, saved_at, id)",
    "CREATE INDEX IF NOT EXISTS library_item_status ON library_item (account_id, status, saved_at, id)",
    "CREATE INDEX IF NOT EXISTS library_item_updated ON library_item (account_id, updated_at, id)",
    "CREATE INDEX IF NOT EXISTS library_item_read ON library_item (account_id, last_read_at, id) \
        WHERE last_read_at IS NOT NULL",
    "CREATE INDEX IF NOT EXISTS library_item_due ON library_item (next_try_at) WHERE next_try_at IS NOT NULL",
    "CREATE TABLE IF NOT EXISTS library_text (
        account_id {uuid} NOT NULL REFERENCES account (id) ON DELETE CASCADE,
        item_id {uuid} NOT NULL REFERENCES library_item (id) ON DELETE CASCADE,
        document {bytes} NOT NULL,
        text_bytes bigint NOT NULL,
        origin text NOT NULL,
        final_url text,
        cached_at bigint NOT NULL,
        PRIMARY KEY (account_id, item_id)
    )",
    "CREATE TABLE IF NOT EXISTS library_original (
        account_id {uuid} NOT NULL REFERENCES account (id) ON DELETE CASCADE,
        item_id {uuid} NOT NULL REFERENCES library_item (id) ON DELETE CASCADE,
        body {bytes} NOT NULL,
        body_bytes bigint NOT NULL,
        body_hash text NOT NULL,
        mime_type text NOT NULL,
        PRIMARY KEY (account_id, item_id)
    )",
    "CREATE TABLE IF NOT EXISTS library_key (
        account_id {uuid} NOT NULL REFERENCES account (id) ON DELETE CASCADE,
        hash {bytes} NOT NULL,
        kind text NOT NULL,
        value text,
        item_id {uuid} NOT NULL,
        deleted_at bigint,
        PRIMARY KEY (account_id, hash)
    )",
    "CREATE INDEX IF NOT EXISTS library_key_item ON library_key (account_id, item_id)",
    "CREATE INDEX IF NOT EXISTS library_key_deleted ON library_key (deleted_at) WHERE deleted_at IS NOT NULL",
    "CREATE TABLE IF NOT EXISTS library_note (
        id {uuid} NOT NULL PRIMARY KEY,
        account_id {uuid} NOT NULL REFERENCES account (id) ON DELETE CASCADE,
        sequence bigint NOT NULL,
        item_id {uuid},
        detached_from {uuid},
        title text,
        text text NOT NULL,
        external_id text,
        stored_bytes bigint NOT NULL,
        created_at bigint NOT NULL,
        updated_at bigint NOT NULL
    )",
    "CREATE INDEX IF NOT EXISTS library_note_created ON library_note (account_id, created_at, id)",
    "CREATE INDEX IF NOT EXISTS library_note_updated ON library_note (account_id, updated_at, id)",
    "CREATE INDEX IF NOT EXISTS library_note_item ON library_note (account_id, item_id) WHERE item_id IS NOT NULL",
    "CREATE INDEX IF NOT EXISTS library_note_detached ON library_note (account_id, detached_from) \
        WHERE detached_from IS NOT NULL",
    "CREATE UNIQUE INDEX IF NOT EXISTS library_note_external ON library_note (account_id, external_id) \
        WHERE external_id IS NOT NULL",
    "CREATE TABLE IF NOT EXISTS library_highlight (
        id {uuid} NOT NULL PRIMARY KEY,
        account_id {uuid} NOT NULL REFERENCES account (id) ON DELETE CASCADE,
        sequence bigint NOT NULL,
        item_id {uuid},
        detached_from {uuid},
        item_title text,
        source_url text,
        quote text NOT NULL,
        prefix text NOT NULL,
        suffix text NOT NULL,
        hint integer,
        note text,
        color text NOT NULL,
        anchor integer,
        end_anchor integer,
        start_offset integer,
        end_offset integer,
        page integer,
        anchor_status text NOT NULL,
        external_id text,
        stored_bytes bigint NOT NULL,
        created_at bigint NOT NULL,
        updated_at bigint NOT NULL
    )",
    "CREATE INDEX IF NOT EXISTS library_highlight_created ON library_highlight (account_id, created_at, id)",
    "CREATE INDEX IF NOT EXISTS library_highlight_updated ON library_highlight (account_id, updated_at, id)",
    "CREATE INDEX IF NOT EXISTS library_highlight_item ON library_highlight (account_id, item_id) \
        WHERE item_id IS NOT NULL",
    "CREATE INDEX IF NOT EXISTS library_highlight_detached ON library_highlight (account_id, detached_from) \
        WHERE detached_from IS NOT NULL",
    "CREATE UNIQUE INDEX IF NOT EXISTS library_highlight_external ON library_highlight (account_id, external_id) \
        WHERE external_id IS NOT NULL",
    "CREATE TABLE IF NOT EXISTS library_tag (
        account_id {uuid} NOT NULL REFERENCES account (id) ON DELETE CASCADE,
        tag_key text NOT NULL,
        name text NOT NULL,
        PRIMARY KEY (account_id, tag_key)
    )",
    "CREATE TABLE IF NOT EXISTS library_tagged (
        account_id {uuid} NOT NULL REFERENCES account (id) ON DELETE CASCADE,
        object_id {uuid} NOT NULL,
        tag_key text NOT NULL,
        kind text NOT NULL,
        position smallint NOT NULL,
        PRIMARY KEY (account_id, object_id, tag_key)
    )",
    "CREATE INDEX IF NOT EXISTS library_tagged_key ON library_tagged (account_id, tag_key, kind, object_id)",
    "CREATE TABLE IF NOT EXISTS library_change (
        account_id {uuid} NOT NULL REFERENCES account (id) ON DELETE CASCADE,
        object_id {uuid} NOT NULL,
        kind text NOT NULL,
        sequence bigint NOT NULL,
        updated_at bigint NOT NULL,
        is_deleted boolean NOT NULL,
        PRIMARY KEY (account_id, object_id)
    )",
    "CREATE UNIQUE INDEX IF NOT EXISTS library_change_order ON library_change (account_id, sequence)",
    "CREATE INDEX IF NOT EXISTS library_change_updated ON library_change (account_id, updated_at, object_id)",
    "CREATE INDEX IF NOT EXISTS library_change_deleted ON library_change (updated_at) WHERE is_deleted",
    "CREATE TABLE IF NOT EXISTS library_search (
        id {serial},
        account_id {uuid} NOT NULL REFERENCES account (id) ON DELETE CASCADE,
        object_id {uuid} NOT NULL,
        kind text NOT NULL,
        part integer NOT NULL,
        counts {bytes} NOT NULL
    )",
    "CREATE UNIQUE INDEX IF NOT EXISTS library_search_object ON library_search (account_id, object_id, part)",
    "CREATE INDEX IF NOT EXISTS library_search_newest ON library_search (account_id, id)",
    "CREATE TABLE IF NOT EXISTS library_word (
        account_id {uuid} NOT NULL REFERENCES account (id) ON DELETE CASCADE,
        word text NOT NULL,
        PRIMARY KEY (account_id, word)
    )",
];

/// Search index on PostgreSQL. The service splits texts into words itself, so that PostgreSQL's dictionaries
/// are not involved.
const POSTGRES: &[&str] = &[
    "ALTER TABLE library_search ADD COLUMN words tsvector NOT NULL",
    "CREATE INDEX IF NOT EXISTS library_search_words ON library_search USING gin (words)",
];

/// Search index on SQLite. A row of `library_found` has the rowid of its row in `library_search` and is
/// deleted with it.
const SQLITE: &[&str] = &[
    "CREATE VIRTUAL TABLE IF NOT EXISTS library_found USING fts5 (words, content = '', contentless_delete = 1, \
        detail = 'none', tokenize = \"ascii tokenchars ':=+'\")",
    "CREATE TRIGGER IF NOT EXISTS library_search_gone AFTER DELETE ON library_search BEGIN \
        DELETE FROM library_found WHERE rowid = old.id; END",
];

const DOWN: &[&str] = &[
    "DROP TABLE IF EXISTS library_word",
    "DROP TABLE IF EXISTS library_search",
    "DROP TABLE IF EXISTS library_found",
    "DROP TABLE IF EXISTS library_change",
    "DROP TABLE IF EXISTS library_tagged",
    "DROP TABLE IF EXISTS library_tag",
    "DROP TABLE IF EXISTS library_highlight",
    "DROP TABLE IF EXISTS library_note",
    "DROP TABLE IF EXISTS library_key",
    "DROP TABLE IF EXISTS library_original",
    "DROP TABLE IF EXISTS library_text",
    "DROP TABLE IF EXISTS library_item",
    "DROP TABLE IF EXISTS library_account",
];

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        dialect::run_all(manager, UP).await?;
        let own = match manager.get_database_backend() {
            DbBackend::Postgres => POSTGRES,
            _ => SQLITE,
        };
        dialect::run_all(manager, own).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        dialect::run_all(manager, DOWN).await
    }

    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }
}

impl work::PlannedMigration for Migration {
    fn works(&self, backend: DbBackend) -> Vec<work::Work> {
        let own = match backend {
            DbBackend::Postgres => POSTGRES,
            _ => SQLITE,
        };
        [UP, own].into_iter().flat_map(|list| work::Listed::works(list, backend)).collect()
    }
}
