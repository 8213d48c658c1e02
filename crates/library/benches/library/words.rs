//! Generates words with the frequency distribution of real texts: few words are frequent, and most words are
//! rare.

/// Number of different words.
pub(crate) const VOCABULARY: usize = 50_000;

/// Pseudo-random numbers that are the same in each run.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    pub(crate) fn below(&mut self, bound: usize) -> usize {
        usize::try_from(self.next() % bound as u64).unwrap()
    }

    fn share(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }
}

/// Vocabulary, most frequent word first.
pub(crate) struct Words {
    names: Vec<String>,
    cumulative: Vec<f64>,
    /// Number of items that contain each word.
    pub items: Vec<u32>,
}

impl Words {
    /// Generates the vocabulary. The frequency of the word with rank `r` is proportional to `1 / (r + 2.7)`
    /// (Zipf–Mandelbrot law).
    pub(crate) fn new() -> Self {
        let mut sum = 0.0;
        let mut cumulative = Vec::with_capacity(VOCABULARY);
        for rank in 0..VOCABULARY {
            sum += 1.0 / (rank as f64 + 3.7);
            cumulative.push(sum);
        }
        for share in &mut cumulative {
            *share /= sum;
        }
        Self { names: (0..VOCABULARY).map(name).collect(), cumulative, items: vec![0; VOCABULARY] }
    }

    pub(crate) fn sample(&self, random: &mut Random) -> usize {
        let share = random.share();
        self.cumulative.partition_point(|at| *at < share).min(VOCABULARY - 1)
    }

    /// Generates a text of `count` words and appends their ranks to `ranks`.
    pub(crate) fn text(&self, random: &mut Random, count: usize, ranks: &mut Vec<usize>) -> String {
        let mut text = String::with_capacity(count * 8);
        for _ in 0..count {
            let rank = self.sample(random);
            ranks.push(rank);
            if !text.is_empty() {
                text.push(' ');
            }
            text.push_str(&self.names[rank]);
        }
        text
    }

    pub(crate) fn name(&self, rank: usize) -> &str {
        &self.names[rank]
    }

    /// Returns the rank of the word whose number of items is closest to `target`.
    pub(crate) fn closest_rank(&self, target: u32) -> usize {
        (0..VOCABULARY).min_by_key(|rank| self.items[*rank].abs_diff(target)).unwrap()
    }
}

/// Builds a word of two or three syllables from its rank.
fn name(rank: usize) -> String {
    const CONSONANTS: &[u8] = b"bcdfghjklmnpqrstvwxz";
    const VOWELS: &[u8] = b"aeiou";
    let mut name = String::new();
    let mut rest = rank;
    while rest > 0 || name.len() < 4 {
        let syllable = rest % 100;
        name.push(char::from(CONSONANTS[syllable / 5]));
        name.push(char::from(VOWELS[syllable % 5]));
        rest /= 100;
    }
    name
}
