//! Formulas as TeX: the TeX in the page if it is present, or else TeX that is converted from `MathML`.

mod elements;
mod formula;
mod images;
mod mathml;
mod renderings;

pub(crate) use self::mathml::of_markup_text;
pub(super) use self::{
    elements::of_element,
    formula::Formula,
    images::{names_formula, of_image},
    renderings::{is_rendering, is_unconverted},
};

#[cfg(test)]
mod tests;
