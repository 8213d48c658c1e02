//! Definitions of monitors: validation, storage and identity.

use data_encoding::HEXLOWER;
use entities::ids::MonitorId;
use entities::monitor;
use extract::watch;
use sha2::{Digest, Sha256};

use super::monitor::Definition;
use super::rendering::Rendering;
use super::rendering_rules;
use super::step_secrets;
use articles::Address;
use kernel::bounds::MONITOR_WISH_CHARS;
use kernel::{Code, Error, FieldPath, Result};

/// Validates a definition. Errors contain the names of API fields.
///
/// # Errors
/// `invalid_request`, with the pointer and the reason of the first error, if the definition is invalid.
pub(super) fn check(definition: &Definition) -> Result<()> {
    let target = definition.target.check().into_iter();
    let ignores = watch::check_ignores(&definition.ignore).into_iter().map(|fault| (Some("ignore"), fault));
    let filters = watch::check_filters(&definition.filters).into_iter().map(|fault| (Some("filters"), fault));
    let trigger = definition.trigger.check(&definition.target).into_iter();
    let faults = target.map(|fault| (None, fault)).chain(ignores).chain(filters);
    let faults = faults.chain(trigger.map(|fault| (Some("trigger"), fault)));
    if !definition.filters.is_empty() && !matches!(definition.target, watch::Target::Page { .. }) {
        return Err(Error::invalid_field("filters", "does not belong to this type of target"));
    }
    let wish = definition.explanation.as_ref().and_then(|explanation| explanation.wish.as_ref());
    if wish.is_some_and(|wish| wish.chars().count() > MONITOR_WISH_CHARS) {
        let message = format!("must have at most {MONITOR_WISH_CHARS} characters");
        return Err(Error::invalid_field("explanation", message));
    }
    match faults.into_iter().next() {
        None => rendering_rules::check(definition).and_then(|()| definition.request.check()),
        Some((parent, fault)) => Err(refused(parent, &fault)),
    }
}

fn refused(parent: Option<&'static str>, fault: &watch::Invalid) -> Error {
    let path = FieldPath::of_pointer(&fault.pointer);
    let path = match parent {
        Some(parent) => path.below(parent),
        None => path,
    };
    let message = format!("The monitor definition is invalid: {path}: {}.", fault.problem);
    Error::new(Code::InvalidRequest, message).at(path, fault.problem.to_string())
}

/// Formats a definition for storage.
///
/// # Errors
/// `internal` if a secret text of a step is not sealed.
pub(super) fn write(definition: &Definition) -> Result<String> {
    if step_secrets::has_plain_text(definition) {
        return Err(Error::internal("a secret text of a step is not sealed"));
    }
    serde_json::to_string(definition).map_err(Error::internal)
}

pub(super) fn read(text: &str) -> Result<Definition> {
    serde_json::from_str(text).map_err(Error::internal)
}

/// Identity of a monitor within its account: a hash of the URL and the definition without its explanations.
pub(super) fn identity(address: &Address, definition: &Definition) -> Result<String> {
    let request = definition.request.for_fingerprint();
    let rendering = definition.rendering.as_ref().map(Rendering::for_fingerprint);
    let text = format!(
        "{} {}",
        address.key,
        write(&Definition { request, rendering, explanation: None, ..definition.clone() })?
    );
    Ok(HEXLOWER.encode(&Sha256::digest(text.as_bytes())))
}

/// Key of the target of a monitor. Monitors of the same URL share a target, with these exceptions: monitors
/// with custom request settings or a rendered page, because the response depends on their settings, and
/// monitors of headers, because their runs read no body.
pub(super) fn target_key(definition: &Definition, id: MonitorId, address: &Address) -> String {
    let has_body = !matches!(definition.target, watch::Target::Headers { .. });
    // `@` does not occur in the keys of shared targets.
    if has_body && definition.request.is_default() && definition.rendering.is_none() {
        address.key.clone()
    } else {
        format!("{id}@{}", address.key)
    }
}

/// True if snapshots under both definitions can be compared.
pub(super) fn are_comparable(one: &Definition, other: &Definition) -> bool {
    let selectors = |definition: &Definition| -> Vec<watch::Ignore> {
        let is_selector = |rule: &&watch::Ignore| matches!(rule, watch::Ignore::Selector(_));
        definition.ignore.iter().filter(is_selector).cloned().collect()
    };
    let rendering = |definition: &Definition| definition.rendering.as_ref().map(Rendering::without_secrets);
    one.target == other.target
        && one.filters == other.filters
        && selectors(one) == selectors(other)
        && one.request.is_comparable_with(&other.request)
        && rendering(one) == rendering(other)
}

/// Credits for a run of a stored monitor. 0 if this version cannot parse its definition.
pub(super) fn cost_of(row: &monitor::Model) -> i64 {
    read(&row.definition).map_or(0, |definition| definition.cost())
}
