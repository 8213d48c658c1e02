//! Six lines on standard output at the first start on an embedded database: addresses, data, first account,
//! and documentation. The log goes to standard error.

use std::io::Write;

use http_kit::config::Settings;
use kernel::blobs::Location;
use kernel::db::embedded_file;

use crate::installation::{absolute_text, database_text};

/// Returns the text if the embedded database does not exist yet. `None` if it exists, and on PostgreSQL.
pub(crate) fn of_first_start(settings: &Settings) -> Option<String> {
    let file = embedded_file(&settings.database_url)?;
    (!file.exists()).then(|| text(settings))
}

/// Prints the text. A closed standard output does not stop the service.
pub(crate) fn print(text: &str) {
    let mut out = std::io::stdout();
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}

fn text(settings: &Settings) -> String {
    let (reader, auth, listen) = (&settings.origins.reader, &settings.origins.auth, settings.listen);
    let files = match &settings.files {
        Location::Folder(folder) => absolute_text(folder),
        bucket @ Location::Bucket(_) => bucket.to_string(),
    };
    let file = database_text(&settings.database_url);
    format!(
        "Carrel answers at {reader}/ and listens at {listen} (CARREL_LISTEN).
Data: {file}; files: {files}.
First account: {auth}/sign-up, or `carrel account create you@example.org` in this folder.
Settings: `carrel init` writes them to carrel.env, `carrel check` verifies them.
Stop: Ctrl+C. Nothing that was acknowledged is lost.
Read: {reader}/docs/handbook, {reader}/docs, and `carrel --help`.
"
    )
}

#[cfg(test)]
mod tests {
    use http_kit::config::Variables;

    use super::*;

    #[test]
    fn text_has_six_lines_with_addresses_and_folders() {
        let folder = tempfile::tempdir().unwrap();
        let url = format!("sqlite://{}/carrel.db?mode=rwc", folder.path().display());
        let mut variables = Variables::of_pairs([("DATABASE_URL", url.as_str())]);
        let settings = Settings::read(&mut variables).unwrap();
        let text = of_first_start(&settings).unwrap();
        assert_eq!(text.lines().count(), 6, "{text}");
        for word in ["http://127.0.0.1:8080/sign-up", "carrel account create", "Ctrl+C", "carrel --help"] {
            assert!(text.contains(word), "{word}");
        }
        assert!(text.contains(&format!("{}/files", folder.path().display())));
        std::fs::write(folder.path().join("carrel.db"), "").unwrap();
        assert_eq!(of_first_start(&settings), None, "only before the database exists");
    }
}
