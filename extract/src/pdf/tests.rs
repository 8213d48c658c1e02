//! PDF files that are read as blocks.

use pdf_extract::{Stream, content::Content, content::Operation, dictionary};

use super::*;
use crate::document::BlockKind;

/// Creates a file. Each page has a list of `(size, x, y, text)`.
fn file(pages: &[&[(i64, i64, i64, &str)]]) -> Vec<u8> {
    let mut document = Document::with_version("1.5");
    let parent = document.new_object_id();
    let font = document
        .add_object(dictionary! { "Type" => "Font", "Subtype" => "Type1", "BaseFont" => "Helvetica" });
    let resources = document.add_object(dictionary! { "Font" => dictionary! { "F1" => font } });
    let mut kids = Vec::new();
    for page in pages {
        let mut operations = Vec::new();
        for &(size, x, y, text) in *page {
            operations.push(Operation::new("BT", vec![]));
            operations.push(Operation::new("Tf", vec!["F1".into(), size.into()]));
            operations.push(Operation::new("Td", vec![x.into(), y.into()]));
            operations.push(Operation::new("Tj", vec![Object::string_literal(text)]));
            operations.push(Operation::new("ET", vec![]));
        }
        let content = Content { operations }.encode().unwrap();
        let content = document.add_object(Stream::new(dictionary! {}, content));
        kids.push(Object::from(
            document.add_object(dictionary! { "Type" => "Page", "Parent" => parent, "Contents" => content }),
        ));
    }
    let count = i64::try_from(kids.len()).unwrap();
    let tree = dictionary! { "Type" => "Pages", "Kids" => kids, "Count" => count, "Resources" => resources,
    "MediaBox" => vec![0.into(), 0.into(), 595.into(), 842.into()] };
    document.objects.insert(parent, Object::Dictionary(tree));
    let catalog = document.add_object(dictionary! { "Type" => "Catalog", "Pages" => parent });
    document.trailer.set("Root", catalog);
    let info = document.add_object(dictionary! { "Author" => Object::string_literal("A. Writer"),
    "CreationDate" => Object::string_literal("D:20250102030405Z") });
    document.trailer.set("Info", info);
    let mut bytes = Vec::new();
    document.save_to(&mut bytes).unwrap();
    bytes
}

#[test]
fn headings_paragraphs_and_pages_are_recognised() {
    let bytes = file(&[
        &[
            (24, 72, 760, "The Title"),
            (10, 72, 700, "A first paragraph that runs over two lines with a word that is bro-"),
            (10, 72, 688, "ken at the end of the line."),
            (10, 72, 650, "A second paragraph."),
        ],
        &[(10, 72, 760, "On the second page.")],
    ]);
    let reading = read_bytes(&bytes).unwrap();
    let blocks: Vec<_> =
        reading.blocks.iter().map(|block| (block.kind, block.page, block.text.as_str())).collect();
    assert_eq!(
        blocks,
        [
            (BlockKind::Heading, Some(1), "The Title"),
            (
                BlockKind::Paragraph,
                Some(1),
                "A first paragraph that runs over two lines with a word that is broken at the end of the line."
            ),
            (BlockKind::Paragraph, Some(1), "A second paragraph."),
            (BlockKind::Paragraph, Some(2), "On the second page."),
        ]
    );
    assert_eq!(reading.title.as_deref(), Some("The Title"));
    assert_eq!(reading.author.as_deref(), Some("A. Writer"));
}

#[test]
fn creation_date_is_not_the_publication_date() {
    let reading = read_bytes(&file(&[&[(10, 72, 700, "A page that was printed from a browser.")]])).unwrap();
    assert_eq!(reading.published_at, None);
}

#[test]
fn running_titles_and_page_numbers_are_dropped() {
    let page = |_: usize| {
        [(8_i64, 72_i64, 820_i64, "The Journal 12"), (10, 72, 500, "Text of the page."), (8, 300, 20, "7")]
    };
    let pages: Vec<_> = (0..4).map(page).collect();
    let slices: Vec<&[(i64, i64, i64, &str)]> = pages.iter().map(<[_; 3]>::as_slice).collect();
    let reading = read_bytes(&file(&slices)).unwrap();
    assert!(reading.blocks.iter().all(|block| block.text == "Text of the page."), "{:?}", reading.blocks);
    assert_eq!(reading.blocks.len(), 4);
}

#[test]
fn title_repeated_by_the_running_head_is_retained() {
    let first =
        [(20_i64, 72_i64, 780_i64, "The Journal"), (8, 72, 820, "The Journal"), (10, 72, 500, "Text.")];
    let other = [(8_i64, 72_i64, 820_i64, "The Journal"), (10, 72, 500, "Text.")];
    let reading = read_bytes(&file(&[&first, &other, &other, &other])).unwrap();
    let blocks: Vec<_> = reading.blocks.iter().map(|block| (block.kind, block.text.as_str())).collect();
    let text = (BlockKind::Paragraph, "Text.");
    assert_eq!(blocks, [(BlockKind::Heading, "The Journal"), text, text, text, text]);
}

#[test]
fn invalid_file_is_not_read() {
    assert!(read_bytes(b"%PDF-1.7 broken").is_none());
    assert!(read_bytes(b"").is_none());
}

#[test]
fn truncated_file_does_not_panic() {
    let bytes = file(&[&[(10, 72, 700, "Text.")]]);
    for end in (0..bytes.len()).step_by(37) {
        let _ = read_bytes(&bytes[..end]);
    }
}

/// Content of a form, and the names with which it renders other forms, each with the index of that form.
type Form<'a> = (&'a str, Option<Vec<(&'a str, usize)>>);

/// Creates a file with one page, which renders the first form. Each form renders other forms by the names in
/// its list.
fn file_of_forms(pieces: &[Form<'_>]) -> Vec<u8> {
    let mut document = Document::with_version("1.5");
    let ids: Vec<_> = pieces.iter().map(|_| document.new_object_id()).collect();
    let font = document
        .add_object(dictionary! { "Type" => "Font", "Subtype" => "Type1", "BaseFont" => "Helvetica" });
    let resources = |names: &[(&str, usize)]| {
        let mut list = Dictionary::new();
        for (name, index) in names {
            list.set(*name, ids[*index]);
        }
        dictionary! { "Font" => dictionary! { "F1" => font }, "XObject" => list }
    };
    for ((content, names), id) in pieces.iter().zip(&ids) {
        let mut dict = dictionary! { "Type" => "XObject", "Subtype" => "Form" };
        if let Some(names) = names {
            dict.set("Resources", resources(names));
        }
        document.objects.insert(*id, Stream::new(dict, content.as_bytes().to_vec()).into());
    }
    let text = "BT /F1 12 Tf 72 700 Td (Text of the page itself.) Tj ET /First Do";
    let content = document.add_object(Stream::new(dictionary! {}, text.as_bytes().to_vec()));
    let parent = document.new_object_id();
    let page = document
        .add_object(dictionary! { "Type" => "Page", "Parent" => parent, "Contents" => content,
        "Resources" => resources(&[("First", 0)]) });
    let tree = dictionary! { "Type" => "Pages", "Kids" => vec![page.into()], "Count" => 1,
    "MediaBox" => vec![0.into(), 0.into(), 595.into(), 842.into()] };
    document.objects.insert(parent, Object::Dictionary(tree));
    let catalog = document.add_object(dictionary! { "Type" => "Catalog", "Pages" => parent });
    document.trailer.set("Root", catalog);
    let mut bytes = Vec::new();
    document.save_to(&mut bytes).unwrap();
    bytes
}

fn text_of(bytes: &[u8]) -> String {
    read_bytes(bytes).unwrap().blocks.iter().map(|block| block.text.as_str()).collect::<Vec<_>>().join(" ")
}

#[test]
fn form_that_renders_itself_is_dropped() {
    let itself = [("/First Do", None)];
    let by_its_own_name = [("/Again Do", Some(vec![("Again", 0)]))];
    let in_a_circle = [("/Other Do", Some(vec![("Other", 1)])), ("/First Do", Some(vec![("First", 0)]))];
    for pieces in [&itself[..], &by_its_own_name, &in_a_circle] {
        assert_eq!(text_of(&file_of_forms(pieces)), "Text of the page itself.");
    }
}

#[test]
fn nested_forms_are_read_up_to_a_limit() {
    let inner = "BT /F1 12 Tf 72 600 Td (Text of a piece.) Tj ET";
    let two = [("/Inner Do", Some(vec![("Inner", 1)])), (inner, None)];
    assert_eq!(text_of(&file_of_forms(&two)), "Text of the page itself. Text of a piece.");
    let deep: Vec<_> = (0..20_000).map(|index| ("/Next Do", Some(vec![("Next", index + 1)]))).collect();
    let deep = [&deep[..], &[(inner, None)]].concat();
    assert_eq!(text_of(&file_of_forms(&deep)), "Text of the page itself.");
}

#[test]
fn page_that_is_its_own_parent_is_read() {
    let bytes = file(&[&[(10, 72, 700, "Text of a page without a family.")]]);
    let mut document = Document::load_mem(&bytes).unwrap();
    let page = *document.get_pages().values().next().unwrap();
    // The real parent contains the fonts of the page.
    let own = document.get_object_mut(page).and_then(Object::as_dict_mut).unwrap();
    own.set("Parent", page);
    let mut bytes = Vec::new();
    document.save_to(&mut bytes).unwrap();
    assert!(read_bytes(&bytes).is_some_and(|reading| reading.blocks.is_empty()));
}
