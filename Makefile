# `make solve FILE=examples/…` and `make test` are all the set-up there is: they install Z3's library and header when
# one of them is missing, build, and go on.

GO ?= go
FILE ?= examples/loop-counter.smt2
FLAGS ?=

# Homebrew keeps its libraries where no compiler looks by itself.
ifneq ($(shell command -v brew 2>/dev/null),)
export CGO_CFLAGS ?= -g -O2 -I$(shell brew --prefix)/include
export CGO_LDFLAGS ?= -g -O2 -L$(shell brew --prefix)/lib
endif

# A busy machine may take long; what hangs is ended all the same.
TEST = $(GO) test -timeout 30m

# `make test` draws the same random inputs each time, so that what passed once passes again on the same text; `make random`
# draws new ones.
test test-z3: export RAPID_SEED ?= 1
random: export RAPID_SEED = 0

# The packages that start goroutines, or are made for several, are tested under the race detector, the others without.
CONCURRENT = ./bench/run/... ./bench/result/... ./chc/term ./engine ./engine/portfolio ./internal/bounded ./internal/smt/... ./verify

.PHONY: build install release solve test test-z3 random lint bench microbench competition docs z3 clean

build: z3
	$(GO) build -o hornbeam ./cmd/hornbeam

solve: build
	./hornbeam solve $(FLAGS) $(FILE)

test: build lint
	@./scripts/ensure-32bit
	$(TEST) -race $(CONCURRENT)
	$(TEST) $$($(GO) list ./... | grep -vxF "$$($(GO) list $(CONCURRENT))")

# The tests with the Z3 of another release of the distribution, which scripts/with-z3 fetches. The first one is that it is the one.
SUITE ?= trixie
PACKAGES ?= ./...

test-z3:
	./scripts/with-z3 $(SUITE) $(TEST) -count=1 -run '^TestVersionIsTheHeaders$$' ./internal/smt/z3
	./scripts/with-z3 $(SUITE) $(TEST) $(PACKAGES)

# The tests of the packages with property tests, each of these with CHECKS new inputs; rapid prints the seed and the file that repeat a failure.
CHECKS ?= 500

random: z3
	RAPID_CHECKS=$(CHECKS) $(TEST) -count=1 $$($(GO) list -f '{{.ImportPath}} {{.TestImports}} {{.XTestImports}}' ./... | grep -F pgregory.net/rapid | cut -d' ' -f1)

# Functions that no program reaches, outside the packages that are for tests and the public API. bench/run/ps.go is for systems without /proc.
DEAD = $(GO) tool deadcode ./... | grep -vE '^(hornbeam\.go|bench/internal/|internal/(browsertest|hornoracle|layouts)/|[a-z0-9/]*test/|bench/run/ps\.go:)'

lint: z3
	@unformatted=$$(gofmt -l .); if [ -n "$$unformatted" ]; then echo "gofmt would change: $$unformatted"; exit 1; fi
	$(GO) vet ./...
	$(GO) tool staticcheck ./...
	@dead=$$($(DEAD)); if [ -n "$$dead" ]; then echo "only tests reach:"; echo "$$dead"; exit 1; fi

# The examples, with z3 beside Hornbeam where it is installed. z3's verdict may be wrong (exit code 10): the report says so.
bench: build
	rm -rf bin/bench
	./hornbeam bench run examples --tool hornbeam --tool z3 --wall 5 --memory 4G --results bin/bench/results.jsonl || [ $$? -eq 10 ]
	./hornbeam bench report --title "Hornbeam's examples" --out bin/bench/report.html bin/bench/results.jsonl
	@echo "bin/bench/report.html is the report"

microbench: z3
	$(GO) test -run '^$$' -bench . ./...

competition: z3
	./scripts/competition-archive bin/hornbeam-competition.tar.gz

# The program, its manual page and completion, below PREFIX; DESTDIR is for packages.
PREFIX ?= /usr/local
INSTALL = $(DESTDIR)$(PREFIX)

install: build
	install -D -m 755 hornbeam $(INSTALL)/bin/hornbeam
	mkdir -p $(INSTALL)/share/man/man1 $(INSTALL)/share/bash-completion/completions $(INSTALL)/share/zsh/site-functions $(INSTALL)/share/fish/vendor_completions.d
	./hornbeam manual > $(INSTALL)/share/man/man1/hornbeam.1
	./hornbeam completion bash > $(INSTALL)/share/bash-completion/completions/hornbeam
	./hornbeam completion zsh > $(INSTALL)/share/zsh/site-functions/_hornbeam
	./hornbeam completion fish > $(INSTALL)/share/fish/vendor_completions.d/hornbeam.fish

# A relocatable archive for Linux with libz3, the manual, completion and the licences, and its checksum.
release: z3
	./scripts/release bin

docs: build
	./hornbeam options > docs/options.md

z3:
	@./scripts/ensure-z3

clean:
	rm -f hornbeam
