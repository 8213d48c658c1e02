//! Sites take turns, and no permit is lost.

use std::{future::Future, pin::pin, task::Poll};

use super::*;

/// Polls once. A request that cannot proceed waits in the queue from then on.
async fn try_poll<F: Future>(waiting: &mut std::pin::Pin<&mut F>) -> Option<F::Output> {
    std::future::poll_fn(|context| match waiting.as_mut().poll(context) {
        Poll::Ready(done) => Poll::Ready(Some(done)),
        Poll::Pending => Poll::Ready(None),
    })
    .await
}

#[tokio::test]
async fn site_waits_for_at_most_one_page_of_another_site() {
    let semaphore = FairSemaphore::new(1);
    let reading = semaphore.acquire(Lane::Interactive, "a.example").await.unwrap();
    let (mut second, mut third) = (
        pin!(semaphore.acquire(Lane::Interactive, "a.example")),
        pin!(semaphore.acquire(Lane::Interactive, "a.example")),
    );
    let mut other = pin!(semaphore.acquire(Lane::Interactive, "b.example"));
    assert!(try_poll(&mut second).await.is_none() && try_poll(&mut third).await.is_none());
    assert!(try_poll(&mut other).await.is_none());
    drop(reading);
    let reading = try_poll(&mut second).await.unwrap();
    drop(reading);
    let reading = try_poll(&mut other).await.expect("the other site is next, though the third asked before");
    assert!(try_poll(&mut third).await.is_none());
    drop(reading);
    assert!(try_poll(&mut third).await.unwrap().is_some());
}

#[tokio::test]
async fn one_site_gets_all_permits_without_competition() {
    let semaphore = FairSemaphore::new(2);
    let first = semaphore.acquire(Lane::Interactive, "a.example").await.unwrap();
    let _second = semaphore.acquire(Lane::Interactive, "a.example").await.unwrap();
    let mut third = pin!(semaphore.acquire(Lane::Interactive, "a.example"));
    assert!(try_poll(&mut third).await.is_none());
    drop(first);
    assert!(try_poll(&mut third).await.unwrap().is_some());
}

#[tokio::test]
async fn permit_of_cancelled_waiter_goes_to_the_next() {
    let semaphore = FairSemaphore::new(1);
    let reading = semaphore.acquire(Lane::Interactive, "a.example").await.unwrap();
    {
        let mut cancelled = pin!(semaphore.acquire(Lane::Interactive, "b.example"));
        let mut cancelled_too = pin!(semaphore.acquire(Lane::Interactive, "c.example"));
        assert!(try_poll(&mut cancelled).await.is_none() && try_poll(&mut cancelled_too).await.is_none());
    }
    let mut stays = pin!(semaphore.acquire(Lane::Interactive, "d.example"));
    assert!(try_poll(&mut stays).await.is_none());
    drop(reading);
    let reading = try_poll(&mut stays).await.unwrap().unwrap();
    {
        // It received a permit and was cancelled before it was polled.
        let mut cancelled = pin!(semaphore.acquire(Lane::Interactive, "a.example"));
        assert!(try_poll(&mut cancelled).await.is_none());
        drop(reading);
    }
    assert!(semaphore.acquire(Lane::Interactive, "a.example").await.is_some());
}

#[tokio::test]
async fn closed_semaphore_serves_only_earlier_waiters() {
    let semaphore = FairSemaphore::new(1);
    let reading = semaphore.acquire(Lane::Interactive, "a.example").await.unwrap();
    let (mut waits, mut end) =
        (pin!(semaphore.acquire(Lane::Interactive, "b.example")), pin!(semaphore.close()));
    assert!(try_poll(&mut waits).await.is_none() && try_poll(&mut end).await.is_none());
    assert!(semaphore.acquire(Lane::Interactive, "c.example").await.is_none());
    drop(reading);
    let reading = try_poll(&mut waits).await.unwrap();
    assert!(reading.is_some() && try_poll(&mut end).await.is_none());
    drop(reading);
    assert!(try_poll(&mut end).await.is_some());
}

#[tokio::test]
async fn every_fourth_permit_goes_to_the_background() {
    let semaphore = FairSemaphore::new(1);
    let mut permit = semaphore.acquire(Lane::Interactive, "a.example").await;
    let mut waiting = Vec::new();
    for (lane, letter) in std::iter::repeat_n((Lane::Background, 'b'), 4)
        .chain(std::iter::repeat_n((Lane::Interactive, 'p'), 7))
    {
        let semaphore = &semaphore;
        let mut one = Box::pin(async move { semaphore.acquire(lane, &format!("{letter}.example")).await });
        assert!(try_poll(&mut one.as_mut()).await.is_none());
        waiting.push((letter, one));
    }
    let mut order = String::new();
    while !waiting.is_empty() {
        drop(permit.take());
        for at in 0..waiting.len() {
            if let Some(next_permit) = try_poll(&mut waiting[at].1.as_mut()).await {
                permit = next_permit;
                order.push(waiting.remove(at).0);
                break;
            }
        }
    }
    assert_eq!(order, "pppbpppbpbb");
}
