//! Bulk changes of subscriptions, entries, and collections. A dry run returns a token, and the token commits
//! exactly the objects that the dry run selected. Results are recorded, so a repeated commit returns the same
//! result and changes nothing.

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
