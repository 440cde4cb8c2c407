# `make demo` and `make test` do everything that they need first; `make help` lists the rest.
# All paths are relative: make splits an absolute one that has a space in it.

# The toolchain is that of rust-toolchain.toml and the output is in target, whatever the user's
# environment asks for.
unexport RUSTUP_TOOLCHAIN CARGO_TARGET_DIR CARGO_BUILD_TARGET_DIR CARGO_BUILD_TARGET

# Cargo itself uses all cores, and takes no part in make's counting of jobs.
.NOTPARALLEL:
unexport MAKEFLAGS MFLAGS

PARTS := target/lib/cargo-cse
LIBZ3 := $(PARTS)/libz3.so
RUFF := target/ruff/ruff
CSE := target/release/cargo-cse cse
DEMO := $(CSE) check --manifest-path fixtures/demo/Cargo.toml hex@0.4.3 humantime@2.3.0 semver@1.0.23
RELEASE := --release --locked --target-dir target
# Private items are documented too, so that links may lead to them.
DOC_FLAGS := -D warnings -A rustdoc::private_intra_doc_links
# Evaluated by the shell, so that it may have spaces too.
INSTALL_ROOT := "$${CARGO_INSTALL_ROOT:-$${CARGO_HOME:-$$HOME/.cargo}}"

.PHONY: help demo test soundness encoder queries corpus papers lint build install table apps bench toolchain libz3

help:
	@echo "make demo       set up, build, and judge the upgrade in fixtures/demo"
	@echo "make test       set up, build, and run \`make lint\` and all tests"
	@echo "make lint       check the format, and run clippy, rustdoc and, for the scripts, ruff"
	@echo "make corpus     judge the real upgrades of fixtures/real, and write docs/corpus.md"
	@echo "make papers     judge the papers' benchmark, one suite after the other"
	@echo "make soundness  compare thousands of verdicts with native runs, and write docs/soundness.md"
	@echo "make encoder    compare the symbolic executor with native runs of generated functions"
	@echo "make queries    ask cvc5 and bitwuzla what the solver is asked, and compare their answers"
	@echo "make build      set up, and leave target/release/cargo-cse"
	@echo "make table      judge the real upgrades of fixtures/upgrades, and write docs/upgrades.md"
	@echo "make apps       judge upgrades of published applications, and write docs/applications.md"
	@echo "make bench      compare with plain cargo check, judge the papers' benchmark over time (an hour)"
	@echo "make install    make \`cargo cse\` work everywhere (CARGO_INSTALL_ROOT says where to put it)"

# A difference (100) and an unknown (102) are answers too.
demo: build
	@echo "running $(DEMO)"
	@$(DEMO) || case $$? in 100|102) ;; *) exit 1 ;; esac

test: lint build
	@echo "running all tests"
	@cargo test $(RELEASE)

# `make test` does the same with fewer.
soundness: build
	@echo "judging and running mutants, and pairs that differ in what callers reach"
	@SOUNDNESS=$${SOUNDNESS:-all} cargo test $(RELEASE) --no-fail-fast --test mutants --test interface \
	  -- --nocapture

encoder: build
	@echo "running all generated functions"
	@ENCODER=all cargo test $(RELEASE) --test encoder -- --nocapture

# Cargo runs a test where its package is.
queries: build
	@echo "writing queries into target/queries"
	@rm -rf target/queries
	@QUERIES=target/queries cargo test $(RELEASE) --test solver --test insight -- written
	@echo "asking other solvers"
	@scripts/queries target/queries

corpus: build
	@echo "judging the upgrades of fixtures/real"
	@scripts/corpus

PAPERS := base seqmerge nestmerge multcall scaling
papers: build
	@scripts/papers make $(PAPERS)
	@for suite in $(PAPERS); do scripts/papers run $$suite --timeout 3600 || exit 1; done

lint: toolchain $(LIBZ3) $(RUFF)
	@echo "checking the format"
	@cargo fmt --check
	@echo "running clippy"
	@cargo clippy $(RELEASE) --all-targets -- -D warnings
	@echo "checking the documentation"
	@RUSTDOCFLAGS="$(DOC_FLAGS)" cargo doc $(RELEASE) --no-deps --document-private-items
	@echo "checking the scripts"
	@$(RUFF) check --no-cache scripts
	@$(RUFF) format --no-cache --check scripts

build: toolchain $(LIBZ3)
	@echo "building cargo-cse, its driver and its solver"
	@cargo build $(RELEASE)
	@$(CSE) setup

table: build
	@echo "judging the upgrades of fixtures/upgrades"
	@scripts/upgrades

apps: build
	@echo "judging upgrades of published applications"
	@scripts/applications

bench: build
	@echo "comparing with plain cargo check"
	@scripts/bench
	@echo "judging the papers' benchmark"
	@scripts/solved

install: toolchain $(LIBZ3)
	@echo "installing cargo-cse into" $(INSTALL_ROOT)
	@cargo install --path . --locked --target-dir target --root $(INSTALL_ROOT)
	@install -D -m 644 -t $(INSTALL_ROOT)/lib/cargo-cse $(LIBZ3).*
	@$(INSTALL_ROOT)/bin/cargo-cse cse setup

toolchain:
	@for tool in rustup cc python3; do \
	  command -v $$tool >/dev/null || { echo "error: $$tool is needed and not found" >&2; exit 1; }; \
	done
	@rustup which rustc >/dev/null 2>&1 || echo "installing the pinned toolchain (300 MB, about a minute)"
	@rustup --quiet toolchain install --no-self-update

libz3: $(LIBZ3)

$(LIBZ3): scripts/fetch-libz3 scripts/z3-requirements.txt
	@echo "fetching libz3 (40 MB)"
	@scripts/fetch-libz3 $(PARTS)

$(RUFF): scripts/fetch-ruff scripts/ruff-requirements.txt
	@echo "fetching ruff (10 MB)"
	@scripts/fetch-ruff $(dir $(RUFF))
