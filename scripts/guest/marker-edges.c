// SPDX-License-Identifier: GPL-2.0
/*
 * marker-edges FILE MAX - writes texts to a trace_marker that a shell cannot write,
 * and checks the results of write(). MAX is the length that one write() takes of a
 * longer text. scripts/guest/marker.sh checks the recording: each text begins with
 * "edge" and its number, and a long one ends with "end".
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static int marker, failures;

static void expect(const char *what, ssize_t is, ssize_t wanted)
{
	if (is == wanted)
		return;
	fprintf(stderr, "%s: %zd instead of %zd (%s)\n", what, is, wanted, strerror(errno));
	failures++;
}

static void expect_error(const char *what, const void *text, size_t length, int error)
{
	ssize_t is = write(marker, text, length);

	if (is == -1 && errno == error)
		return;
	fprintf(stderr, "%s: %zd, errno %d instead of %d\n", what, is, is < 0 ? errno : 0,
		error);
	failures++;
}

static void write_text(const char *text)
{
	expect(text, write(marker, text, strlen(text)), strlen(text));
}

/* "edge NUMBER xxxx...xend" of this length, without a NUL. */
static char *long_text(unsigned int number, size_t length)
{
	char *text = malloc(length + 1);

	memset(text, 'x', length);
	memcpy(text, "edge ", 5);
	text[5] = '0' + number / 10;
	text[6] = '0' + number % 10;
	text[7] = ' ';
	memcpy(text + length - 3, "end", 3);
	return text;
}

static void write_long(unsigned int number, size_t length, size_t wanted)
{
	char *text = long_text(number, length);
	ssize_t is = write(marker, text, length);

	expect("a long text", is, wanted);
	/* Repeated until the whole text is written. */
	if (is > 0 && (size_t)is < length)
		expect("its rest", write(marker, text + is, length - is), length - is);
	free(text);
}

int main(int argc, char **argv)
{
	size_t page = sysconf(_SC_PAGESIZE), max;
	char *area, *text, *name = strdup("/tmp/marker-edges.XXXXXX");
	int file;

	if (argc != 3)
		return 2;
	max = strtoul(argv[2], NULL, 10);
	marker = open(argv[1], O_RDWR);
	if (marker < 0) {
		perror(argv[1]);
		return 1;
	}
	write_text("edge 00 with a newline\n");
	write_text("edge 01 without");
	expect("no byte", write(marker, "", 0), 0);
	expect("NUL at the end", write(marker, "edge 02 NUL", 12), 12);
	expect("NUL amid", write(marker, "edge 03 NUL\0more\n", 17), 17);
	expect("nothing but NUL", write(marker, "\0\0\0", 3), 3);
	write_text("edge 04 two\nlines\n");
	write_text("edge 05 \t\377\302\265%s%n");
	write_long(6, 253, 253);
	write_long(7, 254, 254);
	write_long(8, 255, 255);
	write_long(9, 1000, 1000);
	write_long(10, max, max);
	write_long(11, max + 1, max);
	write_long(12, max + 500, max);
	text = long_text(13, 600);
	text[300] = '\0';
	expect("NUL amid a long text", write(marker, text, 600), 600);
	free(text);
	write_text("14\n");

	/* Two pages of a file that are not faulted in yet, and an unmapped one. */
	file = mkstemp(name);
	unlink(name);
	area = malloc(2 * page);
	memset(area, 'x', 2 * page);
	memcpy(area + page - 15, "edge 15 from a page not there\n", 30);
	expect("file", write(file, area, 2 * page), 2 * page);
	free(area);
	area = mmap(NULL, 3 * page, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	area = mmap(area, 2 * page, PROT_READ, MAP_PRIVATE | MAP_FIXED, file, 0);
	expect("munmap", munmap(area + 2 * page, page), 0);
	expect("pages not there", write(marker, area + page - 15, 30), 30);

	expect_error("a null pointer", NULL, 10, EFAULT);
	expect_error("into a hole", area + 2 * page - 10, 20, EFAULT);
	expect_error("into a hole, long", area + 2 * page - 999, 1000, EFAULT);
	expect_error("the kernel's", (void *)-4096UL, 10, EFAULT);
	expect("read", read(marker, area, 1), -1);
	expect("read's errno", errno, EINVAL);
	expect("lseek", lseek(marker, 0, SEEK_SET), -1);
	expect("lseek's errno", errno, ESPIPE);
	write_text("edge 16 last\n");
	return failures != 0;
}
