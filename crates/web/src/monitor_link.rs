//! Links to the form for a new monitor, with some fields filled in.

use extract::watch::LIST_FIELD;
use monitors::TargetType;

/// Returns the address of the form for a new monitor of `address`, with these fields filled in.
pub(crate) fn new_monitor_link(address: &str, fields: &[(&str, String)]) -> String {
    let mut query = url::form_urlencoded::Serializer::new(String::new());
    query.append_pair("url", address).extend_pairs(fields);
    format!("/monitors/new?{}", query.finish())
}

/// Returns the form fields of a monitor that reports new items of a list.
pub(crate) fn list_fields(selector: &str) -> Vec<(&'static str, String)> {
    let (name, field) = LIST_FIELD;
    vec![
        ("targetType", TargetType::Extract.as_str().to_owned()),
        ("items", selector.to_owned()),
        ("fields", format!("{name} = {field}")),
        ("trigger", "added".to_owned()),
    ]
}
