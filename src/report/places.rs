//! Where in the user's source something is to be shown: call sites brought together by span, and
//! spans by function.

use std::collections::BTreeMap;
use std::ops::Range;

use super::schema::{CallSite, Verdict};
use super::source::Source;
use super::text;

/// What the report says about one span of the source: a call can have several callees, and a
/// function several instances.
pub struct MarkedSpan<'a> {
    /// The first of `sites`.
    pub site: &'a CallSite,
    pub sites: Vec<&'a CallSite>,
}

impl MarkedSpan<'_> {
    /// Whether it is the function itself that changed, and not something that it calls.
    pub fn is_definition(&self) -> bool {
        self.site.callee == self.site.caller
    }

    /// Where the place is in the file, unless the file no longer has it.
    pub fn span(&self, source: &Source) -> Option<Range<usize>> {
        let site = self.site;
        let start = source.offset(site.line, site.column)?;
        let end = source.offset(site.end_line, site.end_column).unwrap_or(start);
        // The whole body of a function would bury the calls in it.
        let end =
            if self.is_definition() { end.min(source.lines_around(start..start).end) } else { end };
        Some(start..end.max(start))
    }
}

/// The places worth showing, those that are known to differ first.
pub fn of(call_sites: &[CallSite], all: bool) -> Vec<MarkedSpan<'_>> {
    let mut places: Vec<MarkedSpan<'_>> = Vec::new();
    let mut known = BTreeMap::new();
    for site in call_sites {
        if site.verdict == Verdict::Equivalent && !all {
            continue;
        }
        let span = (site.line, site.column, site.end_line, site.end_column);
        let key = (site.file.as_str(), span, text::verdict_word(site.verdict));
        let index = *known.entry(key).or_insert_with(|| {
            places.push(MarkedSpan { site, sites: Vec::new() });
            places.len() - 1
        });
        places[index].sites.push(site);
    }
    places.sort_by_key(|place| text::urgency(place.site.verdict));
    places
}

/// Brings together what stands in one function, in the order in which the functions first occur.
pub fn by_function(places: Vec<MarkedSpan<'_>>) -> Vec<Vec<MarkedSpan<'_>>> {
    let mut groups: Vec<Vec<MarkedSpan<'_>>> = Vec::new();
    let mut known = BTreeMap::new();
    for place in places {
        let site = place.site;
        let key = (&site.file, &site.caller, text::verdict_word(site.verdict));
        let index = *known.entry(key).or_insert_with(|| {
            groups.push(Vec::new());
            groups.len() - 1
        });
        groups[index].push(place);
    }
    groups
}
