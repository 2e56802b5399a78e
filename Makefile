# `make demo` and `make test` are all that a fresh Debian 12 with Swift 6.3 needs; the rest is for developers.

BUILD := swift build -c release
# With the Swift runtime in it, so that it runs where no toolchain is; libraries that nothing is taken from are left out.
STATIC := .build/static
BUILD_STATIC := $(BUILD) --static-swift-stdlib --scratch-path $(STATIC) -Xlinker --as-needed --product fencepost
PREFIX ?= /usr/local
RELEASE_BIN = $(shell swift build -c release --show-bin-path)

.PHONY: help demo test test-web deps build install uninstall static deb packaging try-deb trying format lint strict oracle bench clean

help: ## Say what can be made
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## (.*)/  make \1\t\2/' | expand -t 18

demo: deps ## Install what is missing, build, and replay Data/ to show the alarms
	$(BUILD) --product fencepost
	@Scripts/demo "$(RELEASE_BIN)/fencepost"

test: ## Install what is missing, and pass the tests
	@Scripts/deps --tests
	swift test --parallel

test-web: ## Pass the tests of the web app in a browser (Debian's chromium and playwright, in a folder of its own)
	@Scripts/deps --web
	swift build --product fencepost
	FENCEPOST="$$(swift build --show-bin-path)/fencepost" Tests/WebTests/run.py

deps: ## Install the Debian packages that are missing
	@Scripts/deps

build: deps ## Build the program, optimised
	$(BUILD) --product fencepost

install: ## Put program, manual, completions and service below PREFIX (/usr/local), as DESTDIR says
	@[ -x $(STATIC)/release/fencepost ] || $(MAKE) --no-print-directory static
	PREFIX="$(PREFIX)" DESTDIR="$(DESTDIR)" Scripts/install $(STATIC)/release/fencepost

uninstall: ## Take away what install put there
	PREFIX="$(PREFIX)" DESTDIR="$(DESTDIR)" Scripts/install --uninstall

static: deps ## Build the program so that it runs without a toolchain
	$(BUILD_STATIC)

deb: packaging static ## Make a Debian package in .build, and let lintian look at it
	rm -f .build/fencepost_*.deb
	Scripts/make-deb $(STATIC)/release/fencepost .build
	lintian --fail-on error .build/fencepost_*.deb

# Before the minutes that building takes.
packaging:
	@Scripts/deps --package

try-deb: trying deb ## Install the package into a clean root and run it there (as root)
	Scripts/try-deb .build/fencepost_*.deb

trying:
	@[ "$$(id -u)" -eq 0 ] || { echo "make try-deb: only root can make a clean root; say sudo" >&2; exit 1; }
	@Scripts/deps --try

format: ## Format all Swift sources in place
	swift format format -i -r Package.swift Sources Tests

lint: ## Check the format
	swift format lint --strict -r Package.swift Sources Tests

strict: ## Install what is missing, and build with warnings and undeclared imports as errors, in a folder of its own
	@Scripts/deps --tests
	swift build --build-tests --scratch-path .build/strict \
	  --explicit-target-dependency-import-check error -Xswiftc -warnings-as-errors

oracle: deps ## Hold recurrence against dateutil and libical at length (needs python3-dateutil)
	Scripts/oracle-recurrence --count 4000

bench: deps ## Measure beside the peers that are installed
	swift run -c release --package-path Benchmarks RecurrenceBenchmark
	swift run -c release --package-path Benchmarks EventKitBenchmark
	swift run -c release --package-path Benchmarks FeedsBenchmark
	swift run -c release --package-path Benchmarks FenceBenchmark
	swift run -c release --package-path Benchmarks InterchangeBenchmark
	$(BUILD) --product fencepost
	swift run -c release --package-path Benchmarks ReplayBenchmark "$(RELEASE_BIN)/fencepost"
	swift run -c release --package-path Benchmarks DaemonBenchmark "$(RELEASE_BIN)/fencepost" soak 2

clean: ## Remove what was built
	rm -rf .build
