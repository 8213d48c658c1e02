//! Tests of daily digests with the content of Today: when they are sent, and how they stop.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use entities::ids::AccountId;
use futures_util::future::BoxFuture;

use super::fixture::{Fixture, ORIGIN, link_of};
use crate::*;
use jobs::{JobFilter, JobKind};
use kernel::clock::{DAY, HOUR};
use kernel::testing::{on_both, person};
use kernel::tiers::Tier;
use kernel::{Backend, Code, Domain, Result};

/// Page with one unread entry, which is new if the flag is set. A digest without Today has a due highlight instead.
#[derive(Clone)]
struct OneEntry(Arc<AtomicBool>);

impl TodayLoader for OneEntry {
    fn load<'a>(
        &'a self,
        _: &'a Domain,
        _: AccountId,
        content: DigestContent,
    ) -> BoxFuture<'a, Result<TodayDigest>> {
        let row = TodayRow::new("Harbour opens", "port.example", format!("{ORIGIN}/entries/1"));
        let section = if content.today { TodaySection::Unread } else { TodaySection::Highlights };
        let due_highlights = u32::from(content.review);
        let review_link = format!("{ORIGIN}/highlights/review");
        let lists = vec![TodayList { section, name: None, rows: vec![row] }];
        let has_news = self.0.load(Ordering::Relaxed);
        Box::pin(async move { Ok(TodayDigest { lists, due_highlights, review_link, has_news }) })
    }
}

const DAILY: ChannelSettings<'_> = ChannelSettings {
    name: "Me",
    digest: "13:00",
    zone: "UTC",
    account_news: true,
    digest_today: true,
    digest_review: false,
    entry_texts: false,
    saved_items: false,
};

/// Returns a fixture whose page Today has news if the flag is set, and a mail channel.
async fn with_page(backend: Backend) -> (Fixture, Channel, Arc<AtomicBool>) {
    let mut fixture = Fixture::new(backend).await;
    let has_news = Arc::new(AtomicBool::new(true));
    fixture.domain =
        fixture.domain.clone().install(InstalledToday(Arc::new(OneEntry(Arc::clone(&has_news)))));
    let mail = fixture.mail("me@example.org").await;
    (fixture, mail, has_news)
}

async fn daily_mail_is_sent_only_on_days_with_news(backend: Backend) {
    let (fixture, mail, has_news) = with_page(backend).await;
    let monitor = fixture.monitor(&[mail.id]).await;
    update(&fixture.domain, fixture.account_id, mail.id, DAILY).await.unwrap();
    // It is 12:00 UTC now.
    fixture.after(2 * HOUR).await;
    let letter = fixture.smtp.letter().await.text;
    assert!(letter.contains("multipart/alternative") && letter.contains("text/html"), "{letter}");
    let entry = format!("- Harbour opens\n  port[.]example\n  {ORIGIN}/entries/1");
    assert!(letter.replace('\r', "").contains(&entry), "{letter}");
    assert!(letter.contains(&format!("{ORIGIN}/today")), "{letter}");
    update(&fixture.domain, fixture.account_id, mail.id, DAILY).await.unwrap();
    fixture.after(HOUR).await;
    assert!(fixture.smtp.is_empty().await, "a second digest of the day");
    has_news.store(false, Ordering::Relaxed);
    fixture.after(DAY).await;
    assert!(fixture.smtp.is_empty().await, "nothing is new");
    fixture.change(monitor, "120 to 90").await;
    fixture.after(DAY).await;
    let letter = fixture.smtp.letter().await.text;
    assert!(letter.contains("One message:") && letter.contains("- Harbour opens"), "{letter}");
    has_news.store(true, Ordering::Relaxed);
    fixture.after(DAY).await;
    assert!(fixture.smtp.letter().await.text.contains("- Harbour opens"));
}

async fn unsubscribe_link_in_a_daily_mail_stops_the_daily_mail(backend: Backend) {
    let (fixture, mail, _) = with_page(backend).await;
    let (domain, owner) = (&fixture.domain, fixture.account_id);
    let monitor = fixture.monitor(&[mail.id]).await;
    update(domain, owner, mail.id, DAILY).await.unwrap();
    fixture.after(2 * HOUR).await;
    let letter = fixture.smtp.letter().await;
    let link = link_of(&letter, "List-Unsubscribe: <https://my.example.org/notices/stop?link=");
    assert_eq!(unsubscribe(domain, &link).await.unwrap().scope, StoppedMessages::DailyDigest);
    assert_eq!(unsubscribe(domain, &link).await.unwrap().scope, StoppedMessages::DailyDigest);
    assert!(!fixture.channel(mail.id).await.digest_today);
    assert_eq!(monitors::get(domain, owner, monitor).await.unwrap().notify, []);
    fixture.after(2 * DAY).await;
    assert!(fixture.smtp.is_empty().await);
}

async fn daily_mail_continues_after_its_channel_was_off(backend: Backend) {
    let (fixture, mail, _) = with_page(backend).await;
    let (domain, owner) = (&fixture.domain, fixture.account_id);
    update(domain, owner, mail.id, DAILY).await.unwrap();
    switch_off(domain, owner, mail.id).await.unwrap();
    fixture.after(2 * DAY).await;
    assert!(fixture.smtp.is_empty().await);
    switch_on(domain, owner, mail.id).await.unwrap();
    fixture.after(DAY).await;
    assert!(fixture.smtp.letter().await.text.contains("- Harbour opens"));
    assert!(fixture.smtp.is_empty().await);
}

/// A digest whose job was cancelled or is dead was never composed.
async fn daily_mail_continues_after_a_digest_was_given_up(backend: Backend) {
    let (fixture, mail, _) = with_page(backend).await;
    update(&fixture.domain, fixture.account_id, mail.id, DAILY).await.unwrap();
    let filter = JobFilter { kind: Some(JobKind::Notice), ..JobFilter::default() };
    let job = jobs::list(&fixture.domain, &filter).await.unwrap().remove(0);
    jobs::cancel(&fixture.domain, job.id).await.unwrap();
    give_up(&fixture.domain, &job.key).await.unwrap();
    fixture.after(2 * HOUR).await;
    assert!(fixture.smtp.is_empty().await);
    fixture.after(DAY).await;
    assert!(fixture.smtp.letter().await.text.contains("- Harbour opens"));
    assert!(fixture.smtp.is_empty().await);
}

async fn content_of_today_requires_a_mail_channel_with_a_digest_time(backend: Backend) {
    let (fixture, mail, _) = with_page(backend).await;
    let (domain, owner) = (&fixture.domain, fixture.account_id);
    let timeless = ChannelSettings { digest: "", ..DAILY };
    assert_eq!(update(domain, owner, mail.id, timeless).await.unwrap_err().code, Code::InvalidRequest);
    let (webhook, _) = fixture.webhook().await;
    assert_eq!(update(domain, owner, webhook.id, DAILY).await.unwrap_err().code, Code::InvalidRequest);
    let stranger = person(domain, Tier::Free).await;
    assert_eq!(update(domain, stranger, mail.id, DAILY).await.unwrap_err().code, Code::NotFound);
}

async fn due_highlights_in_the_daily_mail_can_be_chosen_and_stopped(backend: Backend) {
    let (fixture, mail, has_news) = with_page(backend).await;
    let (domain, owner) = (&fixture.domain, fixture.account_id);
    let on = |time| ReviewDigest::On { time };
    let error = choose_review_digest(domain, owner, mail.id, on("8 o'clock")).await.unwrap_err();
    assert_eq!(error.code, Code::InvalidRequest);
    let stranger = person(domain, Tier::Free).await;
    let error = choose_review_digest(domain, stranger, mail.id, on("13:00")).await.unwrap_err();
    assert_eq!(error.code, Code::NotFound);
    let chosen = choose_review_digest(domain, owner, mail.id, on("13:00")).await.unwrap();
    assert!(chosen.digest_review && !chosen.digest_today);
    assert_eq!(chosen.digest.unwrap().to_string(), "13:00");
    choose_review_digest(domain, owner, mail.id, on("")).await.unwrap();
    fixture.after(2 * HOUR).await;
    let letter = fixture.smtp.letter().await.text;
    assert!(letter.contains("Highlights to review") && letter.contains("- Harbour opens"), "{letter}");
    assert!(letter.contains(&format!("{ORIGIN}/highlights/review")), "{letter}");
    assert!(fixture.smtp.is_empty().await, "one mail a day");
    has_news.store(false, Ordering::Relaxed);
    fixture.after(DAY).await;
    assert!(fixture.smtp.is_empty().await, "nothing is due");
    has_news.store(true, Ordering::Relaxed);
    fixture.after(DAY).await;
    let letter = fixture.smtp.letter().await;
    let link = link_of(&letter, "List-Unsubscribe: <https://my.example.org/notices/stop?link=");
    assert_eq!(unsubscribe(domain, &link).await.unwrap().scope, StoppedMessages::DailyDigest);
    assert!(!fixture.channel(mail.id).await.digest_review);
    choose_review_digest(domain, owner, mail.id, on("")).await.unwrap();
    choose_review_digest(domain, owner, mail.id, ReviewDigest::Off).await.unwrap();
    fixture.after(2 * DAY).await;
    assert!(fixture.smtp.is_empty().await);
}

async fn due_highlights_are_sent_to_a_webhook_and_a_chat(backend: Backend) {
    let (fixture, _, has_news) = with_page(backend).await;
    let (domain, owner) = (&fixture.domain, fixture.account_id);
    let (webhook, _) = fixture.webhook().await;
    let address = fixture.receiver.url("/hooks/chat");
    let destination = NewDestination { address: &address, ..NewDestination::default() };
    let new = Fixture::new_channel(ChannelKind::Mattermost, destination);
    let chat = create(domain, owner, new).await.unwrap().channel;
    for id in [webhook.id, chat.id] {
        let chosen =
            choose_review_digest(domain, owner, id, ReviewDigest::On { time: "13:00" }).await.unwrap();
        assert!(chosen.digest_review && chosen.digest.is_some());
    }
    assert_eq!(fixture.after(2 * HOUR).await, 2);
    let sent = fixture.receiver.take();
    let link = format!("{ORIGIN}/highlights/review");
    let data = sent.iter().find(|one| one.json()["type"] == "digest").unwrap().json()["data"].clone();
    assert_eq!((&data["dueHighlights"], &data["link"]), (&1.into(), &link.as_str().into()));
    let highlight = &data["highlights"][0];
    assert_eq!((&highlight["text"], &highlight["source"]), (&"Harbour opens".into(), &"port.example".into()));
    let text = sent.iter().find_map(|one| one.json()["text"].as_str().map(str::to_owned)).unwrap();
    assert!(text.ends_with(&format!("\n1 highlight is due today.\n• Harbour opens\n{link}")), "{text}");
    has_news.store(false, Ordering::Relaxed);
    fixture.after(DAY).await;
    assert_eq!(fixture.receiver.take().len(), 0, "nothing is due");
    has_news.store(true, Ordering::Relaxed);
    choose_review_digest(domain, owner, chat.id, ReviewDigest::Off).await.unwrap();
    fixture.after(DAY).await;
    let sent = fixture.receiver.take();
    assert_eq!(sent.iter().map(|one| one.json()["type"].clone()).collect::<Vec<_>>(), ["digest"]);
}

on_both! {
    due_highlights_are_sent_to_a_webhook_and_a_chat,
    due_highlights_in_the_daily_mail_can_be_chosen_and_stopped,
    daily_mail_is_sent_only_on_days_with_news,
    unsubscribe_link_in_a_daily_mail_stops_the_daily_mail,
    daily_mail_continues_after_its_channel_was_off,
    daily_mail_continues_after_a_digest_was_given_up,
    content_of_today_requires_a_mail_channel_with_a_digest_time,
}
