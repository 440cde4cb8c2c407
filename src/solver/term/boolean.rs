//! Building truth values: negation, conjunction, disjunction, choice.

use std::collections::HashMap;

use super::{CompareOp, Node, Sort, Term, Terms, meaning};

/// A conjunction is not flattened beyond so many parts: adding to a long one would copy it.
const FLAT: usize = 64;

/// How often a conjunction is simplified by its own parts before it is left as it is.
const ROUNDS: usize = 8;

/// Conjunction or disjunction: each rule below holds for one and, with all truth values exchanged,
/// for the other.
#[derive(Clone, Copy, PartialEq)]
enum Junction {
    All,
    Any,
}

impl Junction {
    fn dual(self) -> Junction {
        match self {
            Junction::All => Junction::Any,
            Junction::Any => Junction::All,
        }
    }

    /// The truth value that changes nothing as a part; the other one decides the whole.
    fn neutral(self) -> bool {
        self == Junction::All
    }

    fn node(self, parts: Vec<Term>) -> Node {
        match self {
            Junction::All => Node::And(parts.into()),
            Junction::Any => Node::Or(parts.into()),
        }
    }

    fn parts(self, node: &Node) -> Option<&[Term]> {
        match (self, node) {
            (Junction::All, Node::And(parts)) | (Junction::Any, Node::Or(parts)) => Some(parts),
            _ => None,
        }
    }
}

impl Terms {
    pub fn not(&mut self, of: Term) -> Term {
        self.expect_bool(of);
        match *self.node(of) {
            Node::Bool(value) => self.bool(!value),
            Node::Not(inner) => inner,
            Node::Compare(op, left, right) => {
                let opposite = match op {
                    CompareOp::Ult => CompareOp::Ule,
                    CompareOp::Ule => CompareOp::Ult,
                    CompareOp::Slt => CompareOp::Sle,
                    CompareOp::Sle => CompareOp::Slt,
                };
                self.compare(opposite, right, left)
            }
            _ => match self.literals(of) {
                Some((kind, parts)) => {
                    let parts = parts.to_vec();
                    let negated = parts.into_iter().map(|part| self.not(part)).collect();
                    self.junction(kind.dual(), negated)
                }
                None => self.intern(Node::Not(of), Sort::Bool),
            },
        }
    }

    /// The parts of a junction that has no junctions for parts. The negation of such a one is
    /// written as a junction too, so that it simplifies and is simplified by others; that of a
    /// deeper one is not, since it would have to be built all the way down.
    fn literals(&self, of: Term) -> Option<(Junction, &[Term])> {
        let (kind, parts) = match self.node(of) {
            Node::And(parts) => (Junction::All, parts),
            Node::Or(parts) => (Junction::Any, parts),
            _ => return None,
        };
        let is_literal = |part: &Term| match *self.node(*part) {
            Node::And(_) | Node::Or(_) => false,
            Node::Not(inner) => !matches!(self.node(inner), Node::And(_) | Node::Or(_)),
            _ => true,
        };
        parts.iter().all(is_literal).then_some((kind, parts))
    }

    pub fn and(&mut self, parts: impl IntoIterator<Item = Term>) -> Term {
        self.junction(Junction::All, parts.into_iter().collect())
    }

    pub fn or(&mut self, parts: impl IntoIterator<Item = Term>) -> Term {
        self.junction(Junction::Any, parts.into_iter().collect())
    }

    /// The conditions that all hold where one does.
    pub fn conjuncts(&self, condition: Term) -> Vec<Term> {
        match self.node(condition) {
            Node::And(parts) => parts.iter().flat_map(|part| self.conjuncts(*part)).collect(),
            _ => vec![condition],
        }
    }

    pub fn implies(&mut self, left: Term, right: Term) -> Term {
        let not_left = self.not(left);
        self.or([not_left, right])
    }

    /// `yes` where `condition` holds, `no` elsewhere; of any sort.
    pub fn ite(&mut self, condition: Term, yes: Term, no: Term) -> Term {
        self.expect_bool(condition);
        let sort = self.sort(yes);
        assert_eq!(sort, self.sort(no), "both values of a choice are of one sort");
        if let Some(value) = self.as_bool(condition) {
            return if value { yes } else { no };
        }
        if yes == no {
            return yes;
        }
        if let Node::Not(inner) = *self.node(condition) {
            return self.ite(inner, no, yes);
        }
        if let Node::Ite(same, inner, _) = *self.node(yes)
            && same == condition
        {
            return self.ite(condition, inner, no);
        }
        if let Node::Ite(same, _, inner) = *self.node(no)
            && same == condition
        {
            return self.ite(condition, yes, inner);
        }
        if let Node::Eq(left, right) = *self.node(condition)
            && ((left, right) == (yes, no) || (left, right) == (no, yes))
        {
            return no;
        }
        if sort == Sort::Bool
            && let Some(simple) = self.ite_of_bools(condition, yes, no)
        {
            return simple;
        }
        if let Some(merged) = self.merge_choices(condition, yes, no) {
            return merged;
        }
        self.intern(Node::Ite(condition, yes, no), sort)
    }

    fn ite_of_bools(&mut self, condition: Term, yes: Term, no: Term) -> Option<Term> {
        let yes_value = if yes == condition { Some(true) } else { self.as_bool(yes) };
        let no_value = if no == condition { Some(false) } else { self.as_bool(no) };
        match (yes_value, no_value) {
            (Some(true), Some(false)) => return Some(condition),
            (Some(false), Some(true)) => return Some(self.not(condition)),
            (Some(value), Some(_)) => return Some(self.bool(value)),
            (Some(true), None) => return Some(self.or([condition, no])),
            (None, Some(false)) => return Some(self.and([condition, yes])),
            (Some(false), None) => {
                let otherwise = self.not(condition);
                return Some(self.and([otherwise, no]));
            }
            (None, Some(true)) => {
                let otherwise = self.not(condition);
                return Some(self.or([otherwise, yes]));
            }
            (None, None) => {}
        }
        (self.negation(yes) == Some(no)).then(|| self.eq(condition, yes))
    }

    /// A choice inside a choice that shares a value with it is one choice.
    fn merge_choices(&mut self, condition: Term, yes: Term, no: Term) -> Option<Term> {
        if let Node::Ite(inner, a, b) = *self.node(yes) {
            if b == no {
                let both = self.and([condition, inner]);
                return Some(self.ite(both, a, no));
            }
            if a == no {
                let inner = self.not(inner);
                let both = self.and([condition, inner]);
                return Some(self.ite(both, b, no));
            }
        }
        if let Node::Ite(inner, a, b) = *self.node(no) {
            if a == yes {
                let either = self.or([condition, inner]);
                return Some(self.ite(either, yes, b));
            }
            if b == yes {
                let inner = self.not(inner);
                let either = self.or([condition, inner]);
                return Some(self.ite(either, yes, a));
            }
        }
        None
    }

    fn junction(&mut self, kind: Junction, mut parts: Vec<Term>) -> Term {
        for _ in 0..ROUNDS {
            parts = match self.flatten(kind, &parts) {
                Some(flat) => flat,
                None => return self.bool(!kind.neutral()),
            };
            match parts[..] {
                [] => return self.bool(kind.neutral()),
                [only] => return only,
                _ => {}
            }
            let opposed =
                |part: &Term| self.negation(*part).is_some_and(|not| contains(&parts, not));
            if parts.iter().any(opposed) {
                return self.bool(!kind.neutral());
            }
            if self.use_equations(kind, &mut parts) || self.use_parts(kind, &mut parts) {
                continue;
            }
            break;
        }
        if let Some(factored) = self.factor(kind, &parts) {
            return factored;
        }
        self.intern(kind.node(parts), Sort::Bool)
    }

    /// The parts of parts of the same kind, sorted, once each, without neutral ones; none if a part
    /// decides the whole.
    fn flatten(&self, kind: Junction, parts: &[Term]) -> Option<Vec<Term>> {
        let mut flat = Vec::with_capacity(parts.len());
        for part in parts {
            self.expect_bool(*part);
            if let Some(value) = self.as_bool(*part) {
                if value != kind.neutral() {
                    return None;
                }
                continue;
            }
            match kind.parts(self.node(*part)) {
                Some(inner) if flat.len() + inner.len() <= FLAT => flat.extend_from_slice(inner),
                _ => flat.push(*part),
            }
        }
        flat.sort_unstable();
        flat.dedup();
        Some(flat)
    }

    /// Where `x == 1` is a part of a conjunction (or `x != 1` of a disjunction), `x` is one in all
    /// other parts: those that compare it with a constant are decided. Whether anything changed.
    fn use_equations(&mut self, kind: Junction, parts: &mut [Term]) -> bool {
        let mut equations: HashMap<Term, (usize, u128)> = HashMap::new();
        for (index, part) in parts.iter().enumerate() {
            if let Some((of, value)) = self.equation(kind, *part) {
                equations.entry(of).or_insert((index, value));
            }
        }
        if equations.is_empty() {
            return false;
        }
        let mut changed = false;
        for (index, part) in parts.iter_mut().enumerate() {
            let asked = self.asks_about(*part);
            let known = asked.into_iter().find_map(|of| Some((of, *equations.get(&of)?)));
            if let Some((of, (from, value))) = known
                && from != index
                && let Some(value) = self.decide(*part, of, value)
            {
                *part = self.bool(value);
                changed = true;
            }
        }
        changed
    }

    /// The terms that a comparison or equation, or a negation of one, compares.
    fn asks_about(&self, part: Term) -> [Term; 2] {
        match *self.node(part) {
            Node::Eq(left, right) | Node::Compare(_, left, right) => [left, right],
            Node::Not(inner) => match *self.node(inner) {
                Node::Eq(left, right) => [left, right],
                _ => [part; 2],
            },
            _ => [part; 2],
        }
    }

    /// What the rest of the junction may take a term to be equal to because of this part.
    fn equation(&self, kind: Junction, part: Term) -> Option<(Term, u128)> {
        let positive = match (kind, self.node(part)) {
            (Junction::All, _) => part,
            (Junction::Any, Node::Not(inner)) => *inner,
            (Junction::Any, _) => return None,
        };
        match *self.node(positive) {
            Node::Eq(of, constant) => Some((of, self.as_bits(constant)?)),
            _ => None,
        }
    }

    /// The truth value of `part` where `of` has that value, if that is all `part` asks.
    fn decide(&self, part: Term, of: Term, value: u128) -> Option<bool> {
        match *self.node(part) {
            Node::Not(inner) => match *self.node(inner) {
                Node::Eq(left, right) if left == of => Some(self.as_bits(right)? != value),
                _ => None,
            },
            Node::Eq(left, right) if left == of => Some(self.as_bits(right)? == value),
            Node::Compare(op, left, right) if left == of => {
                Some(meaning::compare(op, value, self.as_bits(right)?, self.width(of)))
            }
            Node::Compare(op, left, right) if right == of => {
                Some(meaning::compare(op, self.as_bits(left)?, value, self.width(of)))
            }
            _ => None,
        }
    }

    /// `a && (a || b)` is `a`, and `a && (!a || b)` is `a && b`; the same for disjunctions. Whether
    /// anything changed. A part is only simplified by parts that it contains, so that no two are
    /// simplified by each other.
    fn use_parts(&mut self, kind: Junction, parts: &mut [Term]) -> bool {
        let given = parts.to_vec();
        let mut changed = false;
        for part in parts {
            let Some(inner) = kind.dual().parts(self.node(*part)) else { continue };
            if inner.iter().any(|inner| contains(&given, *inner)) {
                *part = self.bool(kind.neutral());
                changed = true;
                continue;
            }
            let left: Vec<Term> = (inner.iter().copied())
                .filter(|inner| !self.negation(*inner).is_some_and(|not| contains(&given, not)))
                .collect();
            if left.len() < inner.len() {
                *part = self.junction(kind.dual(), left);
                changed = true;
            }
        }
        changed
    }

    /// `(a && b) || (a && c)` is `a && (b || c)`: what all parts share is said once. Two paths that
    /// part at a condition and meet again then have the condition of before.
    fn factor(&mut self, kind: Junction, parts: &[Term]) -> Option<Term> {
        let sets: Vec<&[Term]> =
            parts.iter().map(|part| kind.dual().parts(self.node(*part))).collect::<Option<_>>()?;
        let (first, others) = sets.split_first()?;
        let shared: Vec<Term> = (first.iter().copied())
            .filter(|part| others.iter().all(|other| contains(other, *part)))
            .collect();
        if shared.is_empty() {
            return None;
        }
        let rests: Vec<Vec<Term>> = (sets.iter())
            .map(|set| set.iter().copied().filter(|part| !contains(&shared, *part)).collect())
            .collect();
        let rests: Vec<Term> =
            rests.into_iter().map(|rest| self.junction(kind.dual(), rest)).collect();
        let rest = self.junction(kind, rests);
        self.junction(kind.dual(), shared.into_iter().chain([rest]).collect()).into()
    }

    /// The term's negation, if it has been built.
    pub(super) fn negation(&self, of: Term) -> Option<Term> {
        match *self.node(of) {
            Node::Not(inner) => Some(inner),
            Node::Compare(op, left, right) => self.find_opposite(op, left, right),
            _ => match self.literals(of) {
                Some((kind, parts)) => {
                    let negated = parts.iter().map(|part| self.negation(*part));
                    let mut negated = negated.collect::<Option<Vec<Term>>>()?;
                    negated.sort_unstable();
                    self.find(&kind.dual().node(negated))
                }
                None => self.find(&Node::Not(of)),
            },
        }
    }

    fn expect_bool(&self, term: Term) {
        assert_eq!(self.sort(term), Sort::Bool, "a truth value expected");
    }
}

/// `parts` are sorted, as those of every conjunction and disjunction are.
fn contains(parts: &[Term], part: Term) -> bool {
    parts.binary_search(&part).is_ok()
}
