// SPDX-License-Identifier: Apache-2.0
// The frame of every page of the explorer: head, navigation, foot, links.
//
// A page has a path without a slash in front: "" (the start), "rules",
// "rule/slice/slice_of_slice".  Links are relative, so pages work below any
// address (`http://127.0.0.1:8080/TOKEN/`) and from a file system.
//
// F1  A page has no script, no style and no handler of events in its text.  All of
//     them are files of explorer/static/.  A page therefore works under
//     EXPLORER_POLICY.
// F2  All text that is not of this program goes through markup_text or markup_in
//     (base/text/markup.h), all parts of addresses through frame_part.
#ifndef EXPLORER_PAGES_FRAME_H
#define EXPLORER_PAGES_FRAME_H

#include "base/text/buf.h"
#include "base/text/markup.h"

// The pages are served by a program, or they are files of a folder.  Files have
// the suffix ".html" and no page that computes.
enum explorer_mode { EXPLORER_SERVED, EXPLORER_SITE };

// The Content-Security-Policy that every page of the frame works under.
#define EXPLORER_POLICY                                                                            \
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "              \
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

enum frame_entry { FRAME_NONE, FRAME_RULES, FRAME_PLAY, FRAME_COVERAGE, FRAME_ABOUT };

struct frame {
    enum explorer_mode mode;
    const char *path;           // of the page
    const char *title;          // plain text
    const char *description;    // one line about the page, plain text; NULL: none
    enum frame_entry entry;     // of the navigation: where the page belongs
    const char *const *scripts; // names of explorer/static/, NULL behind the last; NULL: none
    const char *style;          // a second style of explorer/static/; NULL: none
    const char *wide;           // not NULL: the page uses the whole width
};

// All before the content of <main>, and all behind it.
void frame_begin(const struct frame *frame, struct buf *out);
void frame_end(const struct frame *frame, struct buf *out);

// The address of a page relative to the page of the frame.  Callers give paths whose
// parts are encoded (frame_part); the address needs no further escaping.
//     frame_link(frame, "rule/slice/slice_of_slice", out);
void frame_link(const struct frame *frame, const char *path, struct buf *out);
// The same of a file of explorer/static/.
void frame_file(const struct frame *frame, const char *name, struct buf *out);
// <a href="..">text</a>
void frame_anchor(const struct frame *frame, const char *path, const char *text, struct buf *out);
// One part of a path or of a query, percent-encoded: nothing but letters, digits, - _ . ~ stays.
// A part of dots alone is encoded too.
void frame_part(const char *text, struct buf *out);

#endif
