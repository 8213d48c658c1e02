//! Vectors by which texts are compared. They have unit length, so their dot product is the cosine of their
//! angle.

use kernel::Result;
use serde::Deserialize;

use crate::answer::malformed;

/// Maximum number of components of a vector.
const MAX_COMPONENTS: usize = 4_096;
/// Size of a stored component.
const COMPONENT_BYTES: usize = 4;

/// Vector of a text.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Embedding(Vec<f32>);

#[derive(Deserialize)]
struct EmbeddingAnswer {
    data: Vec<EmbeddingRow>,
}

#[derive(Deserialize)]
struct EmbeddingRow {
    index: usize,
    embedding: Vec<f32>,
}

impl Embedding {
    /// Creates a vector of unit length. `None` if the components are too many, or their length is zero or not
    /// finite.
    fn of(components: Vec<f32>) -> Option<Self> {
        let length = components.iter().map(|component| component * component).sum::<f32>().sqrt();
        let is_usable = components.len() <= MAX_COMPONENTS && length.is_finite() && length > f32::EPSILON;
        is_usable.then(|| Self(components.into_iter().map(|component| component / length).collect()))
    }

    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        self.0.iter().flat_map(|component| component.to_le_bytes()).collect()
    }

    pub(crate) fn of_bytes(bytes: &[u8]) -> Self {
        let component = |bytes: &[u8]| Some(f32::from_le_bytes(bytes.try_into().ok()?));
        Self(bytes.chunks_exact(COMPONENT_BYTES).filter_map(component).collect())
    }

    /// Returns the components as one byte each, as multiples of the greatest component divided by 127. The greatest one
    /// of a vector of length 1 is not 0.
    fn quantized(&self) -> impl Iterator<Item = u8> {
        let greatest = self.0.iter().fold(0.0_f32, |greatest, component| greatest.max(component.abs()));
        self.0.iter().map(move |component| {
            #[expect(
                clippy::cast_possible_truncation,
                reason = "the number is at least -127 and at most 127"
            )]
            let number = (component / greatest * f32::from(i8::MAX)).round() as i8;
            number.cast_unsigned()
        })
    }

    /// Returns the beginning of all stored passages that can be compared with this vector.
    pub(crate) fn comparable_prefix(&self) -> [u8; 4] {
        length_prefix(self.0.len())
    }

    /// Returns the similarity of two texts, at most 1. `None` if the vectors come from different models.
    pub(crate) fn similarity(&self, other: &Self) -> Option<f32> {
        let products = self.0.iter().zip(&other.0).map(|(one, other)| one * other);
        (self.0.len() == other.0.len()).then(|| products.sum())
    }
}

/// Returns the beginning of stored passages with this number of components per vector.
fn length_prefix(components: usize) -> [u8; 4] {
    u32::try_from(components).unwrap_or_default().to_le_bytes()
}

/// Returns the vectors of the passages of a text as they are stored: the number of components of each, and then the
/// components. Only their directions are retained. Vectors whose number of components differs from that of the first
/// vector come from another model and are omitted.
pub(crate) fn bytes_of_passages(vectors: &[Embedding]) -> Vec<u8> {
    let components = vectors.first().map_or(0, |vector| vector.0.len());
    let mut bytes = length_prefix(components).to_vec();
    let comparable = vectors.iter().filter(|vector| vector.0.len() == components);
    bytes.extend(comparable.flat_map(Embedding::quantized));
    bytes
}

/// Returns the similarity of a query and the passage that is nearest to it. `None` if there is no passage, or if the
/// vectors come from different models.
pub(crate) fn nearest_passage(query: &Embedding, stored: &[u8]) -> Option<f32> {
    let (length, components) = stored.split_first_chunk()?;
    let length = usize::try_from(u32::from_le_bytes(*length)).ok()?;
    if length == 0 || length != query.0.len() {
        return None;
    }
    components.chunks_exact(length).map(|passage| similarity_quantized(query, passage)).max_by(f32::total_cmp)
}

fn similarity_quantized(query: &Embedding, passage: &[u8]) -> f32 {
    let (mut product, mut square) = (0.0_f32, 0.0_f32);
    for (one, byte) in query.0.iter().zip(passage) {
        let other = f32::from(byte.cast_signed());
        product += one * other;
        square += other * other;
    }
    product / square.sqrt().max(1.0)
}

/// Parses the vectors of `count` texts in an answer, in the order of the texts.
///
/// # Errors
/// `source_invalid_response` if a vector is missing or unusable.
pub(crate) fn parse_embeddings(body: &[u8], count: usize) -> Result<Vec<Embedding>> {
    let answer: EmbeddingAnswer = serde_json::from_slice(body).map_err(|_| malformed())?;
    let mut rows = answer.data;
    rows.sort_by_key(|row| row.index);
    let is_complete = rows.len() == count && rows.iter().enumerate().all(|(at, row)| row.index == at);
    if !is_complete {
        return Err(malformed());
    }
    rows.into_iter().map(|row| Embedding::of(row.embedding).ok_or_else(malformed)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn embeddings_are_in_the_order_of_their_texts_and_have_unit_length() {
        let body = r#"{"object": "list", "model": "small", "data": [
            {"object": "embedding", "index": 1, "embedding": [0, 2.0]},
            {"object": "embedding", "index": 0, "embedding": [3.0, 4.0]}
        ], "usage": {"prompt_tokens": 2, "total_tokens": 2}}"#;
        let parsed = parse_embeddings(body.as_bytes(), 2).unwrap();
        let similarity = parsed[0].similarity(&parsed[1]).unwrap();
        assert!((similarity - 0.8).abs() < 0.001, "{similarity}");
        let stored = Embedding::of_bytes(&parsed[0].to_bytes());
        assert_eq!(stored, parsed[0]);
        assert_eq!(stored.similarity(&Embedding::of_bytes(&[0; 4])), None);
    }

    #[test]
    fn stored_passages_have_nearly_the_similarity_of_their_vectors() {
        let vector = |components: [f32; 3]| Embedding::of(components.to_vec()).unwrap();
        let query = vector([0.2, -0.9, 0.4]);
        let [far, near] = [vector([1.0, 0.3, 0.0]), vector([0.1, -0.7, 0.5])];
        let stored = bytes_of_passages(&[far, near.clone()]);
        assert_eq!(stored.len(), 4 + 2 * 3);
        let similarity = nearest_passage(&query, &stored).unwrap();
        assert!((similarity - query.similarity(&near).unwrap()).abs() < 0.01, "{similarity}");
        let other_model = Embedding::of(vec![1.0, 0.0]).unwrap();
        assert_eq!(nearest_passage(&other_model, &stored), None);
        assert_eq!(bytes_of_passages(&[near.clone(), other_model]), bytes_of_passages(&[near]));
        for unusable in [Vec::new(), bytes_of_passages(&[]), query.to_bytes()] {
            assert_eq!(nearest_passage(&query, &unusable), None);
        }
    }

    #[test]
    fn unusable_embeddings_are_errors() {
        for body in [
            "",
            "{}",
            r#"{"data": []}"#,
            r#"{"data": [{"index": 1, "embedding": [1.0]}]}"#,
            r#"{"data": [{"index": 0, "embedding": []}]}"#,
            r#"{"data": [{"index": 0, "embedding": [0.0, 0.0]}]}"#,
            r#"{"data": [{"index": 0, "embedding": [1e300]}]}"#,
            r#"{"data": [{"index": 0, "embedding": ["x"]}]}"#,
        ] {
            assert!(parse_embeddings(body.as_bytes(), 1).is_err(), "{body}");
        }
        let long = vec!["1.0"; MAX_COMPONENTS + 1].join(",");
        let body = format!("{{\"data\": [{{\"index\": 0, \"embedding\": [{long}]}}]}}");
        assert!(parse_embeddings(body.as_bytes(), 1).is_err());
    }
}
