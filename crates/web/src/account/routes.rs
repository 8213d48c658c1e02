//! Routes of the account pages.

use poem::{Route, get, post};

use super::{
    address_check, agent_activity, apps, authorize, channels, email_change, inbox, inbox_message, keys,
    model, model_tags, monitors, oidc, passkeys, password_reset, plan, second_factor, sessions, settings,
    sign_in, sign_in_choice, sign_in_code, team, teams,
};

/// Adds the routes of the account pages.
pub(crate) fn routes(routes: Route) -> Route {
    team_routes(monitor_routes(sign_in_routes(routes)))
        .at("/settings", get(settings::show))
        .at("/settings/email", get(email_change::show).post(email_change::start))
        .at("/settings/email/cancel", post(email_change::cancel))
        .at("/settings/email/confirm", get(email_change::show_confirm).post(email_change::confirm))
        .at("/settings/email/undo", get(email_change::show_undo).post(email_change::undo))
        .at("/settings/passkeys", get(passkeys::show).post(passkeys::add))
        .at("/settings/passkeys/:id/remove", post(passkeys::remove))
        .at("/settings/oidc", get(oidc::show).post(oidc::connect))
        .at("/settings/oidc/disconnect", post(oidc::disconnect))
        .at("/settings/second-factor", get(second_factor::show).post(second_factor::start))
        .at("/settings/second-factor/finish", post(second_factor::finish))
        .at("/settings/second-factor/recovery-codes", post(second_factor::renew_codes))
        .at("/settings/second-factor/remove", post(second_factor::remove))
        .at("/settings/password", post(settings::change_password))
        .at("/settings/language", post(settings::save_language))
        .at("/settings/sessions/end-others", post(sessions::end_others))
        .at("/settings/sessions/:name/end", post(sessions::end))
        .at("/settings/delete", get(settings::show_delete).post(settings::delete))
        .at("/settings/sample/delete", post(settings::delete_sample))
        .at("/settings/keys", get(keys::show).post(keys::create))
        .at("/settings/keys/:id/revoke", get(keys::show_revoke).post(keys::revoke))
        .at("/settings/keys/:id/activity", get(agent_activity::show).post(agent_activity::save))
        .at("/settings/keys/:id/activity/approval-rules", post(agent_activity::save_rules))
        .at("/settings/keys/:id/activity/approvals", post(agent_activity::decide))
        .at("/settings/keys/:id/activity/undo", post(agent_activity::undo))
        .at("/settings/apps", get(apps::show))
        .at("/settings/apps/address", get(address_check::show).post(address_check::start))
        .at("/settings/apps/end-all", get(apps::show_end_all).post(apps::end_all))
        .at("/settings/apps/:id/end", get(apps::show_end).post(apps::end))
        .at("/settings/apps/:id/activity", get(agent_activity::show).post(agent_activity::save))
        .at("/settings/apps/:id/activity/approval-rules", post(agent_activity::save_rules))
        .at("/settings/apps/:id/activity/approvals", post(agent_activity::decide))
        .at("/settings/apps/:id/activity/undo", post(agent_activity::undo))
        .at("/oauth/authorize", get(authorize::show).post(authorize::answer))
        .at("/settings/channels", get(channels::list).post(channels::create))
        .at("/settings/channels/:id", get(channels::show).post(channels::save))
        .at("/settings/channels/:id/template", get(channels::show_template).post(channels::save_template))
        .at("/settings/channels/:id/test", post(channels::test))
        .at("/settings/channels/:id/off", post(channels::switch_off))
        .at("/settings/channels/:id/on", post(channels::switch_on))
        .at("/settings/channels/:id/rotate", get(channels::show_rotate).post(channels::rotate))
        .at("/settings/channels/:id/delete", get(channels::show_delete).post(channels::delete))
        .at("/notices/confirm", get(channels::show_confirmation).post(channels::confirm))
        .at("/notices/stop", get(channels::show_unsubscribe).post(channels::unsubscribe))
        .at("/notices/snooze", get(channels::show_snooze).post(channels::snooze))
        .at("/settings/inbox", get(inbox::show).post(inbox::create))
        .at("/settings/inbox/messages/:id", get(inbox_message::show))
        .at("/settings/inbox/messages/:id/unsubscribe", post(inbox_message::unsubscribe))
        .at("/settings/inbox/:id", post(inbox::change))
        .at("/settings/model", get(model::show).post(model::switch))
        .at("/settings/model/tags", get(model_tags::show).post(model_tags::remove_all))
        .at("/settings/plan", get(plan::show))
}

fn sign_in_routes(routes: Route) -> Route {
    routes
        .at("/sign-up", get(sign_in::show_sign_up).post(sign_in::sign_up))
        .at("/sign-in", get(sign_in_choice::show).post(sign_in::sign_in))
        .at("/sign-in/passkey", get(passkeys::show_sign_in).post(passkeys::sign_in))
        .at("/sign-in/oidc", get(oidc::start))
        .at("/sign-in/oidc/callback", get(oidc::callback))
        .at("/sign-in/code", get(sign_in_code::show).post(sign_in_code::enter))
        .at("/forgot", get(password_reset::show_forgot).post(password_reset::ask))
        .at("/reset", get(password_reset::show).post(password_reset::reset))
        .at("/sign-out", post(sign_in::sign_out))
}

fn team_routes(routes: Route) -> Route {
    routes
        .at("/settings/teams", get(teams::show).post(teams::create))
        .at("/settings/teams/join", get(teams::show_join).post(teams::join))
        .at("/settings/teams/:id", get(team::show))
        .at("/settings/teams/:id/leave", post(teams::leave))
        .at("/settings/teams/:id/members", post(team::change_member))
        .at("/settings/teams/:id/invitations", post(team::change_invitation))
        .at("/settings/teams/:id/shares", post(team::change_share))
        .at("/settings/teams/:id/delete", get(team::show_delete).post(team::delete))
}

fn monitor_routes(routes: Route) -> Route {
    routes
        .at("/monitors", get(monitors::list))
        .at("/monitors/selected", post(monitors::change_selected))
        .at("/monitors/new", get(monitors::show_new).post(monitors::create))
        .at("/monitors/new/pictures/:key/page.jpg", get(monitors::show_picture))
        .at("/monitors/new/pictures/:key/style.css", get(monitors::show_picture_style))
        .at("/monitors/changes", get(monitors::show_search))
        .at("/monitors/groups", get(monitors::list_groups).post(monitors::create_group))
        .at("/monitors/groups/:id", get(monitors::show_group).post(monitors::save_group))
        .at("/monitors/groups/:id/delete", get(monitors::show_delete_group).post(monitors::delete_group))
        .at("/monitors/lists", get(monitors::show_lists).post(monitors::import))
        .at("/monitors/lists/file", get(monitors::export))
        .at("/monitors/:id", get(monitors::show))
        .at("/monitors/:id/edit", get(monitors::show_edit).post(monitors::update))
        .at("/monitors/:id/duplicate", get(monitors::show_duplicate).post(monitors::create_duplicate))
        .at("/monitors/:id/delete", get(monitors::show_delete).post(monitors::delete))
        .at("/monitors/:id/values.csv", get(monitors::csv))
        .at("/monitors/:id/run", post(monitors::run))
        .at("/monitors/:id/pause", post(monitors::pause))
        .at("/monitors/:id/resume", post(monitors::resume))
        .at("/monitors/:id/watch-all", post(monitors::watch_all))
        .at("/monitors/:id/rotate-feed", get(monitors::show_rotate).post(monitors::rotate))
}
