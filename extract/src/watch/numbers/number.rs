//! Exact decimal numbers.

/// Maximum number of digits after the decimal separator.
const MAX_SCALE: u32 = 9;
/// Maximum number of digits in an amount. Longer runs of digits are treated as names.
pub(super) const MAX_DIGITS: usize = 18;

/// Decimal number: `digits` divided by ten to the power of `scale`.
#[derive(Debug, Clone, Copy)]
pub(in super::super) struct Number {
    digits: i128,
    scale: u32,
}

impl Number {
    /// Parses a threshold, in which the decimal separator is always a point.
    pub(in super::super) fn plain(text: &str) -> Option<Self> {
        let text = text.trim();
        let (negative, text) = text.strip_prefix('-').map_or((false, text), |text| (true, text));
        let (whole, part) = text.split_once('.').unwrap_or((text, ""));
        let valid = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        if whole.is_empty() || whole.len() + part.len() > MAX_DIGITS || !valid(whole) || !valid(part) {
            return None;
        }
        Self::from_parts(whole, part, negative)
    }

    pub(super) fn from_parts(whole: &str, part: &str, negative: bool) -> Option<Self> {
        if whole.len() > MAX_DIGITS {
            return None;
        }
        let part = &part[..part.len().min(usize::try_from(MAX_SCALE).unwrap_or(0))];
        let scale = u32::try_from(part.len()).ok()?;
        let digits: i128 = format!("{whole}{part}").parse().ok()?;
        Some(Self { digits: if negative { -digits } else { digits }, scale })
    }

    /// True if the magnitudes of both numbers differ at most by `factor`.
    pub(super) fn is_near(self, other: Self, factor: i128) -> bool {
        let scale = self.scale.max(other.scale);
        let (one, other) = (self.scaled(scale).abs(), other.scaled(scale).abs());
        one > 0 && other > 0 && one <= other.saturating_mul(factor) && other <= one.saturating_mul(factor)
    }

    /// True if the number fell from `before`, by at least `step` if it is set. To check for a rise, negate
    /// both numbers.
    pub(in super::super) fn fell_from(self, before: Self, step: Option<MinimumStep>) -> bool {
        let Some(step) = step else { return self < before };
        let scale = self.scale.max(before.scale).max(step.size.scale);
        let (now, before, size) = (self.scaled(scale), before.scaled(scale), step.size.scaled(scale));
        let fall = before - now;
        if step.is_percent {
            let unit = 100 * 10_i128.pow(scale);
            fall > 0 && fall.saturating_mul(unit) >= before.abs().saturating_mul(size)
        } else {
            fall > 0 && fall >= size
        }
    }

    #[must_use]
    pub(in super::super) fn negated(self) -> Self {
        Self { digits: -self.digits, ..self }
    }

    fn scaled(self, scale: u32) -> i128 {
        self.digits * 10_i128.pow(scale - self.scale)
    }

    /// `after` minus `before`, with its sign. `None` if they are equal.
    pub(in super::super) fn difference(before: Self, after: Self) -> Option<String> {
        let scale = before.scale.max(after.scale);
        let digits = after.scaled(scale) - before.scaled(scale);
        let sign = if digits < 0 { '−' } else { '+' };
        let size = Self { digits: digits.abs(), scale };
        (digits != 0).then(|| format!("{sign}{size}"))
    }
}

/// Minimum size of a rise or fall.
#[derive(Debug, Clone, Copy)]
pub(in super::super) struct MinimumStep {
    size: Number,
    is_percent: bool,
}

impl MinimumStep {
    /// Parses `5` or `10%`. `None` if the size is not greater than 0.
    pub(in super::super) fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        let (size, is_percent) = text.strip_suffix('%').map_or((text, false), |size| (size, true));
        let size = Number::plain(size)?;
        (size.digits > 0).then_some(Self { size, is_percent })
    }

    /// False if the step is a percentage greater than `most`.
    pub(in super::super) fn is_within(self, most: Option<Number>) -> bool {
        !self.is_percent || Some(self.size) <= most
    }
}

impl std::fmt::Display for Number {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let width = usize::try_from(self.scale).unwrap_or(0);
        let digits = format!("{:0>width$}", self.digits.unsigned_abs(), width = width + 1);
        let (whole, part) = digits.split_at(digits.len() - width);
        let part = part.trim_end_matches('0');
        let sign = if self.digits < 0 { "-" } else { "" };
        if part.is_empty() { write!(out, "{sign}{whole}") } else { write!(out, "{sign}{whole}.{part}") }
    }
}

impl PartialEq for Number {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Number {}

impl PartialOrd for Number {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Number {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        let scale = self.scale.max(other.scale);
        self.scaled(scale).cmp(&other.scaled(scale))
    }
}
