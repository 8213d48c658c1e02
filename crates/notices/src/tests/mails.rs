//! Tests of notices by mail: headers, text, and the unsubscribe link.

use super::fixture::{Fixture, ORIGIN, link_of};
use crate::*;
use kernel::clock::{DAY, MINUTE};
use kernel::testing::on_both;
use kernel::{Backend, Code, Language};

/// Settings of a channel with a daily digest.
const DAILY: ChannelSettings<'_> = ChannelSettings {
    name: "Me",
    digest: "08:00",
    zone: "UTC",
    account_news: true,
    digest_today: false,
    digest_review: false,
    entry_texts: false,
    saved_items: false,
};

/// Header of a mail, with folded lines joined.
fn head(text: &str) -> String {
    text.split("\n\n").next().unwrap().replace("\n ", " ")
}

async fn mail_has_clean_headers_and_an_unsubscribe_link(backend: Backend) {
    let fixture = Fixture::new(backend).await;
    let mail = fixture.mail("me@example.org").await;
    let monitor = fixture.monitor(&[mail.id]).await;
    let other = fixture.monitor(&[mail.id]).await;
    let title = format!("costs\r\nBcc: eve@example.org \u{202e}90 {}", "long ".repeat(80));
    fixture.change(monitor, &title).await;
    fixture.after(1_000).await;
    let letter = fixture.smtp.letter().await;
    assert_eq!(letter.to, ["me@example.org"]);
    let head = head(&letter.text);
    assert!(!head.contains("\nBcc:") && !letter.text.contains('\u{202e}'), "{head}");
    let subject = head.lines().find_map(|line| line.strip_prefix("Subject: ")).unwrap();
    assert!(subject.starts_with("Lamp: costs Bcc: eve@example.org 90 long"), "{subject}");
    for line in ["Auto-Submitted: auto-generated", "List-Unsubscribe-Post: List-Unsubscribe=One-Click"] {
        assert!(head.contains(line), "{line} is missing in {head}");
    }
    assert!(head.contains(&format!("List-Unsubscribe: <{ORIGIN}/notices/stop?link=")), "{head}");
    let body = letter.text.split_once("\n\n").unwrap().1;
    assert!(body.contains("eve@example[.]org"), "text of a page must not become a link: {body}");
    let link = link_of(&letter, "List-Unsubscribe: <https://my.example.org/notices/stop?link=");
    let unsubscription = find_unsubscription(&fixture.domain, &link).await.unwrap();
    assert_eq!(
        (unsubscription.address.as_str(), unsubscription.scope),
        ("me@example.org", StoppedMessages::Monitor("Lamp".into()))
    );
    unsubscribe(&fixture.domain, &link).await.unwrap();
    unsubscribe(&fixture.domain, &link).await.unwrap();
    fixture.change(monitor, "unheard").await;
    fixture.change(other, "heard").await;
    fixture.after(1_000).await;
    assert!(fixture.smtp.letter().await.text.contains("Lamp: heard"));
    assert!(fixture.smtp.is_empty().await);
    assert_eq!(find_unsubscription(&fixture.domain, "nonsense").await.unwrap_err().code, Code::NotFound);
}

async fn unsubscribed_monitor_no_longer_inherits_the_channels_of_its_group(backend: Backend) {
    let fixture = Fixture::new(backend).await;
    let (domain, owner) = (&fixture.domain, fixture.account_id);
    let mail = fixture.mail("me@example.org").await;
    let (monitor, other) = (fixture.monitor(&[]).await, fixture.monitor(&[]).await);
    let lamps = monitors::GroupEdit { name: Some("Lamps".to_owned()), ..monitors::GroupEdit::default() };
    let group = monitors::create_group(domain, owner, lamps).await.unwrap().id;
    for id in [monitor, other] {
        let join = monitors::Edit { group: Some(Some(group)), ..monitors::Edit::default() };
        monitors::update(domain, owner, id, join).await.unwrap();
    }
    let shared =
        || monitors::GroupEdit { notify: Some(Some(vec![mail.id])), ..monitors::GroupEdit::default() };
    monitors::update_group(domain, owner, group, shared()).await.unwrap();
    fixture.change(monitor, "one").await;
    fixture.after(1_000).await;
    let letter = fixture.smtp.letter().await;
    let link = link_of(&letter, "List-Unsubscribe: <https://my.example.org/notices/stop?link=");
    unsubscribe(domain, &link).await.unwrap();
    monitors::update_group(domain, owner, group, shared()).await.unwrap();
    assert_eq!(monitors::get(domain, owner, monitor).await.unwrap().notify, []);
    assert_eq!(monitors::get(domain, owner, other).await.unwrap().notify, [mail.id]);
}

async fn account_notices_are_not_in_a_digest_whose_link_stops_monitor_mail(backend: Backend) {
    let fixture = Fixture::new(backend).await;
    let (domain, owner) = (&fixture.domain, fixture.account_id);
    let mail = fixture.mail("me@example.org").await;
    let monitor = fixture.monitor(&[mail.id]).await;
    let transaction = domain.db().begin().await.unwrap();
    key_made(&transaction, domain, owner, (domain.new_id(), "laptop")).await.unwrap();
    transaction.commit().await.unwrap();
    fixture.after(1_000).await;
    let letter = fixture.smtp.letter().await;
    assert!(letter.text.contains("An API key was created"));
    update(domain, owner, mail.id, DAILY).await.unwrap();
    fixture.change(monitor, "120 → 90").await;
    fixture.after(DAY).await;
    let digest = fixture.smtp.letter().await;
    assert!(digest.text.contains("- Lamp: 120"), "{}", digest.text);
    let link = link_of(&digest, "List-Unsubscribe: <https://my.example.org/notices/stop?link=");
    assert_eq!(unsubscribe(domain, &link).await.unwrap().scope, StoppedMessages::Monitors);
    assert_eq!(monitors::get(domain, owner, monitor).await.unwrap().notify, []);
}

/// After the user unsubscribed, none of these messages is sent the next morning.
async fn unsubscribing_drops_waiting_messages(backend: Backend) {
    let fixture = Fixture::new(backend).await;
    let (domain, owner) = (&fixture.domain, fixture.account_id);
    let mail = fixture.mail("me@example.org").await;
    let monitor = fixture.monitor(&[mail.id]).await;
    let other = fixture.monitor(&[mail.id]).await;
    fixture.change(monitor, "120 → 90").await;
    fixture.after(1_000).await;
    let letter = fixture.smtp.letter().await;
    let link = link_of(&letter, "List-Unsubscribe: <https://my.example.org/notices/stop?link=");
    update(domain, owner, mail.id, DAILY).await.unwrap();
    fixture.change(monitor, "ended").await;
    fixture.change(other, "heard").await;
    unsubscribe(domain, &link).await.unwrap();
    fixture.after(DAY).await;
    let digest = fixture.smtp.letter().await;
    assert!(digest.text.contains("heard") && !digest.text.contains("ended"), "{}", digest.text);
    let link = link_of(&digest, "List-Unsubscribe: <https://my.example.org/notices/stop?link=");
    fixture.change(other, "ended too").await;
    unsubscribe(domain, &link).await.unwrap();
    fixture.after(DAY).await;
    assert!(fixture.smtp.is_empty().await);
}

/// Every attempt sends the same mail, with the same id, date, headers, and text.
async fn temporary_failure_sends_the_same_mail_again(backend: Backend) {
    let fixture = Fixture::new(backend).await;
    let mail = fixture.mail("me@example.org").await;
    let monitor = fixture.monitor(&[mail.id]).await;
    fixture.smtp.reply_next("451 4.7.1 later");
    fixture.change(monitor, "120 → 90").await;
    assert_eq!(fixture.after(1_000).await, 1);
    let row = fixture.rows().await[0].clone();
    assert_eq!((row.state, row.tries), (NoticeState::Waiting, 1));
    assert_eq!(fixture.after(MINUTE).await, 1);
    let letter = fixture.smtp.letter().await.text;
    assert!(letter.contains(&format!("Message-ID: <msg_{}@example.org>", row.id)), "{letter}");
    assert_eq!(fixture.states().await, [NoticeState::Sent]);
}

async fn address_unknown_twice_must_be_confirmed_again(backend: Backend) {
    let fixture = Fixture::new(backend).await;
    let (domain, owner) = (&fixture.domain, fixture.account_id);
    let mail = fixture.mail("me@example.org").await;
    let monitor = fixture.monitor(&[mail.id]).await;
    for number in 0..2 {
        fixture.smtp.reply_next("550 5.1.1 no such user");
        fixture.change(monitor, &format!("change {number}")).await;
        assert_eq!(fixture.after(1_000).await, 1);
    }
    let off = fixture.channel(mail.id).await;
    assert_eq!((off.status, off.off_reason), (ChannelStatus::Unconfirmed, Some(OffReason::Refused)));
    fixture.change(monitor, "kept").await;
    assert_eq!(fixture.after(DAY).await, 0);
    assert_eq!(switch_on(domain, owner, mail.id).await.unwrap_err().code, Code::InvalidRequest);
    let job = request_confirmation(domain, owner, mail.id).await.unwrap().unwrap();
    let link = fixture.confirmation_link(job).await;
    confirm(domain, &link).await.unwrap();
    fixture.after(1_000).await;
    let summary = fixture.smtp.letter().await.text;
    assert!(summary.contains("3 messages:") && summary.contains("kept"), "{summary}");
}

async fn messages_are_in_the_language_of_the_account(backend: Backend) {
    let fixture = Fixture::new(backend).await;
    let (domain, owner) = (&fixture.domain, fixture.account_id);
    identity::accounts::set_language(domain, owner, Some(Language::Dutch)).await.unwrap();
    let mail = fixture.mail("me@example.org").await;
    let monitor = fixture.monitor(&[mail.id]).await;
    test(domain, owner, mail.id).await.unwrap();
    fixture.after(1_000).await;
    let letter = fixture.smtp.letter().await.text;
    assert!(letter.contains("Subject: Test van dit kanaal"), "{letter}");
    assert!(letter.contains("Zo komen berichten van Carrel aan."), "{letter}");
    assert!(letter.contains("Deze berichten stoppen: https://my.example.org/notices/stop?link="), "{letter}");
    update(domain, owner, mail.id, DAILY).await.unwrap();
    fixture.change(monitor, "120 to 90").await;
    fixture.change(monitor, "90 to 80").await;
    fixture.after(DAY).await;
    let digest = fixture.smtp.letter().await.text;
    assert!(digest.contains("Subject: Wat er gebeurde tot ") && digest.contains("2 berichten:"), "{digest}");
    assert!(digest.contains("- Lamp: 90 to 80"), "texts of pages are not translated: {digest}");
}

on_both! {
    messages_are_in_the_language_of_the_account,
    mail_has_clean_headers_and_an_unsubscribe_link,
    unsubscribed_monitor_no_longer_inherits_the_channels_of_its_group,
    account_notices_are_not_in_a_digest_whose_link_stops_monitor_mail,
    unsubscribing_drops_waiting_messages,
    temporary_failure_sends_the_same_mail_again,
    address_unknown_twice_must_be_confirmed_again,
}
