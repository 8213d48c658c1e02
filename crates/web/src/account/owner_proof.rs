//! Fields of forms that ask a signed-in person for the password, and for a code if the account has a second
//! factor.

use identity::accounts::{self, OwnerProof};
use kernel::Result;
use maud::{Markup, html};

use super::sign_in_code::code_field;
use crate::language::text::Text;
use crate::page::form::{Form, FormError};
use crate::page::parts::current_password;
use crate::page::request::{PageRequest, User};

/// Hint of the field for a code.
pub(super) const APP_OR_RECOVERY_CODE: Text = Text("code-app-or-recovery");

/// Returns the proof that a form contains.
pub(super) fn proof(form: &Form) -> OwnerProof<'_> {
    OwnerProof { current: form.get("current"), code: form.get("code") }
}

/// Renders the fields that the account needs.
pub(super) async fn fields(request: &PageRequest, user: &User, form_error: &FormError) -> Result<Markup> {
    let second_factor = accounts::second_factor(&request.app.domain, user.account.id).await?;
    Ok(html! {
        (current_password("current", Text("field-password")).show(form_error))
        @if second_factor.is_some() { (code_field(Some(APP_OR_RECOVERY_CODE)).show(form_error)) }
    })
}
