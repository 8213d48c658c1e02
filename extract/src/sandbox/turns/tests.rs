//! Sites take turns, and no permit is lost.

use std::{future::Future, pin::pin, task::Poll};

use super::*;

/// Polls once. A request that cannot proceed waits in the queue from then on.
async fn begins<F: Future>(waiting: &mut std::pin::Pin<&mut F>) -> Option<F::Output> {
    std::future::poll_fn(|context| match waiting.as_mut().poll(context) {
        Poll::Ready(done) => Poll::Ready(Some(done)),
        Poll::Pending => Poll::Ready(None),
    })
    .await
}

#[tokio::test]
async fn site_waits_for_at_most_one_page_of_another_site() {
    let turns = Turns::new(1);
    let reading = turns.take(Lane::People, "a.example").await.unwrap();
    let (mut second, mut third) =
        (pin!(turns.take(Lane::People, "a.example")), pin!(turns.take(Lane::People, "a.example")));
    let mut other = pin!(turns.take(Lane::People, "b.example"));
    assert!(begins(&mut second).await.is_none() && begins(&mut third).await.is_none());
    assert!(begins(&mut other).await.is_none());
    drop(reading);
    let reading = begins(&mut second).await.unwrap();
    drop(reading);
    let reading = begins(&mut other).await.expect("the other site is next, though the third asked before");
    assert!(begins(&mut third).await.is_none());
    drop(reading);
    assert!(begins(&mut third).await.unwrap().is_some());
}

#[tokio::test]
async fn one_site_gets_all_permits_without_competition() {
    let turns = Turns::new(2);
    let first = turns.take(Lane::People, "a.example").await.unwrap();
    let _second = turns.take(Lane::People, "a.example").await.unwrap();
    let mut third = pin!(turns.take(Lane::People, "a.example"));
    assert!(begins(&mut third).await.is_none());
    drop(first);
    assert!(begins(&mut third).await.unwrap().is_some());
}

#[tokio::test]
async fn permit_of_cancelled_waiter_goes_to_the_next() {
    let turns = Turns::new(1);
    let reading = turns.take(Lane::People, "a.example").await.unwrap();
    {
        let mut leaves = pin!(turns.take(Lane::People, "b.example"));
        let mut leaves_later = pin!(turns.take(Lane::People, "c.example"));
        assert!(begins(&mut leaves).await.is_none() && begins(&mut leaves_later).await.is_none());
    }
    let mut stays = pin!(turns.take(Lane::People, "d.example"));
    assert!(begins(&mut stays).await.is_none());
    drop(reading);
    let reading = begins(&mut stays).await.unwrap().unwrap();
    {
        // It received a permit and was cancelled before it was polled.
        let mut leaves = pin!(turns.take(Lane::People, "a.example"));
        assert!(begins(&mut leaves).await.is_none());
        drop(reading);
    }
    assert!(turns.take(Lane::People, "a.example").await.is_some());
}

#[tokio::test]
async fn closed_semaphore_serves_only_earlier_waiters() {
    let turns = Turns::new(1);
    let reading = turns.take(Lane::People, "a.example").await.unwrap();
    let (mut waits, mut end) = (pin!(turns.take(Lane::People, "b.example")), pin!(turns.close()));
    assert!(begins(&mut waits).await.is_none() && begins(&mut end).await.is_none());
    assert!(turns.take(Lane::People, "c.example").await.is_none());
    drop(reading);
    let reading = begins(&mut waits).await.unwrap();
    assert!(reading.is_some() && begins(&mut end).await.is_none());
    drop(reading);
    assert!(begins(&mut end).await.is_some());
}

#[tokio::test]
async fn every_fourth_permit_goes_to_the_background() {
    let turns = Turns::new(1);
    let mut held = turns.take(Lane::People, "a.example").await;
    let mut waiting = Vec::new();
    for (lane, letter) in
        std::iter::repeat_n((Lane::Background, 'b'), 4).chain(std::iter::repeat_n((Lane::People, 'p'), 7))
    {
        let turns = &turns;
        let mut one = Box::pin(async move { turns.take(lane, &format!("{letter}.example")).await });
        assert!(begins(&mut one.as_mut()).await.is_none());
        waiting.push((letter, one));
    }
    let mut order = String::new();
    while !waiting.is_empty() {
        drop(held.take());
        for at in 0..waiting.len() {
            if let Some(turn) = begins(&mut waiting[at].1.as_mut()).await {
                held = turn;
                order.push(waiting.remove(at).0);
                break;
            }
        }
    }
    assert_eq!(order, "pppbpppbpbb");
}
