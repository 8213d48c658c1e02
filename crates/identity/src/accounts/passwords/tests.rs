//! Tests of the hash pool under load and with cancelled callers.

use tokio::runtime::Handle;

use super::*;
use crate::accounts::sign_in::write_password;
use crate::accounts::{
    ChangePassword, ExistingAccess, SignIn, SignInOrigin, SignInStep, authenticate, change_password, create,
    sign_in,
};
use crate::limits::Network;
use kernel::testing::{TestDatabase, on_both};
use kernel::tiers::Tier;
use kernel::{Backend, Class};

const EMAIL: &str = "ada@example.org";
const PASSWORD: &str = "correct horse battery";

/// A cancelled caller does not release its permit: otherwise, a client that resets its connection repeatedly
/// could start any number of concurrent hashes.
#[tokio::test]
async fn cancelled_sign_ins_do_not_exceed_the_hash_concurrency() {
    let test = TestDatabase::create(Backend::Sqlite).await;
    let pool = Passwords::new(&test.domain, HashCost::Least, 2).unwrap();
    let running = Arc::new((AtomicUsize::new(0), AtomicUsize::new(0)));
    let (began, mut begins) = tokio::sync::mpsc::unbounded_channel();
    let gate = Arc::new(Semaphore::new(0));
    let work = || {
        let (pool, running, began, gate) =
            (pool.clone(), Arc::clone(&running), began.clone(), Arc::clone(&gate));
        tokio::spawn(async move {
            pool.run(move |_| {
                let (now, peak) = &*running;
                peak.fetch_max(now.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                began.send(()).unwrap();
                assert!(Handle::current().block_on(gate.acquire()).is_err());
                now.fetch_sub(1, Ordering::SeqCst);
            })
            .await
        })
    };
    for _ in 0..20 {
        let left: Vec<_> = (0..40).map(|_| work()).collect();
        tokio::task::yield_now().await;
        for task in &left {
            task.abort();
        }
        for task in left {
            assert!(task.await.is_err_and(|error| error.is_cancelled()));
        }
    }
    assert_eq!((begins.recv().await, begins.recv().await), (Some(()), Some(())));
    assert_eq!(
        pool.0.permits.available_permits(),
        0,
        "cancelled callers hold their permits until the hash is computed"
    );
    let waits = work();
    tokio::task::yield_now().await;
    assert!(begins.is_empty() && !waits.is_finished());
    gate.close();
    waits.await.unwrap().unwrap();
    assert_eq!(running.1.load(Ordering::SeqCst), 2);
}

/// Spawns a task that has a permit of the pool until the gate is closed.
fn occupy_permit(pool: &Passwords, gate: &Arc<Semaphore>) -> tokio::task::JoinHandle<Result<()>> {
    let (pool, gate) = (pool.clone(), Arc::clone(gate));
    tokio::spawn(async move {
        pool.run(move |_| assert!(Handle::current().block_on(gate.acquire()).is_err())).await
    })
}

/// Waits until `waiting` callers have a permit of the pool or are waiting for one.
async fn wait_for(pool: &Passwords, waiting: usize) {
    while pool.0.waiting.load(Ordering::SeqCst) < waiting {
        tokio::task::yield_now().await;
    }
}

fn from_home<'a>(password: &'a str, network: &'a Network) -> SignIn<'a> {
    SignIn { email: EMAIL, password, origin: SignInOrigin { network, previous: None, browser: None } }
}

async fn password_verified_before_a_change_is_rejected_after_it(backend: Backend) {
    let test = TestDatabase::create(backend).await;
    let domain = &test.domain;
    let pool = Passwords::new(domain, HashCost::Least, 1).unwrap();
    let owner = create(domain, &pool, EMAIL, PASSWORD, Tier::Free).await.unwrap();
    let new = pool.hash(domain, "another fine password").await.unwrap();
    let gate = Arc::new(Semaphore::new(0));
    let occupied = occupy_permit(&pool, &gate);
    wait_for(&pool, 1).await;
    let network = Network::of("192.0.2.1".parse().unwrap());
    let request =
        ChangePassword { current: PASSWORD, new: "a third fine password", access: ExistingAccess::Keep };
    let change = async {
        wait_for(&pool, 3).await;
        let transaction = domain.db().begin().await.unwrap();
        write_password(domain, &transaction, owner.id, new, ExistingAccess::Keep).await.unwrap();
        transaction.commit().await.unwrap();
        gate.close();
    };
    let (sign_in_result, change_result, ()) = tokio::join!(
        sign_in(domain, &pool, from_home(PASSWORD, &network)),
        change_password(domain, &pool, owner.id, request),
        change
    );
    occupied.await.unwrap().unwrap();
    assert_eq!(sign_in_result.unwrap_err().class(), Class::Unauthenticated);
    assert_eq!(change_result.unwrap_err().class(), Class::Invalid);
    let opened = sign_in(domain, &pool, from_home("another fine password", &network)).await.unwrap();
    let SignInStep::SignedIn(opened) = opened else { panic!("the account has no second factor") };
    assert!(authenticate(domain, opened.session.expose()).await.unwrap().is_some());
}

on_both! {
    password_verified_before_a_change_is_rejected_after_it,
}

#[tokio::test]
async fn sign_ins_refused_for_capacity_are_not_counted_as_failures() {
    let test = TestDatabase::create(Backend::Sqlite).await;
    let pool = Passwords::new(&test.domain, HashCost::Least, 1).unwrap();
    create(&test.domain, &pool, EMAIL, PASSWORD, Tier::Free).await.unwrap();
    let gate = Arc::new(Semaphore::new(0));
    let crowd: Vec<_> = (0..MAX_WAITING).map(|_| occupy_permit(&pool, &gate)).collect();
    wait_for(&pool, MAX_WAITING).await;
    let network = Network::of("192.0.2.1".parse().unwrap());
    for _ in 0..60 {
        let error = sign_in(&test.domain, &pool, from_home(PASSWORD, &network)).await.unwrap_err();
        assert_eq!(error.code, Code::CapacityExhausted);
    }
    gate.close();
    for task in crowd {
        task.await.unwrap().unwrap();
    }
    sign_in(&test.domain, &pool, from_home(PASSWORD, &network)).await.unwrap();
}
