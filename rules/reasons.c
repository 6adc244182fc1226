// SPDX-License-Identifier: Apache-2.0
#include "rules/reasons.h"

#define X(id, text) const char reason_##id[] = text;
REASONS(X)
#undef X
