//! Bulk changes to what an account follows. A dry run returns a token, and the token commits exactly what the
//! dry run selected. Results are recorded, so a repeated commit returns the same answer and changes nothing.

mod apply;
mod commits;
mod later;
mod mutation;
mod outcome;
mod plan;
mod run;

pub use commits::delete_old_commits;
pub use later::{Following, PendingCommit, give_up_following};
pub use mutation::{Meant, Mutation, MutationSet, Op};
pub use outcome::{MutationResult, Outcome};
pub use plan::Sample;
pub use run::{Preview, commit, commit_at_once, try_out};
