//! Places in the source.

use cargo_cse::cfa::{FileId, Span};
use rustc_data_structures::fx::FxHashMap;
use rustc_middle::ty::TyCtxt;
use rustc_span::{FileName, Span as RustcSpan};

/// Turns the compiler's spans into ours, and numbers the files.
#[derive(Default)]
pub struct Files {
    pub paths: Vec<String>,
    numbers: FxHashMap<String, FileId>,
    known: FxHashMap<RustcSpan, Span>,
}

impl Files {
    /// Where the user wrote what led to `span`: inside a macro, the outermost use of a macro.
    pub fn span(&mut self, tcx: TyCtxt<'_>, span: RustcSpan) -> Span {
        let span = span.source_callsite();
        if span.is_dummy() {
            return Span::UNKNOWN;
        }
        if let Some(&known) = self.known.get(&span) {
            return known;
        }
        let map = tcx.sess.source_map();
        let (low, high) = (map.lookup_char_pos(span.lo()), map.lookup_char_pos(span.hi()));
        let path = match &low.file.name {
            FileName::Real(name) => match name.local_path() {
                Some(path) => path.to_string_lossy().into_owned(),
                None => low.file.name.prefer_remapped_unconditionally().to_string(),
            },
            other => other.prefer_remapped_unconditionally().to_string(),
        };
        let next = FileId(self.paths.len() as u32);
        let file = *self.numbers.entry(path).or_insert_with_key(|path| {
            self.paths.push(path.clone());
            next
        });
        let ours = Span {
            file,
            line: low.line as u32,
            column: low.col.0 as u32 + 1,
            end_line: high.line as u32,
            end_column: high.col.0 as u32 + 1,
        };
        self.known.insert(span, ours);
        ours
    }
}
