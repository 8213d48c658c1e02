//! Bulk changes to what an account follows. A dry run returns a token, and the token commits exactly what the
//! dry run selected. Results are recorded, so a repeated commit returns the same answer and changes nothing.

mod apply;
mod commits;
mod deferred;
mod mutation;
mod outcome;
mod plan;
mod run;

pub use commits::delete_old_commits;
pub use deferred::{DeferredFollows, PendingCommit, give_up_following};
pub use mutation::{Mutation, MutationOp, MutationSelection, MutationSet};
pub use outcome::{MutationOutcome, MutationResult};
pub use plan::Sample;
pub use run::{MutationPreview, commit, commit_directly, dry_run};
