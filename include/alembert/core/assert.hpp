#pragma once

#include <cassert>

/// Checks an invariant of our own in debug builds; never a condition on user input.
#define ALEMBERT_ASSERT(condition) assert(condition)
