# `make demo` and `make test` are all that a fresh Debian 12 with Swift 6.3 needs; the rest is for developers.

BUILD := swift build -c release
RELEASE_BIN = $(shell swift build -c release --show-bin-path)

.PHONY: help demo test deps build format lint strict oracle bench clean

help: ## Say what can be made
	@grep -hE '^[a-z]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):.*## (.*)/  make \1\t\2/' | expand -t 18

demo: deps ## Install what is missing, build, and replay Data/ to show the alarms
	$(BUILD) --product fencepost
	@Scripts/demo "$(RELEASE_BIN)/fencepost"

test: ## Install what is missing, and pass the tests
	@Scripts/deps --tests
	swift test --parallel

deps: ## Install the Debian packages that are missing
	@Scripts/deps

build: deps ## Build the program, optimised
	$(BUILD) --product fencepost

format: ## Format all Swift sources in place
	swift format format -i -r Package.swift Sources Tests

lint: ## Check the format
	swift format lint --strict -r Package.swift Sources Tests

strict: ## Build with warnings and undeclared imports as errors, in a folder of its own
	swift build --build-tests --scratch-path .build/strict \
	  --explicit-target-dependency-import-check error -Xswiftc -warnings-as-errors

oracle: deps ## Hold recurrence against dateutil and libical at length (needs python3-dateutil)
	Scripts/oracle-recurrence --count 4000

bench: deps ## Measure beside the peers that are installed
	swift run -c release --package-path Benchmarks RecurrenceBenchmark
	swift run -c release --package-path Benchmarks EventKitBenchmark
	swift run -c release --package-path Benchmarks FeedsBenchmark

clean: ## Remove what was built
	rm -rf .build
