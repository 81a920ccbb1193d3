// SPDX-License-Identifier: GPL-2.0
/* Description: a folder includes only headers of folders earlier in the order. */
#include <dirent.h>

#include "helpers.h"

/* Each folder may use those before it. util.h is in none of them. */
static const char * const folders[] = {
	"lib", "print", "trace", "record", "cmd",
};

static int find_folder(const char *path)
{
	size_t i;

	for (i = 0; i < COUNT(folders); i++) {
		size_t size = strlen(folders[i]);

		if (!strncmp(path, folders[i], size) && path[size] == '/')
			return i;
	}
	return -1;
}

/* Return: number of includes that name a folder. */
static unsigned int check_file(const char *path, size_t folder)
{
	char *text = read_file(path), *at = text;
	unsigned int count = 0;

	while ((at = strstr(at, "#include \""))) {
		int used;

		at += strlen("#include \"");
		used = find_folder(at);
		if (used < 0)
			continue;
		count++;
		if (used < (int)folder)
			continue;
		fprintf(stderr, "%s includes %.*s\n", path,
			(int)strcspn(at, "\""), at);
		CHECK(used < (int)folder);
	}
	/* the library does no I/O, so it does not need util.h */
	if (!folder)
		CHECK(!strstr(text, "\"util.h\""));
	return count;
}

static int is_source(const struct dirent *entry)
{
	const char *dot = strrchr(entry->d_name, '.');

	return dot && (!strcmp(dot, ".c") || !strcmp(dot, ".h"));
}

int main(void)
{
	unsigned int includes = 0;
	size_t i;

	for (i = 0; i < COUNT(folders); i++) {
		char *dir = make_path("%s/../%s", test_env("TRING_TESTS"),
				      folders[i]);
		struct dirent **names;
		int count = scandir(dir, &names, is_source, alphasort), j;

		CHECK(count > 0);
		for (j = 0; j < count; j++) {
			char *path = make_path("%s/%s", dir, names[j]->d_name);

			includes += check_file(path, i);
			free(names[j]);
		}
		free(names);
	}
	CHECK(includes > 0);
	return 0;
}
