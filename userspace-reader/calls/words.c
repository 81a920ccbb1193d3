// SPDX-License-Identifier: GPL-2.0
/*
 * What arguments and results of system calls mean: flags and modes of those that one looks at
 * most, and names of errors. The words are those of the kernel's headers.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "calls.h"
#include "util/util.h"

#define O_CREATE	0x40
#define TMPFILE		0x400000
#define ERRORS		4096
#define LINES		9

/**
 * struct set - words for numbers
 * @letter: by which a call's arguments name it
 * @name: what the argument is called
 * @mask: bits that are one number, whose word is looked up; each word of the others is a flag
 * @words: lines of words and hexadecimal numbers; a flag comes before those that it has in it
 */
static const struct set {
	char letter;
	const char *name;
	uint32_t mask;
	const char *words[LINES];
} sets[] = {
	{ 'd', "dfd", UINT32_MAX, {
		"AT_FDCWD ffffff9c ",
	} },
	{ 'o', "flags", 3, {
		"O_RDONLY 0 O_WRONLY 1 O_RDWR 2 O_CREAT 40 O_EXCL 80 O_NOCTTY 100 O_TRUNC 200 ",
		"O_APPEND 400 O_NONBLOCK 800 O_SYNC 101000 O_DSYNC 1000 FASYNC 2000 O_DIRECT 4000 ",
		"O_LARGEFILE 8000 O_TMPFILE 410000 O_DIRECTORY 10000 O_NOFOLLOW 20000 ",
		"O_NOATIME 40000 O_CLOEXEC 80000 O_PATH 200000 ",
	} },
	/* the same on arm64 */
	{ 'O', "flags", 3, {
		"O_RDONLY 0 O_WRONLY 1 O_RDWR 2 O_CREAT 40 O_EXCL 80 O_NOCTTY 100 O_TRUNC 200 ",
		"O_APPEND 400 O_NONBLOCK 800 O_SYNC 101000 O_DSYNC 1000 FASYNC 2000 O_DIRECT 10000 ",
		"O_LARGEFILE 20000 O_TMPFILE 404000 O_DIRECTORY 4000 O_NOFOLLOW 8000 O_NOATIME 40000 ",
		"O_CLOEXEC 80000 O_PATH 200000 ",
	} },
	{ 'P', "flags", 0, {
		"O_NONBLOCK 800 O_CLOEXEC 80000 ",
	} },
	{ 'a', "mode", 0, {
		"F_OK 0 R_OK 4 W_OK 2 X_OK 1 ",
	} },
	{ 'A', "flags", 0, {
		"AT_SYMLINK_NOFOLLOW 100 AT_SYMLINK_FOLLOW 400 AT_NO_AUTOMOUNT 800 ",
		"AT_EMPTY_PATH 1000 AT_STATX_FORCE_SYNC 2000 AT_STATX_DONT_SYNC 4000 ",
	} },
	{ 'r', "flags", 0, {
		"AT_REMOVEDIR 200 ",
	} },
	{ 'p', "prot", 0, {
		"PROT_NONE 0 PROT_READ 1 PROT_WRITE 2 PROT_EXEC 4 PROT_SEM 8 PROT_BTI 10 PROT_MTE 20 ",
		"PROT_GROWSDOWN 1000000 PROT_GROWSUP 2000000 ",
	} },
	{ 'f', "flags", 0xf, {
		"MAP_SHARED 1 MAP_PRIVATE 2 MAP_SHARED_VALIDATE 3 MAP_FIXED 10 MAP_ANONYMOUS 20 ",
		"MAP_32BIT 40 MAP_GROWSDOWN 100 MAP_DENYWRITE 800 MAP_LOCKED 2000 MAP_NORESERVE 4000 ",
		"MAP_POPULATE 8000 MAP_NONBLOCK 10000 MAP_STACK 20000 MAP_HUGETLB 40000 ",
		"MAP_SYNC 80000 MAP_FIXED_NOREPLACE 100000 ",
	} },
	{ 'v', "advice", UINT32_MAX, {
		"MADV_NORMAL 0 MADV_RANDOM 1 MADV_SEQUENTIAL 2 MADV_WILLNEED 3 MADV_DONTNEED 4 ",
		"MADV_FREE 8 MADV_REMOVE 9 MADV_DONTFORK a MADV_DOFORK b MADV_HUGEPAGE e ",
		"MADV_NOHUGEPAGE f MADV_DONTDUMP 10 MADV_DODUMP 11 MADV_COLD 14 MADV_PAGEOUT 15 ",
		"MADV_POPULATE_READ 16 MADV_POPULATE_WRITE 17 MADV_DONTNEED_LOCKED 18 ",
		"MADV_COLLAPSE 19 ",
	} },
	{ 'c', "flags", 0xff, {
		"SIGCHLD 11 CLONE_VM 100 CLONE_FS 200 CLONE_FILES 400 CLONE_SIGHAND 800 ",
		"CLONE_PIDFD 1000 CLONE_PTRACE 2000 CLONE_VFORK 4000 CLONE_PARENT 8000 ",
		"CLONE_THREAD 10000 CLONE_NEWNS 20000 CLONE_SYSVSEM 40000 CLONE_SETTLS 80000 ",
		"CLONE_PARENT_SETTID 100000 CLONE_CHILD_CLEARTID 200000 CLONE_DETACHED 400000 ",
		"CLONE_UNTRACED 800000 CLONE_CHILD_SETTID 1000000 CLONE_NEWCGROUP 2000000 ",
		"CLONE_NEWUTS 4000000 CLONE_NEWIPC 8000000 CLONE_NEWUSER 10000000 ",
		"CLONE_NEWPID 20000000 CLONE_NEWNET 40000000 CLONE_IO 80000000 ",
	} },
	{ 's', "family", UINT32_MAX, {
		"AF_UNSPEC 0 AF_UNIX 1 AF_INET 2 AF_INET6 a AF_NETLINK 10 AF_PACKET 11 AF_CAN 1d ",
		"AF_BLUETOOTH 1f AF_ALG 26 AF_VSOCK 28 AF_XDP 2c ",
	} },
	{ 't', "type", 0xf, {
		"SOCK_STREAM 1 SOCK_DGRAM 2 SOCK_RAW 3 SOCK_SEQPACKET 5 SOCK_NONBLOCK 800 ",
		"SOCK_CLOEXEC 80000 ",
	} },
	{ 'k', "flags", 0, {
		"SOCK_NONBLOCK 800 SOCK_CLOEXEC 80000 ",
	} },
	{ 'n', "cmd", UINT32_MAX, {
		"F_DUPFD 0 F_GETFD 1 F_SETFD 2 F_GETFL 3 F_SETFL 4 F_GETLK 5 F_SETLK 6 F_SETLKW 7 ",
		"F_SETOWN 8 F_GETOWN 9 F_SETSIG a F_GETSIG b F_SETOWN_EX f F_GETOWN_EX 10 ",
		"F_OFD_GETLK 24 F_OFD_SETLK 25 F_OFD_SETLKW 26 F_SETLEASE 400 F_GETLEASE 401 ",
		"F_NOTIFY 402 F_DUPFD_QUERY 403 F_DUPFD_CLOEXEC 406 F_SETPIPE_SZ 407 ",
		"F_GETPIPE_SZ 408 F_ADD_SEALS 409 F_GET_SEALS 40a ",
	} },
	{ 'x', "op", 0x7f, {
		"FUTEX_WAIT 0 FUTEX_WAKE 1 FUTEX_FD 2 FUTEX_REQUEUE 3 FUTEX_CMP_REQUEUE 4 ",
		"FUTEX_WAKE_OP 5 FUTEX_LOCK_PI 6 FUTEX_UNLOCK_PI 7 FUTEX_TRYLOCK_PI 8 ",
		"FUTEX_WAIT_BITSET 9 FUTEX_WAKE_BITSET a FUTEX_WAIT_REQUEUE_PI b ",
		"FUTEX_CMP_REQUEUE_PI c FUTEX_LOCK_PI2 d FUTEX_PRIVATE_FLAG 80 ",
		"FUTEX_CLOCK_REALTIME 100 ",
	} },
	{ 'w', "whence", UINT32_MAX, {
		"SEEK_SET 0 SEEK_CUR 1 SEEK_END 2 SEEK_DATA 3 SEEK_HOLE 4 ",
	} },
	{ 'h', "how", UINT32_MAX, {
		"SIG_BLOCK 0 SIG_UNBLOCK 1 SIG_SETMASK 2 ",
	} },
	{ 'S', "sig", UINT32_MAX, {
		"SIGHUP 1 SIGINT 2 SIGQUIT 3 SIGILL 4 SIGTRAP 5 SIGABRT 6 SIGBUS 7 SIGFPE 8 ",
		"SIGKILL 9 SIGUSR1 a SIGSEGV b SIGUSR2 c SIGPIPE d SIGALRM e SIGTERM f SIGSTKFLT 10 ",
		"SIGCHLD 11 SIGCONT 12 SIGSTOP 13 SIGTSTP 14 SIGTTIN 15 SIGTTOU 16 SIGURG 17 ",
		"SIGXCPU 18 SIGXFSZ 19 SIGVTALRM 1a SIGPROF 1b SIGWINCH 1c SIGIO 1d SIGPWR 1e ",
		"SIGSYS 1f ",
	} },
	{ 'e', "op", UINT32_MAX, {
		"EPOLL_CTL_ADD 1 EPOLL_CTL_DEL 2 EPOLL_CTL_MOD 3 ",
	} },
	{ 'W', "options", 0, {
		"WNOHANG 1 WUNTRACED 2 WCONTINUED 8 WNOTHREAD 20000000 WALL 40000000 WCLONE 80000000 ",
	} },
};

/*
 * Arguments in their order: the letter of a set, 'm' for a mode, which counts if the flags before
 * create a file, 'M' for one that always counts, or '.'.
 */
static const struct tring_call {
	const char *name;
	const char *arguments;
} known[] = {
	{ "open", ".om" }, { "openat", "d.om" }, { "creat", ".M" }, { "openat2", "d" },
	{ "newfstatat", "d..A" }, { "statx", "d.A" }, { "unlinkat", "d.r" }, { "mkdir", ".M" },
	{ "mkdirat", "d.M" }, { "chmod", ".M" }, { "fchmod", ".M" }, { "fchmodat", "d.M" },
	{ "umask", "M" }, { "access", ".a" }, { "faccessat", "d.a" }, { "faccessat2", "d.a" },
	{ "readlinkat", "d" }, { "linkat", "d.d.A" }, { "symlinkat", ".d" },
	{ "renameat", "d.d" }, { "renameat2", "d.d" }, { "utimensat", "d..A" },
	{ "fchownat", "d...A" }, { "execveat", "d...A" }, { "mmap", "..pf" },
	{ "mprotect", "..p" }, { "madvise", "..v" }, { "clone", "c" }, { "unshare", "c" },
	{ "socket", "st" }, { "socketpair", "st" }, { "accept4", "...k" }, { "fcntl", ".n" },
	{ "futex", ".x" }, { "lseek", "..w" }, { "rt_sigprocmask", "h" }, { "rt_sigaction", "S" },
	{ "kill", ".S" }, { "tkill", ".S" }, { "tgkill", "..S" }, { "epoll_ctl", ".e" },
	{ "pipe2", ".P" }, { "dup3", "..P" }, { "wait4", "..W" },
};

/**
 * tring_call_known - find what is known of a call's arguments
 * @name: the call's name
 *
 * Return: that; NULL for nothing.
 */
const struct tring_call *tring_call_known(const char *name)
{
	size_t i;

	for (i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (!strcmp(known[i].name, name))
			return &known[i];
	return NULL;
}

/* All known machines have words of 64 bits. */
static const struct tring_field *find_word(const struct tring_event *event, const char *name)
{
	const struct tring_field *field = tring_find_field(event, name);

	return field && field->kind == TRING_FIELD_NUMBER && field->element == 8 ? field : NULL;
}

static void find_raw(struct tring_told_call *told, const struct tring_event *event)
{
	const struct tring_field *arguments = tring_find_field(event, "args");

	told->number = find_word(event, "id");
	if (!told->number)
		return;
	if (told->result)
		told->kind = TRING_TOLD_END;
	else if (arguments && arguments->kind == TRING_FIELD_ARRAY &&
		 arguments->place == TRING_PLACE_FIXED && arguments->element == 8 &&
		 arguments->size == 8 * TRING_CALL_ARGUMENTS)
		told->kind = TRING_TOLD_BEGIN;
	told->arguments[0] = arguments;
	told->array = true;
}

/* A string of the argument NAME is the field __NAME_val. */
static void find_strings(struct tring_told_call *told, const struct tring_event *event)
{
	unsigned int count = 0;
	size_t i;

	for (i = 0; i < event->field_count && count < TRING_CALL_STRINGS; i++) {
		const struct tring_field *field = &event->fields[i];
		const int size = strlen(field->name) - strlen("___val");
		char *name;

		if (field->place != TRING_PLACE_LOCATION || size < 1 ||
		    strncmp(field->name, "__", 2) || strcmp(field->name + 2 + size, "_val"))
			continue;
		name = tring_format("%.*s", size, field->name + 2);
		told->pointers[count] = find_word(event, name);
		if (told->pointers[count])
			told->strings[count++] = field;
		free(name);
	}
	if (count)
		told->kind = TRING_TOLD_BEGIN;
}

static void find_named(struct tring_told_call *told, const struct tring_event *event)
{
	const char *name = event->name + strlen("sys_enter_");
	const struct tring_call *call;
	size_t i;

	told->kind = told->result ? TRING_TOLD_END : TRING_TOLD_NOTHING;
	if (told->result || strncmp(event->name, "sys_enter_", strlen("sys_enter_")))
		return;
	find_strings(told, event);
	call = tring_call_known(name);
	/* later kernels have words in some formats */
	if (!call || strstr(event->text, "__print_flags"))
		return;
	/* behind the number */
	for (i = 0; call->arguments[i]; i++) {
		if (i + 1 == event->field_count ||
		    event->fields[i + 1].kind != TRING_FIELD_NUMBER)
			return;
		told->arguments[i] = &event->fields[i + 1];
	}
	told->call = call;
	told->kind = TRING_TOLD_BEGIN;
}

/**
 * tring_call_find - find what an event tells of a system call
 * @told: filled in
 * @event: the event
 */
void tring_call_find(struct tring_told_call *told, const struct tring_event *event)
{
	*told = (struct tring_told_call) { .kind = TRING_TOLD_NOTHING };
	if (!strcmp(event->system, "raw_syscalls") || !strcmp(event->system, "syscalls")) {
		told->result = find_word(event, "ret");
		if (*event->system == 'r')
			find_raw(told, event);
		else
			find_named(told, event);
	}
}

/* Adds a part behind others. @begun: there are some, to be divided by @between */
static void add(struct tring_line *line, bool *begun, const char *between, const char *text,
		size_t size)
{
	if (*begun)
		tring_line_string(line, between);
	tring_line_text(line, text, size);
	*begun = true;
}

/* Adds a word if it is for a number, which loses the bits. @at: the word, and its number */
static void add_word(struct tring_line *line, const struct set *set, const char *at,
		     uint32_t *value, bool *begun)
{
	const size_t size = strcspn(at, " ");
	const uint32_t word = strtoul(at + size + 1, NULL, 16);
	const bool is_number = !(word & ~set->mask);

	if (is_number ? (set->mask || !*value) && (*value & set->mask) == word :
			(*value & word) == word) {
		add(line, begun, "|", at, size);
		*value &= is_number ? ~set->mask : ~word;
	}
}

/* Return: false, and nothing is added, if no word is known for a number. */
static bool add_words(struct tring_line *line, const struct set *set, uint32_t value)
{
	const bool whole = set->mask == UINT32_MAX;
	bool begun = false;
	size_t i;

	for (i = 0; i < LINES && set->words[i]; i++) {
		const char *at = set->words[i];

		for (; *at && !(whole && begun); at = strchr(strchr(at, ' ') + 1, ' ') + 1)
			add_word(line, set, at, &value, &begun);
	}
	if (whole || (!begun && !value))
		return begun;
	if (value)
		tring_line_put(line, "%s0x%" PRIx32, begun ? "|" : "", value);
	return true;
}

static const struct set *find_set(char letter, bool is_arm)
{
	size_t i;

	if (letter == 'o' && is_arm)
		letter = 'O';
	for (i = 0; i < sizeof(sets) / sizeof(sets[0]); i++)
		if (sets[i].letter == letter)
			return &sets[i];
	return NULL;
}

static uint32_t load(const struct tring_calls *calls, const struct tring_item *item,
		     const struct tring_field *field, unsigned int at)
{
	return tring_load(item->record->payload + field->offset + field->element * at,
			  field->element, calls->big_endian);
}

/* Sets the values of arguments that have words. A mode counts if a file is created. */
static void load_values(const struct tring_told_call *told, const struct tring_call *call,
			const struct tring_calls *calls, const struct tring_item *item,
			uint32_t *values)
{
	uint32_t flags = 0;
	unsigned int i, count = 0;

	for (i = 0; call->arguments[i]; i++) {
		const struct tring_field *field = told->arguments[told->array ? 0 : i];

		if (call->arguments[i] == '.')
			continue;
		if (call->arguments[i] != 'm' || flags & (O_CREATE | TMPFILE))
			values[count] = load(calls, item, field, told->array ? i : 0);
		flags = values[count++];
	}
}

static void add_argument(struct tring_line *line, const struct tring_calls *calls, char letter,
			 uint32_t value, bool *begun)
{
	const struct set *set = find_set(letter, calls->is_arm);
	size_t start = line->at - line->start;

	tring_line_string(line, *begun ? ", " : " (");
	if (set) {
		tring_line_string(line, set->name);
		tring_line_string(line, ": ");
		if (!add_words(line, set, value)) {
			line->at = line->start + start;
			return;
		}
	} else {
		tring_line_put(line, "mode: 0%03o", value & 07777);
	}
	*begun = true;
}

static void add_arguments(struct tring_line *line, const struct tring_calls *calls,
			  const struct tring_call_text *text)
{
	bool begun = text->name, creates = false;
	unsigned int i, count = 0;

	for (i = 0; text->call->arguments[i]; i++) {
		const char letter = text->call->arguments[i];

		if (letter == '.')
			continue;
		if (letter != 'm' || creates)
			add_argument(line, calls, letter, text->values[count], &begun);
		creates = letter == 'o' && text->values[count] & (O_CREATE | TMPFILE);
		count++;
	}
	if (begun)
		tring_line_char(line, ')');
}

static __attribute__((noinline)) void make_text(struct tring_call_text *text,
						const struct tring_calls *calls)
{
	struct tring_line line;

	tring_line_init(&line);
	if (text->name)
		tring_line_text(&line, text->name->text, text->name->size - 1);
	add_arguments(&line, calls, text);
	text->size = line.at - line.start;
	text->text = tring_format("%.*s%*s", (int)text->size, line.start, TRING_LINE_SHORT, "");
	tring_line_free(&line);
}

/* Most calls have arguments that others have had. */
static void add_call(const struct tring_told_call *told, const struct tring_call *call,
		     const struct tring_call_name *name, struct tring_calls *calls,
		     const struct tring_item *item, struct tring_line *line)
{
	struct tring_call_text wanted = { .call = call, .name = name }, *text;
	uint64_t hash;

	load_values(told, call, calls, item, wanted.values);
	hash = (wanted.values[0] * 31u + wanted.values[1]) * 31u + wanted.values[2] +
	       (uintptr_t)call / sizeof(*call);
	text = &calls->texts[(hash ^ hash >> 8 ^ hash >> 16) % TRING_CALL_TEXTS];
	if (!text->text || text->call != call || text->name != name ||
	    memcmp(text->values, wanted.values, sizeof(wanted.values))) {
		free(text->text);
		*text = wanted;
		make_text(text, calls);
	}
	tring_line_short(line, text->text, text->size);
}

/* Return: name of an error; NULL if a result is none. */
static __attribute__((noinline)) const char *name_error(int64_t result)
{
	/* which only a tracer sees */
	static const char *const restarts[] = {
		"ERESTARTSYS", "ERESTARTNOINTR", "ERESTARTNOHAND", "ENOIOCTLCMD",
		"ERESTART_RESTARTBLOCK",
	};

	if (result <= -ERRORS)
		return NULL;
	if (result <= -512 && result > -517)
		return restarts[-result - 512];
	return result == -524 ? "ENOTSUPP" : strerrorname_np(-result);
}

static void add_end(const struct tring_call_name *name, struct tring_line *line, int64_t result)
{
	const char *error = result < 0 ? name_error(result) : NULL;

	if (name)
		tring_line_short(line, name->text, name->size);
	if (!error)
		return;
	if (name)
		line->at--;
	tring_line_string(line, name ? ", " : " (");
	tring_line_string(line, error);
	tring_line_char(line, ')');
}

/* A string that could not be read has no byte, not even a NUL. */
static void add_unread(const struct tring_told_call *told, const struct tring_calls *calls,
		       const struct tring_item *item, struct tring_line *line)
{
	unsigned int i;
	bool begun = false;

	for (i = 0; told->strings[i]; i++) {
		const uint8_t *location = item->record->payload + told->strings[i]->offset;
		const char *name = told->pointers[i]->name, *before = begun ? ", " : " (fault: ";

		if (tring_load(location, 4, calls->big_endian) >> 16 ||
		    !tring_call_load(calls, item, told->pointers[i]))
			continue;
		tring_line_string(line, before);
		tring_line_string(line, name);
		begun = true;
	}
	if (begun)
		tring_line_char(line, ')');
}

/**
 * tring_call_tell_more - add to an event's text more than the call's name
 * @told: as tring_call_tell()
 * @calls: the same
 * @item: the same
 * @line: the same
 */
void tring_call_tell_more(const struct tring_told_call *told, struct tring_calls *calls,
			  const struct tring_item *item, struct tring_line *line)
{
	const struct tring_call_name *name = NULL;
	const struct tring_call *call = told->call;
	int64_t number = 0;

	if (told->number) {
		number = tring_call_load(calls, item, told->number);
		name = tring_call_at(calls, number);
		call = name ? name->call : NULL;
	}
	if (told->kind == TRING_TOLD_END)
		add_end(name, line, number < 0 || (name && name->restores) ? 0 :
			tring_call_load(calls, item, told->result));
	else if (call)
		add_call(told, call, name, calls, item, line);
	else if (name)
		tring_line_short(line, name->text, name->size);
	add_unread(told, calls, item, line);
}
