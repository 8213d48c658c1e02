//! Secret texts of the steps of rendered monitors. They are stored like credentials: sealed for their account and for
//! the origin for which they were entered, and never returned. A secret step without a new text retains the stored text
//! of the step with the same selector.

use async_recursion::async_recursion as boxed;
use entities::ids::AccountId;
use fetch::Url;

use super::monitor::Definition;
use super::rendering::Rendering;
use super::rendering_rules;
use super::sealed::{self, SealedStepText, SealedUse};
use articles::Address;
use articles::worker_tools::{PageStep, StepKind};
use kernel::vault::Vault;
use kernel::{Domain, Error, Result};

/// Maximum size of a sealed text in a form, in bytes.
const MAX_FORM_BYTES: usize = 8 << 10;

/// Seals the secret texts of new steps, and removes them from the steps. Returns the sealed text of each step
/// that has a secret text. Must not be called within a transaction.
///
/// # Errors
/// `invalid_request` if the steps are invalid; database errors.
pub(super) async fn seal_texts(
    domain: &Domain,
    account_id: AccountId,
    url: &Url,
    steps: &mut [PageStep],
) -> Result<Vec<Option<SealedStepText>>> {
    rendering_rules::check_steps(steps)?;
    let mut texts = Vec::with_capacity(steps.len());
    for step in steps.iter_mut() {
        let text = if step.secret { step.text.take() } else { None };
        texts.push(match (text, &step.selector) {
            (Some(text), Some(selector)) => {
                let usage = (url, SealedUse::StepText);
                let value = sealed::seal(domain, account_id, usage, text.into_bytes()).await?;
                Some(SealedStepText { selector: selector.clone(), value })
            }
            _ => None,
        });
    }
    Ok(texts)
}

/// Seals a secret text that a form contains until the monitor is stored.
///
/// # Errors
/// `invalid_request` if the text is empty or too long; database errors.
#[boxed]
pub async fn seal_step_text(
    domain: &Domain,
    account_id: AccountId,
    address: &Address,
    selector: &str,
    text: &str,
) -> Result<SealedStepText> {
    let step = PageStep::on(StepKind::Type, selector);
    let mut steps = [PageStep { text: Some(text.to_owned()), secret: true, ..step }];
    let texts = seal_texts(domain, account_id, &address.url, &mut steps).await?;
    texts.into_iter().flatten().next().ok_or_else(|| Error::invalid_field("steps", "need a text"))
}

/// Returns the sealed texts of steps: the new text of a step or, if there is none, the stored text of the
/// step with the same selector.
///
/// # Errors
/// `invalid_request`, with the step, if neither exists, or if the stored text is for another origin.
pub(super) fn with_stored(
    url: &Url,
    steps: &[PageStep],
    new: Vec<Option<SealedStepText>>,
    stored: &[SealedStepText],
) -> Result<Vec<SealedStepText>> {
    let mut left = stored.to_vec();
    let mut texts = Vec::new();
    for ((index, step), new) in steps.iter().enumerate().zip(new).filter(|((_, step), _)| step.secret) {
        let refusal = |reason: &str| Error::invalid_at(&format!("/steps/{index}/text"), reason);
        let known = take_text(&mut left, step);
        let text = match (new, known) {
            (Some(new), _) => new,
            (None, Some(known)) if known.value.is_for(url) => known,
            (None, Some(_)) => return Err(refusal("belongs to the previous site: enter it again")),
            (None, None) => return Err(refusal("is missing: enter the secret")),
        };
        texts.push(text);
    }
    Ok(texts)
}

/// Seals the secret texts of the steps of a new definition, and checks the addresses that the steps open.
///
/// # Errors
/// The errors of [`seal_texts`], [`rendering_rules::check_addresses`], and [`with_stored`].
pub(super) async fn seal(
    domain: &Domain,
    account_id: AccountId,
    url: &Url,
    definition: &mut Definition,
) -> Result<()> {
    let Some(rendering) = &mut definition.rendering else { return Ok(()) };
    let new = seal_texts(domain, account_id, url, &mut rendering.steps).await?;
    rendering_rules::check_addresses(url, &rendering.steps)?;
    rendering.secrets = with_stored(url, &rendering.steps, new, &rendering.secrets)?;
    Ok(())
}

/// Checks that the stored texts are for the origin of `url`.
///
/// # Errors
/// `invalid_request` if `url` has a different origin.
pub(super) fn check_origin(rendering: &Rendering, url: &Url) -> Result<()> {
    if rendering.secrets.iter().all(|text| text.value.is_for(url)) {
        return Ok(());
    }
    Err(Error::invalid_field(
        "steps",
        "contain secrets for the previous site: enter them again, or remove them",
    ))
}

/// Removes the secret texts of a definition that is exported, imported, or copied to another site. Returns
/// true if the steps need secret texts.
pub(super) fn remove(definition: &mut Definition) -> bool {
    let Some(rendering) = &mut definition.rendering else { return false };
    rendering.secrets.clear();
    let mut needs_texts = false;
    for step in rendering.steps.iter_mut().filter(|step| step.secret) {
        step.text = None;
        needs_texts = true;
    }
    needs_texts
}

/// True if a step has a secret text that is not sealed.
pub(super) fn has_plain_text(definition: &Definition) -> bool {
    let mut steps = definition.rendering.iter().flat_map(|rendering| &rendering.steps);
    steps.any(|step| step.secret && step.text.is_some())
}

/// Returns true if secret texts must be opened before the steps are performed.
pub(super) fn has_texts(definition: &Definition) -> bool {
    definition.rendering.as_ref().is_some_and(|rendering| !rendering.secrets.is_empty())
}

/// Returns the steps with their secret texts, for a page of the account with the origin of `url`. A step
/// whose text is not stored receives no text, and fails.
///
/// # Errors
/// `internal` if a text cannot be opened.
pub(super) fn open(
    vault: &Vault,
    account_id: AccountId,
    url: &str,
    rendering: &Rendering,
) -> Result<Vec<PageStep>> {
    let mut steps = rendering.steps.clone();
    let mut left = rendering.secrets.clone();
    for step in steps.iter_mut().filter(|step| step.secret) {
        let Some(text) = take_text(&mut left, step) else { continue };
        let plain = sealed::open(vault, account_id, (url, SealedUse::StepText), &text.value)?;
        step.text = Some(String::from_utf8(plain).map_err(Error::internal)?);
    }
    Ok(steps)
}

/// Takes the first text that belongs to the selector of a step.
fn take_text(left: &mut Vec<SealedStepText>, step: &PageStep) -> Option<SealedStepText> {
    let index = left.iter().position(|text| Some(&text.selector) == step.selector.as_ref())?;
    Some(left.remove(index))
}

impl SealedStepText {
    /// Formats the sealed text for a hidden field, so that it is not lost between submissions of the form.
    pub fn to_form(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }

    /// Parses the value of a hidden field. `None` if it is not a sealed text.
    pub fn from_form(value: &str) -> Option<Self> {
        if value.len() > MAX_FORM_BYTES {
            return None;
        }
        serde_json::from_str(value).ok()
    }

    /// Selector of the step.
    pub fn selector(&self) -> &str {
        &self.selector
    }
}

#[cfg(test)]
mod tests {
    use extract::watch::Target;
    use kernel::Backend;
    use kernel::testing::{TestDatabase, person};
    use kernel::tiers::Tier;

    use super::*;
    use crate::definition;

    fn step(selector: &str, text: Option<&str>) -> PageStep {
        PageStep { text: text.map(str::to_owned), secret: true, ..PageStep::on(StepKind::Type, selector) }
    }

    fn rendered(steps: Vec<PageStep>) -> Definition {
        let rendering = Rendering { steps, ..Rendering::default() };
        Definition { rendering: Some(rendering), ..Definition::of(Target::Page { selector: None }) }
    }

    #[tokio::test]
    async fn secret_texts_are_sealed_for_their_origin_and_retained_without_a_new_text() {
        let database = TestDatabase::create(Backend::Sqlite).await;
        let domain = &database.domain;
        let owner = person(domain, Tier::Free).await;
        let url = Url::parse("https://a.example/in").unwrap();
        let mut definition = rendered(vec![step("#user", Some("ada lamp")), step("#code", Some("oil lamp"))]);
        assert!(definition::write(&definition).is_err(), "a plain secret is not stored");
        seal(domain, owner, &url, &mut definition).await.unwrap();
        let stored = definition::write(&definition).unwrap();
        assert!(!stored.contains("lamp"), "{stored}");
        let mut changed = definition::read(&stored).unwrap();
        changed.rendering.as_mut().unwrap().steps[1].text = Some("new lamp".to_owned());
        seal(domain, owner, &url, &mut changed).await.unwrap();
        assert!(definition::are_comparable(&definition, &changed), "a changed secret changes no content");
        let vault = sealed::load_vault(domain).await.unwrap();
        let rendering = changed.rendering.as_ref().unwrap();
        let opened = open(&vault, owner, "https://a.example/other", rendering).unwrap();
        let texts: Vec<_> = opened.iter().map(|step| step.text.as_deref()).collect();
        assert_eq!(texts, [Some("ada lamp"), Some("new lamp")]);
        assert!(open(&vault, owner, "https://b.example/", rendering).is_err());
        let elsewhere = Url::parse("https://b.example/").unwrap();
        assert!(check_origin(rendering, &elsewhere).is_err() && check_origin(rendering, &url).is_ok());
        assert!(seal(domain, owner, &elsewhere, &mut changed.clone()).await.is_err());
        assert!(remove(&mut changed) && !has_texts(&changed));
        let error = seal(domain, owner, &url, &mut changed).await.unwrap_err();
        assert!(error.field().is_some_and(|field| field.reason.contains("enter the secret")), "{error}");
    }

    #[test]
    fn hidden_field_returns_the_sealed_text() {
        let value = sealed::SealedValue {
            origin: "https://a.example".to_owned(),
            digest: "00".to_owned(),
            sealed: "AAAA".to_owned(),
        };
        let text = SealedStepText { selector: "#code".to_owned(), value };
        assert_eq!(SealedStepText::from_form(&text.to_form()), Some(text));
        assert_eq!(SealedStepText::from_form("{}"), None);
        assert_eq!(SealedStepText::from_form(&" ".repeat(MAX_FORM_BYTES + 1)), None);
    }
}
