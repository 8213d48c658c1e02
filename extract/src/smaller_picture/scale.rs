//! Reduces pictures: each pixel of the result is the mean of the pixels in its area. A pixel on the border of several
//! areas contributes to each of them in proportion.

use crate::raster::samples::Samples;

/// Pixels of a picture, row by row: red, green, blue and opacity.
pub(super) struct Pixels {
    pub(super) width: usize,
    pub(super) height: usize,
    pub(super) rgba: Vec<[u8; 4]>,
}

impl Pixels {
    pub(super) fn is_opaque(&self) -> bool {
        self.rgba.iter().all(|[_, _, _, alpha]| *alpha == u8::MAX)
    }
}

/// Sums of red, green, and blue, each multiplied by opacity, and of opacity.
type ColourSums = [u64; 4];

/// Reduces a picture of `size` to `smaller`, which must not exceed it in width or height. `None` if the number of
/// samples does not match.
pub(super) fn reduce(samples: &Samples, size: (usize, usize), smaller: (usize, usize)) -> Option<Pixels> {
    let ((width, height), (columns, rows)) = (size, smaller);
    let is_reduction = (1..=width).contains(&columns) && (1..=height).contains(&rows);
    if !is_reduction || samples.bytes.len() != width * height * samples.channels {
        return None;
    }
    let area = u64::try_from(width * height).ok()?;
    let mut rgba = Vec::with_capacity(columns * rows);
    let mut sums = vec![ColourSums::default(); columns];
    for (y, line) in samples.bytes.chunks_exact(width * samples.channels).enumerate() {
        let line = reduce_line(line, samples.channels, width, columns);
        // One pixel is `rows` units high, and one area `height` units.
        let (start, end) = (y * rows, (y + 1) * rows);
        let border = (start / height + 1) * height;
        add_line(&mut sums, &line, end.min(border) - start);
        if end >= border {
            rgba.extend(sums.iter().map(|sum| mean(*sum, area)));
            sums.fill(ColourSums::default());
            add_line(&mut sums, &line, end - border);
        }
    }
    Some(Pixels { width: columns, height: rows, rgba })
}

/// Sums of the pixels of a line in each column. One pixel is `columns` units wide, and one column `width` units.
fn reduce_line(line: &[u8], channels: usize, width: usize, columns: usize) -> Vec<ColourSums> {
    let mut sums = vec![ColourSums::default(); columns];
    for (x, pixel) in line.chunks_exact(channels).enumerate() {
        let pixel = weighted(pixel);
        let (start, end) = (x * columns, (x + 1) * columns);
        let column = start / width;
        let border = (column + 1) * width;
        for (sum, units) in
            sums.iter_mut().skip(column).zip([end.min(border) - start, end.saturating_sub(border)])
        {
            add(sum, pixel, units);
        }
    }
    sums
}

fn add_line(sums: &mut [ColourSums], line: &[ColourSums], units: usize) {
    for (sum, pixel) in sums.iter_mut().zip(line) {
        add(sum, *pixel, units);
    }
}

/// Adds a pixel that covers a number of units.
fn add(sum: &mut ColourSums, pixel: ColourSums, units: usize) {
    let units = u64::try_from(units).unwrap_or(0);
    for (sum, value) in sum.iter_mut().zip(pixel) {
        *sum += value * units;
    }
}

/// Sums of a single pixel.
fn weighted(samples: &[u8]) -> ColourSums {
    let (rgb, alpha) = match *samples {
        [grey] => ([grey; 3], u8::MAX),
        [grey, alpha] => ([grey; 3], alpha),
        [red, green, blue] => ([red, green, blue], u8::MAX),
        [red, green, blue, alpha] => ([red, green, blue], alpha),
        _ => ([u8::MAX; 3], u8::MAX),
    };
    let alpha = u64::from(alpha);
    let [red, green, blue] = rgb.map(|level| u64::from(level) * alpha);
    [red, green, blue, alpha]
}

/// Mean pixel of an area.
fn mean([red, green, blue, alpha]: ColourSums, area: u64) -> [u8; 4] {
    let level = |sum: u64, total: u64| {
        u8::try_from((sum + total / 2).checked_div(total).unwrap_or(0)).unwrap_or(u8::MAX)
    };
    [level(red, alpha), level(green, alpha), level(blue, alpha), level(alpha, area)]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn samples(channels: usize, bytes: &[u8]) -> Samples {
        Samples {
            channels,
            bytes: bytes.to_vec(),
            colour_profile: None,
            exif: None,
            is_animated: false,
            has_exact_colours: true,
        }
    }

    fn reduced(channels: usize, bytes: &[u8], size: (usize, usize), smaller: (usize, usize)) -> Vec<[u8; 4]> {
        reduce(&samples(channels, bytes), size, smaller).unwrap().rgba
    }

    #[test]
    fn pixel_in_two_areas_contributes_to_each_in_proportion() {
        assert_eq!(reduced(1, &[0, 90, 180], (3, 1), (2, 1)), [[30, 30, 30, 255], [150, 150, 150, 255]]);
        assert_eq!(reduced(1, &[0, 90, 180], (1, 3), (1, 2)), [[30, 30, 30, 255], [150, 150, 150, 255]]);
        assert_eq!(reduced(1, &[0, 90, 180], (3, 1), (1, 1)), [[90, 90, 90, 255]]);
        assert_eq!(reduced(3, &[1, 2, 3, 3, 4, 5, 5, 6, 7, 7, 8, 9], (2, 2), (1, 1)), [[4, 5, 6, 255]]);
        let same = [[10, 20, 30, 255], [40, 50, 60, 255]];
        assert_eq!(reduced(3, &[10, 20, 30, 40, 50, 60], (2, 1), (2, 1)), same);
    }

    #[test]
    fn colour_of_transparent_pixels_is_ignored() {
        assert_eq!(reduced(4, &[200, 0, 0, 255, 0, 0, 200, 0], (2, 1), (1, 1)), [[200, 0, 0, 128]]);
        assert_eq!(reduced(2, &[7, 0, 9, 0], (2, 1), (1, 1)), [[0, 0, 0, 0]]);
    }

    #[test]
    fn every_size_has_as_many_pixels_as_requested() {
        let line: Vec<u8> = (0..23).collect();
        for columns in 1..=23 {
            let pixels = reduced(1, &line.repeat(5), (23, 5), (columns, 5));
            assert_eq!(pixels.len(), columns * 5);
            assert!(pixels.iter().all(|[grey, ..]| *grey <= 22));
        }
        for (size, smaller) in [((2, 2), (3, 2)), ((2, 2), (2, 3)), ((2, 2), (0, 1)), ((3, 2), (1, 1))] {
            assert!(reduce(&samples(1, &[0; 4]), size, smaller).is_none(), "{size:?} {smaller:?}");
        }
    }
}
