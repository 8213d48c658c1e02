//! Axes of a page. The nodes of a page are in document order, so most axes are ranges.

use std::collections::HashSet;

use super::{
    evaluate::{Evaluated, XPathEvaluation},
    expression::{Axis, LocationStep, NodeTest},
    value::XPathNode,
};
use crate::page::Id;

impl XPathEvaluation<'_> {
    /// Appends the nodes that a step selects from several context nodes in document order. If their axes
    /// overlap, each node is visited only once.
    pub(super) fn joined_axis(
        &self,
        nodes: &[XPathNode],
        step: &LocationStep,
        out: &mut Vec<XPathNode>,
    ) -> Evaluated<()> {
        match step.axis {
            Axis::Descendant | Axis::DescendantOrSelf => {
                let mut end = 0;
                for &node in nodes {
                    if node.is_attribute() {
                        self.axis(node, step, usize::MAX, out)?;
                    } else if node.id() >= end {
                        self.axis(node, step, usize::MAX, out)?;
                        end = self.page.subtree(node.id()).end;
                    }
                }
                Ok(())
            }
            Axis::Following => {
                let first = nodes.iter().min_by_key(|node| self.following_start(**node));
                first.map_or(Ok(()), |node| self.axis(*node, step, usize::MAX, out))
            }
            Axis::Preceding => nodes.last().map_or(Ok(()), |node| self.axis(*node, step, usize::MAX, out)),
            Axis::Ancestor | Axis::AncestorOrSelf => {
                let mut seen = HashSet::new();
                for &node in nodes {
                    let above = self.above(node, step.axis).take_while(|above| seen.insert(*above));
                    self.collect(above, &step.test, usize::MAX, out)?;
                }
                Ok(())
            }
            Axis::FollowingSibling => self.siblings_of_each(nodes.iter(), step, out),
            Axis::PrecedingSibling => self.siblings_of_each(nodes.iter().rev(), step, out),
            Axis::Attribute | Axis::Child | Axis::Parent | Axis::Itself => {
                nodes.iter().try_for_each(|node| self.axis(*node, step, usize::MAX, out))
            }
        }
    }

    /// Appends the siblings of the first node of each parent.
    fn siblings_of_each<'n>(
        &self,
        nodes: impl Iterator<Item = &'n XPathNode>,
        step: &LocationStep,
        out: &mut Vec<XPathNode>,
    ) -> Evaluated<()> {
        let mut parents = HashSet::new();
        for &node in nodes.filter(|node| !node.is_attribute()) {
            if parents.insert(self.page.parent(node.id())) {
                self.axis(node, step, usize::MAX, out)?;
            }
        }
        Ok(())
    }

    /// Appends at most `limit` nodes that a step selects, in the order of the axis.
    pub(super) fn axis(
        &self,
        node: XPathNode,
        step: &LocationStep,
        limit: usize,
        out: &mut Vec<XPathNode>,
    ) -> Evaluated<()> {
        let (page, id, test) = (self.page, node.id(), &step.test);
        match step.axis {
            Axis::Itself => self.collect(std::iter::once(node), test, limit, out),
            Axis::Parent | Axis::Ancestor | Axis::AncestorOrSelf => {
                let most = if step.axis == Axis::Parent { 1 } else { usize::MAX };
                self.collect(self.above(node, step.axis).take(most), test, limit, out)
            }
            Axis::Following => {
                let following = self.following_start(node)..page.len();
                self.collect(following.map(XPathNode::of), test, limit, out)
            }
            Axis::Preceding => {
                let preceding = (1..id).rev().filter(|&before| page.subtree(before).end <= id);
                self.collect(preceding.map(XPathNode::of), test, limit, out)
            }
            Axis::DescendantOrSelf if node.is_attribute() => {
                self.collect(std::iter::once(node), test, limit, out)
            }
            // An attribute has no attributes, children or siblings.
            _ if node.is_attribute() => Ok(()),
            Axis::DescendantOrSelf => self.collect(page.subtree(id).map(XPathNode::of), test, limit, out),
            Axis::Descendant => self.collect(page.descendants(id).map(XPathNode::of), test, limit, out),
            Axis::Child => self.collect(page.children(id).map(XPathNode::of), test, limit, out),
            Axis::FollowingSibling => {
                self.collect(page.siblings_after(id).map(XPathNode::of), test, limit, out)
            }
            Axis::PrecedingSibling => self.preceding_siblings(id, test, limit, out),
            Axis::Attribute => self.attributes(id, test, limit, out),
        }
    }

    /// First node after a node and its descendants.
    fn following_start(&self, node: XPathNode) -> Id {
        if node.is_attribute() { node.id() + 1 } else { self.page.subtree(node.id()).end }
    }

    /// Ancestors of a node, preceded by the node itself if the axis includes it.
    fn above(&self, node: XPathNode, axis: Axis) -> impl Iterator<Item = XPathNode> {
        let owner = node.is_attribute().then(|| XPathNode::of(node.id()));
        let itself = (axis == Axis::AncestorOrSelf).then_some(node);
        itself.into_iter().chain(owner).chain(self.page.ancestors(node.id()).map(XPathNode::of))
    }

    fn preceding_siblings(
        &self,
        id: Id,
        test: &NodeTest,
        limit: usize,
        out: &mut Vec<XPathNode>,
    ) -> Evaluated<()> {
        let (page, most) = (self.page, out.len().saturating_add(limit));
        let mut at = id;
        while out.len() < most
            && let Some(before) = page.sibling_before(at)
        {
            // The search for the sibling goes up from its last descendant.
            self.charge(1 + page.depth(at - 1).abs_diff(page.depth(before)) as usize)?;
            if self.matches(XPathNode::of(before), test) {
                out.push(XPathNode::of(before));
            }
            at = before;
        }
        Ok(())
    }

    fn attributes(&self, id: Id, test: &NodeTest, limit: usize, out: &mut Vec<XPathNode>) -> Evaluated<()> {
        let most = out.len().saturating_add(limit);
        for (number, (name, _)) in self.page.attributes(id).enumerate() {
            self.charge(1)?;
            let is_match = match test {
                NodeTest::Any | NodeTest::Node => true,
                NodeTest::Name(written) => is_name(written, name),
                NodeTest::Text | NodeTest::Nothing => false,
            };
            if is_match && out.len() < most {
                out.push(XPathNode::attribute_of(id, number));
            }
        }
        Ok(())
    }

    fn collect(
        &self,
        nodes: impl Iterator<Item = XPathNode>,
        test: &NodeTest,
        limit: usize,
        out: &mut Vec<XPathNode>,
    ) -> Evaluated<()> {
        let most = out.len().saturating_add(limit);
        for node in nodes {
            if out.len() >= most {
                break;
            }
            self.charge(1)?;
            if self.matches(node, test) {
                out.push(node);
            }
        }
        Ok(())
    }

    /// True if a node passes a node test on an axis other than `attribute`.
    fn matches(&self, node: XPathNode, test: &NodeTest) -> bool {
        let (page, id) = (self.page, node.id());
        let is_element = || !node.is_attribute() && id != 0 && page.is_element(id);
        match test {
            NodeTest::Any => is_element(),
            NodeTest::Name(written) => is_element() && is_name(written, page.tag(id)),
            NodeTest::Node => true,
            NodeTest::Text => !node.is_attribute() && page.text(id).is_some(),
            NodeTest::Nothing => false,
        }
    }
}

/// True if a name in an expression, with or without its prefix, is the name of a node.
fn is_name(written: &str, name: &str) -> bool {
    let local = written.rsplit_once(':').map(|(_, local)| local);
    written.eq_ignore_ascii_case(name) || local.is_some_and(|local| local.eq_ignore_ascii_case(name))
}
