//! Parses expressions. The nesting depth and the number of parts are limited.

use super::{
    error::XPathError,
    expression::{
        Arithmetic, Axis, ComparisonOperator, Expression, LocationStep, NodeTest, Path, PathStart, Predicate,
        SIGNATURES, ValueType, XPathOperator,
    },
    lexer::{self, XPathLexeme, XPathToken},
};

/// Maximum nesting depth of parentheses, predicates and arguments.
const MAX_NESTING: usize = 16;
/// Maximum number of operators, steps, string literals, numbers and calls of an expression.
const MAX_PARTS: usize = 100;

type Parsed<T> = Result<T, XPathError>;

pub(super) fn parse(text: &str) -> Parsed<Expression> {
    let tokens = lexer::tokens(text)?;
    let mut parser = XPathParser { text, tokens, next: 0, nesting: 0, parts: 0 };
    let expression = parser.expression()?;
    match parser.peek() {
        None => Ok(expression),
        Some(_) => Err(parser.unexpected()),
    }
}

struct XPathParser<'e> {
    text: &'e str,
    tokens: Vec<XPathLexeme<'e>>,
    next: usize,
    nesting: usize,
    parts: usize,
}

impl<'e> XPathParser<'e> {
    fn token_at(&self, index: usize) -> Option<XPathToken<'e>> {
        self.tokens.get(index).map(|lexeme| lexeme.token)
    }

    fn peek(&self) -> Option<XPathToken<'e>> {
        self.token_at(self.next)
    }

    fn is(&self, symbol: &'static str) -> bool {
        self.peek() == Some(XPathToken::Symbol(symbol))
    }

    /// Consumes a symbol if it is the next token. Returns true if it was consumed.
    fn take(&mut self, symbol: &'static str) -> bool {
        let is_next = self.is(symbol);
        self.next += usize::from(is_next);
        is_next
    }

    fn expect(&mut self, symbol: &'static str) -> Parsed<()> {
        if self.take(symbol) { Ok(()) } else { Err(self.error(format!("{symbol:?} is missing"))) }
    }

    /// Byte offset of the next token.
    fn at(&self) -> usize {
        self.tokens.get(self.next).map_or(self.text.len(), |lexeme| lexeme.at)
    }

    fn error(&self, reason: impl Into<String>) -> XPathError {
        XPathError::new(self.text, self.at(), reason)
    }

    fn unexpected(&self) -> XPathError {
        match self.peek() {
            None => self.error("the expression is incomplete"),
            Some(XPathToken::Symbol("$")) => self.error("variables are not supported"),
            Some(XPathToken::Name(word) | XPathToken::Number(word)) => {
                self.error(format!("{word:?} is not expected"))
            }
            Some(XPathToken::Symbol(symbol)) => self.error(format!("{symbol:?} is not expected")),
            Some(XPathToken::Text(_)) => self.error("a text is not expected"),
        }
    }

    /// Counts a part of the expression, and refuses the expression if it has too many.
    fn count_part(&mut self) -> Parsed<()> {
        self.parts += 1;
        if self.parts > MAX_PARTS {
            return Err(self.error(format!("there are more than {MAX_PARTS} parts")));
        }
        Ok(())
    }

    fn expression(&mut self) -> Parsed<Expression> {
        self.nesting += 1;
        if self.nesting > MAX_NESTING {
            return Err(self.error(format!("it is nested deeper than {MAX_NESTING} levels")));
        }
        let expression = self.binary(0)?;
        self.nesting -= 1;
        Ok(expression)
    }

    /// Parses operators with at least this precedence.
    fn binary(&mut self, least: u8) -> Parsed<Expression> {
        let mut left = self.negation()?;
        while let Some((operator, precedence)) = self.peek().and_then(operator)
            && precedence >= least
        {
            self.count_part()?;
            self.next += 1;
            let right = self.binary(precedence + 1)?;
            left = Expression::Binary { operator, left: Box::new(left), right: Box::new(right) };
        }
        Ok(left)
    }

    fn negation(&mut self) -> Parsed<Expression> {
        let mut signs = 0_usize;
        while self.take("-") {
            signs += 1;
        }
        let mut expression = self.union()?;
        // Two minus signs only convert the value to a number.
        let count = if signs == 0 { 0 } else { 2 - signs % 2 };
        for _ in 0..count {
            expression = Expression::Negated(Box::new(expression));
        }
        Ok(expression)
    }

    fn union(&mut self) -> Parsed<Expression> {
        let at = self.at();
        let first = self.path()?;
        if !self.is("|") {
            return Ok(first);
        }
        let mut members = vec![self.nodes(first, at)?];
        while self.take("|") {
            let at = self.at();
            let member = self.path()?;
            members.push(self.nodes(member, at)?);
        }
        Ok(Expression::Union(members))
    }

    /// Refuses an expression whose value is not a set of nodes.
    fn nodes(&self, expression: Expression, at: usize) -> Parsed<Expression> {
        if expression.value_type() == ValueType::Nodes {
            Ok(expression)
        } else {
            Err(XPathError::new(self.text, at, "nodes are required"))
        }
    }

    fn path(&mut self) -> Parsed<Expression> {
        let (start, steps) = if self.is("/") || self.is("//") {
            let is_root = self.is("/") && !self.begins_step(self.next + 1);
            let steps = if is_root { Vec::new() } else { self.steps_after()? };
            self.next += usize::from(is_root);
            (PathStart::Root, steps)
        } else if self.begins_primary() {
            let at = self.at();
            let primary = self.primary()?;
            if !["[", "/", "//"].into_iter().any(|symbol| self.is(symbol)) {
                return Ok(primary);
            }
            let primary = self.nodes(primary, at)?;
            let predicates = self.predicates()?;
            (PathStart::Filter(Box::new(primary), predicates), self.steps_after()?)
        } else {
            let mut steps = vec![self.step()?];
            steps.extend(self.steps_after()?);
            (PathStart::Context, steps)
        };
        Ok(Expression::Path(Path { start, steps }))
    }

    /// Parses the steps that follow a slash.
    fn steps_after(&mut self) -> Parsed<Vec<LocationStep>> {
        let mut steps = Vec::new();
        loop {
            if self.take("//") {
                steps.push(LocationStep::any_descendant());
            } else if !self.take("/") {
                return Ok(steps);
            }
            steps.push(self.step()?);
        }
    }

    fn begins_step(&self, index: usize) -> bool {
        match self.token_at(index) {
            Some(XPathToken::Name(_)) => true,
            Some(XPathToken::Symbol(symbol)) => matches!(symbol, "*" | "." | ".." | "@"),
            _ => false,
        }
    }

    fn begins_primary(&self) -> bool {
        match self.peek() {
            Some(XPathToken::Text(_) | XPathToken::Number(_)) => true,
            Some(XPathToken::Symbol(symbol)) => symbol == "(",
            Some(XPathToken::Name(name)) => {
                self.token_at(self.next + 1) == Some(XPathToken::Symbol("(")) && node_type(name).is_none()
            }
            None => false,
        }
    }

    fn primary(&mut self) -> Parsed<Expression> {
        self.count_part()?;
        match self.peek() {
            Some(XPathToken::Text(text)) => {
                self.next += 1;
                Ok(Expression::Text(text.to_owned()))
            }
            Some(XPathToken::Number(digits)) => {
                let number = digits.parse().map_err(|_| self.unexpected())?;
                self.next += 1;
                Ok(Expression::Number(number))
            }
            Some(XPathToken::Name(name)) => self.call(name),
            _ => {
                self.expect("(")?;
                let inner = self.expression()?;
                self.expect(")")?;
                Ok(inner)
            }
        }
    }

    fn call(&mut self, name: &str) -> Parsed<Expression> {
        let Some(signature) = SIGNATURES.iter().find(|signature| signature.name == name) else {
            return Err(self.error(format!("XPath 1.0 has no function {name:?}")));
        };
        let start = self.at();
        self.next += 1;
        self.expect("(")?;
        let mut arguments = Vec::new();
        while !self.is(")") {
            if !arguments.is_empty() {
                self.expect(",")?;
            }
            let at = self.at();
            let argument = self.expression()?;
            arguments.push(if signature.takes_nodes { self.nodes(argument, at)? } else { argument });
        }
        let (least, most) = signature.arguments;
        if !(least..=most).contains(&arguments.len()) {
            let count = arguments.len();
            let reason = format!("{name}() has {count} arguments instead of {}", counted(least, most));
            return Err(XPathError::new(self.text, start, reason));
        }
        self.expect(")")?;
        Ok(Expression::Call(signature.function, arguments))
    }

    fn step(&mut self) -> Parsed<LocationStep> {
        self.count_part()?;
        for (symbol, axis) in [(".", Axis::Itself), ("..", Axis::Parent)] {
            if self.take(symbol) {
                return Ok(LocationStep { axis, test: NodeTest::Node, predicates: Vec::new() });
            }
        }
        let axis = self.axis()?;
        let test = self.node_test()?;
        Ok(LocationStep { axis, test, predicates: self.predicates()? })
    }

    fn axis(&mut self) -> Parsed<Axis> {
        if self.take("@") {
            return Ok(Axis::Attribute);
        }
        let Some(XPathToken::Name(name)) = self.peek() else { return Ok(Axis::Child) };
        if self.token_at(self.next + 1) != Some(XPathToken::Symbol("::")) {
            return Ok(Axis::Child);
        }
        let axis = Axis::of_name(name).ok_or_else(|| self.error(format!("there is no axis {name:?}")))?;
        self.next += 2;
        Ok(axis)
    }

    fn node_test(&mut self) -> Parsed<NodeTest> {
        if self.take("*") {
            return Ok(NodeTest::Any);
        }
        let Some(XPathToken::Name(name)) = self.peek() else { return Err(self.unexpected()) };
        if self.token_at(self.next + 1) != Some(XPathToken::Symbol("(")) {
            self.next += 1;
            return Ok(NodeTest::Name(name.to_owned()));
        }
        let test = node_type(name).ok_or_else(|| self.error(format!("{name}() cannot be a step")))?;
        self.next += 2;
        // A test for processing instructions may contain a name.
        if test == NodeTest::Nothing && matches!(self.peek(), Some(XPathToken::Text(_))) {
            self.next += 1;
        }
        self.expect(")")?;
        Ok(test)
    }

    fn predicates(&mut self) -> Parsed<Vec<Predicate>> {
        let mut predicates = Vec::new();
        while self.take("[") {
            self.count_part()?;
            predicates.push(self.predicate()?);
            self.expect("]")?;
        }
        Ok(predicates)
    }

    fn predicate(&mut self) -> Parsed<Predicate> {
        if let Some(XPathToken::Number(digits)) = self.peek()
            && self.token_at(self.next + 1) == Some(XPathToken::Symbol("]"))
            && let Ok(position) = digits.parse()
        {
            self.next += 1;
            return Ok(Predicate::Nth(position));
        }
        self.expression().map(Predicate::Test)
    }
}

/// Operator that a token represents, with its precedence.
fn operator(token: XPathToken<'_>) -> Option<(XPathOperator, u8)> {
    let (XPathToken::Name(word) | XPathToken::Symbol(word)) = token else { return None };
    Some(match word {
        "or" => (XPathOperator::Or, 0),
        "and" => (XPathOperator::And, 1),
        "=" => (XPathOperator::Comparison(ComparisonOperator::Equal), 2),
        "!=" => (XPathOperator::Comparison(ComparisonOperator::Unequal), 2),
        "<" => (XPathOperator::Comparison(ComparisonOperator::Less), 3),
        "<=" => (XPathOperator::Comparison(ComparisonOperator::LessOrEqual), 3),
        ">" => (XPathOperator::Comparison(ComparisonOperator::Greater), 3),
        ">=" => (XPathOperator::Comparison(ComparisonOperator::GreaterOrEqual), 3),
        "+" => (XPathOperator::Arithmetic(Arithmetic::Add), 4),
        "-" => (XPathOperator::Arithmetic(Arithmetic::Subtract), 4),
        "*" => (XPathOperator::Arithmetic(Arithmetic::Multiply), 5),
        "div" => (XPathOperator::Arithmetic(Arithmetic::Divide), 5),
        "mod" => (XPathOperator::Arithmetic(Arithmetic::Remainder), 5),
        _ => return None,
    })
}

fn node_type(name: &str) -> Option<NodeTest> {
    match name {
        "node" => Some(NodeTest::Node),
        "text" => Some(NodeTest::Text),
        "comment" | "processing-instruction" => Some(NodeTest::Nothing),
        _ => None,
    }
}

fn counted(least: usize, most: usize) -> String {
    if least == most { least.to_string() } else { format!("{least} to {most}") }
}
