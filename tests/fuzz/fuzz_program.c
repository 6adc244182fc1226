// SPDX-License-Identifier: Apache-2.0
// The text of a program, StableHLO for the most part (reread.h).
#include "base/text/sniff.h"
#include "tests/fuzz/reread.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    // If the text is plainly no program, the message has no place.
    enum text_kind kind = text_sniff((const char *)data, size);
    bool other = kind != TEXT_UNKNOWN && kind != TEXT_PROGRAM && kind != TEXT_HLO;
    read_twice(program_text_read, (const char *)data, size, other);
    return 0;
}
