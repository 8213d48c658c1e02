//! Finders for tables whose rows belong to accounts.

/// Generates the finders of a table with the column `account_id`. The argument is the documentation of
/// `owned_by`.
macro_rules! owned {
    ($doc:literal) => {
        impl Entity {
            #[doc = $doc]
            pub fn owned_by(account_id: crate::ids::AccountId) -> sea_orm::Select<Self> {
                Self::find().filter(Column::AccountId.eq(account_id))
            }

            /// Selects the row with this key, regardless of its owner. For workers, whose job contains the
            /// key, and for holders of a secret that identifies the row. Used instead of `find_by_id`, which
            /// must not be called for owned tables.
            pub fn of_any_owner<Key>(key: Key) -> sea_orm::Select<Self>
            where
                Key: Into<<PrimaryKey as sea_orm::PrimaryKeyTrait>::ValueType>,
            {
                Self::find_by_id(key)
            }
        }
    };
}

pub(crate) use owned;
