//! What passes from the tool's cargo commands, through cargo, to the tool in rustc's place.

/// The directory that the driver writes programs to. Where it is set, the tool stands in rustc's place.
pub const DIRECTORY_VARIABLE: &str = "CARGO_CSE_DIR";
/// The driver's executable.
pub const DRIVER_VARIABLE: &str = "CARGO_CSE_DRIVER";
pub const SYSROOT_VARIABLE: &str = "CARGO_CSE_SYSROOT";
/// The names of the packages that depend on what moves, separated by commas.
pub const DEPENDENTS_VARIABLE: &str = "CARGO_CSE_DEPENDENTS";
/// Tells the driver that the crate was published.
pub const PUBLISHED_VARIABLE: &str = "CARGO_CSE_PUBLISHED";
/// The wrapper that the user has configured, which stands before the compiler.
pub const USERS_WRAPPER_VARIABLE: &str = "CARGO_CSE_USERS_WRAPPER";

/// Keeps MIR of every function, and keeps functions apart; unsafe code is taken to be free of
/// undefined behaviour, so no checks for it are made. Cargo does not see these flags: they are part of
/// the name of the target directory.
pub const FLAGS: &[&str] =
    &["-Zalways-encode-mir", "-Zmir-opt-level=1", "-Zinline-mir=no", "-Zub-checks=no"];

/// More flags for crates of the client, of which the same holds.
pub const CLIENT_FLAGS: &[&str] = &["--cap-lints=allow"];
