//! Messages about faulty search queries, above the results of lists and searches.

use kernel::search::fault::{QueryError, QueryFault};
use kernel::search::query::{MAX_DEPTH, MAX_WORDS, Query};
use maud::{Markup, html};

use crate::language::text::Text;

/// Renders the message about a faulty query. `None` if the query is valid.
pub(super) fn fault_of(query: &str) -> Option<Markup> {
    let QueryError { fault, position } = Query::parse(query).err()?;
    let (text, most) = match fault {
        QueryFault::OpenGroup => (Text("search-fault-group"), 0),
        QueryFault::MissingOperand => (Text("search-fault-operator"), 0),
        QueryFault::TooDeep => (Text("search-fault-depth"), MAX_DEPTH),
        QueryFault::TooManyWords => (Text("search-fault-words"), MAX_WORDS),
        QueryFault::InvalidDate => (Text("search-fault-date"), 0),
        QueryFault::InvalidValue => (Text("search-fault-value"), 0),
    };
    let words = text.with("position", position).with("most", most);
    Some(html! { p.error #query-fault role="alert" { (words) } })
}
