//! Documents as EPUB 3 books: a cover, a chapter for each heading of the highest level, and both tables of contents that
//! readers know. Nothing is loaded from anywhere; addresses stay links.

mod book;
mod chapters;
mod package;
mod xhtml;

use std::io::{Cursor, Write};

use zip::result::ZipResult;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

pub use book::Book;

/// The book as the bytes of its file.
///
/// # Errors
/// When it is larger than such a file can be.
pub fn write(book: &Book<'_>) -> ZipResult<Vec<u8>> {
    let chapters = chapters::of(book);
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    // The first file names the format, as it stands: that is how a book is known.
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
