//! Routes of the desk.

use poem::{Route, get, post};

use super::feeds::{
    actions, briefing, collections, entry, entry_list, entry_question, entry_stream, episode, follow,
    import as feed_import, new_entries, opml, rewrites, rules, statistics, subscription, subscriptions,
};
use super::library::{
    actions as item_actions, automatic_copies, bulk_actions, edit, export, file_upload, highlight_card,
    import, import_rows, import_servers, item, item_list as items, item_question, item_rules, item_summary,
    notes, page_copies, public_tags, quote_share, review, save, shared, themed_reviews,
};
use super::{
    appearance, library_question, listening, meaning_search, offline, offline_actions, passages,
    saved_searches, search, today, welcome,
};

/// Adds the routes of the desk.
pub(crate) fn routes(route: Route) -> Route {
    let route = route
        .at("/today", get(today::show))
        .at("/welcome", get(welcome::show))
        .at("/welcome/feeds", post(welcome::follow))
        .at("/welcome/close", post(welcome::close))
        .at("/search", get(search::show))
        .at("/save", get(save::ask).post(save::confirm))
        .at("/settings/look", get(appearance::show).post(appearance::save))
        .at("/settings/density", post(appearance::save_density))
        .at("/settings/listening", post(listening::remember))
        .at("/settings/offline", post(offline::save))
        .at("/offline", get(offline::show))
        .at("/offline/worker.js", get(offline::worker))
        .at("/offline/list", get(offline::list))
        .at("/offline/texts", get(offline::texts))
        .at("/offline/actions", post(offline_actions::apply))
        .at("/offline/no-connection", get(offline::refuse));
    feeds(library(route))
}

fn feeds(route: Route) -> Route {
    route
        .at("/entries", get(entry_list::show))
        .at("/entries/mark", post(actions::mark))
        .at("/entries/mark-all", post(actions::mark_all))
        .at("/entries/undo", post(actions::undo))
        .at("/entries/new", get(new_entries::count))
        .at("/entries/live", get(entry_stream::open))
        .at("/entries/:id", get(entry::show))
        .at("/entries/:id/question", post(entry_question::ask))
        .at("/entries/:id/passage", post(passages::request_for_entry))
        .at("/entries/:id/playback", post(episode::remember))
        .at("/entries/:id/part", post(episode::request_part))
        .at("/subscriptions", get(subscriptions::show))
        .at("/subscriptions/new", get(follow::show).post(follow::follow))
        .at("/subscriptions/opml", get(opml::show).post(feed_import::create))
        .at("/subscriptions/opml/:id", get(feed_import::show).post(feed_import::stop))
        .at("/subscriptions/opml/file", get(opml::export))
        .at("/subscriptions/refresh", post(actions::refresh))
        .at("/subscriptions/statistics", get(statistics::show))
        .at("/subscriptions/rules", get(rules::show_all).post(rules::create_for_all))
        .at("/subscriptions/rules/:id", get(rules::show_one).post(rules::delete))
        .at("/subscriptions/:id/rules", get(rules::show).post(rules::create))
        .at("/subscriptions/:id/rewrites", get(rewrites::show).post(rewrites::save))
        .at("/subscriptions/:id", get(subscription::show).post(subscription::save))
        .at("/subscriptions/:id/refresh", post(subscription::refresh))
        .at("/subscriptions/:id/undo-move", post(subscription::undo_move))
        .at("/subscriptions/:id/delete", get(subscription::show_delete).post(subscription::delete))
        .at("/collections", get(collections::show).post(collections::create))
        .at("/collections/:id", post(collections::change))
        .at("/collections/:id/briefing", get(briefing::show).post(briefing::write))
}

fn library(route: Route) -> Route {
    route
        .at("/library", get(items::show).post(save::create))
        .at("/library/bulk", post(bulk_actions::change))
        .at("/library/files", get(file_upload::show).post(file_upload::create))
        .at("/library/undo", post(bulk_actions::undo))
        .at("/library/delete", post(bulk_actions::delete))
        .at("/library/meaning", get(meaning_search::show).post(meaning_search::start))
        .at("/library/ask", get(library_question::show).post(library_question::ask))
        .at("/library/searches", get(saved_searches::show).post(saved_searches::save))
        .at("/library/searches/:id", post(saved_searches::change))
        .at("/library/rules", get(item_rules::show).post(item_rules::create))
        .at("/library/rules/:id", get(item_rules::show_one).post(item_rules::change))
        .at("/library/tags", get(bulk_actions::show_tags).post(bulk_actions::change_tags))
        .at("/library/shared", get(shared::show))
        .at("/library/shared/:id", get(shared::show_tag).post(shared::change_tag))
        .at("/library/shared/:id/monitors/:monitor", get(shared::show_monitor))
        .at("/library/public-tags", get(public_tags::show).post(public_tags::publish))
        .at("/library/public-tags/:id/delete", post(public_tags::unpublish))
        .at("/library/copies", get(automatic_copies::show).post(automatic_copies::save))
        .at("/library/import", get(import::show_new).post(import::create))
        .at("/library/import/:id", get(import::show).post(import::change))
        .at("/library/import/:id/report", get(import_rows::download))
        .at("/library/import-servers", get(import_servers::show).post(import_servers::create))
        .at("/library/import-servers/:id", post(import_servers::change))
        .at("/library/export", get(export::show_new).post(export::create))
        .at("/library/export/:id", get(export::show))
        .at("/library/export/:id/file", get(export::download))
        .at("/library/export/:id/delete", post(export::delete))
        .at("/library/notes/:id", get(notes::show_note).post(notes::change_note))
        .at("/library/highlights/:id", get(notes::show_highlight).post(notes::change_highlight))
        .at("/library/highlights/:id/card", get(highlight_card::show).post(highlight_card::change))
        .at("/library/highlights/:id/quote", get(quote_share::show))
        .at("/library/highlights/:id/publish", post(quote_share::publish))
        .at("/library/highlights/:id/unpublish", post(quote_share::unpublish))
        .at("/highlights/review", get(review::show).post(review::record))
        .at("/highlights/review/frequency", post(review::set_frequency))
        .at("/highlights/review/number", post(review::set_number))
        .at("/highlights/review/channel", post(review::set_channel))
        .at("/highlights/review/themes", get(themed_reviews::show).post(themed_reviews::create))
        .at("/highlights/review/themes/:id", get(themed_reviews::show_one).post(themed_reviews::change))
        .at("/library/:id", get(item::show))
        .at("/library/:id/edit", get(edit::show).post(edit::save))
        .at("/library/:id/change", post(item_actions::change))
        .at("/library/:id/refresh", post(item_actions::refresh))
        .at("/library/:id/markdown", get(item_actions::markdown))
        .at("/library/:id/file", get(item_actions::download))
        .at("/library/:id/files/:number", get(item_actions::download_message_file))
        .at("/library/:id/copies", get(page_copies::show).post(page_copies::change))
        .at("/library/:id/copies/:format", get(page_copies::open))
        .at("/library/:id/delete", get(bulk_actions::show_delete))
        .at("/library/:id/summary", post(item_summary::summarize))
        .at("/library/:id/question", post(item_question::ask))
        .at("/library/:id/passage", post(passages::request_for_item))
        .at("/library/:id/passage/note", post(passages::store_note))
        .at("/library/:id/summary/tag", post(item_summary::add_tag))
        .at("/library/:id/model-tags", post(item_summary::remove_model_tags))
        .at("/library/:id/highlights", post(notes::mark_words))
        .at("/library/:id/notes", post(notes::write))
}
