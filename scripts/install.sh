#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# install.sh [-m DIR] install|uninstall DESTDIR PREFIX PART... - "make install" and
# "make uninstall", for a part or several:
#
#   module    tring.ko, without debugging symbols, where modprobe finds it, and its
#             Module.symvers
#   headers   headers and an example, for modules that record into tring
#   reader    the programs, their manual, completion of its command lines, documents
#   library   libtring with its header, pkg-config file, manual and examples
#   source    the module's sources, for DKMS
#
# -m DIR is a folder of build-module.sh; without it, the module is built for the
# kernel KDIR, with the arguments TRING_MAKE. LIBDIR is the folder of the library, by
# default PREFIX/lib.

. "$(dirname "$0")/lib.sh"

module_dir=
if [ "${1-}" = -m ]; then
	module_dir=$2
	shift 2
fi
[ $# -ge 4 ] || die "see the head of $0"
goal=$1 destdir=$2 prefix=$3
shift 3
parts=("$@")

case $goal in
install | uninstall) ;;
*) die "unknown goal '$goal': install or uninstall" ;;
esac
case $prefix in
/*) ;;
*) die "PREFIX=$prefix: not an absolute path" ;;
esac
case $destdir in
'' | /*) ;;
*) die "DESTDIR=$destdir: not an absolute path" ;;
esac

# Folders of tring alone. "uninstall" removes them once they are empty.
headers=$prefix/src/tring
documents=$prefix/share/doc/tring
include=$prefix/include
soname=libtring.so.1
library=${LIBDIR:-$prefix/lib}
version=$(tring_version)
sources=$prefix/src/tring-$version
programs=$prefix/libexec/tring

# pages SECTIONS - prints the names of the manual pages of these sections, such as 14
pages() {
	local page

	for page in "$top"/docs/man/*.?; do
		[[ $page != *.[$1] ]] || say "${page##*/}"
	done
}

# list_part PART - prints a line "MODE SOURCE PATH" for each file. A SOURCE that begins
# with "=" is the name of a function that makes the file, one with "+" is of the reader's build;
# with the MODE "link" it is what a symbolic link leads to.
list_part() {
	local file

	case $1 in
	module)
		say "644 =make_module /lib/modules/$release/updates/tring.ko"
		say "644 =make_symvers $headers/$release/Module.symvers"
		;;
	headers)
		for file in clock.h compat.h instance.h pages.h blackbox/directory.h \
				ring/fast.h ring/record.h ring/ring.h session/key.h \
				session/session.h; do
			say "644 kmod/$file $headers/$file"
		done
		say "644 uapi/tring_format.h $headers/tring_format.h"
		say "644 kmod/sample/tring_sample.c $documents/module/tring_sample.c"
		say "644 =make_sample_makefile $documents/module/Makefile"
		;;
	reader)
		say "755 +tring $prefix/bin/tring"
		[ "${SALVAGE-}" = no ] ||
			say "755 +tring-salvage $programs/tring-salvage"
		[ "${SYMBOLS-}" = no ] ||
			say "755 +tring-symbols $programs/tring-symbols"
		[ "${SQL-}" = no ] || {
			say "755 +tring-sql $programs/tring-sql"
			say "644 +tringsql.so $programs/tringsql.so"
		}
		for file in $(pages 1457); do
			say "644 docs/man/$file $prefix/share/man/man${file##*.}/$file"
		done
		say "644 userspace-reader/completion/tring.bash" \
			"$prefix/share/bash-completion/completions/tring"
		say "644 userspace-reader/completion/_tring" \
			"$prefix/share/zsh/site-functions/_tring"
		say "644 README.md $documents/README.md"
		say "644 NEWS.md $documents/NEWS.md"
		say "644 uapi/format.md $documents/format.md"
		;;
	library)
		say "755 +$soname $library/$soname"
		say "link $soname $library/libtring.so"
		say "644 =make_pkg_config $library/pkgconfig/libtring.pc"
		say "644 userspace-reader/include/tring.h $include/tring.h"
		say "644 userspace-reader/include/tring-marker.h $include/tring-marker.h"
		for file in $(pages 3); do
			say "644 docs/man/$file $prefix/share/man/man3/$file"
		done
		for file in event_rates longest_wait fields_csv; do
			say "644 userspace-reader/examples/$file.c $documents/$file.c"
		done
		;;
	source)
		for file in Kbuild $(list_sources kmod uapi | grep -vE '^kmod/(bench|sample)/'); do
			say "644 $file $sources/$file"
		done
		for file in probe-events private-struct kernel-btf keep-symvers; do
			say "755 scripts/build/$file.sh $sources/scripts/build/$file.sh"
		done
		;;
	*)
		die "unknown part '$1': module, headers, reader, library or source"
		;;
	esac
}

# The functions below make the file $1. A package's builder strips by itself: STRIP=true.
make_module() {
	cp "$module_dir/tring.ko" "$1"
	"${STRIP:-strip}" --strip-debug "$1"
}

make_symvers() {
	grep '[[:space:]]tring_' "$module_dir/Module.symvers" >"$1"
}

make_sample_makefile() {
	sed "s|@HEADERS@|$headers|" "$top/kmod/sample/Makefile.in" >"$1"
}

make_pkg_config() {
	sed "s|@PREFIX@|$prefix|; s|@LIBDIR@|$library|; s|@VERSION@|$version|" \
		"$top/userspace-reader/libtring.pc.in" >"$1"
}

build_parts() {
	local arguments=()

	if [[ " ${parts[*]} " == *" reader "* || " ${parts[*]} " == *" library "* ]]; then
		reader_dir=$(dirname "$("$top/scripts/build/build-reader.sh" all)")
	fi
	if [[ " ${parts[*]} " == *" module "* ]]; then
		read -r -a arguments <<<"${TRING_MAKE-}"
		: "${module_dir:=$(dirname "$("$top/scripts/build/build-module.sh" \
			"${KDIR-}" "${arguments[@]}")")}"
		release=$(modinfo -F vermagic "$module_dir/tring.ko" | cut -d' ' -f1)
		[ -n "$release" ] || die "$module_dir/tring.ko names no kernel"
	fi
}

install_part() {
	local mode source path files

	files=$(list_part "$1")
	while read -r mode source path; do
		case $mode,$source in
		link,*) ln -sfn "$source" "$destdir$path" ;;
		*,=*)
			"${source#=}" "$made" || die "cannot make $path"
			install -D -m "$mode" "$made" "$destdir$path"
			;;
		*,+*)
			install -D -m "$mode" "$reader_dir/${source#+}" "$destdir$path"
			"${STRIP:-strip}" --strip-unneeded "$destdir$path"
			;;
		*) install -D -m "$mode" "$top/$source" "$destdir$path" ;;
		esac
		say "installed $destdir$path"
	done <<<"$files"
}

# The files of all kernels: the module may have been installed for several.
uninstall_part() {
	local path file files

	files=$(list_part "$1")
	# a path with blanks is one word
	local IFS=
	while IFS=' ' read -r _ _ path; do
		for file in "$destdir"${path//"$release"/*}; do
			[ -e "$file" ] || [ -L "$file" ] || continue
			rm -f "$file"
			say "removed $file"
		done
	done <<<"$files"
}

remove_empty_folders() {
	local folder

	for folder in "$destdir$headers" "$destdir$sources" "$destdir$documents" \
			"$destdir$programs" "$destdir"/lib/modules/*/updates; do
		if [ -d "$folder" ]; then
			find "$folder" -depth -type d -empty -delete
		fi
	done
}

update_dependencies() {
	local folder

	[ -z "$destdir" ] || return 0
	for folder in /lib/modules/$1; do
		[ ! -e "$folder/modules.order" ] || depmod -a "${folder##*/}"
	done
}

release=@RELEASE@
if [ "$goal" = install ]; then
	made=$(mktemp)
	on_exit+=("rm -f $made")
	build_parts
fi
for part in "${parts[@]}"; do
	"${goal}_part" "$part"
done
[ "$goal" = install ] || remove_empty_folders
if [[ " ${parts[*]} " == *" module "* ]]; then
	update_dependencies "${release/@RELEASE@/*}"
fi
