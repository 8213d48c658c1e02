//! How rows that belong to an account are found.

/// The finders of a table with the column `account_id`; the text says what the first of them finds.
macro_rules! owned {
    ($doc:literal) => {
        impl Entity {
            #[doc = $doc]
            pub fn owned_by(account_id: crate::ids::AccountId) -> sea_orm::Select<Self> {
                Self::find().filter(Column::AccountId.eq(account_id))
            }

            /// The row with this key, whoever owns it: for workers, whose job names it, and for whoever holds a
            /// secret that does. It takes the place of `find_by_id`, which is not called for owned rows.
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
