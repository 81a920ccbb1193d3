# SPDX-License-Identifier: GPL-2.0
#
# Commands for people. The objects of tring.ko are listed in Kbuild, which the
# kernel's build prefers to this file.

# Build folder of the kernel to build for; default: see scripts/build/build-module.sh
KDIR ?=
# Further arguments for the kernel's make: TRING_MAKE="W=1"
TRING_MAKE ?=
PREFIX ?= /usr/local

.PHONY: all modules reader bench demo check check-debug check-all check-stability \
	every-instruction fuzz torture mutants install uninstall deb dist check-deb \
	check-kernels clean help

# The reader first: it is there also where the kernel has no headers.
all: reader modules

modules:
	@ko=$$(scripts/build/build-module.sh "$(KDIR)" $(TRING_MAKE)) && \
	{ cmp -s "$$ko" tring.ko || cp "$$ko" tring.ko; }

reader:
	@tring=$$(scripts/build/build-reader.sh all) && \
	for to in tring tring-salvage tring-sql tring-symbols; do \
		from=$${tring%/*}/$$to; \
		[ ! -e "$$from" ] || cmp -s "$$from" $$to || cp "$$from" $$to || exit; \
	done

bench:
	@scripts/bench.sh

demo:
	@scripts/demo.sh

# GROUPS="reader static": these groups of tests alone
check:
	@scripts/check.sh $(GROUPS)

check-debug:
	@scripts/check.sh debug

check-all:
	@scripts/check.sh all

check-stability:
	@scripts/check/stability.sh $(if $(SEED),-s $(SEED)) $(GROUPS)

fuzz:
	@scripts/check/fuzz.sh -s $(or $(SECONDS),600)

torture:
	@scripts/torture.sh $(if $(SECONDS),-s $(SECONDS)) \
		$(if $(EVENTS),-e $(EVENTS)) $(if $(CPUS),-c $(CPUS))

mutants:
	@scripts/mutants.sh

every-instruction:
	@scripts/check/every-instruction.sh

export KDIR TRING_MAKE
install uninstall:
	@scripts/install.sh $@ "$(DESTDIR)" "$(PREFIX)" module headers reader library

deb:
	@scripts/deb.sh

dist:
	@scripts/dist.sh

check-deb:
	@scripts/check/deb.sh

check-kernels:
	@scripts/check/kernels.sh

clean:
	@scripts/build/build-reader.sh clean
	@rm -rf out tring.ko tring tring-salvage tring-sql tring-symbols

help:
	@echo 'make            the reader, ./tring, and tring.ko for the running kernel; V=1: commands'
	@echo 'make modules    tring.ko alone; KDIR=... for another kernel'
	@echo 'make reader     the reader alone, ./tring'
	@echo 'make demo       record and show events of a stock 6.1 in QEMU'
	@echo 'make check      the tests of each change; the last line counts them;'
	@echo '                GROUPS="reader static" runs some of them, see docs/testing.md'
	@echo 'make check-all  all tests there are, for hours'
	@echo 'make check-debug  KUnit and torture with KASAN, lockdep, KCSAN; arm64'
	@echo 'make check-stability  "make check" alone, on a busy machine, and interrupted'
	@echo 'make fuzz       SECONDS=... (600): damaged input for the reader'
	@echo 'make torture    SECONDS=... or EVENTS=..., CPUS=...: the ring in QEMU'
	@echo 'make every-instruction  an interrupt at each instruction of the ring'
	@echo 'make mutants    do the tests find seeded faults of the ring?'
	@echo 'make bench      what an event costs, beside ftrace and LTTng'
	@echo 'make install    all of it, as root, below PREFIX=$(PREFIX); DESTDIR=...'
	@echo 'make uninstall  removes what "make install" has installed'
	@echo 'make deb        Debian packages, in out/deb'
	@echo 'make dist       a tarball of the commit, in out'
	@echo 'make check-deb  as root: install them, upgrade kernels, boot, record, purge'
	@echo 'make check-kernels  as root: build, boot and record on Debian kernels 6.1 to 7.3'
	@echo 'make clean      removes what was built in the checkout'
	@echo
	@echo 'Kernel trees and objects are kept in $${TRING_CACHE:-~/.cache/tring}.'
