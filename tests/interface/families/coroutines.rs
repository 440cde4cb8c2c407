//! Futures of the client: what lives in them, polled some times and dropped.

use crate::pair::Template;

const DEP: &str = "pub struct G(pub u8); pub fn g() -> G { G(0) } \
    impl Drop for G { fn drop(&mut self) { println!(\"{}\", VALUE) } } \
    impl G { pub fn get(&self) -> u8 { self.0 } } \
    pub async fn wait() { let g = g(); std::future::ready(()).await; std::future::pending::<()>().await; std::mem::forget(g) } \
    pub struct Fut; impl Future for Fut { type Output = u8; fn poll(self: std::pin::Pin<&mut Self>, _: &mut std::task::Context) -> std::task::Poll<u8> { println!(\"{}\", VALUE); std::task::Poll::Pending } } \
    pub struct W<T>(pub T); impl<T> Drop for W<T> { fn drop(&mut self) { println!(\"{}\", VALUE) } }";

const YIELD: &str = "pub struct Yield(bool); impl Future for Yield { type Output = (); \
    fn poll(mut self: std::pin::Pin<&mut Self>, _: &mut std::task::Context) -> std::task::Poll<()> { \
    if self.0 { return std::task::Poll::Ready(()) } self.0 = true; std::task::Poll::Pending } } \
    fn later() -> Yield { Yield(false) }";

/// What runs in the future.
const BODIES: &[(&str, &str)] = &[
    ("a guard across an await", "let g = dep::g(); later().await; std::mem::forget(g);"),
    (
        "a guard that is dropped between awaits",
        "let g = dep::g(); later().await; drop(g); later().await;",
    ),
    (
        "a guard after an await",
        "later().await; let g = dep::g(); later().await; std::mem::forget(g);",
    ),
    (
        "a guard in a loop",
        "for _ in 0..2 { let g = dep::g(); later().await; std::mem::forget(g); }",
    ),
    ("a temporary across an await", "match dep::g().get() { _ => later().await }"),
    (
        "a boxed guard across an await",
        "let g = Box::new(dep::g()); later().await; std::mem::forget(g);",
    ),
    (
        "a guard in an option across an await",
        "let g = Some(dep::g()); later().await; if let Some(g) = g { std::mem::forget(g) }",
    ),
    (
        "a guard on one path",
        "let g; if std::hint::black_box(true) { g = dep::g(); later().await; std::mem::forget(g) } else { later().await }",
    ),
    ("a future of the dependency", "dep::Fut.await;"),
    ("an async function of the dependency", "dep::wait().await;"),
    ("a boxed future of the dependency", "Box::pin(dep::wait()).await;"),
    (
        "a future of the dependency as a trait object",
        "let all: std::pin::Pin<Box<dyn Future<Output = u8>>> = Box::pin(dep::Fut); all.await;",
    ),
    (
        "a future of the dependency that is never polled",
        "let f = dep::wait(); later().await; drop(f);",
    ),
    (
        "a guard in an inner block",
        "let inner = async { let g = dep::g(); later().await; std::mem::forget(g) }; inner.await;",
    ),
    (
        "a guard that an inner block took",
        "let g = dep::g(); let inner = async move { later().await; std::mem::forget(g) }; inner.await;",
    ),
    (
        "a guard in an async closure",
        "let inner = async || { let g = dep::g(); later().await; std::mem::forget(g) }; inner().await;",
    ),
    ("a generic guard across an await", "let g = dep::W(1u8); later().await; std::mem::forget(g);"),
    (
        "an array of guards across an await",
        "let g = [dep::g(), dep::g()]; later().await; std::mem::forget(g);",
    ),
    (
        "a guard beside a panic",
        "let g = dep::g(); later().await; if std::hint::black_box(false) { panic!() } std::mem::forget(g);",
    ),
    (
        "a guard that a closure has",
        "let g = dep::g(); let c = move || g.get(); later().await; c(); std::mem::forget(c);",
    ),
];

/// How callers get the future.
const FORMS: &[(&str, &str, &str)] = &[
    ("async function", "pub async fn f() { BODY }", "client::f()"),
    ("impl Future", "pub fn f() -> impl Future<Output = ()> { async { BODY } }", "client::f()"),
    (
        "boxed future",
        "pub fn f() -> std::pin::Pin<Box<dyn Future<Output = ()>>> { Box::pin(async { BODY }) }",
        "client::f()",
    ),
    ("async method", "pub struct S; impl S { pub async fn f(&self) { BODY } }", "client::S.f()"),
    (
        "async trait method",
        "pub trait Tr { async fn f(&self); } impl Tr for u8 { async fn f(&self) { BODY } }",
        "client::Tr::f(&1u8)",
    ),
    (
        "provided async method",
        "pub trait Tr { async fn f(&self) { BODY } } impl Tr for u8 {}",
        "client::Tr::f(&1u8)",
    ),
    ("generic async function", "pub async fn f<T>(t: T) -> T { BODY t }", "client::f(1u8)"),
    (
        "impl Future of a generic function",
        "pub fn f<T>(t: T) -> impl Future<Output = T> { async move { BODY t } }",
        "client::f(1u8)",
    ),
    (
        "async closure",
        "pub fn f() -> impl AsyncFn() { async || { BODY } }",
        "async { let f = client::f(); f().await }",
    ),
    (
        "function that returns a closure",
        "pub fn f() -> impl Fn() -> std::pin::Pin<Box<dyn Future<Output = ()>>> { || Box::pin(async { BODY }) }",
        "client::f()()",
    ),
    (
        "own future",
        "pub struct F(std::pin::Pin<Box<dyn Future<Output = ()>>>); pub fn f() -> F { F(Box::pin(async { BODY })) } impl Future for F { type Output = (); fn poll(mut self: std::pin::Pin<&mut Self>, c: &mut std::task::Context) -> std::task::Poll<()> { self.0.as_mut().poll(c) } }",
        "client::f()",
    ),
    (
        "IntoFuture",
        "pub struct F; impl IntoFuture for F { type Output = (); type IntoFuture = std::pin::Pin<Box<dyn Future<Output = ()>>>; fn into_future(self) -> Self::IntoFuture { Box::pin(async { BODY }) } }",
        "client::F.into_future()",
    ),
    (
        "callback's future",
        "pub fn f() -> impl Future<Output = ()> { with(async || { BODY }) } async fn with(run: impl AsyncFnOnce()) { run().await }",
        "client::f()",
    ),
    (
        "future that another one polls",
        "pub async fn f() { let mut inner = std::pin::pin!(async { BODY }); std::future::poll_fn(|c| inner.as_mut().poll(c)).await }",
        "client::f()",
    ),
];

/// Futures that hold what they are given.
const CAPTURED: &[(&str, &str, &str)] = &[
    (
        "an argument",
        "pub async fn f(g: dep::G) { later().await; std::mem::forget(g) } pub fn g() -> dep::G { dep::g() }",
        "client::f(client::g())",
    ),
    (
        "a captured guard",
        "pub fn f() -> impl Future<Output = ()> { let g = dep::g(); async move { later().await; std::mem::forget(g) } }",
        "client::f()",
    ),
    (
        "a generic argument",
        "pub async fn f<T>(t: T) { later().await; std::mem::forget(t) } pub fn g() -> dep::G { dep::g() }",
        "client::f(client::g())",
    ),
    (
        "a generic argument in the dependency's type",
        "pub async fn f<T>(t: T) { let w = dep::W(t); later().await; std::mem::forget(w) }",
        "client::f(1u8)",
    ),
    (
        "an own struct's guard",
        "pub struct S(dep::G); impl S { pub async fn f(self) { later().await; std::mem::forget(self) } } pub fn s() -> S { S(dep::g()) }",
        "client::s().f()",
    ),
    (
        "a boxed argument",
        "pub async fn f(g: Box<dep::G>) { later().await; std::mem::forget(g) } pub fn g() -> Box<dep::G> { Box::new(dep::g()) }",
        "client::f(client::g())",
    ),
];

pub fn templates() -> Vec<Template> {
    let mut templates = Vec::new();
    for times in 0..3 {
        let mut push = |name: String, client: &str, future: &str| {
            let used = format!("poll({future}, {times});");
            let name = format!("{name}, polled {times} times");
            templates.push(Template::new(name, &format!("{client} {YIELD}"), DEP, &[&used]));
        };
        // What is never polled has only what it was given.
        for (form, client, future) in FORMS.iter().filter(|_| times > 0) {
            for (body, code) in BODIES {
                push(format!("{body} in an {form}"), &client.replace("BODY", code), future);
            }
        }
        for (captured, client, future) in CAPTURED {
            push((*captured).to_owned(), client, future);
        }
    }
    templates
}
