//! Places and operands, and the pieces that all text is put together from.

use super::constant::constant;
use super::scope::Scope;
use crate::cfa::{LocalId, Location, Operand, Place, Projection};

/// Text in which temporaries and locations can be told from what is written out: their numbers are
/// not the same in two versions of one function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Piece {
    Text(String),
    Temporary(LocalId),
    Location(Location),
}

/// Writes pieces.
pub(super) struct Writer<'a> {
    pub scope: &'a Scope<'a>,
    pub pieces: Vec<Piece>,
}

pub(super) fn to_string(pieces: &[Piece]) -> String {
    let texts = pieces.iter().map(|piece| match piece {
        Piece::Text(text) => text.clone(),
        Piece::Temporary(local) => format!("_{}", local.0),
        Piece::Location(location) => location.0.to_string(),
    });
    texts.collect()
}

impl<'a> Writer<'a> {
    pub fn new(scope: &'a Scope<'a>) -> Writer<'a> {
        Writer { scope, pieces: Vec::new() }
    }

    pub fn text(&mut self, text: impl AsRef<str>) {
        let one_line = text.as_ref().replace('\n', " ");
        match self.pieces.last_mut() {
            Some(Piece::Text(last)) => last.push_str(&one_line),
            _ => self.pieces.push(Piece::Text(one_line)),
        }
    }

    pub fn location(&mut self, location: Location) {
        self.pieces.push(Piece::Location(location));
    }

    pub fn local(&mut self, local: LocalId) {
        match self.scope.name(local) {
            Some(name) => self.text(name),
            None => self.pieces.push(Piece::Temporary(local)),
        }
    }

    pub fn operand(&mut self, operand: &Operand) {
        match operand {
            Operand::Read(place) => self.place(place),
            Operand::Const(value) => self.text(constant(self.scope.program, value)),
        }
    }

    /// Writes all of these with `, ` between them.
    pub fn list<T>(&mut self, items: &[T], mut write: impl FnMut(&mut Self, &T)) {
        for (index, item) in items.iter().enumerate() {
            if index > 0 {
                self.text(", ");
            }
            write(self, item);
        }
    }

    pub fn place(&mut self, place: &Place) {
        self.projected(place.local, &place.projections);
    }

    fn projected(&mut self, local: LocalId, projections: &[Projection]) {
        let Some((last, before)) = projections.split_last() else {
            return self.local(local);
        };
        match last {
            Projection::Deref => {
                self.text("*");
                self.projected(local, before);
            }
            Projection::Variant(number) => {
                let known = self.scope.variant(local, projections);
                let name = known.map_or(number.to_string(), |variant| variant.name.clone());
                self.text("(");
                self.projected(local, before);
                self.text(format!(" as {name})"));
            }
            Projection::Cast(ty) => {
                self.text("(");
                self.projected(local, before);
                self.text(format!(" seen as {})", self.scope.type_name(*ty)));
            }
            Projection::Field(number) => {
                let variant = self.scope.variant(local, before);
                let field = variant.and_then(|variant| variant.fields.get(*number as usize));
                let name = field.map_or(number.to_string(), |field| field.name.clone());
                self.base(local, before);
                self.text(format!(".{name}"));
            }
            Projection::Index(index) => {
                self.base(local, before);
                self.text("[");
                self.local(*index);
                self.text("]");
            }
            Projection::ConstantIndex { offset, from_end } => {
                self.base(local, before);
                self.text(format!("[{}]", from_either_end(*offset, *from_end)));
            }
            Projection::Subslice { from, to, from_end } => {
                self.base(local, before);
                self.text(format!("[{from}..{}]", from_either_end(*to, *from_end)));
            }
        }
    }

    /// What a field or an element is taken from.
    fn base(&mut self, local: LocalId, projections: &[Projection]) {
        let is_deref = projections.last() == Some(&Projection::Deref);
        if is_deref {
            self.text("(");
        }
        self.projected(local, projections);
        if is_deref {
            self.text(")");
        }
    }
}

fn from_either_end(offset: u64, from_end: bool) -> String {
    format!("{}{offset}", if from_end { "len - " } else { "" })
}
