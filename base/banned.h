// SPDX-License-Identifier: Apache-2.0
// Calls that must not be made.  The Makefile includes this file in front of
// every source file; the system headers that declare the calls come first.
#ifndef BASE_BANNED_H
#define BASE_BANNED_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#pragma GCC poison strcpy strcat sprintf vsprintf strtok atoi atol gets

#endif
