//! Fields of forms that ask a signed-in person for the password, and for a code if the account has a second
//! factor. A person without a password must have signed in recently instead.

use identity::accounts::{self, OwnerProof};
use kernel::Result;
use maud::{Markup, html};

use super::sign_in::sign_in_path;
use super::sign_in_code::code_field;
use crate::language::text::Text;
use crate::page::form::{Form, FormError};
use crate::page::parts::current_password;
use crate::page::request::{PageRequest, User};

/// Hint of the field for a code.
pub(super) const APP_OR_RECOVERY_CODE: Text = Text("code-app-or-recovery");

/// Returns the proof of ownership from a form and the person's session.
pub(super) fn proof<'f>(form: &'f Form, user: &User) -> OwnerProof<'f> {
    OwnerProof { current: form.get("current"), code: form.get("code"), signed_in_at: user.created_at }
}

/// Renders the password field. For an account without a password, it is empty if the sign-in is recent, and otherwise
/// a sign-in link that returns to the page `path`.
pub(super) fn password_field(
    request: &PageRequest,
    user: &User,
    (label, path): (Text, &str),
    form_error: &FormError,
) -> Markup {
    html! {
        @if user.account.has_password {
            (current_password("current", label).show(form_error))
        } @else if accounts::must_sign_in_again(&request.app.domain, user) {
            div.notice {
                p { (Text("fault-sign-in-old")) }
                p { a.button.secondary href=(sign_in_path(request, "/sign-in", path)) { (Text("sign-in-again")) } }
            }
        }
    }
}

/// Renders the fields that the account needs, for the form of the page `path`.
pub(super) async fn fields(
    request: &PageRequest,
    user: &User,
    path: &str,
    form_error: &FormError,
) -> Result<Markup> {
    let second_factor = accounts::second_factor(&request.app.domain, user.account.id).await?;
    Ok(html! {
        (password_field(request, user, (Text("field-password"), path), form_error))
        @if second_factor.is_some() { (code_field(Some(APP_OR_RECOVERY_CODE)).show(form_error)) }
    })
}
