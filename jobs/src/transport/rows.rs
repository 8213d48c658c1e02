//! The queue between processes that share nothing but PostgreSQL: the rows themselves, from which workers draw what is
//! due, and NOTIFY, which wakes them. Nothing told here is needed to find a job again.
//!
//! What is to be told while the last NOTIFY is under way goes with the next one. All processes hear of pushes and of
//! cancelled jobs; ends are heard by those alone in which somebody has waited for one.

use std::sync::Arc;
use std::time::Duration;

use crate::rows::{self, JobKind};
use futures_util::future::BoxFuture;
use kernel::batcher::Groups;
use kernel::{Domain, Error, Listener, News};
use tokio::sync::watch;
use tokio::time::timeout;
use tokio_util::sync::{CancellationToken, DropGuard};

use super::bells::Bells;
use super::hearing::{self, Hearing, Hears, hearing};
use super::queue_item::Unavailable;
use crate::completion::{Completion, JobEnd};

/// On this channel kinds of which something was pushed are told.
const PUSHED: &str = "carrel_pushed";
/// On this one ends.
const ENDED: &str = "carrel_ended";
/// On this one ends by somebody's hand, which the worker that runs the job must hear of.
const CANCELLED: &str = "carrel_cancelled";
/// What is logged when nothing is heard any more.
const AWAY: &str = "nothing is heard from PostgreSQL; workers look for jobs from time to time";
/// A connection that has been silent for so long may be dead without knowing it: it is made anew.
const SILENCE: Duration = Duration::from_mins(1);
/// How long news that were under way to a connection are waited for when it is made anew.
const LAST_WORDS: Duration = Duration::from_millis(5);
/// How long somebody waits who asks whether this process hears.
const PATIENCE: Duration = Duration::from_secs(2);
/// In the place of a kind: what only the one who tells it needs to hear.
const ECHO: &str = "echo";
/// Workers look this often while the process hears: the tick wakes them for what nobody was told of.
const POLL: Duration = Duration::from_secs(15);
/// And this often while it hears nothing.
const DEAF_POLL: Duration = Duration::from_secs(1);
/// Most pieces of news of one statement.
const MOST: usize = 256;
/// How far waiting jobs are counted.
const MOST_COUNTED: u32 = 10_000;

/// Queues in the rows.
pub(crate) struct Rows {
    domain: Domain,
    /// Names this process among those that tell.
    name: String,
    news: Groups<News, Result<(), Unavailable>>,
    pub(super) bells: Arc<Bells>,
    hearing: Hearing,
    /// Changes with everything that this process told itself to see whether it hears.
    echo: watch::Receiver<u64>,
    _listening: DropGuard,
}

impl Rows {
    /// Queues in the rows of this database. Ends told by other processes go to `completion`.
    pub(crate) fn open(domain: Domain, completion: Arc<Completion>) -> Self {
        let name = format!("{:016x}", u64::from_le_bytes(domain.random::<8>()));
        let (bells, stop) = (Arc::new(Bells::default()), CancellationToken::new());
        let (hearing, wants) = hearing();
        let (echoes, echo) = watch::channel(0);
        let (ear_domain, ear_name, ear_bells) = (domain.clone(), name.clone(), bells.clone());
        let ear = Ear { domain: ear_domain, name: ear_name, bells: ear_bells, completion, echoes };
        tokio::spawn(hearing::listen(ear, wants, stop.clone(), AWAY));
        let news = Groups::of_at_most(MOST);
        Self { domain, name, news, bells, hearing, echo, _listening: stop.drop_guard() }
    }

    /// Wakes the workers of this process at once, and those of others by the next NOTIFY, which nobody waits for: the
    /// row is written, and who hears nothing looks all the same.
    pub(super) fn push(&self, kind: JobKind) {
        self.bells.ring(kind);
        let news = News { channel: PUSHED.to_owned(), text: format!("{} {kind}", self.name) };
        drop(self.news.join(&self.domain, news, tell_group));
    }

    /// How many jobs of `kind` wait and are due.
    pub(super) async fn depth(&self, kind: JobKind) -> Result<u64, Unavailable> {
        Ok(rows::waiting(self.domain.db().read(), &self.domain, kind, MOST_COUNTED).await?)
    }

    /// Goes together with other ends that are told meanwhile.
    pub(super) async fn announce(&self, end: &JobEnd) -> Result<(), Unavailable> {
        self.tell(ENDED, end.to_message()).await
    }

    /// Tells every process, whoever waits in it.
    pub(super) async fn announce_cancelled(&self, end: &JobEnd) -> Result<(), Unavailable> {
        self.tell(CANCELLED, end.to_message()).await
    }

    async fn tell(&self, channel: &str, text: String) -> Result<(), Unavailable> {
        let news = News { channel: channel.to_owned(), text };
        let told = self.news.join(&self.domain, news, tell_group).await;
        told.unwrap_or_else(|_| Err(Unavailable::new(Error::internal("nothing was told"))))
    }

    /// Returns when this process has heard itself: a pooler may take a LISTEN and never deliver anything.
    pub(super) async fn ping(&self) -> Result<(), Unavailable> {
        let mut echo = self.echo.clone();
        let hears = async {
            self.hearing.come_to_hear(Hears::Pushes).await;
            echo.mark_unchanged();
            self.tell(PUSHED, format!("{} {ECHO}", self.name)).await?;
            let _ = echo.changed().await;
            Ok(())
        };
        let nothing = || Unavailable::new(Error::internal("nothing is heard from the database"));
        timeout(PATIENCE, hears).await.unwrap_or_else(|_| Err(nothing()))
    }

    /// Has this process hear of ends from now on.
    pub(super) async fn hear_ends(&self) {
        self.hearing.hear_ends().await;
    }

    /// How often workers look without being woken: seldom while this process hears.
    pub(super) fn poll_interval(&self) -> Duration {
        if self.hearing.hears_nothing() { DEAF_POLL } else { POLL }
    }
}

/// Kinds that were pushed more than once are told once.
fn tell_group(domain: Domain, news: Vec<News>) -> BoxFuture<'static, Vec<Result<(), Unavailable>>> {
    Box::pin(async move {
        let mut all: Vec<News> = Vec::with_capacity(news.len());
        for single in &news {
            if single.channel != PUSHED || !all.contains(single) {
                all.push(single.clone());
            }
        }
        let told = domain.db().tell(&all).await.map_err(|error| Unavailable::new(Error::from(error)));
        vec![told; news.len()]
    })
}

/// Who listens in this process, and to whom what is heard goes.
struct Ear {
    domain: Domain,
    name: String,
    bells: Arc<Bells>,
    completion: Arc<Completion>,
    echoes: watch::Sender<u64>,
}

impl hearing::Ear for Ear {
    async fn hear(&self, wanted: Hears, says: &watch::Sender<Hears>) -> Result<(), Unavailable> {
        let mut listener = self.begin(wanted).await?;
        says.send_replace(wanted);
        loop {
            match timeout(SILENCE, listener.next()).await {
                Ok(Ok(Some(news))) => self.take(&news),
                Ok(Ok(None)) => return Ok(()),
                Ok(Err(error)) => return Err(Error::from(error).into()),
                Err(_) => {
                    let mut former = std::mem::replace(&mut listener, self.begin(wanted).await?);
                    while let Ok(Ok(Some(news))) = timeout(LAST_WORDS, former.next()).await {
                        self.take(&news);
                    }
                }
            }
        }
    }
}

impl Ear {
    /// Listens, and has everybody look once for what was pushed, or ended, while nobody did.
    async fn begin(&self, wanted: Hears) -> Result<Listener, Error> {
        let channels: &[&str] = match wanted {
            Hears::Nothing | Hears::Pushes => &[PUSHED, CANCELLED],
            Hears::Ends => &[PUSHED, CANCELLED, ENDED],
        };
        let listener = self.domain.db().listen(channels).await?;
        self.bells.ring_all();
        self.completion.look_all();
        Ok(listener)
    }

    fn take(&self, news: &News) {
        if news.channel != PUSHED {
            self.completion.on_message(&news.text);
            return;
        }
        let Some((name, word)) = news.text.split_once(' ') else { return };
        // What was pushed here was heard at once.
        if name == self.name {
            if word == ECHO {
                self.echoes.send_modify(|count| *count += 1);
            }
        } else if let Some(kind) = JobKind::parse(word) {
            self.bells.ring(kind);
        }
    }
}
