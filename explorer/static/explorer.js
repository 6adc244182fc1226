// SPDX-License-Identifier: Apache-2.0
// On every page: tells the style that scripts run.
"use strict";
document.documentElement.classList.add("scripted");
