//! The thread that job rows of an embedded database are written on.
//!
//! What is to be written goes there as a function, and what comes while a transaction is open goes into it: one hop there, one
//! back, and one commit for many. Through a pool each statement would hop twice for itself and once for the sign of life that the
//! pool asks for.
//!
//! SQLite has one writer. The thread and the connection for all other writes therefore take turns, in the order in which
//! they come: SQLite itself would have whoever comes second ask again after ever longer pauses.

use std::fmt;
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use rusqlite::{Connection, OpenFlags, TransactionBehavior};
use sea_orm::sqlx::sqlite::SqliteConnectOptions;
use sea_orm::{ConnectOptions, DbErr, RuntimeErr};
use tokio::runtime::Handle;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot};
use tokio::task::JoinHandle;

use super::SQLITE_SETTINGS;

/// Most changes of one transaction.
const MOST: usize = 256;
/// Statements that stay prepared.
const PREPARED: usize = 32;

/// One change, made on the thread in the transaction of its group.
pub type Change = Box<dyn FnOnce(&Connection) -> AfterCommit + Send>;

/// Hears whether the transaction of its change was committed.
pub type AfterCommit = Box<dyn FnOnce(bool) + Send>;

enum Message {
    Change(Change),
    Close(oneshot::Sender<()>),
}

/// The way to the thread, which begins with the first change.
#[derive(Clone)]
pub struct Writer(Arc<Inner>);

struct Inner {
    options: SqliteConnectOptions,
    busy_timeout: Duration,
    turns: Turns,
    thread: OnceLock<Option<Sender<Message>>>,
}

impl Writer {
    /// Knows the file at `url`, and begins nothing.
    ///
    /// # Errors
    /// When `url` is no address of a file.
    pub(super) fn of_file(url: &str, busy_timeout: Duration) -> Result<Self, DbErr> {
        let options = url.parse().map_err(|error| DbErr::Conn(RuntimeErr::SqlxError(Arc::new(error))))?;
        let (turns, thread) = (Turns::default(), OnceLock::new());
        Ok(Self(Arc::new(Inner { options, busy_timeout, turns, thread })))
    }

    /// Has a pool of one connection take turns with the thread.
    pub(super) fn share_turns(&self, pool: &mut ConnectOptions) {
        let (begin, end) = (self.0.turns.clone(), self.0.turns.clone());
        pool.map_sqlx_sqlite_before_acquire(move |_, _| {
            let turns = begin.clone();
            Box::pin(async move {
                turns.begin_of_pool().await;
                Ok(true)
            })
        });
        pool.map_sqlx_sqlite_pool_opts(move |options| {
            let turns = end.clone();
            options.after_release(move |_, _| {
                turns.end_of_pool();
                Box::pin(std::future::ready(Ok(true)))
            })
        });
    }

    /// Puts one more change into the next transaction, or into the one that is open; it counts as queued when this returns. A
    /// change that cannot be begun is dropped.
    pub fn write(&self, change: Change) {
        let thread = self.0.thread.get_or_init(|| match self.begin() {
            Ok(thread) => Some(thread),
            Err(error) => {
                tracing::error!(%error, "there is no thread that writes jobs; they are written one by one");
                None
            }
        });
        if let Some(thread) = thread {
            // A thread that has ended takes nothing: who waits for the change hears that.
            let _ = thread.send(Message::Change(change));
        }
    }

    /// Ends the thread once all that was queued is written.
    pub(super) async fn close(&self) {
        let (tell, closed) = oneshot::channel();
        if let Some(Some(thread)) = self.0.thread.get()
            && thread.send(Message::Close(tell)).is_ok()
        {
            let _ = closed.await;
        }
    }

    fn begin(&self) -> Result<Sender<Message>, Box<dyn std::error::Error>> {
        let connection = self.open()?;
        let (thread, messages) = mpsc::channel();
        let (turns, runtime) = (self.0.turns.clone(), Handle::current());
        let writes = move || write_all(connection, &messages, &turns, &runtime);
        std::thread::Builder::new().name("job rows".to_owned()).spawn(writes)?;
        Ok(thread)
    }

    fn open(&self) -> rusqlite::Result<Connection> {
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(self.0.options.get_filename(), flags)?;
        connection.busy_timeout(self.0.busy_timeout)?;
        connection.set_prepared_statement_cache_capacity(PREPARED);
        for (name, value) in SQLITE_SETTINGS {
            connection.pragma_update(None, name, value)?;
        }
        Ok(connection)
    }
}

/// Whose turn it is to write.
#[derive(Clone)]
struct Turns {
    free: Arc<Semaphore>,
    /// The turn of the pool, while its connection is lent.
    of_pool: Arc<Mutex<Option<OwnedSemaphorePermit>>>,
}

impl Default for Turns {
    fn default() -> Self {
        Self { free: Arc::new(Semaphore::new(1)), of_pool: Arc::default() }
    }
}

impl Turns {
    async fn begin_of_pool(&self) {
        // A turn of a connection that broke before it was given back is over.
        self.end_of_pool();
        // Nobody closes it.
        let turn = Arc::clone(&self.free).acquire_owned().await.ok();
        *self.of_pool.lock().unwrap_or_else(PoisonError::into_inner) = turn;
    }

    fn end_of_pool(&self) {
        self.of_pool.lock().unwrap_or_else(PoisonError::into_inner).take();
    }

    fn begin_of_thread(&self, runtime: &Handle) -> Option<OwnedSemaphorePermit> {
        let free = Arc::clone(&self.free);
        free.clone().try_acquire_owned().or_else(|_| runtime.block_on(free.acquire_owned())).ok()
    }
}

/// Writes what comes until nobody can send any more.
fn write_all(mut connection: Connection, messages: &Receiver<Message>, turns: &Turns, runtime: &Handle) {
    // Whoever hears of a commit may have more to do, as a job has whose worker has gone meanwhile: it is handed back.
    let _in_runtime = runtime.enter();
    let mut telling: Vec<JoinHandle<()>> = Vec::new();
    let mut next = messages.recv().ok();
    while let Some(message) = next.take() {
        match message {
            Message::Close(tell) => {
                drop(connection);
                for told in telling {
                    let _ = runtime.block_on(told);
                }
                let _ = tell.send(());
                return;
            }
            Message::Change(change) => {
                let turn = turns.begin_of_thread(runtime);
                let (is_committed, changed, after) = write_group(&mut connection, change, messages);
                drop(turn);
                telling.retain(|told| !told.is_finished());
                telling.extend(tell(is_committed, changed, runtime));
                next = after;
            }
        }
        next = next.or_else(|| messages.recv().ok());
    }
}

/// Tells those who wait. Several are told by a task of the runtime, which is woken once, where a thread from outside would wake
/// somebody for each.
fn tell(is_committed: bool, changed: Vec<AfterCommit>, runtime: &Handle) -> Option<JoinHandle<()>> {
    let is_for_a_task = changed.len() > 1;
    let tell_all = move || changed.into_iter().for_each(|told| told(is_committed));
    if is_for_a_task {
        return Some(runtime.spawn(async move { tell_all() }));
    }
    tell_all();
    None
}

/// One transaction: whether it was committed, who is to hear of it, and what came that is no part of it.
fn write_group(
    connection: &mut Connection,
    first: Change,
    messages: &Receiver<Message>,
) -> (bool, Vec<AfterCommit>, Option<Message>) {
    let transaction = match connection.transaction_with_behavior(TransactionBehavior::Immediate) {
        Ok(transaction) => transaction,
        Err(error) => {
            // What waits would wait as long for the same, one after the other.
            let rest = drop_waiting(messages);
            tracing::debug!(%error, "jobs cannot be written together");
            return (false, Vec::new(), rest);
        }
    };
    let (mut changed, mut rest) = (vec![first(&transaction)], None);
    // An error may have ended the transaction: what came after it would be committed by itself.
    while changed.len() < MOST && !transaction.is_autocommit() {
        match messages.try_recv() {
            Ok(Message::Change(change)) => changed.push(change(&transaction)),
            Ok(close @ Message::Close(_)) => {
                rest = Some(close);
                break;
            }
            Err(_) => break,
        }
    }
    if transaction.is_autocommit() {
        return (false, changed, rest);
    }
    let committed = transaction.commit();
    if let Err(error) = &committed {
        tracing::debug!(%error, jobs = changed.len(), "jobs that were written together are written one by one");
    }
    (committed.is_ok(), changed, rest)
}

/// Drops the changes that wait; gives what is none.
fn drop_waiting(messages: &Receiver<Message>) -> Option<Message> {
    messages.try_iter().find(|message| matches!(message, Message::Close(_)))
}

impl fmt::Debug for Writer {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Writer").field("file", &self.0.options.get_filename()).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use sea_orm::ConnectionTrait;

    use super::*;
    use crate::Backend;
    use crate::db::Durable;
    use crate::testing::TestDatabase;

    const INSERT: &str = "INSERT INTO job_pause (kind, paused_at, paused_by) VALUES (?1, 1, 'test')";

    fn writer(test: &TestDatabase) -> &Writer {
        let Durable::Embedded(writer) = test.domain.db().durable() else { panic!("this is SQLite") };
        writer
    }

    /// Has the thread write a row; tells whether it was committed, and how many rows the statement wrote.
    fn insert(writer: &Writer, kind: &'static str) -> oneshot::Receiver<(bool, rusqlite::Result<usize>)> {
        let (tell, told) = oneshot::channel();
        writer.write(Box::new(move |connection| {
            let written = connection.execute(INSERT, [kind]);
            Box::new(move |is_committed| drop(tell.send((is_committed, written))))
        }));
        told
    }

    /// Keeps the thread within a change, which has begun, until something is sent.
    async fn hold(writer: &Writer) -> mpsc::Sender<()> {
        let (go_on, held) = mpsc::channel();
        let (tell, begun) = oneshot::channel();
        writer.write(Box::new(move |_| {
            tell.send(()).unwrap();
            held.recv().unwrap();
            Box::new(drop)
        }));
        begun.await.unwrap();
        go_on
    }

    async fn rows(test: &TestDatabase) -> usize {
        let db = test.domain.db().read();
        let kinds = crate::statement::statement(db, "SELECT kind FROM job_pause", []);
        db.query_all_raw(kinds).await.unwrap().len()
    }

    #[tokio::test]
    async fn what_comes_while_a_transaction_is_open_goes_into_it_and_who_fails_fails_alone() {
        let test = TestDatabase::create(Backend::Sqlite).await;
        let go_on = hold(writer(&test)).await;
        let told = ["a", "b", "a"].map(|kind| insert(writer(&test), kind));
        assert_eq!(rows(&test).await, 0);
        go_on.send(()).unwrap();
        let [first, second, again] = futures_util::future::join_all(told).await.try_into().unwrap();
        assert_eq!([first.unwrap(), second.unwrap()], [(true, Ok(1)), (true, Ok(1))]);
        let (is_committed, written) = again.unwrap();
        assert!(is_committed && written.is_err(), "the name is taken");
        assert_eq!(rows(&test).await, 2);
    }

    #[tokio::test]
    async fn what_was_rolled_back_in_the_middle_is_told_so_and_the_rest_is_written_after_it() {
        let test = TestDatabase::create(Backend::Sqlite).await;
        let go_on = hold(writer(&test)).await;
        let before = insert(writer(&test), "before");
        writer(&test).write(Box::new(|connection| {
            connection.execute_batch("ROLLBACK").unwrap();
            Box::new(drop)
        }));
        let after = insert(writer(&test), "after");
        go_on.send(()).unwrap();
        assert_eq!(before.await.unwrap(), (false, Ok(1)));
        assert_eq!(after.await.unwrap(), (true, Ok(1)));
        assert_eq!(rows(&test).await, 1);
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn the_thread_and_the_other_writes_take_turns() {
        let test = TestDatabase::create(Backend::Sqlite).await;
        let transaction = test.domain.db().begin().await.unwrap();
        let mut told = insert(writer(&test), "thread");
        transaction.execute_unprepared("DELETE FROM job_pause").await.unwrap();
        assert!(told.try_recv().is_err(), "the transaction is not over");
        transaction.commit().await.unwrap();
        assert_eq!(told.await.unwrap(), (true, Ok(1)));
        let go_on = hold(writer(&test)).await;
        let other = test.domain.db().write().execute_unprepared("DELETE FROM job_pause");
        tokio::pin!(other);
        assert!(futures_util::poll!(&mut other).is_pending());
        go_on.send(()).unwrap();
        assert_eq!(other.await.unwrap().rows_affected(), 1);
    }

    #[tokio::test]
    async fn whoever_hears_of_a_commit_may_have_more_done() {
        let test = TestDatabase::create(Backend::Sqlite).await;
        let (tell, told) = oneshot::channel();
        writer(&test).write(Box::new(|_| {
            Box::new(move |_| {
                tokio::spawn(async move { tell.send(()).unwrap() });
            })
        }));
        told.await.unwrap();
    }

    #[test]
    fn what_waits_is_given_up_together_and_the_end_is_not() {
        let (send, messages) = mpsc::channel();
        let (tell, told) = (0..3).map(|_| oneshot::channel::<()>()).unzip::<_, _, Vec<_>, Vec<_>>();
        for tell in tell {
            let change: Change = Box::new(move |_| Box::new(move |_| drop(tell)));
            send.send(Message::Change(change)).unwrap();
        }
        assert!(drop_waiting(&messages).is_none());
        assert!(
            told.into_iter().all(|mut told| told.try_recv() == Err(oneshot::error::TryRecvError::Closed))
        );
        send.send(Message::Close(oneshot::channel().0)).unwrap();
        assert!(matches!(drop_waiting(&messages), Some(Message::Close(_))));
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn jobs_that_another_process_keeps_from_being_written_are_told_so() {
        let test = TestDatabase::create(Backend::Sqlite).await;
        let impatient =
            crate::DatabaseSettings { lock_timeout: Duration::from_millis(20), ..Default::default() };
        let other = test.handle_with(&impatient).await;
        let Durable::Embedded(writer) = other.db().durable() else { panic!("this is SQLite") };
        let held = test.domain.db().begin().await.unwrap();
        let told = ["a", "b", "c"].map(|kind| insert(writer, kind));
        assert!(futures_util::future::join_all(told).await.iter().all(Result::is_err));
        held.rollback().await.unwrap();
        assert_eq!(insert(writer, "d").await.unwrap(), (true, Ok(1)));
    }

    #[tokio::test]
    async fn a_database_that_is_closed_has_written_what_was_queued() {
        let test = TestDatabase::create(Backend::Sqlite).await;
        let go_on = hold(writer(&test)).await;
        let told = insert(writer(&test), "last");
        let closing = test.domain.db().clone().close();
        tokio::pin!(closing);
        assert!(futures_util::poll!(&mut closing).is_pending());
        go_on.send(()).unwrap();
        closing.await;
        assert_eq!(told.await.unwrap(), (true, Ok(1)));
    }
}
