//! Changes to many monitors in one request, and copies of a monitor.

use async_recursion::async_recursion as boxed;
use entities::ids::{AccountId, MonitorId};

use super::edit::{Edit, apply_edit, seal_secrets, update};
use super::manage::{CreatedMonitor, MonitorOptions, NewMonitor, create_sealed};
use super::monitor::{Monitor, Status};
use super::rows::{load, owner_plan};
use super::{rendering_rules, request, step_secrets, tags};
use articles::Address;
use kernel::bounds::MONITOR_NAME_CHARS;
use kernel::{Class, Code, Domain, Error, Result};

/// Maximum number of monitors that are changed in one call.
pub const MAX_BULK: usize = 100;
/// Suffix of the name of a copy.
const COPY: &str = " (copy)";

/// Result of a change of many monitors.
#[derive(Debug)]
pub struct BulkUpdate {
    /// Changed monitors, in the order of the call.
    pub monitors: Vec<Monitor>,
    /// Monitors that could not be changed.
    pub refused: Vec<(MonitorId, Error)>,
}

/// Applies an edit to up to [`MAX_BULK`] monitors, each in its own transaction. Repeated ids are treated as
/// one.
///
/// # Errors
/// `invalid_request` if there are too many ids; transient database errors. Errors of individual monitors are
/// part of the result.
#[boxed]
pub async fn update_many(
    domain: &Domain,
    account_id: AccountId,
    ids: &[MonitorId],
    edit: &Edit,
) -> Result<BulkUpdate> {
    if ids.len() > MAX_BULK {
        return Err(Error::invalid_field("ids", format!("must have at most {MAX_BULK} ids")));
    }
    let mut changed = BulkUpdate { monitors: Vec::with_capacity(ids.len()), refused: Vec::new() };
    for (index, id) in ids.iter().enumerate() {
        if ids[..index].contains(id) {
            continue;
        }
        match update(domain, account_id, *id, edit.clone()).await {
            Ok(updated) => changed.monitors.push(updated.monitor),
            Err(error) if error.is_transient() && error.class() != Class::Limited => return Err(error),
            Err(error) => changed.refused.push((*id, error)),
        }
    }
    Ok(changed)
}

/// Creates a copy of a monitor with an edit applied. The URL or the definition must differ, because they
/// identify a monitor. Credentials are copied, too. If the copy watches another site, it gets no credentials
/// and is paused.
///
/// # Errors
/// `not_found`, `invalid_request`, `interval_too_short`, `limit_reached`; `name_taken` if the account has a
/// monitor with the same address and definition.
#[boxed]
pub async fn duplicate(
    domain: &Domain,
    account_id: AccountId,
    id: MonitorId,
    mut edit: Edit,
) -> Result<CreatedMonitor> {
    let sealed = seal_secrets(domain, account_id, id, &mut edit).await?;
    let row = load(domain.db().read(), account_id, id).await?;
    let plan = &owner_plan(domain, account_id).await?;
    let original = Monitor::of(&row, plan)?;
    let mut definition = apply_edit(&original.definition, &edit)?;
    if let Some(credentials) = sealed.credentials {
        definition.request.credentials = Some(credentials);
    }
    let address = match &edit.target {
        Some(address) => address.clone(),
        None => Address::parse(domain, &row.target_url)?,
    };
    let mut lacks_credentials = request::check_origin(&definition.request, &address.url).is_err();
    if lacks_credentials {
        definition.request.credentials = None;
    }
    if let (Some(rendering), Some(texts)) = (&mut definition.rendering, sealed.texts) {
        rendering_rules::check_addresses(&address.url, &rendering.steps)?;
        rendering.secrets =
            step_secrets::with_stored(&address.url, &rendering.steps, texts, &rendering.secrets)?;
    }
    let rendering = definition.rendering.as_ref();
    if rendering.is_some_and(|rendering| step_secrets::check_origin(rendering, &address.url).is_err()) {
        lacks_credentials |= step_secrets::remove(&mut definition);
    }
    let (group, own_settings) = edit.membership_of(original.group, &original.own_settings);
    let (tags, notify) = (edit.tags_of(&tags::read(&row.tags)), edit.notify_of(&original.notify));
    let new = NewMonitor {
        name: edit.name.unwrap_or_else(|| copied_name(&original.name)),
        address,
        definition,
        interval_minutes: Some(edit.interval_minutes.unwrap_or(original.interval_minutes)),
        follow: edit.follow.unwrap_or(original.is_followed),
        notify: notify.unwrap_or(original.notify),
        tags: tags.unwrap_or(original.tags),
        options: MonitorOptions {
            credentials: None,
            may_lack_secrets: false,
            schedule: edit.schedule.unwrap_or(original.schedule),
            notify_failures: edit.notify_failures.unwrap_or(original.notify_failures),
            group,
            own_settings,
        },
    };
    let mut made = create_sealed(domain, account_id, new).await?;
    if made.already_exists {
        let message = "You already have a monitor with this address and these settings. Change the address or what is watched.";
        return Err(Error::new(Code::NameTaken, message));
    }
    if edit.status == Some(Status::Paused) || lacks_credentials {
        let pause = Edit { status: Some(Status::Paused), ..Edit::default() };
        made.monitor = update(domain, account_id, made.monitor.id, pause).await?.monitor;
    }
    Ok(made)
}

fn copied_name(name: &str) -> String {
    let most = MONITOR_NAME_CHARS - COPY.chars().count();
    let start: String = name.chars().take(most).collect();
    format!("{}{COPY}", start.trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn name_of_a_copy_is_truncated_to_the_limit() {
        assert_eq!(copied_name("Ferry"), "Ferry (copy)");
        let long = copied_name(&"ä".repeat(MONITOR_NAME_CHARS));
        assert_eq!(long.chars().count(), MONITOR_NAME_CHARS);
        assert!(long.ends_with(" (copy)"));
    }
}
