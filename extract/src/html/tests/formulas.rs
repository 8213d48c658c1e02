//! Formulas in the text of an article.

use super::*;

const PARAGRAPHS: [&str; 2] = [
    "The lighthouse keeper counted the ships before dawn and noted each of them in the long green ledger by the window. \
     A storm had taken the northern buoy, so two boats waited beyond the reef until somebody rowed out with a lamp.",
    "In the afternoon the mail arrived with a letter from the harbour office, which asked for the figures of the whole \
     month. He copied them twice, sealed one copy for the office and put the other below the stairs.",
];

/// Page of an article with paragraphs before and after the content.
pub(super) fn article_page(content: &str) -> String {
    let [one, two] = PARAGRAPHS;
    format!(
        "<!doctype html><html lang=en><head><title>The ledger</title></head><body><header><nav><a href=/>Home</a></nav></header>\
         <main><article><h1>The ledger</h1><p>{one}</p>{content}<p>{two}</p><p>{one} It went on.</p><p>{two} It ended.</p>\
         </article></main><footer>© Example</footer></body></html>"
    )
}

/// Markdown of an article with paragraphs before and after the content.
pub(super) fn article(content: &str) -> String {
    crate::render::markdown(&read(&article_page(content), Some("https://a.example/d/x")).unwrap().blocks)
}

#[test]
fn formulas_of_an_article_are_selected() {
    for (content, expected) in [
        (
            "<p>Energy <span class=MathJax_Preview></span><script type='math/tex'>E_u - E_l</script> is known.</p>\
             <script type='math/tex; mode=display'>x^2+y^2=z^2</script>",
            "Energy $E_u - E_l$ is known.\n\n$$\nx^2+y^2=z^2\n$$\n",
        ),
        (
            "<p>then <span class=math-inline data-math='x \\to y'><span class=katex><span class=katex-html aria-hidden=true>\
             x→y</span></span></span> follows.</p>",
            "\nthen $x \\to y$ follows.\n",
        ),
        (
            "<p>Half is <math><mfrac><mn>1</mn><mn>2</mn></mfrac></math>, the square <math><msup><mi>x</mi><mn>2</mn></msup></math>.</p>",
            "\nHalf is $\\frac{1}{2}$, the square $x^{2}$.\n",
        ),
        (
            "<p>So <mjx-container class=MathJax jax=CHTML><mjx-math aria-hidden=true><mjx-mi>x</mjx-mi></mjx-math>\
             <mjx-assistive-mml><math><msup><mi>x</mi><mn>2</mn></msup></math></mjx-assistive-mml></mjx-container> it is.</p>",
            "\nSo $x^{2}$ it is.\n",
        ),
        (
            "<p>So <d-math>a_i</d-math> it is.</p><d-math block>b_i</d-math>",
            "So $a_i$ it is.\n\n$$\nb_i\n$$\n",
        ),
        ("<p><img src='https://latex.codecogs.com/gif.latex?x_1'></p>", "\n$x_1$\n"),
        (
            "<p>so \\(a_i*b_i\\) and $a_i*b_i$ and \\[x_1\\]</p>",
            "\nso \\(a_i*b_i\\) and $a_i*b_i$ and \\[x_1\\]\n",
        ),
    ] {
        let markdown = article(content);
        assert!(markdown.contains(expected), "{expected} is missing from {markdown}");
    }
}
