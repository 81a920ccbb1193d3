#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# keep-symvers.sh DIR - called by DKMS in the folder of the build: saves what other
# modules are built against in DIR, which DKMS removes with the module.
set -eu

mkdir -p "$1"
grep '[[:space:]]tring_' Module.symvers >"$1/Module.symvers"
