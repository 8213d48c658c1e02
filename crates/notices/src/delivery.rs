//! Job handler for one attempt to deliver a message.

use async_recursion::async_recursion as boxed;
use std::time::Duration;

use entities::channel::ChannelKind;
use entities::ids::NoticeId;
use fetch::{Delivery, DeliveryResponse, Fetcher, MqttError};

use super::attempt::{self, Attempt};
use super::body::{self, ReadyMessage};
use super::mail_html;
use super::mail_text::MailBody;
use super::message::NoticeSubject;
use super::services;
use super::signature;
use super::text::NOTICES;
use super::unsubscribe::{self, UnsubscribeScope};
use articles::worker_tools::Tools;
use identity::mail::{Letter, Mailer, SendError};
use jobs::{Claimed, JobOutcome};
use kernel::{Code, Domain, Error, Language, Millis, Result};
use language::Key;

/// Delivers the message of a claimed job, records the result, and completes or postpones the job.
///
/// # Errors
/// `service_unavailable` if the message is a mail and this worker has no mail server.
#[boxed]
pub async fn deliver(domain: &Domain, tools: &Tools, claimed: &Claimed) -> Result<JobOutcome> {
    let Some(ready) = body::ready(domain, claimed).await? else { return Ok(JobOutcome::Completed) };
    let tried = match ready.channel.kind {
        ChannelKind::Mail => by_mail(domain, tools.settings.mailer.as_ref(), &ready).await?,
        ChannelKind::Mqtt => by_mqtt(&tools.fetcher, &ready).await,
        _ => by_webhook(domain, &tools.fetcher, &ready).await,
    };
    attempt::record(domain, claimed, &ready, tried).await
}

/// Gives up the message of a dead job.
#[boxed]
pub async fn give_up(domain: &Domain, key: &str) -> Result<()> {
    let Ok(id) = key.parse::<NoticeId>() else { return Ok(()) };
    attempt::give_up(domain, id).await
}

async fn by_webhook(domain: &Domain, fetcher: &Fetcher, ready: &ReadyMessage) -> Attempt {
    let destination = &ready.destination;
    let now = domain.now();
    let secrets = signature::secrets(destination, ready.channel.secret_rotated_at, now);
    let mut headers = if secrets.is_empty() {
        Vec::new()
    } else {
        signature::headers(ready.row.id, now, &ready.bytes, &secrets)
    };
    headers.extend(services::token_header(ready.channel.kind, destination));
    let (method, url) = services::target(ready.channel.kind, destination, ready.row.id);
    let delivery = Delivery { method, url, headers, body: ready.bytes.clone() };
    match fetcher.deliver(delivery).await {
        Ok(answer) => attempt_of(ready.channel.kind, answer),
        Err(fetch::Error::Busy { retry_after }) => Attempt::Postponed(millis(retry_after)),
        Err(error) => Attempt::Failed { status: None, answer: error.to_string(), retry_after: None },
    }
}

async fn by_mqtt(fetcher: &Fetcher, ready: &ReadyMessage) -> Attempt {
    let message = services::mqtt_message(&ready.destination, ready.row.id, &ready.bytes);
    match fetcher.publish(&message).await {
        Ok(()) => Attempt::Arrived { status: None, answer: String::new() },
        Err(MqttError::Connection(fetch::Error::Busy { retry_after })) => {
            Attempt::Postponed(millis(retry_after))
        }
        Err(error) => Attempt::Failed { status: None, answer: error.to_string(), retry_after: None },
    }
}

/// Interprets a response. A redirect is a failure, because the message is not signed for the new address.
fn attempt_of(kind: ChannelKind, answer: DeliveryResponse) -> Attempt {
    let DeliveryResponse { status, text, retry_after } = answer;
    match status {
        200..=299 if services::reports_error(kind, &text) => {
            Attempt::Failed { status: Some(status), answer: text, retry_after: None }
        }
        200..=299 => Attempt::Arrived { status: Some(status), answer: text },
        410 => Attempt::Gone { answer: text },
        429 | 503 => {
            Attempt::Failed { status: Some(status), answer: text, retry_after: retry_after.map(millis) }
        }
        _ => Attempt::Failed { status: Some(status), answer: text, retry_after: None },
    }
}

async fn by_mail(domain: &Domain, mailer: Option<&Mailer>, ready: &ReadyMessage) -> Result<Attempt> {
    let missing = "this worker has no mail server (CARREL_SMTP_URL)";
    let mailer = mailer.ok_or_else(|| Error::new(Code::ServiceUnavailable, missing))?;
    let body: MailBody = serde_json::from_slice(&ready.bytes).map_err(Error::internal)?;
    let scope = body
        .unsubscribe_scope
        .unwrap_or_else(|| UnsubscribeScope::of_kind(ready.row.kind, NoticeSubject::of(&ready.row)));
    let link = unsubscribe::link(domain, ready.channel.id, scope).await?;
    let language = Language::parse(&body.language).unwrap_or_default();
    let stop = NOTICES.text(language, Key("stop")).with("link", link.as_str()).get();
    let letter = Letter {
        id: signature::message_id(ready.row.id),
        to: ready.destination.address.clone(),
        subject: body.subject,
        body: format!("{}\n--\n{stop}\n", body.text),
        html: body.html.map(|content| mail_html::page(&content, language, &link)),
        date: ready.row.created_at,
        unsubscribe: Some(link),
    };
    Ok(match mailer.send(&letter).await {
        Ok(()) => Attempt::Arrived { status: Some(250), answer: String::new() },
        Err(SendError::Temporary(reason)) => {
            Attempt::Failed { status: None, answer: reason, retry_after: None }
        }
        Err(SendError::Refused(reason)) => Attempt::Refused { answer: reason },
        Err(SendError::UnknownRecipient(reason)) => Attempt::NoSuchAddress { answer: reason },
    })
}

fn millis(duration: Duration) -> Millis {
    Millis::try_from(duration.as_millis()).unwrap_or(Millis::MAX)
}
