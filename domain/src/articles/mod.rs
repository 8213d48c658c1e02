//! Articles: what a public source says, as text that can be read in windows, searched and quoted.

pub mod window;
