//! Uploads a large file piece by piece, as it arrives from a connection.

use std::time::Instant;

use articles::Payer;
use jobs::Progress;
use kernel::tiers::Tier;
use library::files::{ExistingFile, NewFile, begin_file};
use library::{Save, save};

use crate::environment::Environment;
use crate::measure::{load, memory, mib, reset_peak};
use crate::words::Random;

const PIECE: usize = 64 * 1024;

pub(crate) async fn run(environment: &Environment, megabytes: u32) {
    let domain = &environment.domain;
    let who = kernel::testing::person(domain, Tier::Pro).await;
    let payer = Payer { account_id: who, tier: Tier::Pro };
    let mut random = Random::new(3);
    let mut piece = vec![0_u8; PIECE];
    for iteration in 0..4 {
        let new = Save { file_name: Some(format!("film{iteration}.bin")), ..Save::default() };
        let Progress::Done(saved) = save(domain, &environment.sandbox, payer, new).await.unwrap() else {
            panic!("saving a pending file must not wait")
        };
        let length = u64::from(megabytes) << 20;
        reset_peak();
        let (before, _) = memory();
        let begun = Instant::now();
        let file = NewFile {
            item_id: saved.item.id,
            declared: None,
            name: None,
            length,
            digest: None,
            existing: ExistingFile::Replace,
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
            "| upload {iteration} of {megabytes} MiB ({:?}) | {took:.2} s | memory {:.1} MiB before, {:.1} MiB at most, grown by {:.1} MiB | load {} |",
            environment.backend,
            mib(before),
            mib(peak),
            mib(peak.saturating_sub(before)),
            load()
        );
    }
}
