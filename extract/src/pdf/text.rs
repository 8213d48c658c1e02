//! Access to the strings and references of a PDF file.

use pdf_extract::{Dictionary, Document, Object};

/// Decodes a string: as UTF-16 or UTF-8 if it has a byte order mark, or else as UTF-8 if it is valid, or else
/// as Windows-1252.
pub(super) fn decoded(bytes: &[u8]) -> String {
    match bytes {
        [0xfe, 0xff, rest @ ..] => encoding_rs::UTF_16BE.decode_without_bom_handling(rest).0.into_owned(),
        [0xff, 0xfe, rest @ ..] => encoding_rs::UTF_16LE.decode_without_bom_handling(rest).0.into_owned(),
        [0xef, 0xbb, 0xbf, rest @ ..] => String::from_utf8_lossy(rest).into_owned(),
        _ => match std::str::from_utf8(bytes) {
            Ok(text) => text.to_owned(),
            Err(_) => encoding_rs::WINDOWS_1252.decode_without_bom_handling(bytes).0.into_owned(),
        },
    }
}

/// Object to which a reference points. If the object is not a reference, returns the object itself.
pub(super) fn resolved<'d>(document: &'d Document, object: &'d Object) -> Option<&'d Object> {
    document.dereference(object).ok().map(|(_, object)| object)
}

/// Value of a dictionary entry that is a dictionary.
pub(super) fn dictionary<'d>(
    document: &'d Document,
    own: &'d Dictionary,
    name: &[u8],
) -> Option<&'d Dictionary> {
    resolved(document, own.get(name).ok()?)?.as_dict().ok()
}

/// Value of a dictionary entry that is an array.
pub(super) fn array<'d>(document: &'d Document, own: &'d Dictionary, name: &[u8]) -> Option<&'d [Object]> {
    resolved(document, own.get(name).ok()?)?.as_array().ok().map(Vec::as_slice)
}

/// Value of a dictionary entry that is a name, as text.
pub(super) fn name<'d>(document: &'d Document, own: &'d Dictionary, name: &[u8]) -> Option<&'d str> {
    let object = resolved(document, own.get(name).ok()?)?;
    object.as_name().ok().and_then(|name| std::str::from_utf8(name).ok())
}

/// Value of a dictionary entry that is a string, as text.
pub(super) fn string(document: &Document, own: &Dictionary, name: &[u8]) -> Option<String> {
    resolved(document, own.get(name).ok()?)?.as_str().ok().map(decoded)
}
