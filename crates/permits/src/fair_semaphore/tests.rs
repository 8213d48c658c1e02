//! Priorities, rotation of keys, and cancelled waiters.

use std::{future::Future, pin::pin, task::Poll};

use tokio::sync::mpsc;

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
    let reading = semaphore.acquire(Pace::Interactive, "a.example").await.unwrap();
    let (mut second, mut third) = (
        pin!(semaphore.acquire(Pace::Interactive, "a.example")),
        pin!(semaphore.acquire(Pace::Interactive, "a.example")),
    );
    let mut other = pin!(semaphore.acquire(Pace::Interactive, "b.example"));
    assert!(try_poll(&mut second).await.is_none() && try_poll(&mut third).await.is_none());
    assert!(try_poll(&mut other).await.is_none());
    drop(reading);
    let reading = try_poll(&mut second).await.unwrap();
    drop(reading);
    let reading =
        try_poll(&mut other).await.expect("the other site is next, although the third request came earlier");
    assert!(try_poll(&mut third).await.is_none());
    drop(reading);
    assert!(try_poll(&mut third).await.unwrap().is_some());
}

#[tokio::test]
async fn one_site_gets_all_permits_without_competition() {
    let semaphore = FairSemaphore::new(2);
    let first = semaphore.acquire(Pace::Interactive, "a.example").await.unwrap();
    let _second = semaphore.acquire(Pace::Interactive, "a.example").await.unwrap();
    let mut third = pin!(semaphore.acquire(Pace::Interactive, "a.example"));
    assert!(try_poll(&mut third).await.is_none());
    drop(first);
    assert!(try_poll(&mut third).await.unwrap().is_some());
}

#[tokio::test]
async fn last_permit_is_left_for_an_interactive_request_of_another_key() {
    let semaphore = FairSemaphore::reserving_one(2);
    let first = semaphore.acquire(Pace::Interactive, "busy").await.unwrap();
    let mut second = pin!(semaphore.acquire(Pace::Interactive, "busy"));
    assert!(try_poll(&mut second).await.is_none(), "the key uses a permit already");
    let mut background = pin!(semaphore.acquire(Pace::Background, "other"));
    assert!(try_poll(&mut background).await.is_none(), "the background does not get the last permit");
    let mut interactive = pin!(semaphore.acquire(Pace::Interactive, "third"));
    let third = try_poll(&mut interactive).await.unwrap().unwrap();
    assert_eq!(semaphore.usage(), (2, 2, 2));
    drop(third);
    assert_eq!(semaphore.usage(), (2, 1, 2));
    drop(first);
    assert!(try_poll(&mut second).await.unwrap().is_some());
}

#[tokio::test]
async fn key_waits_until_its_requests_are_served_or_cancelled() {
    let semaphore = FairSemaphore::new(1);
    let reading = semaphore.acquire(Pace::Interactive, "a.example").await.unwrap();
    assert!(!semaphore.is_waiting("a.example"), "a permit in use is no waiting request");
    for pace in [Pace::Interactive, Pace::Background] {
        let mut cancelled = Box::pin(semaphore.acquire(pace, "b.example"));
        assert!(try_poll(&mut cancelled.as_mut()).await.is_none());
        assert!(semaphore.is_waiting("b.example") && !semaphore.is_waiting("a.example"));
        drop(cancelled);
        assert!(!semaphore.is_waiting("b.example"));
    }
    let mut next = pin!(semaphore.acquire(Pace::Interactive, "b.example"));
    assert!(try_poll(&mut next).await.is_none());
    drop(reading);
    assert!(!semaphore.is_waiting("b.example"));
    assert!(try_poll(&mut next).await.unwrap().is_some());
}

#[tokio::test]
async fn background_gets_the_last_permit_after_three_interactive_requests() {
    let semaphore = FairSemaphore::reserving_one(2);
    let mut reading = semaphore.acquire(Pace::Interactive, "0.example").await.unwrap();
    let mut background = pin!(semaphore.acquire(Pace::Background, "background.example"));
    for site in 1..=3 {
        assert!(try_poll(&mut background).await.is_none(), "after {site} requests");
        // A permit is in use at all times.
        reading = semaphore.acquire(Pace::Interactive, &format!("{site}.example")).await.unwrap();
    }
    assert!(try_poll(&mut background).await.unwrap().is_some());
    drop(reading);
}

#[tokio::test]
async fn single_permit_goes_to_any_request() {
    let semaphore = FairSemaphore::reserving_one(1);
    let mut background = pin!(semaphore.acquire(Pace::Background, "a.example"));
    assert!(try_poll(&mut background).await.unwrap().is_some());
}

#[tokio::test]
async fn permit_of_cancelled_waiter_goes_to_the_next() {
    let semaphore = FairSemaphore::new(1);
    let reading = semaphore.acquire(Pace::Interactive, "a.example").await.unwrap();
    {
        let mut cancelled = pin!(semaphore.acquire(Pace::Interactive, "b.example"));
        let mut cancelled_too = pin!(semaphore.acquire(Pace::Interactive, "c.example"));
        assert!(try_poll(&mut cancelled).await.is_none() && try_poll(&mut cancelled_too).await.is_none());
    }
    let mut stays = pin!(semaphore.acquire(Pace::Interactive, "d.example"));
    assert!(try_poll(&mut stays).await.is_none());
    drop(reading);
    let reading = try_poll(&mut stays).await.unwrap().unwrap();
    {
        // This request received a permit and was cancelled before it was polled.
        let mut cancelled = pin!(semaphore.acquire(Pace::Interactive, "a.example"));
        assert!(try_poll(&mut cancelled).await.is_none());
        drop(reading);
    }
    assert!(semaphore.acquire(Pace::Interactive, "a.example").await.is_some());
}

#[tokio::test]
async fn closed_semaphore_serves_only_earlier_waiters() {
    let semaphore = FairSemaphore::new(1);
    let reading = semaphore.acquire(Pace::Interactive, "a.example").await.unwrap();
    let (mut waits, mut end) =
        (pin!(semaphore.acquire(Pace::Interactive, "b.example")), pin!(semaphore.close()));
    assert!(try_poll(&mut waits).await.is_none() && try_poll(&mut end).await.is_none());
    assert!(semaphore.acquire(Pace::Interactive, "c.example").await.is_none());
    drop(reading);
    let reading = try_poll(&mut waits).await.unwrap();
    assert!(reading.is_some() && try_poll(&mut end).await.is_none());
    drop(reading);
    assert!(try_poll(&mut end).await.is_some());
}

#[tokio::test]
async fn every_fourth_permit_goes_to_the_background() {
    let semaphore = FairSemaphore::new(1);
    let mut permit = semaphore.acquire(Pace::Interactive, "a.example").await;
    let mut waiting = Vec::new();
    for (pace, letter) in std::iter::repeat_n((Pace::Background, 'b'), 4)
        .chain(std::iter::repeat_n((Pace::Interactive, 'p'), 7))
    {
        let semaphore = &semaphore;
        let mut one = Box::pin(async move { semaphore.acquire(pace, &format!("{letter}.example")).await });
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

/// Order in which requests of one key get a permit while the only permit is initially in use. `i` is
/// interactive, `b` is background.
async fn order_of_one_key(interactive: usize, background: usize) -> String {
    let semaphore = FairSemaphore::new(1);
    let first_permit = semaphore.acquire(Pace::Interactive, "").await;
    let (sender, mut receiver) = mpsc::unbounded_channel();
    let background = std::iter::repeat_n((Pace::Background, 'b'), background);
    for (pace, letter) in background.chain(std::iter::repeat_n((Pace::Interactive, 'i'), interactive)) {
        let (semaphore, sender) = (semaphore.clone(), sender.clone());
        tokio::spawn(async move {
            let _permit = semaphore.acquire(pace, "").await;
            sender.send(letter).unwrap();
        });
        tokio::task::yield_now().await;
    }
    drop((first_permit, sender));
    let mut order = String::new();
    while let Some(letter) = receiver.recv().await {
        order.push(letter);
    }
    order
}

#[tokio::test]
async fn interactive_request_precedes_background_requests_of_the_same_key() {
    assert_eq!(order_of_one_key(7, 4).await, "iiibiiibibb");
    assert_eq!(order_of_one_key(3, 0).await, "iii");
    assert_eq!(order_of_one_key(0, 3).await, "bbb");
}

#[tokio::test]
async fn aborted_interactive_waiter_does_not_keep_background_waiting() {
    let semaphore = FairSemaphore::new(1);
    let first_permit = semaphore.acquire(Pace::Background, "").await;
    let cancelled = tokio::spawn({
        let semaphore = semaphore.clone();
        async move { drop(semaphore.acquire(Pace::Interactive, "").await) }
    });
    tokio::task::yield_now().await;
    cancelled.abort();
    let waiting = tokio::spawn({
        let semaphore = semaphore.clone();
        async move { semaphore.acquire(Pace::Background, "").await }
    });
    tokio::task::yield_now().await;
    drop(first_permit);
    drop(waiting.await.unwrap());
    assert_eq!(semaphore.usage(), (1, 0, 0));
}

#[tokio::test]
async fn last_permit_does_not_go_to_a_second_background_request() {
    let semaphore = FairSemaphore::reserving_one(2);
    let first = semaphore.acquire(Pace::Background, "first.example").await.unwrap();
    let mut second = pin!(semaphore.acquire(Pace::Background, "second.example"));
    for site in 0..8 {
        assert!(try_poll(&mut second).await.is_none(), "after {site} requests");
        let reading = semaphore.acquire(Pace::Interactive, &format!("{site}.example")).await;
        assert!(reading.is_some());
    }
    drop(first);
    assert!(try_poll(&mut second).await.unwrap().is_some());
}
