//! Job kinds of all crates. Each crate lists its own kinds.

mod mail;

use articles::worker_tools::Tools;
use identity::job_kinds::KINDS as IDENTITY_KINDS;
use jobs::{Handlers, Hooks, RegisteredKind};

pub use mail::Mail;

/// Job kinds by crate, except those of `identity`, which does not depend on [`Tools`].
const KINDS: [&[RegisteredKind<Tools>]; 8] = [
    articles::job_kinds::KINDS,
    feeds::job_kinds::KINDS,
    inbox::job_kinds::KINDS,
    library::job_kinds::KINDS,
    model::job_kinds::KINDS,
    monitors::job_kinds::KINDS,
    notices::job_kinds::KINDS,
    &[RegisteredKind::of::<Mail>()],
];

/// Returns the handlers of all kinds with the tools of their worker.
pub fn handlers(tools: &Tools) -> Handlers {
    let handlers = KINDS.into_iter().flatten().map(|registered| (registered.handler)(tools));
    let of_identity = IDENTITY_KINDS.iter().map(|registered| (registered.handler)(&tools.fetcher));
    handlers.chain(of_identity).fold(Handlers::new(), Handlers::with)
}

/// Returns the hooks of all kinds.
pub fn hooks() -> Hooks {
    let hooks = KINDS.into_iter().flatten().map(|registered| (registered.kind, (registered.hooks)()));
    let of_identity = IDENTITY_KINDS.iter().map(|registered| (registered.kind, (registered.hooks)()));
    hooks.chain(of_identity).fold(Hooks::default(), |all, (kind, hooks)| all.with(kind, hooks))
}

#[cfg(test)]
mod tests {
    use jobs::JobKind;

    use super::*;

    #[test]
    fn job_kinds_have_exactly_one_registration() {
        let kinds = KINDS.into_iter().flatten().map(|registered| registered.kind);
        let of_identity = IDENTITY_KINDS.iter().map(|registered| registered.kind);
        let mut kinds: Vec<JobKind> = kinds.chain(of_identity).collect();
        kinds.sort_unstable();
        assert_eq!(kinds, JobKind::ALL);
    }
}
