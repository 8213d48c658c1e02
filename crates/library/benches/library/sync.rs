//! Benchmark of clients that synchronise while eight writers change a library. Checks that no change is
//! missed, delivered twice, or inserted before a client's mark.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Instant;

use articles::Payer;
use entities::ids::ObjectId;
use jobs::Progress;
use kernel::tiers::Tier;
use kernel::{AccountId, Domain, ItemId};
use library::sync::{self, SyncMark, TextInclusion};
use library::{
    ItemChanges, ItemDeletion, NewNote, NoteUpdate, ObjectKind, ReadProgress as Read, Save, change_all,
    create_note, delete, delete_note, save, update_note,
};

use crate::environment::Environment;
use crate::measure::load;
use crate::words::Random;

const WRITERS: u64 = 8;
/// Number of items per bulk change.
const BATCH_SIZE: usize = 25;

pub(crate) async fn run(environment: &Environment, target: u32) {
    let who = kernel::testing::person(&environment.domain, Tier::Pro).await;
    let written = Arc::new(AtomicU32::new(0));
    let begun = Instant::now();
    let writers: Vec<_> = (0..WRITERS)
        .map(|number| {
            tokio::spawn(write(LibraryWriter::of(environment, who, number), Arc::clone(&written), target))
        })
        .collect();
    let clients: Vec<_> = [(500, 0), (37, 0), (200, target / 2), (500, target - target / 10)]
        .map(|(limit, from)| {
            tokio::spawn(follow(environment.domain.clone(), who, limit, (Arc::clone(&written), from, target)))
        })
        .into();
    for writer in writers {
        writer.await.unwrap();
    }
    let took = begun.elapsed().as_secs_f64();
    let changes = written.load(Ordering::Relaxed);
    let mut fresh = SyncClient::default();
    while fresh.page(&environment.domain, who, 500).await {}
    for client in clients {
        let mut client = client.await.unwrap();
        while client.page(&environment.domain, who, 500).await {}
        client.alive.retain(|_, sequence| *sequence > 0);
        assert_eq!(client.alive, fresh.alive, "the client's state equals the server's");
        println!(
            "| a client ({:?}) | {} pages | {} states seen, each once | {} objects at the end, as a new client sees them |",
            environment.backend,
            client.pages,
            client.seen.len(),
            client.alive.len()
        );
    }
    println!(
        "| {WRITERS} writers ({:?}) | {changes} changes in {took:.0} s, {:.0}/s | load {} |",
        environment.backend,
        f64::from(changes) / took,
        load()
    );
}

struct LibraryWriter {
    domain: Domain,
    sandbox: extract::sandbox::Pool,
    who: AccountId,
    random: Random,
}

impl LibraryWriter {
    fn of(environment: &Environment, who: AccountId, number: u64) -> Self {
        let (domain, sandbox) = (environment.domain.clone(), environment.sandbox.clone());
        Self { domain, sandbox, who, random: Random::new(number) }
    }

    async fn item(&self) -> ItemId {
        let payer = Payer { account_id: self.who, tier: Tier::Pro };
        let new = Save { file_name: Some("a.bin".into()), ..Save::default() };
        match save(&self.domain, &self.sandbox, payer, new).await.unwrap() {
            Progress::Done(saved) => saved.item.id,
            Progress::Waiting { .. } => panic!("saving a pending file must not wait"),
        }
    }
}

/// Writes until the writers have made `target` changes in total.
async fn write(mut writer: LibraryWriter, written: Arc<AtomicU32>, target: u32) {
    let (domain, who) = (writer.domain.clone(), writer.who);
    let mut items = Vec::new();
    let mut notes = Vec::new();
    while written.load(Ordering::Relaxed) < target {
        let done = match writer.random.below(10) {
            0..4 if items.len() >= BATCH_SIZE => {
                let from = writer.random.below(items.len() - BATCH_SIZE + 1);
                let percent = i16::try_from(writer.random.below(99) + 1).unwrap();
                let changes =
                    ItemChanges { read_progress: Some(Read::At(percent)), ..ItemChanges::default() };
                let changed =
                    change_all(&domain, who, &items[from..from + BATCH_SIZE], &changes).await.unwrap();
                changed.items.len()
            }
            4..6 if !notes.is_empty() => {
                let note = notes[writer.random.below(notes.len())];
                let text = Some(format!("Number {}", writer.random.next()));
                update_note(&domain, who, note, NoteUpdate { text, ..NoteUpdate::default() }).await.unwrap();
                1
            }
            6 if notes.len() > 20 => {
                let note = notes.swap_remove(writer.random.below(notes.len()));
                delete_note(&domain, who, note, None).await.unwrap();
                1
            }
            7 if items.len() > 2 * BATCH_SIZE => {
                let item = items.swap_remove(writer.random.below(items.len()));
                delete(&domain, who, item, ItemDeletion::default()).await.unwrap();
                1
            }
            8 => {
                let text = format!("Number {}", writer.random.next());
                let new = NewNote { title: None, text, item_id: None, tags: Vec::new(), external_id: None };
                notes.push(create_note(&domain, who, new).await.unwrap().0.row.id);
                1
            }
            _ => {
                items.push(writer.item().await);
                1
            }
        };
        written.fetch_add(u32::try_from(done).unwrap(), Ordering::Relaxed);
    }
}

/// State of one synchronising client.
#[derive(Default)]
struct SyncClient {
    mark: Option<SyncMark>,
    /// Sequence number of the last change to each object. 0 if the object was deleted.
    alive: HashMap<ObjectId, i64>,
    seen: HashSet<(ObjectId, i64)>,
    pages: u32,
}

impl SyncClient {
    /// Fetches the next page. Returns false if no further changes exist at the moment.
    async fn page(&mut self, domain: &Domain, who: AccountId, limit: u32) -> bool {
        let page = sync::changes(domain, who, ObjectKind::ALL, self.mark, limit, TextInclusion::Omitted)
            .await
            .unwrap();
        let mut behind = self.mark.map_or(0, |mark| mark.sequence);
        for change in &page.changes {
            assert!(change.sequence > behind, "changes arrive in order");
            behind = change.sequence;
            assert!(self.seen.insert((change.id, change.sequence)), "no state is delivered twice");
            // An object that was deleted in the meantime is delivered as deleted.
            let sequence = if change.object.is_some() { change.sequence } else { 0 };
            self.alive.insert(change.id, sequence);
        }
        assert!(page.mark.sequence >= behind);
        self.mark = Some(page.mark);
        self.pages += 1;
        page.has_more
    }
}

/// Starts to follow after `from` changes and stops after `target` changes.
async fn follow(
    domain: Domain,
    who: AccountId,
    limit: u32,
    (written, from, target): (Arc<AtomicU32>, u32, u32),
) -> SyncClient {
    let mut client = SyncClient::default();
    loop {
        let now = written.load(Ordering::Relaxed);
        if now >= target {
            return client;
        }
        if now >= from && client.page(&domain, who, limit).await {
            continue;
        }
        tokio::time::sleep(std::time::Duration::from_millis(5)).await;
    }
}
