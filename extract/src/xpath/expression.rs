//! Parsed expressions and their types.

#[derive(Debug)]
pub(super) enum Expression {
    Binary { operator: XPathOperator, left: Box<Expression>, right: Box<Expression> },
    Negated(Box<Expression>),
    Union(Vec<Expression>),
    Path(Path),
    Text(String),
    Number(f64),
    Call(Function, Vec<Expression>),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ValueType {
    Nodes,
    Text,
    Number,
    Boolean,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum XPathOperator {
    Or,
    And,
    Comparison(ComparisonOperator),
    Arithmetic(Arithmetic),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ComparisonOperator {
    Equal,
    Unequal,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Arithmetic {
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
}

#[derive(Debug)]
pub(super) struct Path {
    pub(super) start: PathStart,
    pub(super) steps: Vec<LocationStep>,
}

#[derive(Debug)]
pub(super) enum PathStart {
    Root,
    Context,
    /// Nodes of another expression that pass all predicates.
    Filter(Box<Expression>, Vec<Predicate>),
}

#[derive(Debug)]
pub(super) struct LocationStep {
    pub(super) axis: Axis,
    pub(super) test: NodeTest,
    pub(super) predicates: Vec<Predicate>,
}

#[derive(Debug)]
pub(super) enum Predicate {
    /// Position, counted from 1.
    Nth(usize),
    Test(Expression),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Axis {
    Ancestor,
    AncestorOrSelf,
    Attribute,
    Child,
    Descendant,
    DescendantOrSelf,
    Following,
    FollowingSibling,
    Parent,
    Preceding,
    PrecedingSibling,
    Itself,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum NodeTest {
    /// `*`: any element, or any attribute on the `attribute` axis.
    Any,
    Name(String),
    /// `node()`.
    Node,
    /// `text()`.
    Text,
    /// `comment()` and `processing-instruction()`. They never match, because a page has no such nodes.
    Nothing,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Function {
    Id,
    Text(TextFunction),
    Number(NumberFunction),
    Boolean(BooleanFunction),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TextFunction {
    /// `name` and `local-name`, which return the same value in a page.
    Name,
    NamespaceUri,
    String,
    Concat,
    SubstringBefore,
    SubstringAfter,
    Substring,
    NormalizeSpace,
    Translate,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NumberFunction {
    Last,
    Position,
    Count,
    StringLength,
    Number,
    Sum,
    Floor,
    Ceiling,
    Round,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum BooleanFunction {
    StartsWith,
    Contains,
    Boolean,
    Not,
    True,
    False,
    Lang,
}

/// Name, kind and arguments of a function.
pub(super) struct Signature {
    pub(super) name: &'static str,
    pub(super) function: Function,
    /// Minimum and maximum number of arguments.
    pub(super) arguments: (usize, usize),
    /// True if the arguments must be nodes.
    pub(super) takes_nodes: bool,
}

/// Maximum number of arguments of `concat`.
const MAX_ARGUMENTS: usize = 50;

const fn signature(
    name: &'static str,
    function: Function,
    arguments: (usize, usize),
    takes_nodes: bool,
) -> Signature {
    Signature { name, function, arguments, takes_nodes }
}

/// Functions of the core library.
pub(super) const SIGNATURES: &[Signature] = &[
    signature("last", Function::Number(NumberFunction::Last), (0, 0), false),
    signature("position", Function::Number(NumberFunction::Position), (0, 0), false),
    signature("count", Function::Number(NumberFunction::Count), (1, 1), true),
    signature("id", Function::Id, (1, 1), false),
    signature("local-name", Function::Text(TextFunction::Name), (0, 1), true),
    signature("namespace-uri", Function::Text(TextFunction::NamespaceUri), (0, 1), true),
    signature("name", Function::Text(TextFunction::Name), (0, 1), true),
    signature("string", Function::Text(TextFunction::String), (0, 1), false),
    signature("concat", Function::Text(TextFunction::Concat), (2, MAX_ARGUMENTS), false),
    signature("starts-with", Function::Boolean(BooleanFunction::StartsWith), (2, 2), false),
    signature("contains", Function::Boolean(BooleanFunction::Contains), (2, 2), false),
    signature("substring-before", Function::Text(TextFunction::SubstringBefore), (2, 2), false),
    signature("substring-after", Function::Text(TextFunction::SubstringAfter), (2, 2), false),
    signature("substring", Function::Text(TextFunction::Substring), (2, 3), false),
    signature("string-length", Function::Number(NumberFunction::StringLength), (0, 1), false),
    signature("normalize-space", Function::Text(TextFunction::NormalizeSpace), (0, 1), false),
    signature("translate", Function::Text(TextFunction::Translate), (3, 3), false),
    signature("boolean", Function::Boolean(BooleanFunction::Boolean), (1, 1), false),
    signature("not", Function::Boolean(BooleanFunction::Not), (1, 1), false),
    signature("true", Function::Boolean(BooleanFunction::True), (0, 0), false),
    signature("false", Function::Boolean(BooleanFunction::False), (0, 0), false),
    signature("lang", Function::Boolean(BooleanFunction::Lang), (1, 1), false),
    signature("number", Function::Number(NumberFunction::Number), (0, 1), false),
    signature("sum", Function::Number(NumberFunction::Sum), (1, 1), true),
    signature("floor", Function::Number(NumberFunction::Floor), (1, 1), false),
    signature("ceiling", Function::Number(NumberFunction::Ceiling), (1, 1), false),
    signature("round", Function::Number(NumberFunction::Round), (1, 1), false),
];

impl Expression {
    pub(super) fn value_type(&self) -> ValueType {
        match self {
            Self::Union(_) | Self::Path(_) | Self::Call(Function::Id, _) => ValueType::Nodes,
            Self::Text(_) | Self::Call(Function::Text(_), _) => ValueType::Text,
            Self::Binary { operator: XPathOperator::Arithmetic(_), .. }
            | Self::Negated(_)
            | Self::Number(_)
            | Self::Call(Function::Number(_), _) => ValueType::Number,
            Self::Binary { .. } | Self::Call(Function::Boolean(_), _) => ValueType::Boolean,
        }
    }

    /// True if the selected nodes can be attributes.
    pub(super) fn is_of_attributes(&self) -> bool {
        match self {
            Self::Union(members) => members.iter().any(Self::is_of_attributes),
            Self::Path(path) => match (path.steps.last(), &path.start) {
                (Some(step), _) => step.axis == Axis::Attribute,
                (None, PathStart::Filter(inner, _)) => inner.is_of_attributes(),
                (None, PathStart::Root | PathStart::Context) => false,
            },
            _ => false,
        }
    }

    /// True if all nodes are selected from the root, regardless of the context node.
    pub(super) fn is_absolute(&self) -> bool {
        match self {
            Self::Union(members) => members.iter().all(Self::is_absolute),
            Self::Path(path) => match &path.start {
                PathStart::Root => true,
                PathStart::Context => false,
                PathStart::Filter(inner, _) => inner.is_absolute(),
            },
            _ => false,
        }
    }
}

impl LocationStep {
    /// Creates the step `descendant-or-self::node()`, which `//` abbreviates.
    pub(super) fn any_descendant() -> Self {
        Self { axis: Axis::DescendantOrSelf, test: NodeTest::Node, predicates: Vec::new() }
    }
}

impl Axis {
    pub(super) fn of_name(name: &str) -> Option<Self> {
        Some(match name {
            "ancestor" => Self::Ancestor,
            "ancestor-or-self" => Self::AncestorOrSelf,
            "attribute" => Self::Attribute,
            "child" => Self::Child,
            "descendant" => Self::Descendant,
            "descendant-or-self" => Self::DescendantOrSelf,
            "following" => Self::Following,
            "following-sibling" => Self::FollowingSibling,
            "parent" => Self::Parent,
            "preceding" => Self::Preceding,
            "preceding-sibling" => Self::PrecedingSibling,
            "self" => Self::Itself,
            _ => return None,
        })
    }
}
