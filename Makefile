# Rankwright.  Targets: all lib library units demo check check-jax check-models check-python python-docs check-cvc5 check-html check-explorer check-scale check-starts check-steady check-kernels asan fuzz
# fuzz-engine bench bench-peers bench-rulesets bench-run-time mutation learned coverage generalize repairs lint limits man completions layers format install uninstall clean.  MODE=dev|asan|bench|fuzz chooses
# flags and output folder.

MODE    ?= dev
BUILD   ?= build/$(MODE)
PREFIX  ?= /usr/local
CC      ?= cc
LAYERS  ?= $(wildcard base integer tensor rules formula verify db egraph loops proof io simplify discover api explorer cli)

WARN = -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wstrict-prototypes \
       -Wmissing-prototypes -Wold-style-definition -Wundef -Wwrite-strings \
       -Wpointer-arith -Wcast-qual -Wformat=2 -Wvla -Wimplicit-fallthrough \
       -fno-common
FLAGS_dev   = -O2
FLAGS_asan  = -O1 -DPOOL_OFF -fsanitize=address,undefined -fno-sanitize-recover=all
FLAGS_bench = -O2 -DNDEBUG
FLAGS_fuzz  = -O1 -DPOOL_OFF -fsanitize=fuzzer-no-link,address,undefined \
              -fno-sanitize-recover=all
CFLAGS ?= -g
ALL_CFLAGS = -std=c11 -ffp-contract=off -D_POSIX_C_SOURCE=200809L -I. -I$(BUILD)/gen $(WARN) $(WERROR) \
             $(FLAGS_$(MODE)) $(CFLAGS) -include base/banned.h -MMD -MP
LDLIBS = -lz3 -lsqlite3 -ljansson -lmpfr -lgmp -lm -ldl
# Libraries that are loaded when they are first needed (base/shared_library.h).
LATE = Clp microhttpd

SRC  = $(sort $(shell find $(LAYERS) -name '*.c'))
OBJ  = $(patsubst %.c,$(BUILD)/%.o,$(filter-out cli/main.c,$(SRC)))
LIB  = $(BUILD)/internal.a
UNIT = $(patsubst tests/unit/%.c,$(BUILD)/unit/%,$(sort $(shell find tests/unit -name '*.c')))

all: build/rankwright

build/rankwright: $(BUILD)/rankwright
	@mkdir -p build
	@rm -f $@
	@cp $< $@

$(BUILD)/rankwright: $(BUILD)/cli/main.o $(LIB)
	@echo "  LINK $@"
	@$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $< $(LIB) $(LDLIBS)

# ---- the library for other programs: only the rw_* of include/rankwright.h

VERSION  = $(shell sed -n 's/.*RW_VERSION "\(.*\)"/\1/p' include/rankwright.h)
ABI      = $(firstword $(subst ., ,$(VERSION)))
SHARED   = $(BUILD)/lib/librankwright.so.$(VERSION)
STATIC   = $(BUILD)/lib/librankwright.a
# The library knows the limits of the explorer, and nothing else of it.
PUBLIC   = $(patsubst %.c,$(BUILD)/%.o,$(filter-out cli/% explorer/%,$(SRC)) $(filter explorer/limits.c,$(SRC)))

lib: $(SHARED) $(STATIC)

$(SHARED): $(PUBLIC)
	@mkdir -p $(@D)
	@echo "  LINK $@"
	@$(CC) $(ALL_CFLAGS) $(LDFLAGS) -shared -Wl,-soname,librankwright.so.$(ABI) \
	    -o $@ $(PUBLIC) $(LDLIBS)
	@ln -sf $(@F) $(@D)/librankwright.so.$(ABI)
	@ln -sf librankwright.so.$(ABI) $(@D)/librankwright.so

# One object whose hidden names are local, so that none clashes with a name of
# the program that links it.
$(STATIC): $(PUBLIC)
	@mkdir -p $(@D)
	@echo "  AR   $@"
	@rm -f $@
	@$(LD) -r -o $(@D)/rankwright.o $(PUBLIC)
	@objcopy --localize-hidden $(@D)/rankwright.o
	@ar rcs $@ $(@D)/rankwright.o
	@rm -f $(@D)/rankwright.o

# ---- the same for the program and the tests, with all names

$(LIB): $(OBJ)
	@echo "  AR   $@"
	@rm -f $@
	@ar rcs $@ $(OBJ)

# mremap, madvise, sigaltstack and anonymous mappings.
GNU = base/memory/vec.o base/memory/pages.o base/process/confine.o
$(addprefix $(BUILD)/,$(GNU)): ALL_CFLAGS += -D_GNU_SOURCE

# Says once what is missing where Debian's packages tell; the compiler decides.
$(BUILD)/packages: tests/setup.sh
	@mkdir -p $(@D)
	@if ! command -v dpkg-query >/dev/null || sh tests/setup.sh --build --check; then touch $@; \
	else echo "\`make setup' installs them" >&2; fi

# Objects serve the program and the shared library alike.
$(BUILD)/%.o: %.c | $(BUILD)/packages
	@mkdir -p $(@D)
	@echo "  CC   $<"
	@$(CC) $(ALL_CFLAGS) -fPIC -fvisibility=hidden -c -o $@ $<

$(BUILD)/unit/%: tests/unit/%.c $(LIB)
	@mkdir -p $(@D)
	@echo "  LINK $@"
	@$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $< $(LIB) -lcmocka $(LDLIBS)

# Calls of these functions go to wrong ones of the test.
WRAPPED = symbolic_variable symbolic_trips symbolic_choose value_of_reduction value_of_dot
$(BUILD)/unit/api/kernel_shared_faults: LDFLAGS += $(WRAPPED:%=-Wl,--wrap=%)

$(BUILD)/bench/%: bench/%.c $(LIB)
	@mkdir -p $(@D)
	@echo "  LINK $@"
	@$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $< $(LIB) $(LDLIBS)

units: $(UNIT) $(if $(wildcard cli/main.c),$(BUILD)/rankwright) $(BUILD)/numeric \
       $(BUILD)/html_page $(BUILD)/picture_values

# Instances of rules with the values of both sides, for the test of pictures.
$(BUILD)/picture_values: tests/explorer/picture_values.c $(LIB)
	@echo "  LINK $@"
	@$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $< $(LIB) $(LDLIBS)

# Values of formulas with many digits, for tests.
NUMERIC = $(patsubst %.c,$(BUILD)/%.o,$(wildcard tests/formulas/*.c))
$(BUILD)/numeric: $(NUMERIC) $(LIB)
	@echo "  LINK $@"
	@$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $(NUMERIC) $(LIB) $(LDLIBS)

# The schema is a text in the program: too long for a literal of C.
$(BUILD)/gen/db/schema.h: db/schema.sql
	@mkdir -p $(@D)
	@echo "  GEN  $@"
	@{ echo 'static const char schema_sql[] = {'; \
	  od -An -v -td1 $< | sed -e 's/\([0-9]\)\( \|$$\)/\1,\2/g'; \
	  echo '0};'; } >$@
$(BUILD)/db/db.o: $(BUILD)/gen/db/schema.h

# The files of the explorer's pages, as arrays in the program.
STATIC_FILES = $(sort $(wildcard explorer/static/*)) docs/coverage.md docs/discovered.md rules/discovered/tensors.rw
$(BUILD)/gen/explorer/static_files.h: $(STATIC_FILES) explorer/static Makefile
	@mkdir -p $(@D)
	@echo "  GEN  $@"
	@n=0; rows=; { for file in $(STATIC_FILES); do \
	    echo "static const unsigned char static_file_$$n[] = {"; \
	    od -An -v -tu1 $$file | sed -e 's/\([0-9]\)\( \|$$\)/\1,\2/g'; \
	    echo "0};"; \
	    rows="$$rows {\"$${file##*/}\", static_file_$$n, sizeof static_file_$$n - 1},"; \
	    n=$$((n + 1)); \
	  done; echo "#define EXPLORER_STATIC_FILES $$rows"; } >$@
$(BUILD)/explorer/files/files.o: $(BUILD)/gen/explorer/static_files.h

# The names by which the dynamic linker finds the libraries that are loaded late: those that it would
# note in a program linked with them.  Looked up each time, since the system may have others then.
$(BUILD)/gen/base/sonames.h: FORCE | $(BUILD)/packages
	@mkdir -p $(@D)
	@new=$@.$$$$; trap 'rm -f "$$new" "$$new.so"' EXIT; for library in $(LATE); do \
	    $(CC) $(LDFLAGS) -shared -nostdlib -Wl,--no-as-needed -o $$new.so -l$$library && \
	    objdump -p $$new.so | awk -v library=$$library '$$1 == "NEEDED" && index($$2, "lib" library ".") == 1 { \
	        found = 1; print "#define SONAME_" toupper(library) " \"" $$2 "\"" } END { exit !found }' || exit 1; \
	done >$$new; cmp -s $$new $@ || mv $$new $@
$(BUILD)/egraph/extract/exact/clp.o $(BUILD)/explorer/server/http.o: $(BUILD)/gen/base/sonames.h

# The tables of limits that the layers have, for help limits.
LIMITS = $(patsubst %/limits.c,%,$(foreach layer,$(LAYERS),$(wildcard $(layer)/limits.c)))
$(BUILD)/gen/api/limits_of_layers.h: FORCE
	@mkdir -p $(@D)
	@{ for layer in $(LIMITS); do echo "#include \"$$layer/limits.h\""; done; \
	  echo "#define LAYERS(X) $(foreach layer,$(LIMITS),X($(layer)))"; } >$@.new
	@cmp -s $@.new $@ && rm $@.new || mv $@.new $@
$(BUILD)/api/layers.o: $(BUILD)/gen/api/limits_of_layers.h
FORCE:

# ---- the database of the library's verdicts: made once, and again when the rules change, or
# the versions of verdicts or of the schema

LIBRARY_DATABASE ?= build/library.db
# Development looks at what this program proves, not at what an earlier one proved.
export RANKWRIGHT_LIBRARY_DATABASE =

library: build/library.db

$(BUILD)/gen/versions: FORCE
	@mkdir -p $(@D)
	@{ grep -h '_VERSION "' rules/verdict.h formula/rules/named.h egraph/match/match.h; cat db/schema.sql; } >$@.new
	@cmp -s $@.new $@ && rm $@.new || mv $@.new $@

build/library.db: $(shell find rules/library -name '*.rw') $(BUILD)/gen/versions | build/rankwright
	@echo "  PROVE rules/library"
	@sh rules/make_library.sh build/rankwright $@ -j $$(nproc)

# ---- what a user calls

setup:
	@sh tests/setup.sh

# Proves the library, simplifies a real program, shows and checks the record.
# All processors, if the caller does not say how many.
JOBS = $(if $(filter -j%,$(MAKEFLAGS)),,-j$$(nproc))

demo:
	@sh tests/setup.sh --build
	@$(MAKE) --no-print-directory $(JOBS) all library
	@sh tests/demo.sh build/rankwright

check: setup
	@$(MAKE) --no-print-directory $(JOBS) units lib WERROR=-Werror
	@sh tests/check.sh $(BUILD)

# Needs a Python with JAX: make check-jax PYTHON=.../bin/python
PYTHON ?= python3
check-jax: all
	sh tests/check_jax.sh build/rankwright $(PYTHON)

# Programs of a user in JAX, before and after simplify: make check-models PYTHON=.../bin/python
# MODELS='a.mlir b.mlir' [MODELS_ARGS='--domain float --seed 7']
MODELS_ARGS ?=
check-models: all library
	@$(PYTHON) tests/programs/run_models.py build/rankwright build/library.db $(MODELS) $(MODELS_ARGS)

# The Python package: built with pip into an environment of its own, then its tests there:
# make check-python PYTHON=.../bin/python3.13 [PYTHON_PACKAGES='jax[cpu]'] [PYTEST='-k threads']
PYTHON_PACKAGES ?= jax[cpu] sympy nbclient ipykernel
check-python: all lib library
	@sh python/check.sh $(PYTHON) $(abspath $(BUILD))/python '$(PYTHON_PACKAGES)' $(PYTEST)

# The package's reference as HTML, in build/python/html.
python-docs: check-python
	@sh python/reference.sh $(abspath $(BUILD))/python build/python/html

# cvc5's opinion of all queries about the library.
check-cvc5: all
	sh tests/check_cvc5.sh build/rankwright

# What is said twice, undone, repeated for ever or idle in the rule library.
lint: all
	build/rankwright lint rules/library; [ $$? -le 2 ]

# The HTML pages in a headless Chromium; screenshots in $(BUILD)/html/shots.
check-html: $(BUILD)/html_page $(BUILD)/rankwright
	sh tests/html/run.sh $(abspath $(BUILD)/rankwright $(BUILD)/html_page $(BUILD)/html)

# The explorer's pages in a headless Chromium; screenshots in $(BUILD)/browser/shots.
check-explorer: all library
	@sh tests/explorer/browser/run.sh $(CURDIR)/build/rankwright $(LIBRARY_DATABASE) $(BUILD)/browser

$(BUILD)/html_page: tests/html/page.c $(LIB)
	@echo "  LINK $@"
	@$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $< $(LIB) $(LDLIBS)

# The drivers of scale/ on the engines themselves; needs parallel,
# openssh-server, slurm-wlm and munge, and a Python with Ray: make check-scale PYTHON=... ENGINES='parallel slurm'
check-scale: all
	@PYTHON=$(PYTHON) sh tests/check_scale.sh $(CURDIR)/build/rankwright $(ENGINES)

# Provers and mergers that start together on a database that does not exist yet.
STARTS ?= 2000
check-starts: all
	@rankwright=$(CURDIR)/build/rankwright sh tests/cli/db/starts.sh $(STARTS)

# The same bytes from every run: ROUNDS times on the machine as it is and beside BUSY processes,
# by one worker and by two; RULES: more files of rules.
ROUNDS ?= 3
BUSY ?= 10
RULES ?=
check-steady: all
	@RULES='$(RULES)' sh tests/check_steady.sh $(CURDIR)/build/rankwright $(ROUNDS) $(BUSY)

# KERNELS random changes of kernels: nothing false is proved of them.
KERNELS ?= 300
check-kernels: $(BUILD)/unit/api/kernel_mutants
	@$(BUILD)/unit/api/kernel_mutants $(KERNELS) $(SEED)

asan: setup
	@$(MAKE) --no-print-directory MODE=asan build/asan/rankwright units
	@sh tests/check.sh build/asan

bench: setup build/library.db
	@$(MAKE) --no-print-directory MODE=bench build/bench/rankwright \
	    build/bench/bench/terms
	@sh bench/run.sh build/bench/rankwright
	@python3 bench/engine.py build/bench/bench/terms
	@python3 bench/verifier.py build/bench/rankwright
	@python3 bench/depth.py build/bench/rankwright

# Programs in JAX before and after simplify; needs a Python with JAX:
# make bench-run-time PYTHON=.../bin/python [RUN_TIME='--only softmax,mlp']
bench-run-time: setup
	@$(MAKE) --no-print-directory MODE=bench build/bench/rankwright
	@sh bench/run_time/run.sh build/bench/rankwright $(PYTHON) $(RUN_TIME)

# The same rules and terms on egg and egglog: PEERS='--quick', PEERS='mm-11', ...
bench-peers: setup
	@$(MAKE) --no-print-directory MODE=bench build/bench/rankwright \
	    build/bench/bench/terms
	@python3 bench/peers/run.py --build build/bench/peers \
	    --ours build/bench/bench/terms --extract build/bench/rankwright $(PEERS)

# Rules found of scalar theories against the published sets in a checkout of
# github.com/uwplse/ruler: make bench-rulesets RULER=dir [PEERS='bool bv4']
bench-rulesets: setup
	@[ -n '$(RULER)' ] || { echo 'bench-rulesets: RULER=FOLDER, a checkout of Ruler, is missing' >&2; exit 64; }
	@$(MAKE) --no-print-directory MODE=bench build/bench/rankwright \
	    build/bench/bench/terms
	@python3 bench/peers/rulesets.py $(RULER) --rankwright \
	    build/bench/rankwright --engine build/bench/bench/terms $(PEERS)

# FUZZ_SECONDS for each target, or for those of FUZZ='fuzz_hlo ...'.
FUZZ_SECONDS ?= 60
FUZZ ?=
fuzz:
	@sh tests/fuzz.sh $(FUZZ_SECONDS) $(FUZZ)

# Every allocation and every call about files of the commands fails once:
# FAULTS='--every 10', FAULTS='--only merge/files', ...
check-faults: all
	@sh tests/faults/run.sh build/rankwright $(FAULTS)

# Random programs on the e-graph core and on a naive one, for SECONDS.
SECONDS ?= 600
SEED ?= 1
fuzz-engine: setup
	@$(MAKE) --no-print-directory MODE=asan build/asan/unit/egraph/cc_random
	@build/asan/unit/egraph/cc_random $(SEED) $(SECONDS)

# Small changes to library rules, MUTANTS for each rule, judged by the verifier
# and attacked by brute force; docs/mutation.md is the table.
MUTANTS ?= 9
mutation: all $(BUILD)/breaker
	python3 tests/mutation/run.py rules/library/*/*.rw --per-rule $(MUTANTS) \
	    --rankwright build/rankwright --breaker $(BUILD)/breaker \
	    --table docs/mutation.md

$(BUILD)/breaker: tests/mutation/breaker.c $(LIB)
	@$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $< $(LIB) $(LDLIBS)

# How general the rules are that `learn` finds for pairs of published programs, against those that
# a person would state; docs/learned.md is the table.  PAIRS: a folder with public.tsv, own.tsv and
# the pairs; nothing is measured without it.
PAIRS ?= ../shared/examples
learned: all $(BUILD)/covers
	@python3 tests/examples/coverage.py --rankwright build/rankwright --covers $(BUILD)/covers \
	    --pairs $(PAIRS) --table docs/learned.md

$(BUILD)/covers: tests/examples/covers.c $(LIB)
	@$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $< $(LIB) $(LDLIBS)

# Which row of which published list is stated, and decided: docs/coverage.md.
# LISTS: a folder with the lists, to be told of rows nobody speaks of.
coverage: all
	@sh tests/coverage/run.sh $(CURDIR)/build/rankwright $(LISTS)

# What generalize makes of narrow rules and of wrong ones: docs/generalize.md,
# docs/repairs.md.  Minutes.
generalize: all
	python3 tests/generalize/table.py wider build/rankwright >docs/generalize.md.new
	mv docs/generalize.md.new docs/generalize.md

repairs: all
	python3 tests/generalize/table.py repairs build/rankwright >docs/repairs.md.new
	mv docs/repairs.md.new docs/repairs.md

# Rules about tensors that nobody wrote (rules/discovered/tensors.rw), within
# DISCOVER_SECONDS; what published rules follow from them (docs/discovered.md);
# a proof and 10,000 ground instances of each; 1,000 false candidates, of which none may be
# kept.
DISCOVER_SECONDS ?= 1800
DISCOVER_OPS = slice,pad,concat,reverse,broadcast,transpose,reduce,add,mul,max
discover: all
	build/rankwright discover --ops $(DISCOVER_OPS) --size 3 --classes 2 \
	    --seconds $(DISCOVER_SECONDS) --resume build/discover \
	    -o rules/discovered/tensors.rw || [ $$? = 2 ]

discover-coverage: all
	python3 tests/discover/coverage.py --rankwright build/rankwright \
	    --library rules/library --rows tests/discover/tensorright.rw \
	    --table docs/discovered.md rules/discovered/tensors.rw

discover-check: all $(BUILD)/breaker
	rm -f $(BUILD)/discovered.db
	build/rankwright prove rules/discovered --db $(BUILD)/discovered.db
	build/rankwright discover --try rules/discovered/tensors.rw
	python3 tests/discover/plant.py --rankwright build/rankwright \
	    --breaker $(BUILD)/breaker \
	    $(patsubst %,rules/library/movement/%.rw,slice pad concat concat_nested \
	    reverse broadcast) $(patsubst %,rules/library/reductions/%.rw,reduce \
	    reduce_sum reduce_extrema)

layers:
	@sh tests/layers.sh

format:
	@sh tests/format.sh $(LAYERS) tests bench python

# Manual pages and completions, from the tables of cli/options/.
man: all
	@sh cli/help/install.sh man build/rankwright build/man

completions: all
	@sh cli/help/install.sh completions build/rankwright build/completions

# docs/limits.md, from the tables LAYER/limits.h.
limits: all
	build/rankwright help limits markdown >docs/limits.md.new
	mv docs/limits.md.new docs/limits.md

# ---- what is installed: the program with its rules, and the library

INSTALLED = $(DESTDIR)$(PREFIX)
STAGE = build/stage
# What came, so that uninstall removes that and nothing else.
INSTALLED_LIST = share/rankwright/installed.txt

install: install-program install-library

install-program: all $(LIBRARY_DATABASE)
	@rm -rf $(STAGE)
	@install -d $(STAGE)/bin $(STAGE)/share/rankwright
	@install -m 755 $(BUILD)/rankwright $(STAGE)/bin/rankwright
	@cp -R rules/library $(STAGE)/share/rankwright/
	@install -m 644 $(LIBRARY_DATABASE) $(STAGE)/share/rankwright/library.db
	@sh cli/help/install.sh man $(BUILD)/rankwright $(STAGE)/share/man/man1
	@sh cli/help/install.sh completions $(BUILD)/rankwright $(STAGE)/share
	rm -rf $(INSTALLED)/share/rankwright/library
	sh cli/installed.sh add $(STAGE) $(INSTALLED) $(INSTALLED_LIST)

install-library: lib
	@rm -rf $(STAGE)
	@install -d $(STAGE)/include $(STAGE)/lib/pkgconfig $(STAGE)/share/rankwright
	@install -d $(STAGE)/include/rankwright
	@install -m 644 include/rankwright.h $(STAGE)/include/rankwright.h
	@install -m 644 include/rankwright/*.h $(STAGE)/include/rankwright
	@install -m 644 $(STATIC) $(STAGE)/lib/librankwright.a
	@install -m 755 $(SHARED) $(STAGE)/lib/librankwright.so.$(VERSION)
	@ln -sf librankwright.so.$(VERSION) $(STAGE)/lib/librankwright.so.$(ABI)
	@ln -sf librankwright.so.$(ABI) $(STAGE)/lib/librankwright.so
	@sed -e 's|@PREFIX@|$(PREFIX)|' -e 's|@VERSION@|$(VERSION)|' \
	    -e 's|@LIBS@|$(LDLIBS)|' include/rankwright.pc.in \
	    >$(STAGE)/lib/pkgconfig/rankwright.pc
	sh cli/installed.sh add $(STAGE) $(INSTALLED) $(INSTALLED_LIST)

uninstall:
	sh cli/installed.sh remove $(INSTALLED) $(INSTALLED_LIST)

clean:
	rm -rf build

.PHONY: FORCE check-python python-docs check-faults library man completions limits discover discover-coverage discover-check all lib units setup demo check check-jax check-cvc5 check-html check-explorer check-models check-scale check-starts check-steady check-kernels asan bench bench-peers bench-rulesets bench-run-time fuzz fuzz-engine mutation learned coverage generalize repairs lint layers format \
        install install-program install-library uninstall clean
-include $(shell find $(BUILD) -name '*.d' 2>/dev/null)
