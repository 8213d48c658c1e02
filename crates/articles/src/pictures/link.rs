//! The addresses of pictures on our pages: signed, so that nobody has us fetch what no page of ours showed them.

use entities::ids::AccountId;

use kernel::cursor::CursorKey;
use kernel::error::Result;
use kernel::handle::Domain;

/// The longest address of a picture, in bytes.
const MAX_BYTES: usize = 2_048;

/// For whom a page is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Viewer {
    /// Whoever reads a page that everybody may read.
    Anybody,
    /// A signed-in person: nobody else may use the address.
    Account(AccountId),
}

/// Signs the addresses of pictures, and opens them again.
#[derive(Clone, Debug)]
pub struct PictureKey(CursorKey);

impl From<CursorKey> for PictureKey {
    fn from(key: CursorKey) -> Self {
        Self(key)
    }
}

impl PictureKey {
    /// The key of this deployment.
    ///
    /// # Errors
    /// `service_unavailable`.
    pub async fn of(domain: &Domain) -> Result<Self> {
        Ok(Self(domain.cursor_key().await?.clone()))
    }

    /// The key of this deployment, when this process knows it already.
    pub fn known(domain: &Domain) -> Option<Self> {
        domain.cursor_key_cell().get().cloned().map(Self)
    }

    /// What stands behind `/pictures/` for a picture at `url`; none for what is no address of a picture.
    pub fn seal(&self, viewer: Viewer, url: &str) -> Option<String> {
        let is_web = url.starts_with("https://") || url.starts_with("http://");
        (is_web && url.len() <= MAX_BYTES).then(|| self.0.seal(&binding(viewer), url.as_bytes()))
    }

    /// The address of a picture that was shown to `viewer`, or to anybody.
    pub fn open(&self, viewer: Viewer, sealed: &str) -> Option<String> {
        if sealed.len() > 2 * MAX_BYTES {
            return None;
        }
        let open = |viewer| self.0.open(&binding(viewer), sealed);
        let bytes = open(viewer).or_else(|| open(Viewer::Anybody))?;
        String::from_utf8(bytes).ok()
    }
}

fn binding(viewer: Viewer) -> String {
    match viewer {
        Viewer::Anybody => "picture".to_owned(),
        Viewer::Account(id) => format!("picture of {id}"),
    }
}
