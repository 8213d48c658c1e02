//! Messages about faulty search queries, above the results of lists and searches.

use kernel::search::fault::{Fault, QueryError};
use kernel::search::query::{MAX_DEPTH, MAX_WORDS, Query};
use maud::{Markup, html};

use crate::language::text::Text;

/// Renders the message about a faulty query. `None` if the query is valid.
pub(super) fn fault_of(query: &str) -> Option<Markup> {
    let QueryError { fault, position } = Query::parse(query).err()?;
    let (text, most) = match fault {
        Fault::OpenGroup => (Text("search-fault-group"), 0),
        Fault::MissingOperand => (Text("search-fault-operator"), 0),
        Fault::TooDeep => (Text("search-fault-depth"), MAX_DEPTH),
        Fault::TooManyWords => (Text("search-fault-words"), MAX_WORDS),
        Fault::InvalidDate => (Text("search-fault-date"), 0),
        Fault::InvalidValue => (Text("search-fault-value"), 0),
    };
    let words = text.with("position", position).with("most", most);
    Some(html! { p.error #query-fault role="alert" { (words) } })
}
