# `make solve FILE=examples/…` and `make test` are all the set-up there is: they install Z3's library and header when
# one of them is missing, build, and go on.

GO ?= go
FILE ?= examples/loop-counter.smt2
FLAGS ?=

.PHONY: build solve test lint z3 clean bench

build: z3
	$(GO) build -o hornbeam ./cmd/hornbeam

solve: build
	./hornbeam solve $(FLAGS) $(FILE)

test: build lint
	$(GO) test -race ./chc/term ./engine/... ./internal/smt/z3
	$(GO) test ./...

lint: z3
	@unformatted=$$(gofmt -l $$(git ls-files '*.go')); if [ -n "$$unformatted" ]; then echo "gofmt would change: $$unformatted"; exit 1; fi
	$(GO) vet ./...
	$(GO) tool staticcheck ./...

bench: z3
	$(GO) test -run '^$$' -bench . ./...

z3:
	@./scripts/ensure-z3

clean:
	rm -f hornbeam
