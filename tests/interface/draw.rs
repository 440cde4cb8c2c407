//! Which pairs are tried: templates of all families in turn, each with choices of its own.

use std::collections::{BTreeMap, HashSet};

use cargo_cse::random::Random;

use crate::edits::{CHANGES, SAME};
use crate::families::Family;
use crate::pair::{Nest, Pair, Setting, Template};
use crate::soundness::options::Options;

/// How much is tried.
pub struct Size {
    /// Pairs with the usual setting.
    pub shared: usize,
    /// Other settings, and pairs with each.
    pub settings: usize,
    pub in_setting: usize,
    /// Pairs with packages of their own.
    pub alone: usize,
    pub batch: usize,
}

/// How often each family comes in turn, at most.
const ROUNDS: usize = 5000;

/// Pairs that have no other's name.
pub fn drawn(families: &[Family], size: &Size, options: &Options) -> Vec<Pair> {
    let mut random = Random::new(options.seed);
    let usual = Setting::default();
    let mut settings: Vec<Setting> = families
        .iter()
        .flat_map(|family| &family.templates)
        .map(|template| template.setting.clone())
        .filter(|setting| !setting.is_alone && *setting != usual)
        .collect();
    settings.sort();
    settings.dedup();
    random.shuffle(&mut settings);
    settings.truncate(size.settings);

    let mut pairs = Vec::new();
    let mut draw = |count: usize, fits: &dyn Fn(&Setting) -> bool| {
        pairs.extend(in_turn(families, count, fits, &mut random, options.only.as_deref()));
    };
    draw(size.shared, &|setting| *setting == usual);
    for setting in &settings {
        draw(size.in_setting, &|it| it == setting);
    }
    draw(size.alone, &|setting| setting.is_alone);
    pairs
}

/// Draws from each family in turn, and from its templates in turn.
fn in_turn(
    families: &[Family],
    count: usize,
    fits: &dyn Fn(&Setting) -> bool,
    random: &mut Random,
    only: Option<&str>,
) -> Vec<Pair> {
    let mut queues: Vec<(&'static str, Vec<&Template>)> = Vec::new();
    for family in families {
        let mut templates: Vec<_> =
            family.templates.iter().filter(|template| fits(&template.setting)).collect();
        random.shuffle(&mut templates);
        if !templates.is_empty() {
            queues.push((family.name, templates));
        }
    }
    let mut pairs = Vec::new();
    let mut names = HashSet::new();
    // Few may be asked for, and families with few templates run out of names.
    for round in 0..ROUNDS {
        if pairs.len() == count {
            break;
        }
        for (family, templates) in &queues {
            let template = templates[round % templates.len()];
            let pair = chosen(family, template, random);
            let is_asked = only.is_none_or(|only| pair.name.contains(only));
            if is_asked && pairs.len() < count && names.insert(pair.name.clone()) {
                pairs.push(pair);
            }
        }
    }
    pairs
}

fn chosen(family: &'static str, template: &Template, random: &mut Random) -> Pair {
    let edits = if random.below(3) == 0 { SAME } else { CHANGES };
    let edit = random.pick(edits);
    let through = random.below(4) == 0;
    let nest = *random.pick(&[Nest::Plain, Nest::Plain, Nest::Private, Nest::Public]);
    template.pair(family, edit, through, nest)
}

/// Pairs that share packages.
pub fn batches(pairs: Vec<Pair>, size: usize) -> Vec<Vec<Pair>> {
    let mut by_setting: BTreeMap<Setting, Vec<Pair>> = BTreeMap::new();
    for pair in pairs {
        by_setting.entry(pair.setting.clone()).or_default().push(pair);
    }
    let mut batches = Vec::new();
    for (setting, pairs) in by_setting {
        let size = if setting.is_alone { 1 } else { size };
        batches.extend(pairs.chunks(size).map(<[Pair]>::to_vec));
    }
    batches
}
