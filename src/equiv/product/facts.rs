//! Simple facts that hold in all states that were seen: what may hold in all that there are.

use super::data::{Data, columns};
use super::relation::Product;
use crate::bits;
use crate::equiv::engines::Effort;
use crate::solver::{BitsOp, CompareOp, Node, Sort, Term, Terms, Var};

/// No more facts than this are tried in a mode.
const MAX_FACTS: usize = 250;
/// By how much numbers may differ that are said to be nearly in order.
const NEAR: i128 = 2;

/// The facts to try in each mode.
pub fn candidates(
    terms: &mut Terms,
    product: &Product,
    data: &Data,
    effort: Effort,
) -> Vec<Vec<Term>> {
    let roots = product.roots();
    let (constants, orders) = (constants(terms, &roots), orders(terms, &roots));
    (0..product.modes.len())
        .map(|mode| {
            let rows = &data.rows[mode];
            if rows.is_empty() {
                // It seems never to be reached.
                return vec![terms.bool(false)];
            }
            let of_state = product.modes[mode].len();
            let columns = columns(product, mode).into_iter().enumerate();
            let columns = columns.map(|(index, term)| Column {
                term,
                is_fixed: index >= of_state,
                values: rows.iter().map(|row| row[index]).collect(),
            });
            let signs = signs(terms, product, mode, rows);
            let mut finder = Finder { terms, effort, found: Vec::new(), constants: &constants };
            finder.find(columns.collect(), signs, &orders);
            let mut found = finder.found;
            found.retain(|fact| terms.as_bool(*fact).is_none());
            let mut seen = std::collections::HashSet::new();
            found.retain(|fact| seen.insert(*fact));
            found.truncate(MAX_FACTS);
            found
        })
        .collect()
}

/// A part of the state with the values that were seen.
struct Column {
    term: Term,
    is_fixed: bool,
    values: Vec<u128>,
}

impl Column {
    fn is_constant(&self) -> bool {
        self.values.iter().all(|it| *it == self.values[0])
    }

    /// What `of` gives for the values of two columns, if that is the same in every state seen.
    fn steady(&self, other: &Column, of: impl Fn(u128, u128) -> u128) -> Option<u128> {
        let mut values = self.values.iter().zip(&other.values).map(|(one, two)| of(*one, *two));
        let first = values.next()?;
        values.all(|it| it == first).then_some(first)
    }
}

/// A truth that a state has, and whether it had in each state seen.
struct Sign {
    term: Term,
    /// Of which part of the state it is, if it is of one.
    column: Option<Term>,
    is_fixed: bool,
    truths: Vec<bool>,
}

/// No more conditions of the code than this are tried.
const MAX_SIGNS: usize = 16;

/// The conditions of the code that a state of a mode decides.
fn signs(terms: &Terms, product: &Product, mode: usize, rows: &[Vec<u128>]) -> Vec<Sign> {
    let columns = columns(product, mode);
    let vars: Vec<(usize, Var)> = (columns.iter().enumerate())
        .filter_map(|(index, it)| Some((index, terms.as_var(*it)?)))
        .collect();
    let is_told = |var: &Var| vars.iter().any(|(_, it)| it == var);
    let mut roots = product.roots();
    roots.push(product.bad);
    let mut conditions = terms.reachable(&roots);
    conditions.retain(|it| {
        matches!(terms.node(*it), Node::Compare(..) | Node::Eq(..))
            && terms.variables(&[*it]).iter().all(is_told)
            && terms.symbols(&[*it]).is_empty()
    });
    conditions.truncate(MAX_SIGNS);
    let mut truths = vec![Vec::new(); conditions.len()];
    for row in rows {
        let assignment = vars.iter().map(|(index, var)| (*var, row[*index])).collect();
        let values = terms.eval_all(&conditions, &assignment);
        for (truths, value) in truths.iter_mut().zip(values) {
            truths.extend(value.map(|it| it == 1));
        }
    }
    let is_fixed = |term: Term| {
        let mut vars = terms.variables(&[term]).into_iter();
        vars.all(|var| product.fixed.contains(&terms.var_term(var)))
    };
    (conditions.into_iter().zip(truths))
        .filter(|(_, truths)| truths.len() == rows.len())
        .map(|(term, truths)| Sign { term, column: None, is_fixed: is_fixed(term), truths })
        .collect()
}

struct Finder<'f> {
    terms: &'f mut Terms,
    effort: Effort,
    found: Vec<Term>,
    constants: &'f [(u128, u32)],
}

impl Finder<'_> {
    fn find(&mut self, columns: Vec<Column>, signs: Vec<Sign>, orders: &[CompareOp]) {
        let all = self.effort == Effort::All;
        // What equals an earlier one, or is a constant, says nothing new.
        let mut distinct: Vec<&Column> = Vec::new();
        for (index, column) in columns.iter().enumerate() {
            if matches!(self.terms.sort(column.term), Sort::EffectState) {
                continue;
            }
            let mut is_new = true;
            if column.is_constant() {
                is_new = column.is_fixed;
                if !column.is_fixed {
                    let fact = self.constant_fact(column);
                    self.found.extend(fact);
                }
            }
            let earlier = columns[..index].iter().filter(|it| {
                self.terms.sort(it.term) == self.terms.sort(column.term)
                    && it.values == column.values
            });
            for other in earlier.collect::<Vec<_>>() {
                is_new = false;
                if !(column.is_fixed && other.is_fixed) {
                    self.found.push(self.terms.eq(other.term, column.term));
                }
            }
            if is_new || all {
                distinct.push(column);
            }
        }
        self.add_constants_together(&columns);
        self.add_signs(&distinct, signs, orders);
        for (index, one) in distinct.iter().enumerate() {
            let Sort::Bits(width) = self.terms.sort(one.term) else { continue };
            if !one.is_fixed {
                self.add_bounds(one, width, orders);
            }
            for two in &distinct[index + 1..] {
                if self.terms.sort(two.term) != Sort::Bits(width) || (one.is_fixed && two.is_fixed)
                {
                    continue;
                }
                let is_known = self.add_offset(one, two, width)
                    || self.add_multiple(one, two, width)
                    || self.add_multiple(two, one, width);
                if !is_known || all {
                    self.add_orders(one, two, width, orders);
                }
            }
        }
        self.add_sums(&distinct);
        self.add_shifts(&distinct);
    }

    /// That a part is what it was in all states.
    fn constant_fact(&mut self, column: &Column) -> Option<Term> {
        match self.terms.sort(column.term) {
            Sort::Bool if column.values[0] == 1 => Some(column.term),
            Sort::Bool => Some(self.terms.not(column.term)),
            Sort::Bits(width) => {
                let value = self.terms.bits(column.values[0], width);
                Some(self.terms.eq(column.term, value))
            }
            Sort::EffectState => None,
        }
    }

    /// What was always the same in two parts may change in both at once, as where both panic.
    fn add_constants_together(&mut self, columns: &[Column]) {
        let constant = columns.iter().filter(|it| !it.is_fixed && it.is_constant());
        let constant: Vec<Term> = constant.filter_map(|it| self.constant_fact(it)).collect();
        for (index, one) in constant.iter().enumerate() {
            for two in &constant[index + 1..] {
                self.found.push(self.terms.eq(*one, *two));
            }
        }
    }

    /// The nearest numbers of the code on both sides of all values.
    fn add_bounds(&mut self, column: &Column, width: u32, orders: &[CompareOp]) {
        for &order in orders {
            let number = |value: u128| as_number(value, width, order);
            let values = || column.values.iter().map(|it| number(*it));
            let (Some(least), Some(greatest)) = (values().min(), values().max()) else { return };
            let constants = self.constants.iter().filter(|it| it.1 == width);
            let below = constants.clone().filter(|it| number(it.0) <= least);
            let above = constants.filter(|it| number(it.0) >= greatest);
            if let Some(constant) = below.max_by_key(|it| number(it.0)) {
                let constant = self.terms.bits(constant.0, width);
                self.found.push(self.terms.compare(order, constant, column.term));
            }
            if let Some(constant) = above.min_by_key(|it| number(it.0)) {
                let constant = self.terms.bits(constant.0, width);
                self.found.push(self.terms.compare(order, column.term, constant));
            }
        }
    }

    /// Whether the two always differ by the same.
    fn add_offset(&mut self, one: &Column, two: &Column, width: u32) -> bool {
        let mask = bits::mask(width);
        let Some(offset) = one.steady(two, |one, two| one.wrapping_sub(two) & mask) else {
            return false;
        };
        let offset = self.terms.bits(offset, width);
        let sum = self.terms.binary(BitsOp::Add, two.term, offset);
        self.found.push(self.terms.eq(one.term, sum));
        true
    }

    /// Whether one is always the same multiple of the other, but for a constant.
    fn add_multiple(&mut self, one: &Column, two: &Column, width: u32) -> bool {
        let mask = bits::mask(width);
        let next =
            |value: u128| two.values.iter().position(|it| *it == value.wrapping_add(1) & mask);
        let step = (0..two.values.len()).find_map(|index| Some((index, next(two.values[index])?)));
        let Some((from, to)) = step else { return false };
        let factor = one.values[to].wrapping_sub(one.values[from]) & mask;
        let product = |index: usize| factor.wrapping_mul(two.values[index]);
        let rest = |index: usize| one.values[index].wrapping_sub(product(index)) & mask;
        if factor <= 1 || (0..one.values.len()).any(|index| rest(index) != rest(from)) {
            return false;
        }
        let (factor, rest) = (self.terms.bits(factor, width), self.terms.bits(rest(from), width));
        let product = self.terms.binary(BitsOp::Mul, two.term, factor);
        let sum = self.terms.binary(BitsOp::Add, product, rest);
        self.found.push(self.terms.eq(one.term, sum));
        true
    }

    fn add_orders(&mut self, one: &Column, two: &Column, width: u32, orders: &[CompareOp]) {
        for &order in orders {
            for (small, large) in [(one, two), (two, one)] {
                let apart = small.values.iter().zip(&large.values).map(|(small, large)| {
                    as_number(*small, width, order) - as_number(*large, width, order)
                });
                let Some(most) = apart.max() else { continue };
                if most <= 0 {
                    self.found.push(self.terms.compare(order, small.term, large.term));
                }
                if most != 0 && most.abs() <= NEAR {
                    let offset = self.terms.bits(most as u128, width);
                    let than = self.terms.binary(BitsOp::Add, large.term, offset);
                    self.found.push(self.terms.compare(order, small.term, than));
                }
            }
        }
    }

    /// One part as the sum of two others and a constant.
    fn add_sums(&mut self, columns: &[&Column]) {
        for sum in columns {
            let Sort::Bits(width) = self.terms.sort(sum.term) else { continue };
            let mask = bits::mask(width);
            let others = || columns.iter().filter(|it| !std::ptr::eq(**it, *sum));
            for (index, one) in others().enumerate() {
                for two in others().skip(index + 1) {
                    let sorts = [one, two].map(|it| self.terms.sort(it.term));
                    let is_fixed = sum.is_fixed && one.is_fixed && two.is_fixed;
                    if sorts != [Sort::Bits(width); 2] || is_fixed {
                        continue;
                    }
                    let rest = |index: usize| {
                        let parts = one.values[index].wrapping_add(two.values[index]);
                        sum.values[index].wrapping_sub(parts) & mask
                    };
                    let first = rest(0);
                    if (1..sum.values.len()).all(|index| rest(index) == first) {
                        let offset = self.terms.bits(first, width);
                        let parts = self.terms.binary(BitsOp::Add, one.term, two.term);
                        let all = self.terms.binary(BitsOp::Add, parts, offset);
                        self.found.push(self.terms.eq(sum.term, all));
                    }
                }
            }
        }
    }

    /// One part as another one, shifted by a third: what halving and doubling leave.
    fn add_shifts(&mut self, columns: &[&Column]) {
        for whole in columns {
            let Sort::Bits(width) = self.terms.sort(whole.term) else { continue };
            let mask = bits::mask(width);
            for part in columns.iter().filter(|it| it.values != whole.values) {
                for by in columns.iter().filter(|it| !it.is_constant()) {
                    let sorts = [part, by].map(|it| self.terms.sort(it.term));
                    if sorts != [Sort::Bits(width); 2] || (part.is_fixed && by.is_fixed) {
                        continue;
                    }
                    let holds = (0..whole.values.len()).all(|index| {
                        let shifted = match by.values[index] {
                            places if places < width.into() => part.values[index] << places & mask,
                            _ => 0,
                        };
                        whole.values[index] == shifted
                    });
                    if holds {
                        let shifted = self.terms.binary(BitsOp::Shl, part.term, by.term);
                        self.found.push(self.terms.eq(whole.term, shifted));
                    }
                }
            }
        }
    }

    /// Truths of one part that go with truths of another: what is 0, which of a few values it is, and
    /// the given ones.
    fn add_signs(&mut self, columns: &[&Column], given: Vec<Sign>, orders: &[CompareOp]) {
        let mut signs: Vec<Sign> = given;
        signs.retain(|it| it.truths.contains(&true) && it.truths.contains(&false));
        for column in columns {
            let mut add = |term, truths: Vec<bool>| {
                if truths.contains(&true) && truths.contains(&false) {
                    let (column, is_fixed) = (Some(column.term), column.is_fixed);
                    signs.push(Sign { term, column, is_fixed, truths });
                }
            };
            match self.terms.sort(column.term) {
                Sort::Bool => add(column.term, column.values.iter().map(|it| *it == 1).collect()),
                Sort::Bits(width) => {
                    let mut values = column.values.clone();
                    values.sort_unstable();
                    values.dedup();
                    if values.len() > 3 {
                        values.retain(|it| *it == 0);
                    }
                    for value in values {
                        let constant = self.terms.bits(value, width);
                        let term = self.terms.eq(column.term, constant);
                        add(term, column.values.iter().map(|it| *it == value).collect());
                    }
                }
                Sort::EffectState => {}
            }
        }
        for (index, one) in signs.iter().enumerate() {
            for two in &signs[index + 1..] {
                let same_column = one.column.is_some() && one.column == two.column;
                if same_column || (one.is_fixed && two.is_fixed) {
                    continue;
                }
                let pairs = || one.truths.iter().zip(&two.truths);
                let not = self.terms.not(two.term);
                if pairs().all(|(one, two)| one == two) {
                    self.found.push(self.terms.eq(one.term, two.term));
                } else if pairs().all(|(one, two)| one != two) {
                    self.found.push(self.terms.eq(one.term, not));
                } else {
                    for (from, to, negated) in
                        [(one, two, false), (one, two, true), (two, one, false)]
                    {
                        let mut pairs = from.truths.iter().zip(&to.truths);
                        if pairs.all(|(from, to)| !from || *to != negated) {
                            let to = if negated { self.terms.not(to.term) } else { to.term };
                            self.found.push(self.terms.implies(from.term, to));
                        }
                    }
                }
            }
            self.add_under(one, columns, orders);
        }
    }

    /// What is equal, or in order, wherever a truth holds, and not otherwise.
    fn add_under(&mut self, sign: &Sign, columns: &[&Column], orders: &[CompareOp]) {
        for negated in [false, true] {
            let condition = if negated { self.terms.not(sign.term) } else { sign.term };
            for (index, one) in columns.iter().enumerate() {
                for two in &columns[index + 1..] {
                    if self.terms.sort(one.term) != self.terms.sort(two.term)
                        || one.values == two.values
                        || (one.is_fixed && two.is_fixed)
                    {
                        continue;
                    }
                    let mut pairs = one.values.iter().zip(&two.values).zip(&sign.truths);
                    if pairs.all(|((one, two), truth)| *truth == negated || one == two) {
                        let equal = self.terms.eq(one.term, two.term);
                        self.found.push(self.terms.implies(condition, equal));
                    } else if let Sort::Bits(width) = self.terms.sort(one.term)
                        && self.effort == Effort::All
                        && sign.column.is_some()
                    {
                        let seen = |of: &Column| Column {
                            term: of.term,
                            is_fixed: of.is_fixed,
                            values: (of.values.iter().zip(&sign.truths))
                                .filter(|(_, truth)| **truth != negated)
                                .map(|(value, _)| *value)
                                .collect(),
                        };
                        let before = self.found.len();
                        self.add_orders(&seen(one), &seen(two), width, orders);
                        for fact in self.found.split_off(before) {
                            self.found.push(self.terms.implies(condition, fact));
                        }
                    }
                }
            }
        }
    }
}

fn as_number(value: u128, width: u32, order: CompareOp) -> i128 {
    match order.is_signed() {
        true => bits::signed(value, width),
        // No number of 128 bits is compared with others than those near it.
        false => value.min(i128::MAX as u128) as i128,
    }
}

/// The orders that the code itself compares numbers by; both if it does not.
fn orders(terms: &Terms, roots: &[Term]) -> Vec<CompareOp> {
    let (mut signed, mut unsigned) = (false, false);
    for term in terms.reachable(roots) {
        match terms.node(term) {
            Node::Compare(CompareOp::Slt | CompareOp::Sle, ..)
            | Node::Overflows { signed: true, .. } => signed = true,
            Node::Compare(..) | Node::Overflows { .. } => unsigned = true,
            _ => {}
        }
    }
    match (signed, unsigned) {
        (true, false) => vec![CompareOp::Sle],
        (false, true) => vec![CompareOp::Ule],
        _ => vec![CompareOp::Sle, CompareOp::Ule],
    }
}

/// The numbers in the code, with 0 and 1.
fn constants(terms: &Terms, roots: &[Term]) -> Vec<(u128, u32)> {
    let mut found = Vec::new();
    for term in terms.reachable(roots) {
        if let Node::Bits { value, width } = terms.node(term) {
            found.push((*value, *width));
        }
        if let Sort::Bits(width) = terms.sort(term) {
            found.extend([(0, width), (1, width)]);
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}
