/* SPDX-License-Identifier: GPL-2.0 */
/* Metadata of the traces that ctf.c writes. */
#ifndef TRING_CTF_METADATA_H
#define TRING_CTF_METADATA_H

#include <stdio.h>

#include "tring.h"

/* Id of an event whose fields cannot be decoded; ftrace has no such id. */
#define TRING_CTF_UNDECODED	0

/* Bytes before the events of a packet, and the number at its start. */
#define TRING_CTF_PACKET_HEAD	72
#define TRING_CTF_MAGIC		0xc1fc1fc1

void tring_ctf_metadata(FILE *file, const struct tring_trace *trace);

#endif /* TRING_CTF_METADATA_H */
