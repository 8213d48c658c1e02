//! Exports as rows, on both databases. What is in them is tested from outside.

use super::*;
use crate::clock::{DAY, HOUR};
use crate::code::Code;
use crate::db::Backend;
use crate::jobs;
use crate::library::{ExportFormat, TransferState};
use crate::limits::Tier;
use crate::testing::{TestDatabase, on_both, person};

async fn one_export_at_a_time_four_a_day(backend: Backend) {
    let database = TestDatabase::create(backend).await;
    let domain = &database.domain;
    let who = person(domain, Tier::Free).await;
    for number in 1..=4 {
        let (export, job) = create_export(domain, who, ExportFormat::Csv).await.unwrap();
        assert_eq!(export.state, TransferState::Queued, "{number}");
        let (same, none) = create_export(domain, who, ExportFormat::Netscape).await.unwrap();
        assert_eq!((same.id, none), (export.id, None));
        assert_eq!(open_export(domain, who, export.id, 1).await.unwrap_err().code, Code::NotReady);
        let claimed = jobs::claim(domain, job.unwrap().id, "worker", 30_000).await.unwrap().unwrap();
        Box::pin(run_export(domain, &claimed)).await.unwrap();
        let done = get_export(domain, who, export.id).await.unwrap();
        assert_eq!(
            (done.state, done.parts.len(), done.expires_at),
            (TransferState::Complete, 1, domain.now() + DAY)
        );
        assert_eq!(open_export(domain, who, export.id, 2).await.unwrap_err().code, Code::NotFound);
        database.clock.advance(HOUR);
    }
    let refused = create_export(domain, who, ExportFormat::Csv).await.unwrap_err();
    assert_eq!((refused.code, refused.retry_after), (Code::DailyLimitReached, Some(8 * 3600 + 1)));
    let other = person(domain, Tier::Free).await;
    database.clock.advance(8 * HOUR);
    let (export, job) = create_export(domain, who, ExportFormat::Csv).await.unwrap();
    assert_eq!(get_export(domain, other, export.id).await.unwrap_err().code, Code::NotFound);
    // One that is deleted while it waits is let go.
    delete_export(domain, who, export.id).await.unwrap();
    let claimed = jobs::claim(domain, job.unwrap().id, "worker", 30_000).await.unwrap().unwrap();
    Box::pin(run_export(domain, &claimed)).await.unwrap();
    database.clock.advance(2 * DAY);
    assert_eq!(delete_old_exports(domain).await.unwrap(), 4);
    assert_eq!(crate::library::files::delete_released(domain).await.unwrap(), 4);
}

on_both! {
    one_export_at_a_time_four_a_day: exports_sqlite, exports_postgres;
}
