//! Sites take turns, and no turn is lost.

use std::{future::Future, pin::pin, task::Poll};

use super::*;

/// Polls once: whoever cannot go on waits in the queue from now on.
async fn begins<F: Future>(waiting: &mut std::pin::Pin<&mut F>) -> Option<F::Output> {
    std::future::poll_fn(|context| match waiting.as_mut().poll(context) {
        Poll::Ready(done) => Poll::Ready(Some(done)),
        Poll::Pending => Poll::Ready(None),
    })
    .await
}

#[tokio::test]
async fn many_pages_of_one_site_keep_another_site_waiting_for_one_of_them() {
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
async fn one_site_has_all_turns_while_nobody_else_asks() {
    let turns = Turns::new(2);
    let first = turns.take(Lane::People, "a.example").await.unwrap();
    let _second = turns.take(Lane::People, "a.example").await.unwrap();
    let mut third = pin!(turns.take(Lane::People, "a.example"));
    assert!(begins(&mut third).await.is_none());
    drop(first);
    assert!(begins(&mut third).await.unwrap().is_some());
}

#[tokio::test]
async fn a_turn_of_somebody_who_left_goes_to_the_next() {
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
        // It was given a turn and left before it looked.
        let mut leaves = pin!(turns.take(Lane::People, "a.example"));
        assert!(begins(&mut leaves).await.is_none());
        drop(reading);
    }
    assert!(turns.take(Lane::People, "a.example").await.is_some());
}

#[tokio::test]
async fn after_the_end_nobody_gets_a_turn_and_whoever_waited_had_one() {
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
async fn people_go_before_the_background_and_every_fourth_turn_is_the_backgrounds() {
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
