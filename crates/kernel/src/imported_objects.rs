//! Result of the import of a list of objects, such as the monitors of an account export.

use crate::code::Code;
use crate::error::Result;

/// Result of the import of a list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ImportedObjects {
    /// Number of objects of the list that the account now has, including objects that it already had.
    pub imported: u64,
    pub failed: Vec<FailedObject>,
}

/// Object that was not imported.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FailedObject {
    /// Number of the object in the list, starting at 1.
    pub number: u64,
    pub name: String,
    pub code: Code,
}

impl ImportedObjects {
    /// Records the result of an object.
    ///
    /// # Errors
    /// Returns a transient error of the object, so that the import is repeated.
    pub fn record(&mut self, number: u64, name: impl Into<String>, result: Result<()>) -> Result<()> {
        match result {
            Ok(()) => self.imported += 1,
            Err(error) if error.is_transient() => return Err(error),
            Err(error) => self.fail(number, name, error.code),
        }
        Ok(())
    }

    /// Records an object that was not imported.
    pub fn fail(&mut self, number: u64, name: impl Into<String>, code: Code) {
        self.failed.push(FailedObject { number, name: name.into(), code });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Error;
    use crate::error::not_found;

    #[test]
    fn failures_are_recorded_and_transient_errors_returned() {
        let mut objects = ImportedObjects::default();
        objects.record(1, "one", Ok(())).unwrap();
        objects.record(2, "two", Err(not_found("feed"))).unwrap();
        let busy = Error::new(Code::ServiceUnavailable, "Try again.");
        assert_eq!(objects.record(3, "three", Err(busy)).unwrap_err().code, Code::ServiceUnavailable);
        let failed = FailedObject { number: 2, name: "two".to_owned(), code: Code::NotFound };
        assert_eq!(objects, ImportedObjects { imported: 1, failed: vec![failed] });
    }
}
