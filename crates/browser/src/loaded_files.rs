//! Files of a page: style sheets, pictures, and fonts that the browser loaded through the guarded proxy.

/// Maximum number of files of a page.
pub(crate) const MAX_FILES: usize = 400;
/// Maximum length of the URL of a file, in bytes.
pub(crate) const MAX_URL_BYTES: usize = 8 * 1024;
/// Maximum size of a file, in bytes. The browser does not store larger files.
pub(crate) const MAX_FILE_BYTES: usize = 8 << 20;
/// Maximum size of all files of a page, in bytes.
pub(crate) const MAX_TOTAL_BYTES: usize = 32 << 20;
/// Types of requests whose responses are files of the page.
pub(crate) const FILE_TYPES: [&str; 3] = ["Stylesheet", "Image", "Font"];

/// Document as displayed, with its files.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CapturedPage {
    /// URL against which relative URLs of the document are resolved.
    pub base_url: String,
    /// Document with its styles, shadow roots, and frames of the same origin, without scripts.
    pub html: String,
    pub files: Vec<PageFile>,
    /// True if a limit was reached.
    pub is_cut: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageFile {
    /// Absolute URL that the page requested, without a fragment.
    pub url: String,
    /// URL after redirects, against which relative URLs of the file are resolved.
    pub final_url: String,
    /// Media type as the browser determined it.
    pub media_type: String,
    /// Content. A style sheet is in UTF-8.
    pub bytes: Vec<u8>,
}

/// File that the browser stores.
#[derive(Debug)]
pub(crate) struct LoadedFile {
    /// Id of its request.
    pub(crate) request: String,
    /// URL that the page requested, without a fragment.
    pub(crate) url: String,
    /// URL after redirects.
    pub(crate) final_url: String,
    pub(crate) media_type: String,
}

/// Adds a file to those of its page. A file that was loaded again replaces the earlier file. Returns false if
/// there are too many files.
pub(crate) fn record(files: &mut Vec<LoadedFile>, file_type: &str, file: LoadedFile) -> bool {
    if !FILE_TYPES.contains(&file_type) || file.url.len() > MAX_URL_BYTES {
        return true;
    }
    if let Some(known) = files.iter_mut().find(|known| known.url == file.url) {
        *known = file;
        return true;
    }
    let is_within = files.len() < MAX_FILES;
    if is_within {
        files.push(file);
    }
    is_within
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reloaded_file_replaces_the_earlier_file_and_scripts_are_ignored() {
        let file = |request: &str, url: &str| LoadedFile {
            request: request.to_owned(),
            url: url.to_owned(),
            final_url: url.to_owned(),
            media_type: String::new(),
        };
        let mut files = Vec::new();
        assert!(record(&mut files, "Image", file("1", "https://a.example/p")));
        assert!(record(&mut files, "Image", file("2", "https://a.example/p")));
        assert!(record(&mut files, "Script", file("3", "https://a.example/s")));
        assert!(record(&mut files, "Font", file("4", &"x".repeat(MAX_URL_BYTES + 1))));
        assert_eq!(files.iter().map(|file| file.request.as_str()).collect::<Vec<_>>(), ["2"]);
        for number in 0..MAX_FILES - 1 {
            assert!(record(&mut files, "Font", file("5", &number.to_string())));
        }
        assert!(!record(&mut files, "Font", file("6", "https://a.example/f")));
    }
}
