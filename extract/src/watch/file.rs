//! Represents a file of any format by its size and the SHA-256 of its bytes.

use data_encoding::HEXLOWER;
use sha2::{Digest, Sha256};

use super::{
    observation::Observation,
    snapshot::{ExtractedItem, FieldValue, Snapshot},
    target::FILE_FIELDS,
};

/// Title of the item. The reports of its changes begin with this title.
const TITLE: &str = "File";

/// Reads the size in bytes and the hash.
pub(super) fn read(bytes: &[u8]) -> Observation {
    let values = [bytes.len().to_string(), HEXLOWER.encode(&Sha256::digest(bytes))];
    let fields = FILE_FIELDS.iter().zip(values);
    let item = ExtractedItem {
        key: String::new(),
        title: TITLE.to_owned(),
        link: None,
        fields: fields
            .map(|(name, value)| FieldValue { name: (*name).to_owned(), value: Some(value) })
            .collect(),
    };
    Observation::of(Snapshot::Items(vec![item]))
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::*;
    use crate::watch::{Rules, Target, compare, observe, render};

    #[test]
    fn file_of_any_format_has_size_and_hash() {
        let files: [(&[u8], Option<&str>); 3] =
            [(b"\x89PNG\x00\xff", Some("image/png")), (b"{\"a\": 1}", Some("application/json")), (b"", None)];
        for (bytes, mime) in files {
            let Snapshot::Items(items) = observe(bytes, mime, None, &Target::File, &[]).unwrap().snapshot
            else {
                panic!("items")
            };
            let values: Vec<&str> =
                items[0].fields.iter().filter_map(|field| field.value.as_deref()).collect();
            assert_eq!(
                values,
                [bytes.len().to_string(), HEXLOWER.encode(&Sha256::digest(bytes))],
                "{mime:?}"
            );
        }
    }

    #[test]
    fn change_of_a_file_reports_old_and_new_size_and_hash() {
        let (old, new) = (read(b"one"), read(b"three"));
        let until = Instant::now() + Duration::from_secs(20);
        let comparison = compare(&old.snapshot, &new.snapshot, &Rules::default(), until);
        let title = render::title(&comparison);
        assert!(
            title.contains("File, size: 3 → 5") && title.contains("File, sha256: 7692c3ad3540"),
            "{title}"
        );
        let same_size = compare(&old.snapshot, &read(b"two").snapshot, &Rules::default(), until);
        assert!(render::summary(&same_size).starts_with("“File”: sha256 changed from “7692c3ad3540"));
    }
}
