//! Formulas in the text of an article.

use super::*;

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
