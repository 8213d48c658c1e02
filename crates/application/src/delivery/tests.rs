//! Tests of mail delivery: recipients, retries, request limits, and responses of the mail server.

use entities::mail;
use sea_orm::{EntityTrait, PaginatorTrait};

use super::*;
use identity::accounts::{self, HashCost, Passwords};
use identity::limits::Network;
use identity::limits::window::Windows;
use identity::mail::*;
use jobs::{Claimed, Submitted};
use kernel::testing::smtp::SmtpServer;
use kernel::testing::{TestDatabase, on_both};
use kernel::tiers::Tier;
use kernel::{Backend, Code, Domain, Policy};

const EMAIL: &str = "ada@example.org";

struct Fixture {
    test: TestDatabase,
    domain: Domain,
    server: SmtpServer,
    mailer: Mailer,
}

impl Fixture {
    /// Creates an account, a mail server, and a policy with an origin for account pages.
    async fn new(backend: Backend) -> Self {
        let test = TestDatabase::create(backend).await;
        let policy = Policy { account_url: "https://my.example.org".into(), ..Policy::default() };
        let domain = identity::limits::install(test.domain.clone().with_policy(policy), Windows::memory());
        let passwords = Passwords::new(&domain, HashCost::Least, 1).unwrap();
        accounts::create(&domain, &passwords, EMAIL, "correct horse battery", Tier::Free).await.unwrap();
        let server = SmtpServer::start().await;
        let sender = "Carrel <carrel@example.org>".parse().unwrap();
        let mailer = Mailer::new(server.url.parse().unwrap(), sender);
        Self { test, domain, server, mailer }
    }

    async fn ask(&self, email: &str) -> kernel::Result<Submitted> {
        self.ask_from("192.0.2.1", email).await
    }

    async fn ask_from(&self, address: &str, email: &str) -> kernel::Result<Submitted> {
        let network = Network::of(address.parse().unwrap());
        accounts::request_reset(&self.domain, email, &network).await.map(Option::unwrap)
    }

    async fn claim(&self, job: &Submitted) -> Claimed {
        jobs::claim(&self.domain, job.id, "worker", 30_000).await.unwrap().unwrap()
    }

    async fn deliver(&self, claimed: &Claimed) -> kernel::Result<()> {
        deliver(&self.domain, Some(&self.mailer), claimed).await
    }

    async fn rows(&self) -> Vec<mail::Model> {
        mail::Entity::find().all(self.domain.db().write()).await.unwrap()
    }
}

/// Returns the secret from the reset link of a mail.
fn secret_of(text: &str) -> String {
    let (_, rest) = text.split_once("https://my.example.org/reset?link=").unwrap();
    rest.split_whitespace().next().unwrap().to_owned()
}

async fn repeated_delivery_sends_no_second_reset_link(backend: Backend) {
    let fixture = Fixture::new(backend).await;
    let job = fixture.ask(" Ada@Example.org ").await.unwrap();
    let claimed = fixture.claim(&job).await;
    fixture.deliver(&claimed).await.unwrap();
    let letter = fixture.server.letter().await;
    assert_eq!(letter.to, [EMAIL]);
    for line in ["From: Carrel <carrel@example.org>", "To: ada@example.org", "Auto-Submitted: auto-generated"]
    {
        assert!(letter.text.contains(line), "{line} is missing in {}", letter.text);
    }
    let name = format!("Message-ID: <{}@example.org>", fixture.rows().await[0].id);
    assert!(letter.text.contains(&name), "{}", letter.text);
    let secret = secret_of(&letter.text);
    assert_eq!(accounts::find_reset(&fixture.domain, &secret).await.unwrap().email, EMAIL);
    // Deliver the same job again, as after a crash of the worker that sent the mail.
    assert!(fixture.deliver(&claimed).await.is_err_and(|error| jobs::is_lease_lost(&error)));
    assert!(fixture.server.is_empty().await);
    assert!(fixture.rows().await[0].sent_at.is_some());
    assert!(jobs::get(&fixture.domain, job.id).await.unwrap().is_none());
}

/// If a worker dies between the response of the mail server and its commit, a second mail is sent with a link
/// of its own. Both links work. Both mails have the same message id, so that a mailbox shows only one of
/// them.
async fn resent_mail_has_the_same_id_and_its_own_link(backend: Backend) {
    let fixture = Fixture::new(backend).await;
    let job = fixture.ask(EMAIL).await.unwrap();
    let dies = fixture.claim(&job).await;
    let taken = SmtpServer::start().await;
    let mailer = Mailer::new(taken.url.parse().unwrap(), "carrel@example.org".parse().unwrap());
    jobs::release(&fixture.domain, &dies).await.unwrap();
    let next = fixture.claim(&job).await;
    let unnoted = deliver(&fixture.domain, Some(&mailer), &dies).await;
    assert!(unnoted.is_err_and(|error| jobs::is_lease_lost(&error)));
    let first = taken.letter().await.text;
    fixture.deliver(&next).await.unwrap();
    let second = fixture.server.letter().await.text;
    let name = |text: &str| text.lines().find(|line| line.starts_with("Message-ID:")).unwrap().to_owned();
    assert_eq!(name(&first), name(&second));
    assert_ne!(secret_of(&first), secret_of(&second));
    for letter in [first, second] {
        assert_eq!(accounts::find_reset(&fixture.domain, &secret_of(&letter)).await.unwrap().email, EMAIL);
    }
}

async fn unknown_and_disabled_accounts_get_no_mail(backend: Backend) {
    let fixture = Fixture::new(backend).await;
    let known = fixture.ask(EMAIL).await.unwrap();
    let unknown = fixture.ask("nobody@example.org").await.unwrap();
    assert_eq!(
        (known.joined, known.kind),
        (unknown.joined, unknown.kind),
        "known and unknown addresses get the same result"
    );
    accounts::disable(&fixture.domain, EMAIL).await.unwrap();
    for job in [known, unknown] {
        let claimed = fixture.claim(&job).await;
        fixture.deliver(&claimed).await.unwrap();
    }
    assert!(fixture.server.is_empty().await);
    assert_eq!(fixture.rows().await, [], "the address is not stored");
}

async fn temporary_failure_is_retried_and_rejection_is_not(backend: Backend) {
    let fixture = Fixture::new(backend).await;
    let job = fixture.ask(EMAIL).await.unwrap();
    let claimed = fixture.claim(&job).await;
    fixture.server.reply_next("451 later");
    let error = fixture.deliver(&claimed).await.unwrap_err();
    assert!(error.is_transient(), "{error}");
    fixture.deliver(&claimed).await.unwrap();
    let secret = secret_of(&fixture.server.letter().await.text);
    accounts::find_reset(&fixture.domain, &secret).await.unwrap();

    let job = fixture.ask(EMAIL).await.unwrap();
    let claimed = fixture.claim(&job).await;
    fixture.server.reply_next("550 no such mailbox");
    fixture.deliver(&claimed).await.unwrap();
    assert!(fixture.server.is_empty().await);
    assert_eq!(fixture.rows().await.iter().filter(|row| row.refused_at.is_some()).count(), 1);
    assert!(jobs::get(&fixture.domain, job.id).await.unwrap().is_none());
}

/// If the operator corrects a wrong login within an hour, no mail is lost.
async fn mail_server_login_failure_is_retried(backend: Backend) {
    let fixture = Fixture::new(backend).await;
    let job = fixture.ask(EMAIL).await.unwrap();
    let claimed = fixture.claim(&job).await;
    for reply in ["530 5.7.0 authentication required", "535 5.7.8 wrong password"] {
        fixture.server.reply_next(reply);
        assert!(fixture.deliver(&claimed).await.unwrap_err().is_transient(), "{reply}");
    }
    assert!(fixture.rows().await[0].refused_at.is_none());
    fixture.deliver(&claimed).await.unwrap();
    fixture.server.letter().await;
}

/// When an account is deleted, its address is deleted from all mail, whether sent or not.
async fn mail_is_deleted_with_its_account(backend: Backend) {
    let fixture = Fixture::new(backend).await;
    let [sent, waits] = [fixture.ask(EMAIL).await.unwrap(), fixture.ask(EMAIL).await.unwrap()];
    let claimed = fixture.claim(&sent).await;
    fixture.deliver(&claimed).await.unwrap();
    fixture.ask("other@example.org").await.unwrap();
    accounts::delete_by_email(&fixture.domain, EMAIL).await.unwrap();
    let recipients: Vec<_> = fixture.rows().await.into_iter().map(|row| row.recipient).collect();
    assert_eq!(recipients, ["other@example.org"]);
    let claimed = fixture.claim(&waits).await;
    fixture.deliver(&claimed).await.unwrap();
    assert!(jobs::get(&fixture.domain, waits.id).await.unwrap().is_none(), "the job is deleted");
}

async fn enqueue_writes_one_mail_per_cause(backend: Backend) {
    let fixture = Fixture::new(backend).await;
    let new = |cause: &str| NewMail {
        kind: MailKind::PasswordReset,
        cause: cause.into(),
        to: EMAIL.into(),
        account_id: None,
    };
    let connection = fixture.domain.db().write();
    assert!(enqueue(connection, &fixture.domain, new("a")).await.unwrap().is_some());
    assert!(enqueue(connection, &fixture.domain, new("a")).await.unwrap().is_none());
    assert!(enqueue(connection, &fixture.domain, new("b")).await.unwrap().is_some());
    assert_eq!(mail::Entity::find().count(connection).await.unwrap(), 2);
}

/// Requests from strangers neither invalidate the owner's link nor flood the owner's mailbox.
async fn requests_by_others_do_not_invalidate_the_link_of_the_owner(backend: Backend) {
    let fixture = Fixture::new(backend).await;
    let request = async |address: &str| {
        let network = Network::of(address.parse().unwrap());
        accounts::request_reset(&fixture.domain, EMAIL, &network).await.unwrap()
    };
    let mut letters = Vec::new();
    for minute in 0..90 {
        // A stranger sends one request per minute from changing networks. The owner sends one request every
        // seven minutes, and the last one.
        let stranger = request(&format!("192.0.2.{}", minute % 60)).await;
        let owner = if minute % 7 == 0 { request("198.51.100.7").await } else { None };
        for job in [stranger, owner].into_iter().flatten() {
            let claimed = fixture.claim(&job).await;
            fixture.deliver(&claimed).await.unwrap();
            letters.push(secret_of(&fixture.server.letter().await.text));
        }
        let newest = letters.last().unwrap();
        accounts::find_reset(&fixture.domain, newest).await.unwrap();
        fixture.test.clock.advance(60_000);
        let reset = accounts::find_reset(&fixture.domain, newest).await.unwrap();
        assert_eq!(reset.email, EMAIL, "the newest link is valid in minute {minute}");
    }
    assert!(letters.len() <= 3 * 4, "{} mails in an hour and a half", letters.len());
    let first = accounts::find_reset(&fixture.domain, &letters[0]).await.unwrap_err();
    assert_eq!(first.code, Code::NotFound, "a link expires after an hour");
}

#[tokio::test]
async fn reset_requests_are_limited_per_mail_address_and_network() {
    let fixture = Fixture::new(Backend::Sqlite).await;
    let ask = async |address: &str, email: &str| {
        let network = Network::of(address.parse().unwrap());
        accounts::request_reset(&fixture.domain, email, &network).await.map(|job| job.is_some())
    };
    for email in [EMAIL, "nobody@example.org"] {
        let results =
            [ask("192.0.2.2", email).await, ask("192.0.2.2", email).await, ask("192.0.2.2", email).await];
        assert_eq!(results.map(Result::unwrap), [true, true, false], "{email}");
        assert!(ask("192.0.2.3", email).await.unwrap(), "another network may request one more mail");
        assert!(!ask("192.0.2.4", email).await.unwrap(), "the limit per address is reached");
    }
    for number in 0..4 {
        assert!(ask("192.0.2.2", &format!("nobody{number}@example.org")).await.unwrap());
    }
    let refused = ask("192.0.2.2", "somebody@example.org").await.unwrap_err();
    assert_eq!((refused.code, refused.retry_after), (Code::RateLimited, Some(3600)));
    assert_eq!(ask("192.0.2.9", "no address").await.unwrap_err().code, Code::InvalidRequest);
    assert_eq!(fixture.rows().await.len(), 10);
    fixture.test.clock.advance(30 * 60_000);
    assert!(ask("192.0.2.3", EMAIL).await.unwrap(), "more mails are allowed after half an hour");
}

#[tokio::test]
async fn worker_without_mail_server_leaves_mail_queued() {
    let fixture = Fixture::new(Backend::Sqlite).await;
    let job = fixture.ask(EMAIL).await.unwrap();
    let claimed = fixture.claim(&job).await;
    assert!(deliver(&fixture.domain, None, &claimed).await.unwrap_err().is_transient());
    assert_eq!(fixture.rows().await.len(), 1);
}

#[tokio::test]
async fn full_mail_queue_does_not_consume_the_request_limit() {
    let fixture = Fixture::new(Backend::Sqlite).await;
    let most = jobs::JobKind::Mail.rules().capacity.unwrap();
    let transaction = fixture.domain.db().begin().await.unwrap();
    for number in 0..most {
        let (kind, cause) = (MailKind::PasswordReset, number.to_string());
        let new = NewMail { kind, cause, to: "other@example.org".into(), account_id: None };
        enqueue(&transaction, &fixture.domain, new).await.unwrap();
    }
    transaction.commit().await.unwrap();
    for _ in 0..4 {
        assert_eq!(fixture.ask(EMAIL).await.unwrap_err().code, Code::CapacityExhausted);
    }
}

#[tokio::test]
async fn send_error_hides_the_recipient() {
    let server = SmtpServer::start().await;
    let mailer = Mailer::new(server.url.parse().unwrap(), "carrel@example.org".parse().unwrap());
    let (id, subject, body) = ("1".to_owned(), "Hello".to_owned(), String::new());
    let letter = Letter { id, to: EMAIL.into(), subject, body, html: None, date: 0, unsubscribe: None };
    for reply in ["550 5.1.1 <ada@example.org>: no such mailbox", "451 <ada@example.org>: later"] {
        server.reply_next(reply);
        let error = mailer.send(&letter).await.unwrap_err().to_string();
        assert!(error.contains("<the recipient>") && !error.contains(EMAIL), "{error}");
    }
}

#[tokio::test]
async fn old_mail_is_removed() {
    let fixture = Fixture::new(Backend::Sqlite).await;
    fixture.ask(EMAIL).await.unwrap();
    assert_eq!(remove_old(&fixture.domain).await.unwrap(), 0);
    fixture.test.clock.advance(7 * 86_400_000);
    assert_eq!(remove_old(&fixture.domain).await.unwrap(), 1);
}

#[tokio::test]
async fn mail_headers_contain_no_line_breaks() {
    let server = SmtpServer::start().await;
    let mailer = Mailer::new(server.url.parse().unwrap(), "carrel@example.org".parse().unwrap());
    let letter = Letter {
        id: "1".into(),
        to: EMAIL.into(),
        subject: "Größe\r\nBcc: eve@example.org".into(),
        body: "first\r\n.\r\nlast".into(),
        html: None,
        date: 0,
        unsubscribe: None,
    };
    mailer.send(&letter).await.unwrap();
    let received = server.letter().await;
    assert_eq!(received.to, [EMAIL]);
    assert!(!received.text.contains("\nBcc:"), "{}", received.text);
    assert!(
        received.text.contains("last"),
        "a line with a single dot does not end the message: {}",
        received.text
    );
    let to = "ada@example.org\r\nRCPT TO:<eve@example.org>".to_owned();
    assert!(matches!(mailer.send(&Letter { to, ..letter }).await, Err(SendError::Refused(_))));
}

#[test]
fn smtp_requires_tls_except_on_loopback_or_by_opt_out() {
    let is = |text: &str, url: &str| assert_eq!(text.parse::<Relay>().unwrap().expose(), url);
    is("smtps://me:secret@mail.example.org", "smtps://me:secret@mail.example.org");
    is("smtp://mail.example.org:2525", "smtp://mail.example.org:2525?tls=required");
    is("smtp://10.0.0.7?tls=none", "smtp://10.0.0.7");
    is("smtp://127.0.0.1:25", "smtp://127.0.0.1:25");
    is("smtp://localhost", "smtp://localhost");
    for odd in [
        "",
        "mail.example.org",
        "http://mail.example.org",
        "smtp://",
        "smtp://me@mail.example.org",
        "smtp://mail.example.org/path",
        "smtp://mail.example.org?tls=opportunistic",
        "smtps://mail.example.org?tls=none",
    ] {
        assert!(odd.parse::<Relay>().is_err(), "{odd}");
    }
    assert_eq!(format!("{:?}", "smtps://me:secret@mail.example.org".parse::<Relay>().unwrap()), "Relay");
    assert!("Carrel".parse::<Sender>().is_err());
}

on_both! {
    repeated_delivery_sends_no_second_reset_link,
    unknown_and_disabled_accounts_get_no_mail,
    temporary_failure_is_retried_and_rejection_is_not,
    resent_mail_has_the_same_id_and_its_own_link,
    mail_server_login_failure_is_retried,
    mail_is_deleted_with_its_account,
    requests_by_others_do_not_invalidate_the_link_of_the_owner,
    enqueue_writes_one_mail_per_cause,
}
