//! Limits: how often and how much a caller may ask, counted in one place for every surface.
//!
//! [`window`] is the mechanism, and knows neither accounts nor plans.

pub mod window;
