//! Catalogue of the texts of mails about an account.

use language::Catalogue;

/// Texts of mails.
pub(crate) static MAILS: Catalogue = language::catalogue!("mails.ftl");

#[cfg(test)]
mod tests {
    use std::path::Path;

    use language::testing::{faults_of_keys, faults_of_languages};

    use super::*;

    #[test]
    fn every_language_has_every_mail_text() {
        assert_eq!(faults_of_languages(&MAILS), Vec::<String>::new());
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
        assert_eq!(faults_of_keys(&MAILS, &folder, "Key(\""), Vec::<String>::new());
    }
}
