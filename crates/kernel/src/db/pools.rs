//! How much of the connection pools is in use, for whoever watches the process.

use super::{Database, Durable, Pool};

/// One pool at one moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PoolUsage {
    /// Which pool: `read` and `write` of SQLite; `shared`, `durable`, `quick` and `shared_state` of PostgreSQL.
    pub name: &'static str,
    /// Connections that are open.
    pub open: u32,
    /// Those of them that nobody uses.
    pub idle: u32,
    /// The most that may be open.
    pub most: u32,
}

impl Database {
    /// How many connections of each pool are in use at this moment.
    pub fn pools(&self) -> Vec<PoolUsage> {
        let of = |name, connection| usage(name, self.pool(connection));
        match &self.durable {
            Durable::Embedded(_) => vec![of("read", &self.read), of("write", &self.write)],
            Durable::Postgres(durable) => vec![
                of("shared", &self.write),
                durable.usage("durable"),
                of("quick", &self.quick),
                of("shared_state", &self.shared_state),
            ],
        }
    }
}

fn usage(name: &'static str, pool: Pool<'_>) -> PoolUsage {
    let (open, idle, most) = match pool {
        Pool::Postgres(pool) => (pool.size(), pool.num_idle(), pool.options().get_max_connections()),
        Pool::Sqlite(pool) => (pool.size(), pool.num_idle(), pool.options().get_max_connections()),
    };
    PoolUsage { name, open, idle: u32::try_from(idle).unwrap_or(u32::MAX).min(open), most }
}
