//! Operations of an API description: the table of contents, and for each group its operations with their
//! inputs and responses, followed by the objects that they share.

use std::collections::BTreeSet;

use maud::{Markup, html};
use serde_json::Value;

use super::api_fields::{FieldRow, fields, name_of, parameters, resolved, string_member, table};
use super::samples::{OperationRef, samples};
use super::text_format::prose;

/// API description, prepared for display on a page.
pub(super) struct Reference<'a> {
    document: &'a Value,
    groups: Vec<OperationGroup<'a>>,
    /// Error statuses that every operation can return, with the same description.
    common_statuses: Vec<&'a str>,
    /// Address of the section that describes these errors.
    errors_link: String,
}

struct OperationGroup<'a> {
    name: &'a str,
    about: &'a str,
    operations: Vec<OperationRef<'a>>,
    /// Names of the objects that the fields of the group's operations link to.
    objects: Vec<&'a str>,
}

/// Renders a heading with a link to itself.
pub(super) fn anchored(id: &str, title: &str) -> Markup {
    html! { (title) " " a.anchor href={ "#" (id) } aria-label={ "Link to " (title) } { "#" } }
}

/// Returns the name of an area in its address.
pub(super) fn area_slug(name: &str) -> String {
    name.to_lowercase()
}

/// Renders the scopes that an operation needs. Empty for operations without credentials.
fn needs(operation: &Value) -> Markup {
    let schemes = operation["security"].as_array().into_iter().flatten();
    let scopes: Vec<&str> = schemes
        .filter_map(|scheme| scheme["OAuth2"].as_array())
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    html! { @if !scopes.is_empty() {
        p.soft.small { "Needs " @for (index, scope) in scopes.iter().enumerate() { @if index > 0 { ", " } code { (scope) } }
            ". A call counts as one operation." }
    } }
}

impl<'a> Reference<'a> {
    /// Groups the operations of a document.
    pub(super) fn of(document: &'a Value) -> Self {
        let mut known = BTreeSet::new();
        let tags = document["tags"].as_array().into_iter().flatten();
        let groups = tags.map(|tag| OperationGroup::of(document, tag, &mut known)).collect();
        let (common_statuses, errors_link) = (Vec::new(), "#errors".to_owned());
        let mut reference = Self { document, groups, common_statuses, errors_link };
        reference.common_statuses = reference.errors_of_all();
        reference
    }

    /// Returns the reference of one area, with all objects that its operations use. `None` if there is no such area.
    /// `errors_link` is the address of the section about errors that every operation can return.
    pub(super) fn of_area(document: &'a Value, slug: &str, errors_link: String) -> Option<Self> {
        let tag =
            document["tags"].as_array()?.iter().find(|tag| area_slug(string_member(tag, "name")) == slug)?;
        let groups = vec![OperationGroup::of(document, tag, &mut BTreeSet::new())];
        Some(Self { groups, errors_link, ..Self::of(document) })
    }

    /// Returns the operations with the names of their groups.
    pub(super) fn all(&self) -> impl Iterator<Item = (&'a str, OperationRef<'a>)> {
        self.groups.iter().flat_map(|group| group.operations.iter().map(move |op| (group.name, *op)))
    }

    /// Renders a list of the areas with their operations. `path` is the address of the page that lists them.
    pub(super) fn areas(&self, path: &str) -> Markup {
        html! { @for group in &self.groups {
            @let page = format!("{path}/{}", area_slug(group.name));
            section id={ "group-" (group.name) } {
                h3 { a href=(page) { (group.name) } }
                p { (prose(group.about)) }
                ul.areas { @for op in &group.operations { li {
                    a href={ (page) "#" (string_member(op.operation, "operationId")) } { (string_member(op.operation, "summary")) }
                    " " span.soft.small { (op.method.to_uppercase()) " " code { (op.path) } }
                } } }
            }
        } }
    }

    /// Renders the table of contents. `others` are the ids and titles of further sections of the page.
    pub(super) fn contents(&self, others: &[(&str, &str)]) -> Markup {
        html! {
            nav.contents aria-label="Contents" {
                h2 { "Contents" }
                @if !others.is_empty() { ul { @for (id, title) in others { li { a href={ "#" (id) } { (title) } } } } }
                @for group in &self.groups {
                    details open {
                        // A `summary` element must not contain links.
                        summary { (group.name) }
                        ul {
                            li { a href={ "#group-" (group.name) } { "About " (group.name) } }
                            @for op in &group.operations { li {
                                a href={ "#" (string_member(op.operation, "operationId")) } { (string_member(op.operation, "summary")) }
                                " " span.soft.small { (op.method.to_uppercase()) " " code { (op.path) } }
                            } }
                        }
                    }
                }
            }
        }
    }

    /// Renders the list of errors that every operation can return.
    pub(super) fn errors(&self) -> Markup {
        let first = self.groups.iter().flat_map(|group| &group.operations).next();
        html! {
            table.cards {
                thead { tr { th scope="col" { "Status" } th scope="col" { "When" } } }
                tbody { @for status in &self.common_statuses { @if let Some(op) = first {
                    tr {
                        th scope="row" { code { (status) } }
                        td { (self.description(op, status)) }
                    }
                } } }
            }
        }
    }

    /// Renders all groups with their operations and objects.
    pub(super) fn operations(&self) -> Markup {
        html! { @for group in &self.groups {
            section id={ "group-" (group.name) } {
                h2 { (anchored(&format!("group-{}", group.name), group.name)) }
                p { (prose(group.about)) }
                @for op in &group.operations { (self.operation(*op)) }
                @for name in &group.objects { (self.object(name)) }
            }
        } }
    }

    fn operation(&self, op: OperationRef<'_>) -> Markup {
        let (id, operation) = (string_member(op.operation, "operationId"), op.operation);
        html! {
            section.op id=(id) {
                div {
                    h3 { (anchored(id, string_member(operation, "summary"))) }
                    p { span.method { (op.method.to_uppercase()) } code { (op.path) } }
                    (needs(operation))
                    @if let Some(about) = operation["description"].as_str() { p { (prose(about)) } }
                    (table(self.document, "Parameters", &parameters(operation)))
                    (self.body(operation))
                    (self.answers(&op))
                }
                div.sample { (samples(op)) }
            }
        }
    }

    fn body(&self, operation: &Value) -> Markup {
        let Some(content) = operation["requestBody"]["content"].as_object() else { return html! {} };
        let kinds: Vec<&str> = content.keys().map(String::as_str).collect();
        let media = content.values().next().map(|media| resolved(self.document, &media["schema"]));
        html! {
            (table(self.document, "Body", &media.map(fields).unwrap_or_default()))
            p.soft.small { "Sent as " @for (index, kind) in kinds.iter().enumerate() { @if index > 0 { ", " } code { (kind) } } "." }
        }
    }

    fn answers(&self, op: &OperationRef<'_>) -> Markup {
        let responses = || op.operation["responses"].as_object().into_iter().flatten();
        let is_own = |status: &str| !self.common_statuses.contains(&status);
        let body = responses().find(|(status, _)| status.starts_with('2')).map(|(_, response)| {
            resolved(
                self.document,
                &resolved(self.document, response)["content"]["application/json"]["schema"],
            )
        });
        let rows: Vec<FieldRow<'_>> = body.map(fields).unwrap_or_default();
        html! {
            (table(self.document, "Response", &rows))
            h4 { "Statuses" }
            ul.statuses {
                @for (status, _) in responses().filter(|(status, _)| is_own(status)) {
                    li { code { (status) } " " (self.description(op, status)) }
                }
                li { @for status in &self.common_statuses { code { (status) } " " } a href=(self.errors_link) { "as for every operation" } }
            }
        }
    }

    fn description(&self, op: &OperationRef<'_>, status: &str) -> Markup {
        prose(string_member(resolved(self.document, &op.operation["responses"][status]), "description"))
    }

    fn object(&self, name: &str) -> Markup {
        let schema = &self.document["components"]["schemas"][name];
        let id = format!("type-{name}");
        html! {
            section.object id=(id) {
                h3 { (anchored(&id, name)) }
                p { (prose(string_member(schema, "description"))) }
                (table(self.document, "Fields", &fields(schema)))
            }
        }
    }

    fn errors_of_all(&self) -> Vec<&'a str> {
        let mut operations = self.groups.iter().flat_map(|group| &group.operations);
        let statuses = |op: &OperationRef<'a>| -> Vec<&'a str> {
            let responses = op.operation["responses"].as_object().into_iter().flatten();
            responses.map(|(status, _)| status.as_str()).filter(|status| *status >= "4").collect()
        };
        let mut common = operations.next().map(statuses).unwrap_or_default();
        for op in operations {
            let own = statuses(op);
            common.retain(|status| own.contains(status));
        }
        common
    }
}

impl<'a> OperationGroup<'a> {
    /// Creates the group of a tag. Objects that an earlier group displays are not repeated.
    fn of(document: &'a Value, tag: &'a Value, known: &mut BTreeSet<&'a str>) -> Self {
        let name = string_member(tag, "name");
        let mut operations = Vec::new();
        for (path, methods) in document["paths"].as_object().into_iter().flatten() {
            for (method, operation) in methods.as_object().into_iter().flatten() {
                let is_own =
                    operation["tags"].as_array().is_some_and(|tags| tags.iter().any(|tag| tag == name));
                if is_own && !["head", "options"].contains(&method.as_str()) {
                    operations.push(OperationRef { document, path, method, operation });
                }
            }
        }
        let mut objects = Vec::new();
        for op in &operations {
            let bodies = [&op.operation["requestBody"]].into_iter();
            let responses = op.operation["responses"].as_object().into_iter().flatten();
            let good = responses.filter(|(status, _)| status.starts_with('2')).map(|(_, response)| response);
            for content in bodies.chain(good).filter_map(|part| part["content"].as_object()) {
                for media in content.values() {
                    collect_objects(document, resolved(document, &media["schema"]), known, &mut objects);
                }
            }
        }
        Self { name, about: string_member(tag, "description"), operations, objects }
    }
}

/// Adds the objects that the fields of `schema` link to, directly or through other objects.
fn collect_objects<'a>(
    document: &'a Value,
    schema: &'a Value,
    known: &mut BTreeSet<&'a str>,
    objects: &mut Vec<&'a str>,
) {
    let shapes = schema["properties"].as_object().into_iter().flatten().map(|(_, shape)| shape);
    for shape in shapes {
        let items = if shape["items"].is_object() { &shape["items"] } else { shape };
        let forms = ["anyOf", "allOf"].into_iter().filter_map(|key| items[key].as_array()).flatten();
        for name in std::iter::once(items).chain(forms).filter_map(name_of) {
            let target = &document["components"]["schemas"][name];
            if target["type"] == "object" && known.insert(name) {
                objects.push(name);
                collect_objects(document, target, known, objects);
            }
        }
    }
}
