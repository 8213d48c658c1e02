//! Uploads a large file piece by piece, as a connection delivers it.

use std::time::Instant;

use articles::Payer;
use jobs::Progress;
use kernel::tiers::Tier;
use library::files::{NewFile, Present, begin_file};
use library::{Save, save};

use crate::measure::{forget_peak, load, memory, mib};
use crate::place::Place;
use crate::words::Random;

const PIECE: usize = 64 * 1024;

pub(crate) async fn run(place: &Place, megabytes: u32) {
    let domain = &place.domain;
    let who = kernel::testing::person(domain, Tier::Pro).await;
    let payer = Payer { account_id: who, tier: Tier::Pro };
    let mut random = Random::new(3);
    let mut piece = vec![0_u8; PIECE];
    for turn in 0..4 {
        let new = Save { file_name: Some(format!("film{turn}.bin")), ..Save::default() };
        let Progress::Done(saved) = save(domain, &place.sandbox, payer, new).await.unwrap() else {
            panic!("saving a pending file must not wait")
        };
        let length = u64::from(megabytes) << 20;
        forget_peak();
        let (before, _) = memory();
        let begun = Instant::now();
        let file = NewFile {
            item_id: saved.item.id,
            declared: None,
            name: None,
            length,
            digest: None,
            present: Present::Replaced,
        };
        let mut upload = begin_file(domain, who, file).await.unwrap();
        for _ in 0..length / PIECE as u64 {
            for bytes in piece.chunks_exact_mut(8) {
                bytes.copy_from_slice(&random.next().to_le_bytes());
            }
            upload.push(&piece).await.unwrap();
        }
        let put = upload.finish().await.unwrap();
        let took = begun.elapsed().as_secs_f64();
        let (_, peak) = memory();
        assert_eq!(put.item.asset_size, Some(i64::try_from(length).unwrap()));
        println!(
            "| upload {turn} of {megabytes} MiB ({:?}) | {took:.2} s | memory {:.1} MiB before, {:.1} MiB at most, grown by {:.1} MiB | load {} |",
            place.backend,
            mib(before),
            mib(peak),
            mib(peak.saturating_sub(before)),
            load()
        );
    }
}
