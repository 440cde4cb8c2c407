//! What a signal does. It has a process of its own, because the signal is for the whole process.

use std::{fs, path::Path, process::Command, thread, time::Duration};

use cargo_cse::{
    cargo::{Cargo, CargoOptions},
    error::Error,
    interrupt,
    toolchain::Toolchain,
};
use rustix::process::{Pid, Signal, getpid, kill_process};

#[test]
fn a_signal_ends_the_children_of_children_and_the_run() {
    interrupt::install();
    let directory = tempfile::tempdir().unwrap();
    let started = directory.path().join("started");
    let toolchain = Toolchain::find_beside(Path::new(env!("CARGO_BIN_EXE_cargo-cse"))).unwrap();
    let cargo = Cargo::new(&toolchain, &CargoOptions::default());
    let mut command = Command::new("sh");
    let script = "sleep 600 & echo $! > \"$0.new\" && mv \"$0.new\" \"$0\" && wait";
    command.args(["-c", script]).arg(&started);

    let signaller = thread::spawn(move || {
        let grandchild = loop {
            match fs::read_to_string(&started) {
                Ok(text) => break text.trim().parse().unwrap(),
                Err(_) => thread::sleep(Duration::from_millis(5)),
            }
        };
        kill_process(getpid(), Signal::INT).unwrap();
        Pid::from_raw(grandchild).unwrap()
    });
    assert!(matches!(cargo.run(command), Err(Error::Interrupted)));
    let grandchild = signaller.join().unwrap();
    // Its end is asked for until it is seen; a process that did not get the signal would stay.
    let stat = format!("/proc/{}/stat", grandchild.as_raw_nonzero());
    let runs = || fs::read_to_string(&stat).is_ok_and(|state| !state.contains(") Z "));
    while runs() {
        thread::sleep(Duration::from_millis(5));
    }
    assert!(matches!(interrupt::check(), Err(Error::Interrupted)));
}
