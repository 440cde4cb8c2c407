//! Places in the source.

use std::sync::Arc;

use cargo_cse::cfa::{FileId, Span};
use rustc_data_structures::fx::FxHashMap;
use rustc_middle::ty::TyCtxt;
use rustc_span::{BytePos, FileName, SourceFile, Span as RustcSpan};

/// Turns the compiler's spans into ours, and numbers the files.
#[derive(Default)]
pub struct Files {
    pub paths: Vec<String>,
    numbers: FxHashMap<String, FileId>,
    /// The numbers again, by where a file begins among all that the compiler knows. It can know one
    /// path several times, as several crates name it.
    beginnings: FxHashMap<BytePos, FileId>,
    /// The file of the last span: the next one is often in it too.
    last: Option<Arc<SourceFile>>,
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
        let (low, high) = (span.lo(), span.hi());
        let file = match self.last.take() {
            Some(file) if file.contains(low) => file,
            _ => tcx.sess.source_map().lookup_source_file(low),
        };
        let (line, column, _) = file.lookup_file_pos_with_col_display(low);
        let (end_line, end_column, _) = file.lookup_file_pos_with_col_display(high);
        let ours = Span {
            file: self.number(&file),
            line: line as u32,
            column: column.0 as u32 + 1,
            end_line: end_line as u32,
            end_column: end_column.0 as u32 + 1,
        };
        self.last = Some(file);
        self.known.insert(span, ours);
        ours
    }

    fn number(&mut self, file: &SourceFile) -> FileId {
        if let Some(&number) = self.beginnings.get(&file.start_pos) {
            return number;
        }
        let path = match &file.name {
            FileName::Real(name) => match name.local_path() {
                Some(path) => path.to_string_lossy().into_owned(),
                None => file.name.prefer_remapped_unconditionally().to_string(),
            },
            other => other.prefer_remapped_unconditionally().to_string(),
        };
        let next = FileId(self.paths.len() as u32);
        let number = *self.numbers.entry(path).or_insert_with_key(|path| {
            self.paths.push(path.clone());
            next
        });
        self.beginnings.insert(file.start_pos, number);
        number
    }
}
