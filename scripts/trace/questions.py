#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""questions.py TRING TRACE PAGE [--write] - run the commands of docs/questions.md

Each question of PAGE has a command, which is a line "$ tring ..." about out/demo/trace, and its
answer. The command is run on TRACE, on a terminal of 80 columns. It has to succeed, and its answer
to fit the terminal and to look like that of the page: its first line has the same words, but for
numbers and names of tasks, and others follow. With --write, the answers of PAGE become those of
TRACE.
"""
import fcntl
import os
import pty
import re
import struct
import subprocess
import sys
import termios

COLUMNS = 80
QUESTIONS = 20
# What no answer has as its only row, and no shell says.
EMPTY = ('(none)', 'no event was selected')


def run(command):
    """The status and the lines of a command on a terminal."""
    own, other = pty.openpty()
    fcntl.ioctl(other, termios.TIOCSWINSZ, struct.pack('HHHH', 24, COLUMNS, 0, 0))
    environment = {**os.environ, 'TERM': 'dumb', 'TZ': 'UTC', 'LC_ALL': 'C'}
    with subprocess.Popen(['bash', '-c', command], stdin=subprocess.DEVNULL, stdout=other,
                          stderr=other, env=environment) as process:
        os.close(other)
        data = b''
        try:
            while True:
                some = os.read(own, 1 << 16)
                if not some:
                    break
                data += some
        # the terminal's other end was closed
        except OSError:
            pass
    os.close(own)
    return process.returncode, [line.rstrip() for line in data.decode().splitlines()]


def shape_of(line):
    """What the first lines of an answer have in common, whichever trace it is of."""
    line = re.sub(r'^\S.*?-\d+: .*?, ', 'TASK: WAIT, ', line)
    line = re.sub(r'[0-9][0-9.,]*', '0', line)
    return line.split()


class Question:
    """A command of the page and its answer."""

    def __init__(self, command):
        self.command, self.answer = command, []

    def check(self, status, lines):
        """Prints what is wrong with an answer; returns whether anything is."""
        wrong = []
        if status:
            wrong.append(f'it ends with {status}')
        if len(lines) < 2 or any(word in line for word in EMPTY for line in lines):
            wrong.append('there is no answer')
        elif not self.answer or shape_of(lines[0]) != shape_of(self.answer[0]):
            wrong.append(f'the page has: {"".join(self.answer[:1])}')
        wrong += [f'too wide: {line}' for line in lines if len(line) > COLUMNS]
        for text in wrong:
            print(f'$ {self.command}\n  {text}', *lines[:20], sep='\n  ')
        return bool(wrong)


def parse(text):
    """The page as lines and questions."""
    parts, question = [], None
    for line in text.splitlines():
        if line.startswith('    $ '):
            question = Question(line[6:])
            parts.append(question)
        elif question and (line.startswith('    ') or not line):
            question.answer.append(line[4:])
        else:
            if question:
                while question.answer and not question.answer[-1]:
                    question.answer.pop()
                parts.append('')
            question = None
            parts.append(line)
    return parts


def write(page, parts):
    """Writes the page with its answers."""
    with open(page, 'w', encoding='utf-8') as file:
        for part in parts:
            if isinstance(part, Question):
                lines = [f'$ {part.command}', *part.answer]
                file.writelines(f'    {line}'.rstrip() + '\n' for line in lines)
            else:
                file.write(part + '\n')


def main():
    """Runs all commands."""
    tring, trace, page, *options = sys.argv[1:]
    with open(page, encoding='utf-8') as file:
        parts = parse(file.read())
    questions = [part for part in parts if isinstance(part, Question)]
    bad = len(questions) != QUESTIONS
    os.environ['PATH'] = f"{os.path.dirname(os.path.abspath(tring))}:{os.environ['PATH']}"
    for question in questions:
        status, lines = run(question.command.replace('out/demo/trace', trace))
        while lines and not lines[-1]:
            lines.pop()
        if options:
            question.answer = lines
        bad |= question.check(status, lines)
    if options:
        write(page, parts)
    print(len(questions), 'questions')
    sys.exit(bad)


main()
