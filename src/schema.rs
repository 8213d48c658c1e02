//! Compatibility of this version with the schema of the database: it runs on its own schema and, for a
//! limited time, on the schema of a newer version, so that an upgrade can be reverted.

use anyhow::bail;
use kernel::clock::{self, Millis};
use migrations::NewerSteps;
use sea_orm::{DatabaseConnection, DbErr};

/// Time after an upgrade for which the version before it may be started.
const WINDOW: Millis = clock::DAY;

/// Schema of a database, compared with this version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Schema {
    /// Number of steps that are missing.
    pub pending: usize,
    /// Steps of a newer version.
    pub newer: Option<NewerSteps>,
}

impl Schema {
    /// Reads the schema. Changes nothing.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub async fn read(connection: &DatabaseConnection) -> Result<Self, DbErr> {
        let pending = migrations::pending(connection).await?;
        Ok(Self { pending, newer: migrations::newer_steps(connection).await? })
    }

    /// Returns true if no step was applied, so that the database contains no installation.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.newer.is_none() && self.pending == migrations::step_count()
    }

    /// Describes the newer schema. `None` if the schema is not newer.
    #[must_use]
    pub fn newer_text(&self) -> Option<String> {
        let newer = self.newer.as_ref()?;
        let steps = newer.names.len();
        let first = newer.names.first().map_or("", String::as_str);
        let more = if steps > 1 { format!(" and {} more", steps - 1) } else { String::new() };
        Some(format!(
            "a newer version has upgraded the database at {} ({first}{more}); this version can be started on it until {}",
            kernel::rfc3339(newer.since),
            kernel::rfc3339(newer.since.saturating_add(WINDOW))
        ))
    }

    /// Fails if this version must not run on a newer schema at the time `now`.
    ///
    /// # Errors
    /// If the time for the version before the upgrade has passed, or steps of this version are also missing.
    pub fn require_window(&self, now: Millis) -> anyhow::Result<()> {
        let (Some(newer), Some(text)) = (&self.newer, self.newer_text()) else { return Ok(()) };
        if self.pending > 0 {
            bail!("{text}, but it lacks steps of this version ({}): start the newer version", self.pending);
        }
        if now > newer.since.saturating_add(WINDOW) {
            bail!("{text}, which has passed: start the newer version");
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn upgraded_at(since: Millis, pending: usize) -> Schema {
        let names = vec!["m20990101_000001_one".to_owned(), "m20990101_000002_other".to_owned()];
        Schema { pending, newer: Some(NewerSteps { names, since }) }
    }

    #[test]
    fn newer_schema_is_accepted_for_a_day() {
        let since = 1_795_176_000_000;
        let schema = upgraded_at(since, 0);
        assert!(schema.require_window(since + WINDOW).is_ok());
        let refused = schema.require_window(since + WINDOW + 1).unwrap_err().to_string();
        assert!(refused.contains("m20990101_000001_one and 1 more"), "{refused}");
        assert!(
            refused.contains("2026-11-20T12:00:00.000Z") && refused.contains("start the newer"),
            "{refused}"
        );
    }

    #[test]
    fn newer_schema_with_missing_steps_is_refused() {
        assert!(upgraded_at(0, 1).require_window(1).is_err());
        assert!(Schema { pending: 1, newer: None }.require_window(1).is_ok());
        assert_eq!(Schema { pending: 1, newer: None }.newer_text(), None);
    }

    #[test]
    fn schema_without_any_step_is_empty() {
        let steps = migrations::step_count();
        assert!(Schema { pending: steps, newer: None }.is_empty());
        assert!(!Schema { pending: steps - 1, newer: None }.is_empty());
        assert!(!upgraded_at(0, steps).is_empty());
    }
}
