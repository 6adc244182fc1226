# SPDX-License-Identifier: Apache-2.0
"""Writes the C source of the extension module from the public header.

    python native.py include/rankwright.h OUT.c

cffi reads declarations without a preprocessor: the header's parts are put in their place, and comments,
conditions and RW_API are left out.  The C compiler checks every declaration against the header itself.
"""

import pathlib
import re
import sys

import cffi

CALLBACKS = """
extern "Python" {
    bool rankwright_on_progress(void *user, const struct rw_progress *at);
    bool rankwright_on_work(void *user, const struct rw_progress *at);
    void rankwright_on_note(void *user, const char *text);
    void rankwright_on_row(void *user, int n, const char *const *names, const char *const *texts);
    void rankwright_on_line(void *user, const char *json);
    bool rankwright_on_finding(void *user, const struct rw_finding *finding);
    void rankwright_on_value(void *user, const char *text, uint64_t rules);
}
"""


def declarations(header):
    """The text of a header for cffi."""
    text = header.read_text(encoding="utf-8")
    text = re.sub(r"//[^\n]*|/\*.*?\*/", "", text, flags=re.S)
    text = re.sub(r'#ifdef __cplusplus.*?#endif', "", text, flags=re.S)
    text = re.sub(r'^#include "([^"]+)"$', lambda found: declarations(header.parent / found[1]), text, flags=re.M)
    text = re.sub(r"^#[^\n]*$", "", text, flags=re.M)
    return text.replace("RW_API ", "")


def main():
    header, out = map(pathlib.Path, sys.argv[1:])
    builder = cffi.FFI()
    builder.cdef(declarations(header) + CALLBACKS)
    builder.set_source("rankwright._native", '#include "rankwright.h"')
    builder.emit_c_code(str(out))


if __name__ == "__main__":
    main()
