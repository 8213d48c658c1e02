//! Writes documents as EPUB 3 books: a cover, chapters, and the tables of contents of EPUB 2 and EPUB 3. A
//! chapter begins at each heading of the highest level that occurs at least twice. Nothing is loaded from the
//! network; the URLs of images remain links.

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
/// Returns an error if the book exceeds the limits of the file format.
pub fn write(book: &Book<'_>) -> ZipResult<Vec<u8>> {
    let chapters = chapters::from_book(book);
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    // Reading systems recognise a book by its first file, which contains the media type and must not be
    // compressed.
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
