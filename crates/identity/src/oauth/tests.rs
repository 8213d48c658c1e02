//! The life of a grant on both databases: from the person's yes to tokens, their successors and their end.

mod codes;
mod ends;
mod refreshes;
mod setting;
