//! Formulas in all supported notations.

use super::*;
use crate::{
    document::BlockKind,
    html::whole_page,
    page::{Page, parse},
    render,
};

fn markdown(markup: &str) -> String {
    render::markdown(&whole_page(markup)).trim_end().to_owned()
}

fn mathml(content: &str) -> String {
    let page = Page::take(parse::parse(&format!("<math>{content}</math>")).unwrap());
    let math = page.find(0, "math").unwrap();
    of_element(&page, math).unwrap().tex
}

#[test]
fn mathml_becomes_tex() {
    for (content, expected) in [
        ("<mfrac><mn>1</mn><mn>2</mn></mfrac>", "\\frac{1}{2}"),
        ("<msqrt><mi>x</mi></msqrt>", "\\sqrt{x}"),
        ("<mroot><mn>8</mn><mn>3</mn></mroot>", "\\sqrt[3]{8}"),
        ("<msup><mi>x</mi><mn>2</mn></msup>", "x^{2}"),
        ("<msubsup><mi>x</mi><mi>i</mi><mn>2</mn></msubsup>", "x_{i}^{2}"),
        ("<mrow><mi>a</mi><mo>+</mo><mi>b</mi><mo>=</mo><mn>3</mn></mrow>", "a + b = 3"),
        (
            "<munderover><mo>∑</mo><mrow><mi>i</mi><mo>=</mo><mn>1</mn></mrow><mi>n</mi></munderover><mi>i</mi>",
            "\\sum_{i = 1}^{n}i",
        ),
        ("<munder><mi>lim</mi><mrow><mi>x</mi><mo>→</mo><mn>0</mn></mrow></munder>", "\\lim_{x \\to 0}"),
        ("<mover><mi>x</mi><mo>^</mo></mover>", "\\hat{x}"),
        ("<mfenced><mi>a</mi><mi>b</mi></mfenced>", "(a, b)"),
        ("<mi>sin</mi><mo>&#x2061;</mo><mi>θ</mi>", "\\sin\\theta"),
        ("<mi mathvariant=double-struck>R</mi>", "\\mathbb{R}"),
        ("<mtext>if </mtext><mi>x</mi>", "\\text{if }x"),
        (
            "<mo>(</mo><mtable><mtr><mtd><mn>1</mn></mtd><mtd><mn>0</mn></mtd></mtr></mtable><mo>)</mo>",
            "\\left(\\begin{matrix} 1 & 0 \\end{matrix}\\right)",
        ),
        (
            "<mmultiscripts><mi>C</mi><none></none><none></none><mprescripts></mprescripts><mn>6</mn><mn>12</mn></mmultiscripts>",
            "{}_{6}^{12}C",
        ),
        ("<mfrac linethickness=0><mi>n</mi><mi>k</mi></mfrac>", "{n \\atop k}"),
        ("<menclose notation=box><mi>x</mi></menclose>", "\\boxed{x}"),
        ("<semantics><mi>x</mi><annotation encoding=x>other</annotation></semantics>", "x"),
    ] {
        assert_eq!(mathml(content), expected, "{content}");
    }
}

#[test]
fn tex_in_the_page_is_used_unchanged() {
    let annotated = "<math><semantics><mi>a</mi><annotation encoding='application/x-tex'>a_i*b_i</annotation></semantics></math>";
    let tex = |tex: &str| format!("So ${tex}$ holds.");
    for (formula, expected) in [
        (annotated.to_owned(), tex("a_i*b_i")),
        (
            format!("<span class=katex><span class=katex-mathml>{annotated}</span><span class=katex-html aria-hidden=true>ab</span></span>"),
            tex("a_i*b_i"),
        ),
        ("<span class=katex><span class=katex-html>x→y</span></span>".to_owned(), "So x→y holds.".to_owned()),
        (
            "<span class=math-inline data-math='x \\to y'><span class=katex><span class=katex-html>x→y</span></span></span>".to_owned(),
            tex("x \\to y"),
        ),
        ("<span class=ql-formula data-value='e=mc^2'>rendered</span>".to_owned(), tex("e=mc^2")),
        ("<math alttext='E_u - E_l'><mi>E</mi></math>".to_owned(), tex("E_u - E_l")),
        ("<math alttext='x squared plus one'><msup><mi>x</mi><mn>2</mn></msup></math>".to_owned(), tex("x^{2}")),
        ("<d-math>a_i</d-math>".to_owned(), tex("a_i")),
        ("<math-renderer class=js-inline-math>$a_i$</math-renderer>".to_owned(), tex("a_i")),
        ("<span class='math inline'>\\(a_i\\)</span>".to_owned(), tex("a_i")),
        ("<span class='math inline'>a_i</span>".to_owned(), tex("a_i")),
        ("<span class=arithmatex>\\(a_i\\)</span>".to_owned(), tex("a_i")),
        ("<span class=math>a_i</span>".to_owned(), tex("a_i")),
        ("<code class='language-math math-inline'>a_i</code>".to_owned(), tex("a_i")),
        ("<code class='code math js-render-math' data-math-style=inline>a_i</code>".to_owned(), tex("a_i")),
        ("<script type='math/tex'>E_u - E_l</script>".to_owned(), tex("E_u - E_l")),
        (
            "<span class=MathJax_Preview>E</span><span class=MathJax><span>Eu</span></span><script type='math/tex'>E_u</script>".to_owned(),
            tex("E_u"),
        ),
        (
            "<span class=MathJax_Preview></span><span class=MathJax data-mathml='<math><msup><mi>x</mi><mn>2</mn></msup></math>'><nobr>x2</nobr></span>".to_owned(),
            tex("x^{2}"),
        ),
        (
            "<script type='math/mml'><math><msup><mi>x</mi><mn>2</mn></msup></math></script>".to_owned(),
            tex("x^{2}"),
        ),
        (
            "<mjx-container class=MathJax jax=CHTML><mjx-math aria-hidden=true><mjx-mi>x</mjx-mi></mjx-math><mjx-assistive-mml>\
             <math><msup><mi>x</mi><mn>2</mn></msup></math></mjx-assistive-mml></mjx-container>".to_owned(),
            tex("x^{2}"),
        ),
        ("<mjx-container jax=SVG><svg><g data-latex='x^2'></g></svg></mjx-container>".to_owned(), tex("x^2")),
    ] {
        assert_eq!(markdown(&format!("<p>So {formula} holds.</p>")), expected, "{formula}");
    }
}

#[test]
fn numbered_formula_retains_its_number() {
    let formula = "<div class='math notranslate'><span class=eqno>(2)<a class=headerlink href='#e'>¶</a></span>\\[a_i = b\\]</div>";
    assert_eq!(markdown(formula), "$$\na_i = b \\tag{2}\n$$");
}

#[test]
fn formula_on_a_separate_line_becomes_a_block() {
    let tex = "x^2 & y";
    for formula in [
        format!("<script type='math/tex; mode=display'>% <![CDATA[\n{tex}\n%]]></script>"),
        format!("<span class='math display'>\\[{tex}\\]</span>"),
        format!("<div class=arithmatex>\\[{tex}\\]</div>"),
        format!("<div class=math-block data-math='{tex}'>rendered</div>"),
        format!("<d-math block>{tex}</d-math>"),
        format!("<div class=math><p><img src=/q.png alt='{tex}'></p></div>"),
        format!("<pre><code class='language-math'>{tex}</code></pre>"),
        format!("<pre class='code math js-render-math' data-math-style=display>{tex}</pre>"),
        format!(
            "<p><mjx-container display=true><mjx-assistive-mml><math alttext='{tex}'></math></mjx-assistive-mml></mjx-container></p>"
        ),
    ] {
        let blocks = whole_page(&format!("<p>One.</p>{formula}<p>Two.</p>"));
        let is_formula = |block: &&crate::Block| block.kind == BlockKind::Math;
        let texts: Vec<&str> = blocks.iter().filter(is_formula).map(|block| block.text.as_str()).collect();
        assert_eq!((texts, blocks.len()), (vec![tex], 3), "{formula}");
    }
}

#[test]
fn formula_images_become_tex() {
    for image in [
        "<img class=latex src=/x.png alt='$x^2$'>",
        "<img class='ql-img-inline-formula' src=/q.svg alt='x^2'>",
        "<span class=math><img src=/q.svg alt='\\(x^2\\)'></span>",
        "<span class=math><img src=/q.svg alt='x^2'></span>",
        "<img src='https://latex.codecogs.com/svg.latex?\\inline&space;\\dpi{120}&space;x%5E2'>",
        "<img src='https://s0.wp.com/latex.php?latex=x%5E2&bg=ffffff' alt=''>",
        "<img src='https://chart.googleapis.com/chart?cht=tx&chl=x%5E2'>",
        "<img src='https://www.zhihu.com/equation?tex=x%5E2' alt='x^2' eeimg=1>",
        "<img src='https://i.upmath.me/svg/x%5E2'>",
        "<img class=equation_image src=/equation_images/1 data-equation-content='x^2'>",
        "<img class='mwe-math-fallback-image-inline' src=/math/render/svg/1 alt='x^2'>",
    ] {
        assert_eq!(markdown(&format!("<p>So {image} holds.</p>")), "So $x^2$ holds.", "{image}");
    }
    for photo in [
        "<p>So <img src=/latex/factory.jpg alt='The latex factory'> it is.</p>",
        "<div class=math><p>So <img src=/a/factory.jpg alt='IMG_2034'> it is.</p></div>",
        "<div class=math><p>So <img src=/a/factory.jpg alt='Harbour ^ north of Bergen'> it is.</p></div>",
    ] {
        assert!(markdown(photo).starts_with("So it is."), "{}", markdown(photo));
    }
}

#[test]
fn ordinary_markup_is_not_read_as_a_formula() {
    for (markup, expected) in [
        ("<p>See <span class=math>x</span>.</p>", "See x."),
        ("<p>See <span class=tex>T<sub>E</sub>X</span>.</p>", "See T\\_EX."),
        ("<p>See <span data-math=true>this</span>.</p>", "See this."),
        ("<p>See <code class=language-tex>\\frac</code>.</p>", "See `\\frac`."),
        ("<p>See <span data-formula='{\"id\":1}'>this</span>.</p>", "See this."),
        (
            "<p data-formula='x^2'>The square of a number is the number times itself.</p>",
            "The square of a number is the number times itself.",
        ),
    ] {
        assert_eq!(markdown(markup), expected, "{markup}");
    }
}

#[test]
fn equations_in_a_layout_table_retain_their_numbers() {
    let markup = "<p>One.</p><table class=ltx_equation><tr><td></td><td><math display=block alttext='a=b_c'><mi>a</mi></math></td>\
        <td></td><td><span>(3)</span></td></tr><tr><td></td><td><math alttext='\\displaystyle d'></math></td><td>\
        <math alttext='\\displaystyle =e'></math></td><td>(4)</td></tr></table>";
    let texts: Vec<String> = whole_page(markup).into_iter().map(|block| block.text).collect();
    assert_eq!(texts, ["One.", "a=b_c \\tag{3}", "\\displaystyle d \\displaystyle =e \\tag{4}"]);
    let data = "<table><tr><th>Name<th>Value</tr><tr><td>x<td><math><mi>y</mi></math></td></tr></table>";
    assert_eq!(markdown(data), "| Name | Value |\n| --- | --- |\n| x | $y$ |");
}
