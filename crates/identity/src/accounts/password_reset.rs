//! Requests for a password reset link by mail. The answer does not reveal whether the account exists, because
//! it is sent before the account is looked up: the mail job does that.

use crate::limits::AccountLimits;
use async_recursion::async_recursion as boxed;
use data_encoding::BASE64URL_NOPAD;
use sha2::{Digest, Sha256};

use super::reset::create_reset;
use super::{operators, sign_in};
use crate::limits::Network;
use crate::limits::window::{Counter, RatePolicy};
use crate::mail::{self, MAILS, MailKind, NewMail};
use jobs::Submitted;
use kernel::email::normalize_email;
use kernel::{Class, Domain, Result};
use language::Key;

/// Limit on mails per e-mail address, so that other people cannot flood a mailbox. A link is valid for twice
/// this window, so a person whose request is refused has a link that is valid for at least another half hour.
const PER_ADDRESS: [RatePolicy; 1] = [RatePolicy::sliding("forgot", 3, 1800)];
/// Limit on mails that one network may request for one address. It is lower than [`PER_ADDRESS`], so that
/// another person cannot use up the owner's last mail.
const PER_NETWORK_AND_ADDRESS: [RatePolicy; 1] = [RatePolicy::sliding("forgot", 2, 1800)];
/// Limit on requests from one network, whether or not they cause a mail.
const PER_NETWORK: [RatePolicy; 1] = [RatePolicy::sliding("forgot", 10, 3600)];

/// Queues a mail with a reset link to `email`. Whether an account has the address is checked when the mail is
/// sent. `None` if enough mails were sent recently: their links are still valid, and an error would only harm
/// a person who is waiting for a link.
///
/// # Errors
/// `invalid_request` if `email` is not an address; `rate_limited` if the network sends too many requests;
/// `capacity_exhausted` if too much mail is queued.
#[boxed]
pub async fn request_reset(domain: &Domain, email: &str, network: &Network) -> Result<Option<Submitted>> {
    let email = normalize_email(email)?;
    let limits = domain.limits();
    let windows = limits.windows();
    let network_charges = windows.check_each(network.counters("forgot:n", &PER_NETWORK), domain.now()).await;
    if let Some(refusal) = network_charges.refusal() {
        return Err(sign_in::too_many("Too many reset links were requested from this network.", refusal));
    }
    let address_charges = windows.check_each(address_counters(&email, network), domain.now()).await;
    if address_charges.refusal().is_some() {
        return Ok(None);
    }
    let cause = format!("password-reset:{}", BASE64URL_NOPAD.encode(&domain.random::<16>()));
    let new = NewMail { kind: MailKind::PasswordReset, cause, to: email, account_id: None };
    let result = enqueue(domain, new).await;
    if result.is_err() {
        windows.refund_each(&address_charges).await;
        windows.refund_each(&network_charges).await;
    }
    result
}

/// Counters of the mails to an address.
fn address_counters(email: &str, network: &Network) -> Vec<Counter> {
    let name = BASE64URL_NOPAD.encode(&Sha256::digest(email.as_bytes()));
    let network_key = format!("forgot:a:{name}:{}", network.widest());
    vec![
        Counter { key: network_key, policies: PER_NETWORK_AND_ADDRESS.to_vec() },
        Counter { key: format!("forgot:a:{name}"), policies: PER_ADDRESS.to_vec() },
    ]
}

async fn enqueue(domain: &Domain, new: NewMail) -> Result<Option<Submitted>> {
    let transaction = domain.db().begin().await?;
    let submitted = mail::enqueue(&transaction, domain, new).await?;
    transaction.commit().await?;
    Ok(submitted)
}

/// Creates a reset link and returns the subject and the text of its mail. `None` if no account has this
/// address or the account is disabled.
#[boxed]
pub async fn write_reset(domain: &Domain, email: &str) -> Result<Option<(String, String)>> {
    let account = match operators::find(domain, email).await {
        Ok(account) if account.disabled_at.is_none() => account,
        Ok(_) => return Ok(None),
        Err(error) if error.class() == Class::NotFound => return Ok(None),
        Err(error) => return Err(error),
    };
    let secret = create_reset(domain, email).await?;
    let origin = &domain.policy().account_url;
    let language = account.language.unwrap_or_default();
    let body = MAILS
        .text(language, Key("reset-body"))
        .with("email", email)
        .with("origin", origin.as_str())
        .with("link", format!("{origin}/reset?link={}", secret.expose()))
        .get();
    Ok(Some((MAILS.text(language, Key("reset-subject")).get(), format!("{body}\n"))))
}
