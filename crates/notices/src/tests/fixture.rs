//! Test fixture: an account with channels, a mail server, a receiver, and a worker that sends due messages.

use std::sync::Arc;

use crate::ChannelNotifier;
use entities::ids::{AccountId, ChannelId, MonitorId};
use entities::{monitor, notice};
use extract::sandbox::{Pool, PoolSettings};
use extract::watch::Target;
use identity::account_rows::{AccountOwners, AccountRows};
use identity::security_notices::InstalledNotifier;
use sea_orm::QueryOrder;

use super::receiver::Receiver;
use crate::events::{DetectedChange, monitor_changed};
use crate::*;
use articles::Address;
use articles::worker_tools::{self, Tools};
use identity::limits::window::Windows;
use identity::mail::Mailer;
use jobs::{JobKind, JobOutcome};
use kernel::testing::smtp::{ReceivedLetter, SmtpServer};
use kernel::testing::{TestDatabase, person};
use kernel::tiers::Tier;
use kernel::{Backend, Domain, Millis, Policy};
use monitors::{Definition, NewMonitor};

pub(super) const ORIGIN: &str = "https://my.example.org";

pub(super) struct Fixture {
    pub(super) test: TestDatabase,
    pub(super) domain: Domain,
    pub(super) smtp: SmtpServer,
    pub(super) receiver: Receiver,
    pub(super) tools: Tools,
    pub(super) account_id: AccountId,
}

impl Fixture {
    pub(super) async fn new(backend: Backend) -> Self {
        Self::on(backend, Tier::Free).await
    }

    pub(super) async fn on(backend: Backend, tier: Tier) -> Self {
        let test = TestDatabase::create(backend).await;
        let fetch = fetch::FetcherSettings {
            allow: vec!["127.0.0.1/32".parse().unwrap()],
            ..fetch::FetcherSettings::default()
        };
        let policy = Policy { account_url: ORIGIN.into(), sends_mail: true, fetch, ..Policy::default() };
        let domain = identity::limits::install(test.domain.clone().with_policy(policy), Windows::memory());
        let owners: Vec<Arc<dyn AccountRows>> =
            vec![Arc::new(feeds::FeedRows), Arc::new(monitors::MonitorRows), Arc::new(crate::NoticeRows)];
        let domain =
            domain.install(AccountOwners(owners)).install(InstalledNotifier(Arc::new(ChannelNotifier)));
        let (smtp, receiver) = (SmtpServer::start().await, Receiver::start().await);
        let mailer = Mailer::new(smtp.url.parse().unwrap(), "Carrel <carrel@example.org>".parse().unwrap());
        let settings =
            worker_tools::ToolSettings { mailer: Some(mailer), ..worker_tools::ToolSettings::default() };
        let pool = Pool::new(PoolSettings::new("/nonexistent".into(), Vec::new()));
        let tools = Tools::new(domain.policy(), pool, settings).unwrap();
        let account_id = person(&domain, tier).await;
        Self { test, domain, smtp, receiver, tools, account_id }
    }

    pub(super) fn new_channel(kind: ChannelKind, destination: NewDestination<'_>) -> NewChannel<'_> {
        let settings = ChannelSettings {
            name: "Mine",
            digest: "",
            zone: "",
            account_news: true,
            digest_today: false,
            digest_review: false,
            entry_texts: false,
            saved_items: false,
        };
        NewChannel { kind, destination, settings }
    }

    pub(super) async fn webhook(&self) -> (Channel, String) {
        let address = self.receiver.url("/hook");
        let destination = NewDestination { address: &address, ..NewDestination::default() };
        let new = Self::new_channel(ChannelKind::Webhook, destination);
        let made = create(&self.domain, self.account_id, new).await.unwrap();
        (made.channel, made.secret.unwrap())
    }

    /// Creates a mail channel and confirms it.
    pub(super) async fn mail(&self, address: &str) -> Channel {
        let destination = NewDestination { address, ..NewDestination::default() };
        let new = Self::new_channel(ChannelKind::Mail, destination);
        let made = create(&self.domain, self.account_id, new).await.unwrap();
        let link = self.confirmation_link(made.job.unwrap()).await;
        confirm(&self.domain, &link).await.unwrap();
        get(&self.domain, self.account_id, made.channel.id).await.unwrap()
    }

    /// Delivers the mail of a job and returns the text after `link=` in it.
    pub(super) async fn confirmation_link(&self, job: jobs::Submitted) -> String {
        let claimed = jobs::claim(&self.domain, job.id, "worker", 30_000).await.unwrap().unwrap();
        application::delivery::deliver(&self.domain, self.tools.settings.mailer.as_ref(), &claimed)
            .await
            .unwrap();
        link_of(&self.smtp.letter().await, "/notices/confirm?link=")
    }

    /// Creates a monitor that notifies these channels.
    pub(super) async fn monitor(&self, notify: &[ChannelId]) -> MonitorId {
        let address = format!("https://site.example/{}", self.domain.new_id::<MonitorId>());
        let new = NewMonitor {
            name: "Lamp".into(),
            address: Address::parse(&self.domain, &address).unwrap(),
            definition: Definition::of(Target::Page { selector: None }),
            interval_minutes: None,
            follow: false,
            notify: notify.to_vec(),
            tags: Vec::new(),
            options: monitors::MonitorOptions::default(),
        };
        monitors::create(&self.domain, self.account_id, new).await.unwrap().monitor.id
    }

    /// Makes the monitor detect a change.
    pub(super) async fn change(&self, monitor_id: MonitorId, title: &str) {
        let id = self.domain.new_id::<kernel::ChangeId>().to_string();
        self.change_with(monitor_id, title, &id).await;
    }

    pub(super) async fn change_with(&self, monitor_id: MonitorId, title: &str, id: &str) {
        self.muted_change(monitor_id, (title, id), 0).await;
    }

    /// Makes the monitor detect a change, whose messages are not sent before `not_before`.
    pub(super) async fn muted_change(
        &self,
        monitor_id: MonitorId,
        (title, id): (&str, &str),
        not_before: Millis,
    ) {
        let row = monitor::Entity::owned_by(self.account_id);
        let rows = row.all(self.domain.db().write()).await.unwrap();
        let row = rows.into_iter().find(|row| row.id == monitor_id).unwrap();
        let transaction = self.domain.db().begin().await.unwrap();
        let link = format!("{ORIGIN}/changes/{id}");
        let event = DetectedChange {
            id: id.to_owned(),
            title,
            summary: "It costs 90 now.",
            changed: ChangedTexts {
                before: "120 at shop.example".to_owned(),
                after: "90".to_owned(),
                value: "90".to_owned(),
                lines: "- 120\n+ 90".to_owned(),
            },
            link,
            not_before,
        };
        monitor_changed(&transaction, &self.domain, &row, event).await.unwrap();
        transaction.commit().await.unwrap();
    }

    /// Advances the clock and sends the due messages. Returns the number of attempts.
    pub(super) async fn after(&self, millis: Millis) -> usize {
        self.test.clock.advance(millis);
        let mut tried = 0;
        loop {
            let due = jobs::due_batch(&self.domain, JobKind::Notice, 500).await.unwrap();
            if due.is_empty() {
                return tried;
            }
            for job in due {
                let Some(claimed) = jobs::claim(&self.domain, job.id, "worker", 30_000).await.unwrap() else {
                    continue;
                };
                let outcome = deliver(&self.domain, &self.tools, &claimed).await.unwrap();
                tried += 1;
                assert!(!matches!(outcome, JobOutcome::Failed { .. }), "{outcome:?}");
            }
        }
    }

    pub(super) async fn rows(&self) -> Vec<notice::Model> {
        let all = notice::Entity::owned_by(self.account_id).order_by_asc(notice::Column::Id);
        all.all(self.domain.db().write()).await.unwrap()
    }

    pub(super) async fn states(&self) -> Vec<NoticeState> {
        self.rows().await.iter().map(|row| row.state).collect()
    }

    pub(super) async fn channel(&self, id: ChannelId) -> Channel {
        get(&self.domain, self.account_id, id).await.unwrap()
    }
}

/// Returns the text after `mark` in a mail.
pub(super) fn link_of(letter: &ReceivedLetter, mark: &str) -> String {
    let (_, rest) =
        letter.text.split_once(mark).unwrap_or_else(|| panic!("{mark} is missing in {}", letter.text));
    rest.split(|c: char| c.is_whitespace() || c == '>').next().unwrap().to_owned()
}
