//! The digest of an item: a hash of everything about it but the items it refers to, and those in
//! order. Two items with equal digests that refer to equal items are equal.
//!
//! Left out, because it is no behaviour: names of locals, functions and types, spans, the order in
//! which code is written down, panic messages and locations. Names stay where they tell items
//! apart that look alike: statics, foreign functions, intrinsics, the identity of a type; and where
//! callers use them: variants and public fields.

use std::collections::HashSet;

use super::body;
use crate::cfa::normalize::{Depth, normalize};
use crate::cfa::{
    ArrayLen, Body, CrateId, EntryTarget, FnId, Impl, ImplContent, Layout, MemoryId, Origin,
    Pointee, PointerMeta, Program, StaticId, TyId, TypeKind, VTableId, Variant,
};
use crate::reason::Reason;
use crate::version::Version;

/// Something in a program that others can refer to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Item {
    Function(FnId),
    Type(TyId),
    Memory(MemoryId),
    Static(StaticId),
    VTable(VTableId),
}

impl From<EntryTarget> for Item {
    fn from(target: EntryTarget) -> Item {
        match target {
            EntryTarget::Function(id) => Item::Function(id),
            EntryTarget::Static(id) => Item::Static(id),
            EntryTarget::Constant(id) => Item::Memory(id),
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Digest {
    pub hash: u128,
    pub refs: Vec<Item>,
}

/// What besides the program decides digests.
#[derive(Clone, Debug)]
pub struct DigestContext {
    /// A package that moves brings code that is not Rust: foreign functions may do something else.
    /// Then a foreign function is equal to none of the other side.
    pub foreign_code_moves: bool,
    /// Tells the two sides apart where they must not be equal.
    pub version: Version,
    /// Headers of impls that only the new side has: whoever called the old side used none of them.
    pub added: HashSet<String>,
    /// The names of the packages that move. Whoever names one of their types has the upgrade checked
    /// for their own crate.
    pub moving: HashSet<String>,
}

impl DigestContext {
    /// Whether callers that the verdict is for can use an impl. What a type of another crate does by traits
    /// of what does not move is taken for a part of the value that callers hand in, as it is with types of
    /// their own.
    pub fn counts(&self, program: &Program, it: &Impl) -> bool {
        let moves = |krate: &CrateId| {
            let package = program.crates[krate.index()].package.as_ref();
            package.is_some_and(|package| self.moving.contains(&package.name))
        };
        let is_of_interest = match &it.content {
            ImplContent::Build { of_trait, .. } => moves(of_trait),
            ImplContent::Item(_) | ImplContent::Default => true,
        };
        is_of_interest && !self.added.contains(&it.header) && !it.needs.iter().any(moves)
    }
}

pub fn function(program: &Program, id: FnId, depth: Depth, context: &DigestContext) -> Digest {
    let function = program.function(id);
    let mut writer = Writer::new(program);
    match &function.body {
        Body::Cfa(_) => {
            writer.tag(1);
            match depth {
                Depth::AsLowered => body::write(&mut writer, function),
                _ => {
                    let normal = normalize(program, function, depth).expect("it has a body");
                    body::write(&mut writer, &normal);
                }
            }
            return writer.finish();
        }
        Body::Panic => {
            writer.tag(2);
            return writer.finish();
        }
        Body::AllocError => {
            writer.tag(3);
            return writer.finish();
        }
        Body::Intrinsic(_) | Body::VirtualCall | Body::PanicWithMessage => {
            writer.tag(4);
            writer.text(&function.name);
        }
        Body::Foreign { symbol } => {
            writer.tag(5);
            writer.text(symbol);
            if context.foreign_code_moves && program.origin(function.krate) != Origin::Std {
                writer.tag(context.version as u8);
            }
        }
        Body::Supplied { default, impls } => {
            writer.tag(6);
            writer.text(&function.name);
            writer.tag(u8::from(default.is_some()));
            writer.refs.extend(default.map(Item::Function));
            for it in impls.iter().filter(|it| context.counts(program, it)) {
                match &it.content {
                    ImplContent::Default => writer.tag(0),
                    ImplContent::Item(id) => {
                        writer.tag(1);
                        writer.refs.push(Item::Function(*id));
                    }
                    ImplContent::Build { build, .. } => {
                        writer.tag(2);
                        writer.text(build);
                    }
                }
            }
        }
        Body::Missing(_) => {
            writer.tag(7);
            writer.text(&function.name);
            // What is not seen can call anything. Only what std does without the help of types from
            // elsewhere is known to be the same.
            let own = program.origin(function.krate) == Origin::Std;
            if !own || function.generic || !function.type_args.is_empty() {
                writer.tag(context.version as u8);
            }
        }
        Body::Elsewhere(_) => {
            writer.tag(8);
            writer.text(&function.name);
            if let Some(package) = &program.crates[function.krate.index()].package {
                writer.text(&package.version);
                writer.text(&package.manifest_dir);
            }
        }
    }
    writer.refs.extend(function.type_args.iter().copied().map(Item::Type));
    writer.finish()
}

pub fn ty(program: &Program, id: TyId) -> Digest {
    let ty = program.ty(id);
    let mut writer = Writer::new(program);
    match &ty.kind {
        TypeKind::Bool => writer.tag(1),
        TypeKind::Char => writer.tag(2),
        TypeKind::Int { bits, signed } => {
            writer.tag(3);
            writer.number(*bits);
            writer.tag(u8::from(*signed));
        }
        TypeKind::Float { bits } => {
            writer.tag(4);
            writer.number(*bits);
        }
        TypeKind::Never => writer.tag(5),
        TypeKind::Str => writer.tag(6),
        TypeKind::Slice(element) => {
            writer.tag(7);
            writer.ty(*element);
        }
        TypeKind::Array(element, len) => {
            writer.tag(8);
            writer.ty(*element);
            writer.array_len(len);
        }
        TypeKind::Tuple(parts) => {
            writer.tag(9);
            parts.iter().for_each(|part| writer.ty(*part));
        }
        TypeKind::Reference { to, mutable } => {
            writer.tag(10);
            writer.ty(*to);
            writer.tag(u8::from(*mutable));
        }
        TypeKind::RawPointer { to, mutable } => {
            writer.tag(11);
            writer.ty(*to);
            writer.tag(u8::from(*mutable));
        }
        TypeKind::FnPointer { header, types } => {
            writer.tag(12);
            writer.text(header);
            types.iter().for_each(|part| writer.ty(*part));
        }
        TypeKind::FnItem(function) => {
            writer.tag(13);
            writer.refs.push(Item::Function(*function));
        }
        TypeKind::Closure { captures, body } => {
            writer.tag(14);
            captures.iter().for_each(|part| writer.ty(*part));
            writer.refs.push(Item::Function(*body));
        }
        TypeKind::Coroutine { captures, saved, body } => {
            writer.tag(21);
            writer.number(captures.len() as u32);
            captures.iter().chain(saved).for_each(|part| writer.ty(*part));
            writer.refs.push(Item::Function(*body));
        }
        TypeKind::Struct(only) => {
            writer.tag(15);
            writer.fields(only);
        }
        TypeKind::Union(only) => {
            writer.tag(16);
            writer.fields(only);
        }
        TypeKind::Enum(variants) => {
            writer.tag(17);
            for variant in variants {
                writer.text(&variant.name);
                writer.number(variant.discriminant);
                writer.fields(variant);
            }
        }
        TypeKind::Dyn => {
            writer.tag(18);
            writer.text(&ty.name);
        }
        TypeKind::Parameter { given } => {
            writer.tag(19);
            writer.text(&ty.name);
            writer.refs.extend(given.map(Item::Function));
        }
        TypeKind::Opaque(text) => {
            writer.tag(20);
            writer.text(text);
        }
    }
    if let Some(layout) = &ty.layout {
        writer.layout(layout);
    }
    writer.number(writer.refs.len() as u32);
    writer.finish()
}

pub fn memory(program: &Program, id: MemoryId) -> Digest {
    let memory = &program.memories[id.index()];
    let mut writer = Writer::new(program);
    writer.number(memory.bytes.len() as u64);
    match source_file(program, &memory.bytes) {
        Some((package, file)) => {
            writer.text(package);
            writer.blob(file);
        }
        None => writer.blob(&memory.bytes),
    }
    for (from, to) in &memory.uninit {
        writer.number(*from);
        writer.number(*to);
    }
    writer.tag(u8::from(memory.mutable));
    for (offset, to) in &memory.pointers {
        writer.number(*offset);
        writer.pointee(*to);
    }
    writer.finish()
}

/// The source file of a `Location`, which the compiler ends with a zero, split in its package and the
/// rest: where a package lies is no behaviour. Strings that the code itself has are left alone.
fn source_file<'a>(program: &'a Program, text: &'a [u8]) -> Option<(&'a str, &'a [u8])> {
    let packages = program.crates.iter().filter_map(|krate| krate.package.as_ref());
    packages.filter(|_| text.ends_with(b".rs\0")).find_map(|package| {
        let rest = text.strip_prefix(package.manifest_dir.as_bytes())?;
        rest.starts_with(b"/").then_some((package.name.as_str(), rest))
    })
}

/// A static is told apart by its name: it is one place that code shares, not a value.
pub fn static_(program: &Program, id: StaticId, context: &DigestContext) -> Digest {
    let item = &program.statics[id.index()];
    let mut writer = Writer::new(program);
    writer.text(&item.name);
    writer.tag(u8::from(item.thread_local));
    writer.ty(item.ty);
    match item.initial {
        Some(memory) => writer.refs.push(Item::Memory(memory)),
        None if context.foreign_code_moves => writer.tag(context.version as u8),
        None => writer.tag(255),
    }
    writer.finish()
}

pub fn vtable(program: &Program, id: VTableId) -> Digest {
    let vtable = &program.vtables[id.index()];
    let mut writer = Writer::new(program);
    writer.text(&vtable.dyn_name);
    writer.ty(vtable.ty);
    for slot in [&vtable.drop].into_iter().chain(&vtable.methods) {
        match slot {
            Some(function) => {
                writer.tag(1);
                writer.refs.push(Item::Function(*function));
            }
            None => writer.tag(0),
        }
    }
    writer.finish()
}

/// Collects what is hashed, and what is referred to.
pub struct Writer<'a> {
    program: &'a Program,
    bytes: Vec<u8>,
    pub refs: Vec<Item>,
}

impl<'a> Writer<'a> {
    pub fn new(program: &'a Program) -> Writer<'a> {
        Writer { program, bytes: Vec::new(), refs: Vec::new() }
    }

    pub fn tag(&mut self, tag: u8) {
        self.bytes.push(tag);
    }

    pub fn number(&mut self, number: impl Into<u128>) {
        self.bytes.extend(number.into().to_le_bytes());
    }

    pub fn blob(&mut self, bytes: &[u8]) {
        self.number(bytes.len() as u64);
        self.bytes.extend(bytes);
    }

    pub fn text(&mut self, text: &str) {
        self.blob(text.as_bytes());
    }

    pub fn reason(&mut self, reason: &Reason) {
        self.blob(&postcard::to_stdvec(reason).expect("reasons can be serialized"));
    }

    pub fn ty(&mut self, ty: TyId) {
        self.refs.push(Item::Type(ty));
    }

    /// Fields by their types; those that others can name by their names too.
    fn fields(&mut self, variant: &Variant) {
        self.number(variant.fields.len() as u32);
        for field in &variant.fields {
            self.text(if field.public { &field.name } else { "" });
            self.ty(field.ty);
        }
    }

    pub fn array_len(&mut self, len: &ArrayLen) {
        match len {
            ArrayLen::Known(len) => self.number(*len),
            ArrayLen::Generic(text) => self.text(text),
        }
    }

    fn layout(&mut self, layout: &Layout) {
        self.number(layout.size);
        self.number(layout.align);
        for variant in &layout.offsets {
            self.number(variant.len() as u64);
            variant.iter().for_each(|offset| self.number(*offset));
        }
        if let Some((first, last)) = layout.valid {
            self.number(first);
            self.number(last);
        }
        if let Some(tag) = &layout.tag {
            self.number(tag.offset);
            self.number(tag.size);
            if let Some(niche) = &tag.niche {
                self.number(niche.untagged);
                self.number(niche.first);
                self.number(niche.last);
                self.number(niche.start);
            }
        }
    }

    pub fn pointee(&mut self, to: Pointee) {
        match to {
            Pointee::Memory(id) => {
                self.tag(1);
                self.refs.push(Item::Memory(id));
            }
            Pointee::Static(id) => {
                self.tag(2);
                self.refs.push(Item::Static(id));
            }
            Pointee::Function(id) => {
                self.tag(3);
                self.refs.push(Item::Function(id));
            }
            Pointee::VTable(id) => {
                self.tag(4);
                self.refs.push(Item::VTable(id));
            }
            Pointee::TypeIdentity(id) => {
                self.tag(5);
                self.text(&self.program.ty(id).name);
                self.refs.push(Item::Type(id));
            }
        }
    }

    pub fn meta(&mut self, meta: Option<PointerMeta>) {
        match meta {
            None => self.tag(0),
            Some(PointerMeta::Length(length)) => {
                self.tag(1);
                self.number(length);
            }
            Some(PointerMeta::VTable(id)) => {
                self.tag(2);
                self.refs.push(Item::VTable(id));
            }
        }
    }

    fn finish(self) -> Digest {
        let bytes = *blake3::hash(&self.bytes).as_bytes();
        let half = bytes[..16].try_into().expect("a hash has 32 bytes");
        Digest { hash: u128::from_le_bytes(half), refs: self.refs }
    }
}
