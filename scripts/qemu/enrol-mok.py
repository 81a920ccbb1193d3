#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""enrol-mok.py CONSOLE PASSWORD - enrols the key that "mokutil --import" has asked for.

Reads the menus of shim's MokManager from the file CONSOLE, which QEMU appends to, and
prints the keys that a person would press. Each key is pressed once its menu is there.
"""

import re
import sys
import time

DOWN = b"\x1b[B"
ENTER = b"\r"
# The chosen line of a menu is white on black, between the lines of a frame.
CHOSEN = rb"\x1b\[40m\x1b\[\d+;\d+H\xb3 *%s *\xb3"
STEPS = (
    (rb"Press any key to perform MOK management", b" "),
    (CHOSEN % rb"Continue boot", DOWN),
    (CHOSEN % rb"Enroll MOK", ENTER),
    (CHOSEN % rb"View key 0", DOWN),
    (CHOSEN % rb"Continue", ENTER),
    (CHOSEN % rb"No", DOWN),
    (CHOSEN % rb"Yes", ENTER),
    (rb"Password:", None),
    (CHOSEN % rb"Reboot", ENTER),
)


def main():
    path, password = sys.argv[1:]
    at = 0
    for pattern, keys in STEPS:
        while True:
            with open(path, "rb") as console:
                console.seek(at)
                match = re.search(pattern, console.read())
            if match:
                break
            time.sleep(0.2)
        at += match.end()
        sys.stdout.buffer.write(password.encode() + ENTER if keys is None else keys)
        sys.stdout.buffer.flush()


main()
