//! Writer thread for the job rows of an embedded database.
//!
//! A change is sent to the thread as a function. Changes that arrive while a transaction is open join it, so many
//! changes need one switch to the thread, one switch back, and one commit. With a pool, each statement would need two
//! switches of its own, and two more for the ping of the pool.
//!
//! SQLite has a single writer, so the thread and the connection for all other writes share a fair lock. With
//! SQLite's own lock, the second writer would poll with ever longer pauses.

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

/// Maximum number of changes per transaction.
const MAX_CHANGES: usize = 256;
/// Size of the prepared statement cache.
const PREPARED: usize = 32;

/// A change, executed on the thread in the transaction of its batch.
pub(super) type QueuedChange = Box<dyn FnOnce(&Connection) -> AfterCommit + Send>;

/// Callback that receives the outcome of its change: whether the transaction was committed.
pub type AfterCommit = Box<dyn FnOnce(bool) + Send>;

enum WriterMessage {
    Change(QueuedChange),
    Close(oneshot::Sender<()>),
}

/// Handle of the writer thread, which starts with the first change.
#[derive(Clone)]
pub struct Writer(Arc<WriterState>);

struct WriterState {
    options: SqliteConnectOptions,
    busy_timeout: Duration,
    write_lock: WriteLock,
    thread: OnceLock<Option<Sender<WriterMessage>>>,
}

impl Writer {
    /// Prepares a writer for the file at `url` without starting the thread.
    ///
    /// # Errors
    /// If `url` is not a file URL.
    pub(super) fn of_file(url: &str, busy_timeout: Duration) -> Result<Self, DbErr> {
        let options = url.parse().map_err(|error| DbErr::Conn(RuntimeErr::SqlxError(Arc::new(error))))?;
        let (write_lock, thread) = (WriteLock::default(), OnceLock::new());
        Ok(Self(Arc::new(WriterState { options, busy_timeout, write_lock, thread })))
    }

    /// Makes a pool of one connection share the write lock with the thread.
    pub(super) fn share_write_lock(&self, pool: &mut ConnectOptions) {
        let (begin, end) = (self.0.write_lock.clone(), self.0.write_lock.clone());
        pool.map_sqlx_sqlite_before_acquire(move |_, _| {
            let write_lock = begin.clone();
            Box::pin(async move {
                write_lock.lock_for_pool().await;
                Ok(true)
            })
        });
        pool.map_sqlx_sqlite_pool_opts(move |options| {
            let write_lock = end.clone();
            options.after_release(move |_, _| {
                write_lock.unlock_for_pool();
                Box::pin(std::future::ready(Ok(true)))
            })
        });
    }

    /// Adds a change to the next or the currently open transaction; it is queued when this returns. A change
    /// that cannot be started is dropped.
    pub fn write(&self, change: QueuedChange) {
        let thread = self.0.thread.get_or_init(|| match self.begin() {
            Ok(thread) => Some(thread),
            Err(error) => {
                tracing::error!(%error, "failed to start job writer thread");
                None
            }
        });
        if let Some(thread) = thread {
            // Fails if the thread has ended. The change is then dropped, which its caller notices.
            let _ = thread.send(WriterMessage::Change(change));
        }
    }

    /// Writes all queued changes and stops the thread.
    pub(super) async fn close(&self) {
        let (sender, closed) = oneshot::channel();
        if let Some(Some(thread)) = self.0.thread.get()
            && thread.send(WriterMessage::Close(sender)).is_ok()
        {
            let _ = closed.await;
        }
    }

    fn begin(&self) -> Result<Sender<WriterMessage>, Box<dyn std::error::Error>> {
        let connection = self.open()?;
        let (thread, messages) = mpsc::channel();
        let (write_lock, runtime) = (self.0.write_lock.clone(), Handle::current());
        let writes = move || write_all(connection, &messages, &write_lock, &runtime);
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

/// Fair write lock shared by the pool and the thread.
#[derive(Clone)]
struct WriteLock {
    free: Arc<Semaphore>,
    /// Permit of the pool while its connection is checked out.
    pool_permit: Arc<Mutex<Option<OwnedSemaphorePermit>>>,
}

impl Default for WriteLock {
    fn default() -> Self {
        Self { free: Arc::new(Semaphore::new(1)), pool_permit: Arc::default() }
    }
}

impl WriteLock {
    async fn lock_for_pool(&self) {
        // Releases the permit of a connection that broke before it was returned.
        self.unlock_for_pool();
        // The semaphore is never closed.
        let permit = Arc::clone(&self.free).acquire_owned().await.ok();
        *self.pool_permit.lock().unwrap_or_else(PoisonError::into_inner) = permit;
    }

    fn unlock_for_pool(&self) {
        self.pool_permit.lock().unwrap_or_else(PoisonError::into_inner).take();
    }

    fn lock_for_thread(&self, runtime: &Handle) -> Option<OwnedSemaphorePermit> {
        let free = Arc::clone(&self.free);
        free.clone().try_acquire_owned().or_else(|_| runtime.block_on(free.acquire_owned())).ok()
    }
}

/// Writes changes until all senders are gone.
fn write_all(
    mut connection: Connection,
    messages: &Receiver<WriterMessage>,
    write_lock: &WriteLock,
    runtime: &Handle,
) {
    // A callback may spawn tasks, for example to release the claim of a job whose worker has gone.
    let _in_runtime = runtime.enter();
    let mut notifying: Vec<JoinHandle<()>> = Vec::new();
    let mut next = messages.recv().ok();
    while let Some(message) = next.take() {
        match message {
            WriterMessage::Close(sender) => {
                drop(connection);
                for task in notifying {
                    let _ = runtime.block_on(task);
                }
                let _ = sender.send(());
                return;
            }
            WriterMessage::Change(change) => {
                let permit = write_lock.lock_for_thread(runtime);
                let (is_committed, changed, after) = write_batch(&mut connection, change, messages);
                drop(permit);
                notifying.retain(|task| !task.is_finished());
                notifying.extend(notify(is_committed, changed, runtime));
                next = after;
            }
        }
        next = next.or_else(|| messages.recv().ok());
    }
}

/// Runs the callbacks. Several run in one runtime task, because every wake-up from a thread outside the
/// runtime is expensive.
fn notify(is_committed: bool, changed: Vec<AfterCommit>, runtime: &Handle) -> Option<JoinHandle<()>> {
    let is_for_a_task = changed.len() > 1;
    let notify_all = move || changed.into_iter().for_each(|callback| callback(is_committed));
    if is_for_a_task {
        return Some(runtime.spawn(async move { notify_all() }));
    }
    notify_all();
    None
}

/// Executes one transaction. Returns whether it was committed, its callbacks, and the `Close` message that ended the
/// batch, if any.
fn write_batch(
    connection: &mut Connection,
    first: QueuedChange,
    messages: &Receiver<WriterMessage>,
) -> (bool, Vec<AfterCommit>, Option<WriterMessage>) {
    let transaction = match connection.transaction_with_behavior(TransactionBehavior::Immediate) {
        Ok(transaction) => transaction,
        Err(error) => {
            // Queued changes would only wait for the same lock, one by one.
            let rest = drop_queued(messages);
            tracing::debug!(%error, "failed to begin job write transaction");
            return (false, Vec::new(), rest);
        }
    };
    let (mut changed, mut rest) = (vec![first(&transaction)], None);
    // An error may have ended the transaction; further changes would then be committed on their own.
    while changed.len() < MAX_CHANGES && !transaction.is_autocommit() {
        match messages.try_recv() {
            Ok(WriterMessage::Change(change)) => changed.push(change(&transaction)),
            Ok(close @ WriterMessage::Close(_)) => {
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
        tracing::debug!(%error, jobs = changed.len(), "failed to commit job batch; jobs are written one by one");
    }
    (committed.is_ok(), changed, rest)
}

/// Drops the queued changes up to a `Close`, and returns this message, if any.
fn drop_queued(messages: &Receiver<WriterMessage>) -> Option<WriterMessage> {
    messages.try_iter().find(|message| matches!(message, WriterMessage::Close(_)))
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
        let Durable::Embedded(writer) = test.domain.db().durable() else {
            panic!("the test database is SQLite")
        };
        writer
    }

    /// Makes the thread insert a row. Returns whether the transaction was committed and the number of inserted rows.
    fn insert(writer: &Writer, kind: &'static str) -> oneshot::Receiver<(bool, rusqlite::Result<usize>)> {
        let (sender, receiver) = oneshot::channel();
        writer.write(Box::new(move |connection| {
            let result = connection.execute(INSERT, [kind]);
            Box::new(move |is_committed| drop(sender.send((is_committed, result))))
        }));
        receiver
    }

    /// Blocks the thread within a running change until the returned sender is used.
    async fn hold(writer: &Writer) -> mpsc::Sender<()> {
        let (go_on, blocked) = mpsc::channel();
        let (started, begun) = oneshot::channel();
        writer.write(Box::new(move |_| {
            started.send(()).unwrap();
            blocked.recv().unwrap();
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
    async fn changes_join_the_open_transaction_and_fail_individually() {
        let test = TestDatabase::create(Backend::Sqlite).await;
        let go_on = hold(writer(&test)).await;
        let results = ["a", "b", "a"].map(|kind| insert(writer(&test), kind));
        assert_eq!(rows(&test).await, 0);
        go_on.send(()).unwrap();
        let [first, second, again] = futures_util::future::join_all(results).await.try_into().unwrap();
        assert_eq!([first.unwrap(), second.unwrap()], [(true, Ok(1)), (true, Ok(1))]);
        let (is_committed, written) = again.unwrap();
        assert!(is_committed && written.is_err(), "a failed statement does not roll back the transaction");
        assert_eq!(rows(&test).await, 2);
    }

    #[tokio::test]
    async fn rolled_back_changes_are_reported_and_subsequent_changes_are_written() {
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
    async fn writer_thread_and_pool_share_the_write_lock() {
        let test = TestDatabase::create(Backend::Sqlite).await;
        let transaction = test.domain.db().begin().await.unwrap();
        let mut result = insert(writer(&test), "thread");
        transaction.execute_unprepared("DELETE FROM job_pause").await.unwrap();
        assert!(result.try_recv().is_err(), "the transaction has not been committed");
        transaction.commit().await.unwrap();
        assert_eq!(result.await.unwrap(), (true, Ok(1)));
        let go_on = hold(writer(&test)).await;
        let other = test.domain.db().write().execute_unprepared("DELETE FROM job_pause");
        tokio::pin!(other);
        assert!(futures_util::poll!(&mut other).is_pending());
        go_on.send(()).unwrap();
        assert_eq!(other.await.unwrap().rows_affected(), 1);
    }

    #[tokio::test]
    async fn commit_callback_can_spawn_tasks() {
        let test = TestDatabase::create(Backend::Sqlite).await;
        let (sender, receiver) = oneshot::channel();
        writer(&test).write(Box::new(|_| {
            Box::new(move |_| {
                tokio::spawn(async move { sender.send(()).unwrap() });
            })
        }));
        receiver.await.unwrap();
    }

    #[test]
    fn queued_changes_are_dropped_but_close_is_returned() {
        let (send, messages) = mpsc::channel();
        let (senders, receivers) = (0..3).map(|_| oneshot::channel::<()>()).unzip::<_, _, Vec<_>, Vec<_>>();
        for sender in senders {
            let change: QueuedChange = Box::new(move |_| Box::new(move |_| drop(sender)));
            send.send(WriterMessage::Change(change)).unwrap();
        }
        assert!(drop_queued(&messages).is_none());
        assert!(
            receivers
                .into_iter()
                .all(|mut receiver| receiver.try_recv() == Err(oneshot::error::TryRecvError::Closed))
        );
        send.send(WriterMessage::Close(oneshot::channel().0)).unwrap();
        assert!(matches!(drop_queued(&messages), Some(WriterMessage::Close(_))));
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn changes_blocked_by_another_process_are_reported_as_failed() {
        let test = TestDatabase::create(Backend::Sqlite).await;
        let impatient =
            crate::DatabaseSettings { lock_timeout: Duration::from_millis(20), ..Default::default() };
        let other = test.handle_with(&impatient).await;
        let Durable::Embedded(writer) = other.db().durable() else { panic!("the test database is SQLite") };
        let blocking = test.domain.db().begin().await.unwrap();
        let results = ["a", "b", "c"].map(|kind| insert(writer, kind));
        assert!(futures_util::future::join_all(results).await.iter().all(Result::is_err));
        blocking.rollback().await.unwrap();
        assert_eq!(insert(writer, "d").await.unwrap(), (true, Ok(1)));
    }

    #[tokio::test]
    async fn close_writes_queued_changes() {
        let test = TestDatabase::create(Backend::Sqlite).await;
        let go_on = hold(writer(&test)).await;
        let result = insert(writer(&test), "last");
        let closing = test.domain.db().clone().close();
        tokio::pin!(closing);
        assert!(futures_util::poll!(&mut closing).is_pending());
        go_on.send(()).unwrap();
        closing.await;
        assert_eq!(result.await.unwrap(), (true, Ok(1)));
    }
}
