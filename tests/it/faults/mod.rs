//! What takes long: `bin/test --faults`.

mod filled;
mod load;
mod locks;
mod upgrade;
