#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Runs in a Debian with tring's packages that has booted with Secure Boot, and that does not
# know DKMS's key: the kernel refuses the module, and mokutil asks for the key to be
# enrolled, as tring(4) tells. $PASSWORD protects that. /results/said has what they say.
set -e

exec >/results/said 2>&1
mokutil --sb-state | grep enabled
grep '\[integrity\]' /sys/kernel/security/lockdown
systemctl show -P Result systemd-modules-load
[ "$(systemctl show -P Result systemd-modules-load)" = exit-code ]
[ ! -e /sys/kernel/tracing/tring ]
if modprobe tring 2>/tmp/said; then
	echo "the module was loaded"
	exit 1
fi
cat /tmp/said
grep -q 'Key was rejected by service' /tmp/said
dmesg | grep 'Loading of module with unavailable key is rejected'
mokutil --generate-hash="$PASSWORD" >/tmp/hash
mokutil --import /var/lib/dkms/mok.pub --hash-file /tmp/hash
mokutil --list-new | grep 'CN=DKMS module signing key'
