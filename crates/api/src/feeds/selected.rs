//! Response objects reduced to the fields that the caller selected.

use std::sync::Arc;

use poem_openapi::types::{ToJSON, Type};
use serde_json::Value;

use super::objects::FieldName;
use http_kit::http::enum_param::{EnumParam, WordSet};
use http_kit::http::openapi_type::{openapi_type, response_only};
use http_kit::http::value::List;

/// Names of fields to return.
pub(super) type FieldNames = List<EnumParam<FieldName>, 1, 40>;

/// Fields to return; `None` means all. `id` is always returned.
#[derive(Debug, Clone, Default)]
pub(super) struct SelectedFields(Option<Arc<[&'static str]>>);

impl SelectedFields {
    /// Reduces an object to these fields.
    pub(super) fn of<T>(&self, object: T) -> SelectedObject<T> {
        SelectedObject { object, fields: self.clone() }
    }

    /// Returns the names of the selected fields. Empty if all fields are returned.
    pub(super) fn names(&self) -> &[&'static str] {
        self.0.as_deref().unwrap_or_default()
    }

    fn shows(&self, name: &str) -> bool {
        name == "id" || self.0.as_deref().is_none_or(|names| names.contains(&name))
    }
}

impl From<Option<FieldNames>> for SelectedFields {
    fn from(names: Option<FieldNames>) -> Self {
        Self(names.map(|names| names.0.into_iter().map(|name| name.0.word()).collect()))
    }
}

/// Object reduced to the selected fields.
#[derive(Debug)]
pub(super) struct SelectedObject<T> {
    object: T,
    fields: SelectedFields,
}

openapi_type!([T: Type] SelectedObject<T>, T::name(), T::schema_ref(), T::register);
response_only!([T: Type] SelectedObject<T>);

impl<T: ToJSON> ToJSON for SelectedObject<T> {
    fn to_json(&self) -> Option<Value> {
        let mut value = self.object.to_json()?;
        if let Some(object) = value.as_object_mut() {
            object.retain(|name, _| self.fields.shows(name));
        }
        Some(value)
    }
}
