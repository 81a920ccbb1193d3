/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * Reading packets without copying: mmap() of trace_pipe_raw_compact and
 * snapshot_raw_compact. Modelled on what ftrace has for trace_pipe_raw since
 * 6.10 (Documentation/trace/ring-buffer-map.rst), so that its readers need
 * little change.
 *
 * The mapping, shared and read only, starts with a meta page, behind which lie
 * @nr_subbufs sub-buffers of @subbuf_size bytes each:
 *
 *	meta_page_size + id * subbuf_size
 *
 * The whole or a part of that may be mapped, in one area or in several: the
 * meta page alone first, as it tells how large the rest is. Whoever unmaps that
 * before he maps all of it compares afterwards: the ring may have been resized
 * in between. mmap() fails with
 *	EPERM	writable, executable or private
 *	EINVAL	longer than what there is: look at the meta page again
 *	EBUSY	the ring was resized, and another area shows its former memory
 *	ENODATA	there is no memory: nothing was recorded yet, or no snapshot taken
 *
 * TRING_MMAP_IOCTL_GET_READER gives the packet that it gave before back to the
 * ring and fetches the next one, of which @reader then tells. If there is none
 * it waits until the ring is as full as buffer_percent says, unless the file is
 * O_NONBLOCK, and fails with
 *	EAGAIN	there is none now (O_NONBLOCK)
 *	ENODATA	recording is off and all has been read
 *	ESTALE	the next packet lies in other memory than the mapping shows,
 *		because the ring was resized: unmap, map anew, ask again. No
 *		packet is lost by that
 *	ENODEV	the file is not mapped
 *	EINTR	a signal came
 * After an error there is no packet: @reader is 0.
 *
 * read(), splice() and GET_READER may be mixed. A packet that read() has given
 * in part is fetched from there on: reader.read says where. A read() or
 * splice() goes on behind the packet that was fetched. The packet fetched last
 * is read when it was given back; if the file is closed before, the next one to
 * open it gets that packet again. poll() finds something to read while there is
 * a fetched packet, so whoever polls asks with O_NONBLOCK first.
 *
 * Sub-buffers that were read before the mmap() may be missing in a mapping of
 * memory that the ring has left: nothing will be fetched from there, and
 * touching them is a SIGBUS.
 */
#ifndef _UAPI_TRING_MMAP_H
#define _UAPI_TRING_MMAP_H

#include <linux/ioctl.h>
#include <linux/types.h>

/**
 * struct tring_buffer_meta - what the meta page says
 * @meta_page_size: bytes in front of the sub-buffers
 * @meta_struct_len: of this structure; later versions may be longer
 * @subbuf_size: bytes
 * @nr_subbufs: how many are mapped, the reader's included
 * @reader: the packet in the reader's hands
 * @reader.lost_events: lost between the packet before it and this one's end, by
 *	overwriting or refusal; for the first that an open file gives, since the
 *	recording began
 * @reader.id: of its sub-buffer
 * @reader.read: bytes of it that read() has given already
 * @reader.size: bytes in it
 * @flags: none so far
 * @entries: events in packets of this CPU that are complete and were not read,
 *	in its ring or in a snapshot
 * @overrun: events of this CPU that were overwritten
 * @read: events of this CPU that were read
 * @generation: of the memory that is mapped; changes with each resize
 * @reserved: 0
 *
 * Written by GET_READER and mmap() and by nothing in between.
 */
struct tring_buffer_meta {
	__u32	meta_page_size;
	__u32	meta_struct_len;
	__u32	subbuf_size;
	__u32	nr_subbufs;
	struct {
		__u64	lost_events;
		__u32	id;
		__u32	read;
		__u32	size;
		__u32	reserved;
	} reader;
	__u64	flags;
	__u64	entries;
	__u64	overrun;
	__u64	read;
	__u64	generation;
	__u64	reserved[2];
};

#define TRING_MMAP_IOCTL_GET_READER	_IO('R', 0x20)

#endif /* _UAPI_TRING_MMAP_H */
