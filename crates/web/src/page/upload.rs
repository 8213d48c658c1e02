//! Files that are uploaded with a form. The token is the first field and is verified before the file is read.

use kernel::{Code, Error};
use poem::web::{Field, Multipart};
use poem::{FromRequest, Request, RequestBody};
use tokio::io::{AsyncRead, AsyncReadExt};

use super::form::require_ours;
use super::request::{PageError, PageRequest};

/// Maximum size of a chunk, in bytes.
const PIECE_BYTES: usize = 64 * 1024;
/// Maximum length of a text field, in bytes.
const FIELD_BYTES: u64 = 256;

/// Form with a file, submitted by a page of this service.
pub(crate) struct UploadForm(Multipart);

impl<'a> FromRequest<'a> for UploadForm {
    async fn from_request(request: &'a Request, body: &mut RequestBody) -> poem::Result<Self> {
        let page = PageRequest::of(request)?;
        let form = <Multipart as FromRequest>::from_request(request, body).await;
        let mut form = form.map_err(|_| PageError(broken()))?;
        let first = next(&mut form).await.map_err(PageError)?;
        let token = match first {
            Some(field) if field.name() == Some("token") => text(field).await.map_err(PageError)?,
            Some(_) | None => String::new(),
        };
        require_ours(page, request, &token).map_err(PageError)?;
        Ok(Self(form))
    }
}

impl UploadForm {
    /// Returns the next field. `None` after the last field.
    ///
    /// # Errors
    /// `invalid_request` if the form is incomplete.
    pub(crate) async fn next(&mut self) -> Result<Option<Field>, Error> {
        next(&mut self.0).await
    }
}

async fn next(form: &mut Multipart) -> Result<Option<Field>, Error> {
    form.next_field().await.map_err(|_| broken())
}

/// Reads the value of a text field.
///
/// # Errors
/// `invalid_request` if the form is incomplete.
pub(crate) async fn text(field: Field) -> Result<String, Error> {
    let mut value = String::new();
    let bytes = Box::pin(field.into_async_read());
    bytes.take(FIELD_BYTES).read_to_string(&mut value).await.map_err(|_| broken())?;
    Ok(value)
}

/// Reads the next chunk of a file. Empty at the end.
///
/// # Errors
/// `invalid_request` if the form is incomplete.
pub(crate) async fn piece(bytes: &mut (impl AsyncRead + Unpin)) -> Result<Vec<u8>, Error> {
    let mut piece = vec![0; PIECE_BYTES];
    let count = bytes.read(&mut piece).await.map_err(|_| broken())?;
    piece.truncate(count);
    Ok(piece)
}

fn broken() -> Error {
    Error::new(Code::InvalidRequest, "The file did not arrive completely. Send it again.")
}
