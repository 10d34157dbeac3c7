#include <gtest/gtest.h>

#include <cstdint>

#include "unit/reduce/none_missing.hpp"

namespace alembert::reduce::random_modes_test {

class MoreRandomStructures : public testing::TestWithParam<std::uint64_t> {};
TEST_P(MoreRandomStructures, NoModeIsMissing) { test::expect_none_missing(GetParam()); }
// With the 12 of modes_test.cpp they are 70.
INSTANTIATE_TEST_SUITE_P(Seeds, MoreRandomStructures, testing::Range<std::uint64_t>(13, 71));

}  // namespace alembert::reduce::random_modes_test
