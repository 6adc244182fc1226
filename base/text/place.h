// SPDX-License-Identifier: Apache-2.0
// Where a path leads, so that two paths can be told to be one file: through
// links of both kinds, "..", /dev/stdout, and for files that are still to be made.
//
// Place: a file by device and inode, or the folder and the name that a new file
// would have.
#ifndef BASE_TEXT_PLACE_H
#define BASE_TEXT_PLACE_H

#include "base/text/buf.h"
#include <sys/stat.h>

struct place {
    bool exists;
    struct stat is;  // of the file, else of the folder
    struct buf name; // of a new file, without its folder
};

// The path behind symbolic links; the last one may lead to no file.
bool place_follow(const char *path, struct buf *out, struct err *err);
// "-" is the descriptor `standard`.  False: neither a file nor a folder for one.
bool place_find(const char *path, int standard, struct place *out);
bool place_same(const struct place *a, const struct place *b);
// Everything may be written there, and nothing is kept.
bool place_is_null(const struct place *place);
// The folder is the one of the file behind `path`, or above it.
bool place_above(const struct place *folder, const char *path);
void place_release(struct place *place);

#endif
