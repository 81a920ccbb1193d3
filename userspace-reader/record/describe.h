/* SPDX-License-Identifier: GPL-2.0 */
/* What describes a recording's packets: short ids, formats and metadata. */
#ifndef TRING_DESCRIBE_H
#define TRING_DESCRIBE_H

struct tring_drain;
struct tring_recording;

int tring_recording_describe_start(struct tring_recording *recording);
int tring_recording_describe_next(struct tring_recording *recording, const char *dir);
int tring_recording_describe(void *recording, const struct tring_drain *drain);
int tring_recording_describe_end(struct tring_recording *recording);
int tring_recording_describe_part(struct tring_recording *recording);
int tring_recording_keep_symbols(struct tring_recording *recording);

#endif /* TRING_DESCRIBE_H */
