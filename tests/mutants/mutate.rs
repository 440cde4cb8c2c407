//! Mutants of a source text, one small edit each. Everything but the edit stays as it is, so that
//! no line moves.

use std::ops::Range;

use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{BinOp, Expr, Lit, Stmt, UnOp};

#[derive(Clone)]
pub struct Mutant {
    /// The line, and what became of what.
    pub description: String,
    pub source: String,
    /// The function, constant or static that it is in.
    pub item: String,
    /// None of the items that it is in has a name that starts with `unused`.
    pub reachable: bool,
}

impl Mutant {
    pub fn unedited(source: &str) -> Mutant {
        Mutant {
            description: "as it is".to_owned(),
            source: source.to_owned(),
            item: String::new(),
            reachable: true,
        }
    }
}

pub fn mutants(source: &str) -> Vec<Mutant> {
    let file = syn::parse_file(source).expect("fixtures are Rust");
    let mut finder = Finder { source, item: String::new(), reachable: true, mutants: Vec::new() };
    finder.visit_file(&file);
    finder.mutants
}

struct Finder<'a> {
    source: &'a str,
    /// The item that is being visited, and whether it is reachable.
    item: String,
    reachable: bool,
    mutants: Vec<Mutant>,
}

impl Finder<'_> {
    fn replace(&mut self, range: Range<usize>, text: &str) {
        let line = self.source[..range.start].matches('\n').count() + 1;
        let before = &self.source[range.clone()];
        let mut source = self.source.to_owned();
        source.replace_range(range.clone(), text);
        let description = format!("line {line}: `{before}` became `{text}`");
        let (item, reachable) = (self.item.clone(), self.reachable);
        self.mutants.push(Mutant { description, source, item, reachable });
    }

    /// Puts two pieces of code in each other's place.
    fn swap(&mut self, first: &impl Spanned, second: &impl Spanned) {
        let (before, after) = (first.span().byte_range(), second.span().byte_range());
        let between = &self.source[before.end..after.start];
        let (first, second) = (self.text(first), self.text(second));
        if first != second {
            self.replace(before.start..after.end, &format!("{second}{between}{first}"));
        }
    }

    /// Lets a function return at once.
    fn return_early(&mut self, signature: &syn::Signature, block: &syn::Block) {
        let start = block.brace_token.span.open().byte_range().end;
        let value = match signature.output {
            syn::ReturnType::Default => "",
            syn::ReturnType::Type(..) => " Default::default()",
        };
        self.replace(start..start, &format!(" return{value};"));
    }

    fn text(&self, spanned: &impl Spanned) -> String {
        self.source[spanned.span().byte_range()].to_owned()
    }

    /// Visits an item, which is unreachable if its name says so.
    fn inside(&mut self, name: &syn::Ident, visit: impl FnOnce(&mut Self)) {
        let name = name.to_string();
        let unused = name.to_lowercase().starts_with("unused");
        let outer = (std::mem::replace(&mut self.item, name), self.reachable);
        self.reachable &= !unused;
        visit(self);
        (self.item, self.reachable) = outer;
    }
}

impl<'ast> Visit<'ast> for Finder<'_> {
    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        self.inside(&item.sig.ident, |finder| {
            finder.return_early(&item.sig, &item.block);
            visit::visit_item_fn(finder, item);
        });
    }

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        self.inside(&item.sig.ident, |finder| {
            finder.return_early(&item.sig, &item.block);
            visit::visit_impl_item_fn(finder, item);
        });
    }

    fn visit_trait_item_fn(&mut self, item: &'ast syn::TraitItemFn) {
        self.inside(&item.sig.ident, |finder| visit::visit_trait_item_fn(finder, item));
    }

    fn visit_item_const(&mut self, item: &'ast syn::ItemConst) {
        self.inside(&item.ident, |finder| {
            // It is part of the code that uses it.
            finder.item.clear();
            visit::visit_item_const(finder, item);
        });
    }

    fn visit_item_static(&mut self, item: &'ast syn::ItemStatic) {
        self.inside(&item.ident, |finder| visit::visit_item_static(finder, item));
    }

    // Lengths, discriminants and attributes are no code.
    fn visit_type(&mut self, _: &'ast syn::Type) {}

    fn visit_attribute(&mut self, _: &'ast syn::Attribute) {}

    fn visit_expr_binary(&mut self, binary: &'ast syn::ExprBinary) {
        for text in other_operators(&binary.op) {
            self.replace(binary.op.span().byte_range(), text);
        }
        visit::visit_expr_binary(self, binary);
    }

    fn visit_expr_unary(&mut self, unary: &'ast syn::ExprUnary) {
        if matches!(unary.op, UnOp::Not(_) | UnOp::Neg(_)) {
            self.replace(unary.op.span().byte_range(), "");
        }
        visit::visit_expr_unary(self, unary);
    }

    fn visit_lit(&mut self, literal: &'ast Lit) {
        let text = match literal {
            Lit::Int(int) => {
                // A negative one, in a pattern, is left as it is.
                let Ok(value) = int.base10_parse::<u128>() else { return };
                if value > 0 {
                    let less = format!("{}{}", value - 1, int.suffix());
                    self.replace(literal.span().byte_range(), &less);
                }
                format!("{}{}", value + 1, int.suffix())
            }
            Lit::Float(float) => {
                let value: f64 = float.base10_parse().expect("a number");
                format!("{:?}{}", value + 1.0, float.suffix())
            }
            Lit::Bool(bool) => (!bool.value).to_string(),
            Lit::Char(char) => if char.value() == '~' { "'!'" } else { "'~'" }.to_owned(),
            Lit::Byte(byte) => if byte.value() == b'~' { "b'!'" } else { "b'~'" }.to_owned(),
            Lit::Str(text) => format!("{:?}", text.value() + "~"),
            _ => return,
        };
        self.replace(literal.span().byte_range(), &text);
    }

    fn visit_expr_if(&mut self, branch: &'ast syn::ExprIf) {
        if !matches!(*branch.cond, Expr::Let(_)) {
            let negated = format!("!({})", self.text(&branch.cond));
            self.replace(branch.cond.span().byte_range(), &negated);
        }
        if let Some((_, otherwise)) = &branch.else_branch {
            let (first, second) = (self.text(&branch.then_branch), self.text(otherwise));
            let start = branch.then_branch.span().byte_range().start;
            let end = otherwise.span().byte_range().end;
            // An `else if` becomes a block of its own.
            let second = if second.starts_with('{') { second } else { format!("{{ {second} }}") };
            if first != second {
                self.replace(start..end, &format!("{second} else {first}"));
            }
        }
        visit::visit_expr_if(self, branch);
    }

    fn visit_expr_while(&mut self, repeated: &'ast syn::ExprWhile) {
        if !matches!(*repeated.cond, Expr::Let(_)) {
            let negated = format!("!({})", self.text(&repeated.cond));
            self.replace(repeated.cond.span().byte_range(), &negated);
        }
        visit::visit_expr_while(self, repeated);
    }

    fn visit_expr_range(&mut self, range: &'ast syn::ExprRange) {
        if range.end.is_some() {
            let other = match range.limits {
                syn::RangeLimits::HalfOpen(_) => "..=",
                syn::RangeLimits::Closed(_) => "..",
            };
            self.replace(range.limits.span().byte_range(), other);
        }
        visit::visit_expr_range(self, range);
    }

    fn visit_expr_call(&mut self, call: &'ast syn::ExprCall) {
        for (first, second) in call.args.iter().zip(call.args.iter().skip(1)) {
            self.swap(first, second);
        }
        visit::visit_expr_call(self, call);
    }

    fn visit_expr_method_call(&mut self, call: &'ast syn::ExprMethodCall) {
        if let Some(first) = call.args.first() {
            let (receiver, argument) = (self.text(&call.receiver), self.text(first));
            let between = &self.source
                [call.receiver.span().byte_range().end..first.span().byte_range().start];
            let text = format!("({argument}){between}{receiver}");
            let range = call.receiver.span().byte_range().start..first.span().byte_range().end;
            self.replace(range, &text);
        }
        visit::visit_expr_method_call(self, call);
    }

    fn visit_block(&mut self, block: &'ast syn::Block) {
        for (first, second) in block.stmts.iter().zip(block.stmts.iter().skip(1)) {
            if !matches!(second, Stmt::Expr(_, None)) {
                self.swap(first, second);
            }
        }
        visit::visit_block(self, block);
    }

    fn visit_stmt(&mut self, statement: &'ast Stmt) {
        match statement {
            Stmt::Expr(_, Some(_)) | Stmt::Macro(_) => {
                // Lines stay where they are.
                let lines = "\n".repeat(self.text(statement).matches('\n').count());
                self.replace(statement.span().byte_range(), &lines);
            }
            _ => {}
        }
        visit::visit_stmt(self, statement);
    }
}

fn other_operators(operator: &BinOp) -> &'static [&'static str] {
    match operator {
        BinOp::Add(_) => &["-", "*"],
        BinOp::Sub(_) => &["+"],
        BinOp::Mul(_) => &["+", "/"],
        BinOp::Div(_) => &["*", "%"],
        BinOp::Rem(_) => &["/"],
        BinOp::And(_) => &["||", "&"],
        BinOp::Or(_) => &["&&", "|"],
        BinOp::BitXor(_) => &["|", "&"],
        BinOp::BitAnd(_) => &["|", "^"],
        BinOp::BitOr(_) => &["&", "^"],
        BinOp::Shl(_) => &[">>"],
        BinOp::Shr(_) => &["<<"],
        BinOp::Eq(_) => &["!=", "<=", ">="],
        BinOp::Ne(_) => &["==", "<", ">"],
        BinOp::Lt(_) => &["<=", ">"],
        BinOp::Le(_) => &["<", ">="],
        BinOp::Gt(_) => &[">=", "<"],
        BinOp::Ge(_) => &[">", "<="],
        BinOp::AddAssign(_) => &["-="],
        BinOp::SubAssign(_) => &["+="],
        BinOp::MulAssign(_) => &["+="],
        BinOp::DivAssign(_) => &["*=", "%="],
        BinOp::RemAssign(_) => &["/="],
        BinOp::BitAndAssign(_) => &["|="],
        BinOp::BitOrAssign(_) => &["&=", "^="],
        BinOp::BitXorAssign(_) => &["|="],
        BinOp::ShrAssign(_) => &["<<="],
        BinOp::ShlAssign(_) => &[">>="],
        _ => &[],
    }
}
