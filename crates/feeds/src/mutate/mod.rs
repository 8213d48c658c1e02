//! Many changes of what an account follows at once: tried first, then committed by a token that binds what was found.
//! What was committed is recorded, so that a commit that is repeated is answered alike and changes nothing.

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
