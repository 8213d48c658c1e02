//! Writes documents as EPUB 3 books: a cover, a chapter for each heading of the highest level that occurs
//! twice, and both kinds of table of contents that readers support. Nothing is loaded from the network; URLs
//! stay links.

mod book;
mod chapters;
mod package;
mod xhtml;

use std::io::{Cursor, Write};

use zip::result::ZipResult;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

pub use book::Book;

/// Writes a book and returns the bytes of its file.
///
/// # Errors
/// The book exceeds the limits of the file format.
pub fn write(book: &Book<'_>) -> ZipResult<Vec<u8>> {
    let chapters = chapters::from_book(book);
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    // Readers recognise a book by its first file, which names the format and must not be compressed.
    let stored = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
    zip.start_file("mimetype", stored)?;
    zip.write_all(b"application/epub+zip")?;
    let mut put = |name: &str, text: &str| -> ZipResult<()> {
        let packed = SimpleFileOptions::default().compression_method(CompressionMethod::Deflated);
        zip.start_file(name, packed)?;
        Ok(zip.write_all(text.as_bytes())?)
    };
    put("META-INF/container.xml", package::CONTAINER)?;
    put("OEBPS/content.opf", &package::opf(book, &chapters))?;
    put("OEBPS/nav.xhtml", &package::nav(book, &chapters))?;
    put("OEBPS/toc.ncx", &package::ncx(book, &chapters))?;
    put("OEBPS/style.css", package::STYLE)?;
    put("OEBPS/cover.svg", &package::cover_picture(book))?;
    put("OEBPS/cover.xhtml", &package::cover(book))?;
    for chapter in &chapters {
        put(&format!("OEBPS/{}", chapter.file), &package::chapter(book, chapter))?;
    }
    Ok(zip.finish()?.into_inner())
}

#[cfg(test)]
mod tests;
