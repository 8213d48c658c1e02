//! Files of a book except its chapters: package document, tables of contents and cover.

use super::book::Book;
use super::chapters::Chapter;
use super::xhtml::escaped;

/// Container file, which points to the package document.
pub(super) const CONTAINER: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>
<container version=\"1.0\" xmlns=\"urn:oasis:names:tc:opendocument:xmlns:container\">
<rootfiles><rootfile full-path=\"OEBPS/content.opf\" media-type=\"application/oebps-package+xml\"/></rootfiles>
</container>
";

/// Styles that reading systems do not apply by default.
pub(super) const STYLE: &str = "body { line-height: 1.5; }
pre { white-space: pre-wrap; }
table { border-collapse: collapse; }
th, td { border: 1px solid; padding: 0.2em 0.4em; text-align: start; }
.cover { text-align: center; }
.cover img { max-width: 100%; max-height: 70vh; }
";

/// Maximum number of lines of the title on the cover, and of characters in a line.
const COVER_LINES: usize = 7;
const COVER_CHARS: usize = 18;

/// Language tag of the book, or `und` if the tag is missing or malformed.
fn language<'a>(book: &Book<'a>) -> &'a str {
    let is_good = |tag: &&str| {
        let mut parts = tag.split('-');
        let primary = parts.next().unwrap_or_default();
        (2..=3).contains(&primary.len())
            && primary.bytes().all(|byte| byte.is_ascii_alphabetic())
            && parts.all(|part| {
                (1..=8).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_alphanumeric())
            })
    };
    book.language.filter(is_good).unwrap_or("und")
}

/// Text direction of the language.
fn direction(book: &Book<'_>) -> &'static str {
    match language(book).split('-').next().unwrap_or_default() {
        "ar" | "he" | "iw" | "fa" | "ur" | "ps" | "sd" | "ug" | "yi" | "dv" | "ckb" => "rtl",
        _ => "ltr",
    }
}

/// Package document: metadata, manifest and reading order.
pub(super) fn opf(book: &Book<'_>, chapters: &[Chapter]) -> String {
    let element = |name: &str, value: Option<&str>| {
        let value = value.map(str::trim).filter(|value| !value.is_empty());
        value.map(|value| format!("<dc:{name}>{}</dc:{name}>\n", escaped(value))).unwrap_or_default()
    };
    let modified = book.modified_at.get(..19).unwrap_or("1970-01-01T00:00:00");
    let metadata = [
        format!("<dc:identifier id=\"id\">{}</dc:identifier>\n", escaped(&book.id)),
        format!("<dc:title>{}</dc:title>\n", escaped(title(book))),
        format!("<dc:language>{}</dc:language>\n", language(book)),
        element("creator", book.author),
        element("publisher", book.publisher),
        element("date", book.published_at),
        element("source", book.source_url),
        format!("<meta property=\"dcterms:modified\">{modified}Z</meta>\n"),
        "<meta name=\"cover\" content=\"cover-image\"/>\n".to_owned(),
    ];
    let item = |(number, chapter): (usize, &Chapter)| {
        format!("<item id=\"c{number}\" href=\"{}\" media-type=\"application/xhtml+xml\"/>\n", chapter.file)
    };
    let items: String = chapters.iter().enumerate().map(item).collect();
    let reference = |number| format!("<itemref idref=\"c{number}\"/>\n");
    let spine: String = (0..chapters.len()).map(reference).collect();
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>
<package xmlns=\"http://www.idpf.org/2007/opf\" version=\"3.0\" unique-identifier=\"id\">
<metadata xmlns:dc=\"http://purl.org/dc/elements/1.1/\">
{}</metadata>
<manifest>
<item id=\"nav\" href=\"nav.xhtml\" media-type=\"application/xhtml+xml\" properties=\"nav\"/>
<item id=\"ncx\" href=\"toc.ncx\" media-type=\"application/x-dtbncx+xml\"/>
<item id=\"style\" href=\"style.css\" media-type=\"text/css\"/>
<item id=\"cover-image\" href=\"cover.svg\" media-type=\"image/svg+xml\" properties=\"cover-image\"/>
<item id=\"cover\" href=\"cover.xhtml\" media-type=\"application/xhtml+xml\"/>
{items}</manifest>
<spine toc=\"ncx\" page-progression-direction=\"{}\">
<itemref idref=\"cover\"/>
{spine}</spine>
</package>
",
        metadata.concat(),
        direction(book)
    )
}

/// EPUB 3 table of contents.
pub(super) fn nav(book: &Book<'_>, chapters: &[Chapter]) -> String {
    let line = |chapter: &Chapter| {
        format!("<li><a href=\"{}\">{}</a></li>\n", chapter.file, escaped(&chapter.title))
    };
    let lines: String = chapters.iter().map(line).collect();
    let body = format!(
        "<nav epub:type=\"toc\" id=\"toc\"><h1>{}</h1>\n<ol>\n{lines}</ol>\n</nav>\n",
        escaped(title(book))
    );
    page(book, title(book), &body)
}

/// EPUB 2 table of contents, for older reading systems.
pub(super) fn ncx(book: &Book<'_>, chapters: &[Chapter]) -> String {
    let point = |(number, chapter): (usize, &Chapter)| {
        format!(
            "<navPoint id=\"p{number}\" playOrder=\"{}\"><navLabel><text>{}</text></navLabel><content src=\"{}\"/></navPoint>\n",
            number + 1,
            escaped(&chapter.title),
            chapter.file
        )
    };
    let points: String = chapters.iter().enumerate().map(point).collect();
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>
<ncx xmlns=\"http://www.daisy.org/z3986/2005/ncx/\" version=\"2005-1\">
<head><meta name=\"dtb:uid\" content=\"{}\"/><meta name=\"dtb:depth\" content=\"1\"/></head>
<docTitle><text>{}</text></docTitle>
<navMap>
{points}</navMap>
</ncx>
",
        escaped(&book.id),
        escaped(title(book))
    )
}

/// XHTML page of a chapter.
pub(super) fn chapter(book: &Book<'_>, chapter: &Chapter) -> String {
    let body = if chapter.body.trim().is_empty() {
        "<p>There is no text.</p>\n".to_owned()
    } else {
        chapter.body.clone()
    };
    page(book, &chapter.title, &body)
}

/// Cover page: title, author, publisher, date and source.
pub(super) fn cover(book: &Book<'_>) -> String {
    let line =
        |text: Option<&str>| text.map(|text| format!("<p>{}</p>\n", escaped(text))).unwrap_or_default();
    let address = book.source_url.and_then(|url| url::Url::parse(url).ok()).filter(url::Url::has_host);
    let source = address.map_or_else(String::new, |url| {
        let url = escaped(url.as_str());
        format!("<p><a href=\"{url}\">{url}</a></p>\n")
    });
    let body = format!(
        "<section class=\"cover\">\n<img src=\"cover.svg\" alt=\"\"/>\n<h1>{}</h1>\n{}{}{}{source}</section>\n",
        escaped(title(book)),
        line(book.author),
        line(book.publisher),
        line(book.published_at.map(|at| at.get(..10).unwrap_or(at)))
    );
    page(book, title(book), &body)
}

/// Cover image: the title in large letters, and the author.
pub(super) fn cover_picture(book: &Book<'_>) -> String {
    let mut lines: Vec<String> = Vec::new();
    for word in title(book).split_whitespace() {
        let word: String = word.chars().take(COVER_CHARS).collect();
        match lines.last_mut() {
            Some(line) if line.chars().count() + word.chars().count() < COVER_CHARS => {
                line.push(' ');
                line.push_str(&word);
            }
            Some(_) | None => lines.push(word),
        }
    }
    if lines.len() > COVER_LINES {
        lines.truncate(COVER_LINES);
        if let Some(last) = lines.last_mut() {
            last.push('…');
        }
    }
    let row = |(at, line): (usize, &String)| {
        format!("<text x=\"300\" y=\"{}\" font-size=\"52\">{}</text>\n", 200 + at * 68, escaped(line))
    };
    let rows: String = lines.iter().enumerate().map(row).collect();
    let author: String = book.author.or(book.publisher).unwrap_or_default().chars().take(40).collect();
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>
<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 600 900\" width=\"600\" height=\"900\">
<rect width=\"600\" height=\"900\" fill=\"#f4efe6\"/>
<rect x=\"30\" y=\"30\" width=\"540\" height=\"840\" fill=\"none\" stroke=\"#3b4a54\" stroke-width=\"4\"/>
<g fill=\"#22303a\" text-anchor=\"middle\" font-family=\"serif\">
{rows}<text x=\"300\" y=\"800\" font-size=\"30\">{}</text>
</g>
</svg>
",
        escaped(&author)
    )
}

fn title<'a>(book: &Book<'a>) -> &'a str {
    if book.title.trim().is_empty() { "Untitled" } else { book.title }
}

fn page(book: &Book<'_>, title: &str, body: &str) -> String {
    let (language, direction) = (language(book), direction(book));
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>
<!DOCTYPE html>
<html xmlns=\"http://www.w3.org/1999/xhtml\" xmlns:epub=\"http://www.idpf.org/2007/ops\" lang=\"{language}\" \
xml:lang=\"{language}\" dir=\"{direction}\">
<head><title>{}</title><link rel=\"stylesheet\" type=\"text/css\" href=\"style.css\"/></head>
<body>
{body}</body>
</html>
",
        escaped(title)
    )
}
