use std::fmt;
pub struct E(pub u8);
impl fmt::Display for E {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "x{}", self.0)
    }
}
#[derive(Debug, PartialEq)]
pub struct D(pub u8, pub Option<String>);
#[derive(Debug)]
pub enum Error {
    Io(std::io::Error),
    Parse { line: usize, text: String, at: Option<Box<D>> },
    Utf(std::str::Utf8Error),
    P(std::path::PathBuf),
    V(Vec<D>),
    F(f64),
    None,
}
impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Error::Io(e) => write!(f, "i/o: {e}"),
            Error::Parse { line, text, .. } => {
                f.write_str("Line ")?;
                line.fmt(f)?;
                f.pad(text)
            }
            Error::P(p) => write!(f, "{} {:?}", p.display(), p),
            Error::V(v) => {
                for (i, d) in v.iter().enumerate() {
                    if i > 0 {
                        f.write_str(", ")?;
                    }
                    write!(f, "{:?}", d)?;
                }
                Ok(())
            }
            Error::F(x) => write!(f, "{x:>8.3}"),
            Error::Utf(u) => fmt::Display::fmt(u, f),
            Error::None => f.debug_struct("None").field("a", &1).finish_non_exhaustive(),
        }
    }
}
impl std::error::Error for Error {}
