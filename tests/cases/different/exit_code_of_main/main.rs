use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(dep::code())
}
