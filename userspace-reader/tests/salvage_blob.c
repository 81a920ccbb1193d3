// SPDX-License-Identifier: GPL-2.0
/* Description: a blob describes a trace on any machine, and unpacks nothing outside of it. */
#include <archive.h>
#include <archive_entry.h>
#include <string.h>

#include "machine.h"
#include "trace/blob.h"
#include "trace/trace_dir.h"
#include "util/util.h"

static struct builder builder;

/* Writes a file of a blob into a trace directory. */
static int take(void *dir, const char *name, const void *data, size_t size)
{
	char *path = make_path("%s/tring/%s", (const char *)dir, name);
	FILE *file;

	check_run(0, "", "mkdir -p $(dirname '%s')", path);
	file = fopen(path, "w");
	CHECK(file && fwrite(data, 1, size, file) == size && !fclose(file));
	return 0;
}

static void check_same(const char *left, const char *right)
{
	check_run(0, "", "diff -r -x 'cpu*' -x trace_info -x metadata %s %s", left, right);
}

/* Return: a blob of all files of a trace but its packets. libarchive must read it, too. */
static char *pack(const char *dir, size_t *size)
{
	char *list = output_of(0, "cd %s/tring && find . -type f -printf '%%P\\n'", dir);
	char *rest = list, *name, *text, *path;
	struct tring_blob *blob = tring_blob_begin();
	struct archive *archive = archive_read_new();
	struct archive_entry *entry;
	size_t length, files = 0;
	void *bytes;

	while ((name = strsep(&rest, "\n")) && *name) {
		path = tring_extra_path(dir, name);
		text = tring_read_text(path, &length);
		CHECK_EQ(tring_blob_add(blob, name, text, length), 0);
		free(text);
		free(path);
		/* small files are there twice */
		files += 2;
	}
	CHECK_EQ(tring_blob_end(blob, &bytes, size), 0);
	CHECK(*size > 100 && *size < TRING_BLOB_MAX);
	CHECK_EQ(archive_read_support_format_tar(archive), ARCHIVE_OK);
	CHECK_EQ(archive_read_support_filter_zstd(archive), ARCHIVE_OK);
	CHECK_EQ(archive_read_open_memory(archive, bytes, *size), ARCHIVE_OK);
	while (archive_read_next_header(archive, &entry) == ARCHIVE_OK) {
		path = tring_extra_path(dir, archive_entry_pathname(entry));
		text = tring_read_text(path, &length);
		CHECK(text && (int64_t)length == archive_entry_size(entry));
		free(text);
		free(path);
		files--;
	}
	CHECK_EQ(files, 0);
	CHECK(!archive_error_string(archive));
	archive_read_free(archive);
	return bytes;
}

/* Names longer than a header's field are divided at a slash. */
static void check_long_names(void)
{
	char event[150], *name, *dir = make_path("%s/long", temp_dir()), *output, *wanted;
	struct tring_blob *blob = tring_blob_begin();
	size_t size;
	void *bytes;

	memset(event, 'e', sizeof(event));
	event[90] = 0;
	name = make_path("events/a_system_of_thirty_characters/%s/format", event);
	CHECK_EQ(tring_blob_add(blob, name, "text", 4), 0);
	CHECK_EQ(tring_blob_end(blob, &bytes, &size), 0);
	CHECK_EQ(tring_trace_dir_create(dir), 0);
	CHECK_EQ(tring_blob_unpack(bytes, size, take, dir), 0);
	output = output_of(0, "cd %s/tring && find . -type f -printf '%%P\\n'", dir);
	wanted = make_path("%s\n", name);
	check_equal(output, wanted, "the names of files");
	free(name);
	free(bytes);
}

/* A whole way: into an image, and out of it. */
static void check_image(const char *trace_dir, const char *bytes, size_t size)
{
	char *image = make_path("%s/image", temp_dir()), *dir = make_path("%s/out", temp_dir());
	char *command = make_path("$TRING salvage --base 0x40000000 -o %s %s", dir, image), *output;
	struct test_trace trace;
	struct machine machine;
	struct test_ring ring;

	machine_init(&machine, false, 256);
	test_trace_init(&trace, &machine);
	test_ring_init(&ring, &trace, 0, 8, PAGE, NULL);
	build_init(&builder, false, 0);
	build_packet(&builder, 1000, 5);
	test_ring_deliver(&ring, 0, &builder, 5);
	test_ring_position(&ring, 1, 0);
	machine_write(&machine, image);
	/* without the blob nothing says what the events are */
	CHECK_EQ(run(command, &output), 1);
	CHECK(strstr(output, "5 of 5 committed events recovered"));
	CHECK(strstr(output, "1 events have no format; --formats FROM gets them from"));
	test_trace_blob(&trace, bytes, size);
	machine_write(&machine, image);
	if (run(command, &output))
		fail(output, 0, command);
	check_same(trace_dir, dir);
	check_run(0, "", "test $($TRING report %s | grep -c tick) = 5", dir);
	output = output_of(0, "$TRING info %s", dir);
	/* the image's own, and what only the blob knows */
	CHECK(strstr(output, "hostname         crashed\n"));
	CHECK(strstr(output, "command_line     tring record -e 'a b'\n"));
	test_trace_blob(&trace, "no blob at all", 14);
	machine_write(&machine, image);
	CHECK_EQ(run(command, &output), 1);
	CHECK(strstr(output, "5 of 5 committed events recovered"));
	machine_free(&machine);
}

/* The formats are there twice: a damaged byte does not lose them, nor does a lost half. */
static void check_damage(const char *trace_dir, char *bytes, size_t size)
{
	char *dir = make_path("%s/mended", temp_dir()), *copy = malloc(size);
	char *events = make_path("%s/tring/events", trace_dir);
	char *mended = make_path("%s/tring/events", dir);
	const size_t half = size / 2 - 32;
	size_t at, lost;

	CHECK(copy);
	for (at = 0; at < size; at += 1 + size / 16) {
		CHECK_EQ(tring_trace_dir_create(dir), 0);
		memcpy(copy, bytes, size);
		copy[at] ^= 0x10;
		CHECK_EQ(tring_blob_unpack(copy, size, take, dir), 0);
		check_same(events, mended);
		CHECK_EQ(tring_trace_dir_create(dir), 0);
		/* in one of the two parts with formats, behind which there is the end */
		lost = at < half ? half - at : size - at;
		memset(copy + at, 0, lost);
		CHECK_EQ(tring_blob_unpack(copy, size, take, dir), 0);
		check_same(events, mended);
	}
	memset(copy, 0, size);
	CHECK(tring_blob_unpack(copy, size, take, dir) < 0);
	free(copy);
}

static void add_entry(struct archive *archive, const char *name, unsigned int type, int64_t size)
{
	struct archive_entry *entry = archive_entry_new();

	archive_entry_set_pathname(entry, name);
	archive_entry_set_filetype(entry, type);
	archive_entry_set_perm(entry, 0777);
	archive_entry_set_size(entry, size);
	if (type == AE_IFLNK)
		archive_entry_set_symlink(entry, "/tmp");
	CHECK_EQ(archive_write_header(archive, entry), ARCHIVE_OK);
	if (type == AE_IFREG)
		archive_write_data(archive, "text", 4);
	archive_entry_free(entry);
}

/* Names that are none of a trace's. */
static void check_names(void)
{
	static const char * const names[] = {
		"../outside", "/tmp/tring-outside", "events/../../../outside",
		"events/../x/format", "events/a/../format", "events/.a/b/format",
		"events/a/b/c/format", "events/a/b/other", "cpu0", "cpu0.start",
		"short_ids", "events//b/format", "other",
	};
	char *dir = make_path("%s/names", temp_dir()), *output;
	static char bytes[1 << 20];
	struct archive *archive;
	size_t size, i;

	archive = archive_write_new();
	CHECK_EQ(archive_write_set_format_ustar(archive), ARCHIVE_OK);
	CHECK_EQ(archive_write_add_filter_zstd(archive), ARCHIVE_OK);
	CHECK_EQ(archive_write_open_memory(archive, bytes, sizeof(bytes), &size), ARCHIVE_OK);
	for (i = 0; i < COUNT(names); i++)
		add_entry(archive, names[i], AE_IFREG, 4);
	add_entry(archive, "events", AE_IFLNK, 0);
	add_entry(archive, "printk_formats", AE_IFLNK, 0);
	add_entry(archive, "events/good/one/format", AE_IFREG, 4);
	CHECK_EQ(archive_write_close(archive), ARCHIVE_OK);
	archive_write_free(archive);
	CHECK_EQ(tring_trace_dir_create(dir), 0);
	CHECK_EQ(tring_blob_unpack(bytes, size, take, dir), 0);
	output = output_of(0, "cd %s && find . -type f -o -type l", dir);
	check_equal(output, "./tring/events/good/one/format\n", "the formats");
	/* cut off, and changed in each byte */
	CHECK(tring_blob_unpack(bytes, size / 2, take, dir) < 0);
	for (i = 0; i < size; i++) {
		bytes[i] ^= 0x55;
		tring_blob_unpack(bytes, size, take, dir);
		bytes[i] ^= 0x55;
	}
}

int main(void)
{
	char *dir = make_path("%s/described", temp_dir()), *bytes;
	size_t size;

	make_trace(dir, false);
	bytes = pack(dir, &size);
	check_image(dir, bytes, size);
	check_damage(dir, bytes, size);
	check_long_names();
	check_names();
	free(bytes);
	return 0;
}
