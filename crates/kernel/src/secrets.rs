//! Keys shared by all processes of a deployment: generated on first use, and stored in the database. They are never
//! configured.

use entities::secret;
use sea_orm::sea_query::OnConflict;
use sea_orm::{ActiveValue::Set, EntityTrait};

use crate::cursor::CursorKey;
use crate::error::{Error, Result};
use crate::handle::Domain;

impl Domain {
    /// The key that signs cursors, the same in every process of a deployment.
    pub async fn cursor_key(&self) -> Result<&CursorKey> {
        let key = self
            .cursor_key_cell()
            .get_or_try_init(|| async { Ok(CursorKey::new(load(self, "cursor").await?)) });
        key.await
    }

    /// The secret that makes derived ids of read jobs unguessable. It is cached, because every request with a
    /// derived id needs it.
    pub async fn read_job_secret(&self) -> Result<&[u8; 32]> {
        self.read_job_secret_cell().get_or_try_init(|| load(self, "read_job")).await
    }
}

/// Loads the secret with this name, and generates it on first use. Concurrent processes get the same secret.
pub async fn load(domain: &Domain, name: &str) -> Result<[u8; 32]> {
    if let Some(existing) = find(domain, name).await? {
        return Ok(existing);
    }
    let row = secret::ActiveModel { name: Set(name.to_owned()), value: Set(domain.random::<32>().to_vec()) };
    let nothing = OnConflict::column(secret::Column::Name).do_nothing().to_owned();
    secret::Entity::insert(row).on_conflict(nothing).exec_without_returning(domain.db().write()).await?;
    find(domain, name).await?.ok_or_else(|| Error::internal(format!("the secret {name} was not stored")))
}

/// Deletes a secret. The next load generates a new one.
pub async fn delete(domain: &Domain, name: &str) -> Result<()> {
    secret::Entity::delete_by_id(name).exec(domain.db().write()).await?;
    Ok(())
}

async fn find(domain: &Domain, name: &str) -> Result<Option<[u8; 32]>> {
    let row = secret::Entity::find_by_id(name).one(domain.db().read()).await?;
    Ok(row.and_then(|row| row.value.try_into().ok()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::TestDatabase;

    #[tokio::test]
    async fn secret_is_generated_per_name_on_first_use() {
        for database in TestDatabase::each().await {
            let mut secrets = std::collections::HashSet::new();
            for name in ["cursor", "mail"] {
                let secret = load(&database.domain, name).await.unwrap();
                assert!(secrets.insert(secret), "every secret is different");
                assert_eq!(load(&database.domain, name).await.unwrap(), secret);
                assert_eq!(find(&database.domain, name).await.unwrap(), Some(secret));
            }
            assert_eq!(find(&database.domain, "unknown").await.unwrap(), None);
            let secret = load(&database.domain, "mail").await.unwrap();
            delete(&database.domain, "mail").await.unwrap();
            assert_ne!(load(&database.domain, "mail").await.unwrap(), secret, "a new secret is generated");
        }
    }
}
