//! Tests of field paths as pointers and as words.

use super::*;

#[test]
fn path_is_displayed_as_json_pointer() {
    assert_eq!(FieldPath::from("interval_minutes").to_string(), "/interval_minutes");
    assert_eq!(FieldPath::from("a/b~c").to_string(), "/a~1b~0c");
    assert_eq!(FieldPath::default().to_string(), "");
    assert_eq!(FieldError::new("name", "is missing").to_string(), "/name: is missing");
}

#[test]
fn json_pointer_round_trips() {
    let path = FieldPath::of_pointer("/0/selector").below("fields");
    assert_eq!(path.to_string(), "/fields/0/selector");
    assert_eq!((path.root(), path.words().as_str()), (Some("fields"), "fields 0 selector"));
    assert_eq!(path.segments()[1], Segment::Index(0));
}
