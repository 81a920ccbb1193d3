#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# sparse.sh ARGUMENT... - CHECK of the kernel's make: runs sparse, and fails if it says anything
# of tring's files. What it says of the kernel's headers does not count.

own='(([^:]*/)?(kmod|kunit-tests)/[^:]*|[^:]*/tring_format\.h)'
said=$(sparse "$@" 2>&1) || { printf '%s\n' "$said"; exit 1; }
! grep -E "^$own:.*(warning|error):" <<<"$said"
