//! Texts of messages, in the language of the account.

use language::Catalogue;

/// Texts of messages.
pub(crate) static NOTICES: Catalogue = language::catalogue!("notices.ftl");

#[cfg(test)]
mod tests {
    use std::path::Path;

    use language::testing::{faults_of_keys, faults_of_languages};

    use super::*;

    #[test]
    fn every_language_has_every_text_of_messages() {
        assert_eq!(faults_of_languages(&NOTICES), Vec::<String>::new());
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
        assert_eq!(faults_of_keys(&NOTICES, &folder, "Key(\""), Vec::<String>::new());
    }
}
