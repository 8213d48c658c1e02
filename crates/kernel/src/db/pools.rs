//! Usage of the connection pools, for monitoring.

use super::{Database, DriverPool, Durable};

/// Usage of one pool at one moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PoolUsage {
    /// Name of the pool: `read` and `write` for SQLite; `shared`, `durable`, `quick` and `shared_state` for
    /// PostgreSQL.
    pub name: &'static str,
    /// Open connections.
    pub open: u32,
    /// Open connections that are not in use.
    pub idle: u32,
    /// Maximum number of open connections.
    pub most: u32,
}

impl Database {
    /// Current usage of each pool.
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

fn usage(name: &'static str, pool: DriverPool<'_>) -> PoolUsage {
    let (open, idle, most) = match pool {
        DriverPool::Postgres(pool) => (pool.size(), pool.num_idle(), pool.options().get_max_connections()),
        DriverPool::Sqlite(pool) => (pool.size(), pool.num_idle(), pool.options().get_max_connections()),
    };
    PoolUsage { name, open, idle: u32::try_from(idle).unwrap_or(u32::MAX).min(open), most }
}
