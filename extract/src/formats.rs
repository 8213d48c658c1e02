//! Files that are archives or XML: books, word processors' documents, feeds read as a page.

mod archive;
pub(crate) mod epub;
pub(crate) mod feed_page;
pub(crate) mod office;
pub(crate) mod xml;

/// What a zip archive holds, told by its entries.
pub(crate) enum Archive {
    Epub,
    Docx,
    Odt,
    Other,
}

/// Looks into an archive.
pub(crate) fn archive_kind(bytes: &[u8]) -> Archive {
    let Some(mut files) = archive::Files::open(bytes) else { return Archive::Other };
    if files.has("META-INF/container.xml") {
        Archive::Epub
    } else if files.has("word/document.xml") {
        Archive::Docx
    } else if files.text("mimetype").is_some_and(|mime| mime.contains("opendocument.text")) {
        Archive::Odt
    } else {
        Archive::Other
    }
}

#[cfg(test)]
mod tests;
