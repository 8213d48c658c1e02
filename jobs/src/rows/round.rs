//! Executes all submits and completions of the same moment as one PostgreSQL statement with one commit.

use std::collections::{HashMap, HashSet};

use entities::ids::JobId;
use futures_util::future::BoxFuture;
use sea_orm::sqlx;
use sea_orm::sqlx::postgres::PgArguments;
use sea_orm::sqlx::query::Query;
use uuid::Uuid;

use super::batches::{Done, End, Ended, Member, NewRow, Written};
use super::carriers::{Row, begin_all, end_all, in_order, make_ready, submit_all};
use super::embedded;
use super::insert::{Inserted, bind_rows, new_row, new_rows, read_inserted};
use super::simulated;
use super::sql::{Claim, Outcome, complete_row, held_postgres, postgres_now, query_results};
use kernel::batcher::Answer;
use kernel::clock::Millis;
use kernel::db::{self, Connections, Durable};
use kernel::handle::Domain;

/// Marker in the `state` column of a returned row that reports a completion.
const ENDED: &str = "ended";

pub(super) const ROUND: &str = concat!(
    new_rows!(),
    ", written AS (",
    new_row!(),
    "), gone AS (",
    "DELETE FROM job ",
    held_postgres!("USING", "$13", "$14", "$15"),
    " RETURNING job.id, job.fence",
    "), kept AS (",
    complete_row!("$19"),
    held_postgres!("FROM", "$16", "$17", "$18"),
    " RETURNING job.id, job.fence) SELECT id, state, run_at FROM written \
     UNION ALL SELECT id, 'ended', fence FROM gone UNION ALL SELECT id, 'ended', fence FROM kept"
);

/// The parts of a batch.
#[derive(Default)]
struct Round {
    rows: Vec<NewRow>,
    goes: Vec<End>,
    stays: Vec<End>,
}

/// Results of the submits, deletions, and completions, each in input order.
type Parts = (Vec<Written>, Vec<Ended>, Vec<Ended>);

#[derive(Clone, Copy)]
enum Part {
    Submit,
    Goes,
    Stays,
}

/// Adds a member to the next batch. The member counts as queued when this returns.
pub(super) fn join(domain: &Domain, member: Member) -> Answer<Done> {
    match domain.db().durable() {
        Durable::Postgres(_) => super::batches::of(domain).rounds.join(domain, member, carry),
        Durable::Embedded(writer) => embedded::join(domain, writer, member),
    }
}

fn carry(domain: Domain, members: Vec<Member>) -> BoxFuture<'static, Vec<Done>> {
    Box::pin(async move {
        let mut round = Round::default();
        let order: Vec<Part> = members.into_iter().map(|member| round.take(member)).collect();
        // Only PostgreSQL batches are executed here.
        let Durable::Postgres(connections) = domain.db().durable() else { return Vec::new() };
        let (written, gone, kept) = round.carry(&domain, connections).await;
        let (mut written, mut gone, mut kept) = (written.into_iter(), gone.into_iter(), kept.into_iter());
        let done = |part| match part {
            Part::Submit => Done::Submitted(written.next().unwrap_or(Written::Not)),
            Part::Goes => Done::Ended(gone.next().unwrap_or(Ended::Not)),
            Part::Stays => Done::Ended(kept.next().unwrap_or(Ended::Not)),
        };
        order.into_iter().map(done).collect()
    })
}

impl Round {
    fn take(&mut self, member: Member) -> Part {
        match member {
            Member::Submit(row) => {
                self.rows.push(row);
                Part::Submit
            }
            Member::Goes(end) => {
                self.goes.push(end);
                Part::Goes
            }
            Member::Stays(end) => {
                self.stays.push(end);
                Part::Stays
            }
        }
    }

    async fn carry(mut self, domain: &Domain, connections: &Connections) -> Parts {
        let order: Vec<JobId> = self.rows.iter().map(|row| row.id).collect();
        make_ready(domain, &mut self.rows).await;
        let parts = [self.rows.is_empty(), self.goes.is_empty(), self.stays.is_empty()];
        if parts.iter().filter(|is_empty| !**is_empty).count() < 2 {
            return self.carry_parts((domain, connections), &order, false).await;
        }
        match self.write(domain, connections).await {
            Ok((inserted, ended)) => {
                let written = begin_all(&mut self.rows, &inserted);
                let said = |ends: &[End]| {
                    ends.iter()
                        .map(|end| {
                            let is_written = ended.contains(&(end.id, end.fence));
                            if is_written { Ended::Written } else { Ended::LeaseLost }
                        })
                        .collect()
                };
                (in_order(&order, written), said(&self.goes), said(&self.stays))
            }
            // Each completion is retried by its own caller, which then reports whether the database is back.
            Err(error) if db::is_away(&error) => {
                let (gone, kept) = (vec![Ended::Not; self.goes.len()], vec![Ended::Not; self.stays.len()]);
                let written = self.submit((domain, connections), &order, true).await;
                (written, gone, kept)
            }
            Err(error) => {
                tracing::debug!(%error, "batch of jobs failed, executing it in parts");
                self.carry_parts((domain, connections), &order, true).await
            }
        }
    }

    /// Executes the batch as one statement per part. Completions go first: their rows are not locked by
    /// others, while a submit may wait for another transaction.
    async fn carry_parts(
        mut self,
        (domain, connections): (&Domain, &Connections),
        order: &[JobId],
        is_repeated: bool,
    ) -> Parts {
        let (goes, stays) = (std::mem::take(&mut self.goes), std::mem::take(&mut self.stays));
        let gone = end_all(connections, &goes, Row::Goes).await;
        let kept = end_all(connections, &stays, Row::Stays).await;
        (self.submit((domain, connections), order, is_repeated).await, gone, kept)
    }

    async fn submit(
        self,
        (domain, connections): (&Domain, &Connections),
        order: &[JobId],
        is_repeated: bool,
    ) -> Vec<Written> {
        let ids: Vec<JobId> = self.rows.iter().map(|row| row.id).collect();
        let written = submit_all((domain, connections), self.rows, is_repeated).await;
        in_order(order, ids.into_iter().zip(written).collect())
    }

    async fn write(
        &self,
        domain: &Domain,
        connections: &Connections,
    ) -> Outcome<(HashMap<JobId, Inserted>, HashSet<Claim>)> {
        let (due, finished_at) = (simulated(domain), self.stays.iter().map(|end| end.finished_at).max());
        let query = bind_rows(sqlx::query(ROUND), &self.rows, due);
        let query = bind_ends(bind_ends(query, &self.goes), &self.stays).bind(finished_at);
        let said = query_results(connections.fetch(query).await)?;
        let (mut inserted, mut ended) = (HashMap::new(), HashSet::new());
        for row in &said {
            if row.try_get_by_index::<String>(1)? == ENDED {
                ended.insert((row.try_get_by_index(0)?, row.try_get_by_index::<Millis>(2)?));
            } else {
                inserted.extend([read_inserted(row)?]);
            }
        }
        Ok((inserted, ended))
    }
}

fn bind_ends<'q>(
    query: Query<'q, sqlx::Postgres, PgArguments>,
    ends: &'q [End],
) -> Query<'q, sqlx::Postgres, PgArguments> {
    query
        .bind(ends.iter().map(|end| end.id.as_uuid()).collect::<Vec<Uuid>>())
        .bind(ends.iter().map(|end| end.fence).collect::<Vec<i64>>())
        .bind(ends.iter().map(|end| end.worker.as_str()).collect::<Vec<&str>>())
}
