//! Counts the round trips to PostgreSQL per request. A proxy counts the messages after which the service
//! waits for a response.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use kernel::Backend;
use library::{
    ItemChanges, ItemStatus, ItemUpdate, NewNote, ReadProgress as Read, change_all, create_note, list, update,
};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpListener, TcpStream};
use url::Url;

use crate::environment::{Environment, open_domain};
use crate::fill::Library;
use crate::pages::MeasuredQuery;

/// Version number of the PostgreSQL protocol in the client's start-up message.
const PROTOCOL_VERSION: u32 = 196_608;

/// Prints the number of round trips of each request, including the round trips for acquiring a connection.
pub(crate) async fn run(environment: &Environment, library: &Library, asks: Vec<(String, MeasuredQuery)>) {
    if environment.backend != Backend::Postgres {
        return;
    }
    let mut url = Url::parse(&environment.url).unwrap();
    let server = format!("{}:{}", url.host_str().unwrap(), url.port().unwrap());
    let counted = Arc::new(AtomicU64::new(0));
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    url.set_port(Some(listener.local_addr().unwrap().port())).unwrap();
    tokio::spawn(forward(listener, server, Arc::clone(&counted)));
    let domain = open_domain(url.as_str()).await;
    println!("| request | round trips |\n|---|---|");
    for (name, ask) in asks {
        let mut trips = 0;
        // The first iterations prepare the statements.
        for _ in 0..8 {
            let before = counted.load(Ordering::Relaxed);
            ask.run(&domain, library).await;
            trips = counted.load(Ordering::Relaxed) - before;
        }
        println!("| {name} | {trips} |");
    }
    let who = library.account_id;
    let items = list(&domain, who, &library::ItemFilter::default(), None, 100).await.unwrap().items;
    let ids: Vec<_> = items.iter().map(|item| item.id).collect();
    let mut trips = [0; 4];
    for iteration in 0..8_i16 {
        let changes = ItemChanges { read_progress: Some(Read::At(iteration + 1)), ..ItemChanges::default() };
        let note = NewNote {
            title: None,
            text: "A note.".into(),
            item_id: None,
            tags: Vec::new(),
            external_id: None,
        };
        let title = Some(format!("Title {iteration}"));
        let before = counted.load(Ordering::Relaxed);
        update(&domain, who, ids[0], ItemUpdate { title, ..ItemUpdate::default() }).await.unwrap();
        trips[0] = counted.load(Ordering::Relaxed) - before;
        change_all(&domain, who, &ids[..1], &changes).await.unwrap();
        trips[1] = counted.load(Ordering::Relaxed) - before - trips[0];
        let status = if iteration % 2 == 0 { ItemStatus::Archive } else { ItemStatus::Inbox };
        let changes = ItemChanges { status: Some(status), ..changes };
        change_all(&domain, who, &ids, &changes).await.unwrap();
        trips[2] = counted.load(Ordering::Relaxed) - before - trips[0] - trips[1];
        create_note(&domain, who, note).await.unwrap();
        trips[3] = counted.load(Ordering::Relaxed) - before - trips[0] - trips[1] - trips[2];
    }
    for (name, trips) in ["change of a title", "change of one", "change of 100", "a note"].iter().zip(trips) {
        println!("| {name} | {trips} |");
    }
    domain.db().clone().close().await;
}

async fn forward(listener: TcpListener, server: String, counted: Arc<AtomicU64>) {
    while let Ok((client, _)) = listener.accept().await {
        let server = TcpStream::connect(&server).await.unwrap();
        client.set_nodelay(true).unwrap();
        server.set_nodelay(true).unwrap();
        let ((from, mut back), (mut answers, to)) = (client.into_split(), server.into_split());
        tokio::spawn(count(from, to, Arc::clone(&counted)));
        tokio::spawn(async move { tokio::io::copy(&mut answers, &mut back).await });
    }
}

async fn count(mut from: OwnedReadHalf, mut to: OwnedWriteHalf, counted: Arc<AtomicU64>) {
    let (mut pending, mut piece, mut has_begun) = (Vec::new(), vec![0; 64 * 1024], false);
    while let Ok(length @ 1..) = from.read(&mut piece).await {
        pending.extend_from_slice(&piece[..length]);
        let mut at = 0;
        loop {
            let head = usize::from(has_begun);
            let rest = &pending[at..];
            if rest.len() < 8.min(head + 4) {
                break;
            }
            let number = |from: usize| u32::from_be_bytes(rest[from..from + 4].try_into().unwrap());
            let size = head + number(head) as usize;
            if rest.len() < size {
                break;
            }
            if has_begun {
                counted.fetch_add(u64::from(matches!(rest[0], b'S' | b'Q')), Ordering::Relaxed);
            } else {
                has_begun = number(4) == PROTOCOL_VERSION;
            }
            at += size;
        }
        pending.drain(..at);
        if to.write_all(&piece[..length]).await.is_err() {
            break;
        }
    }
}
