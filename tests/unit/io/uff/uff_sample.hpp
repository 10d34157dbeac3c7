#pragma once

#include <string>

namespace alembert::test {

// A dataset 58 by hand, after the published field table: two points of a real even function.
struct UffSample {
  std::string open = "    -1\n    58\n";
  std::string ids = "Point 1\nRun 7\n01-Jan-24 12:00:00\nNONE\nNONE\n";
  std::string dof =
      "    1         3    2         0 wing              12  -2 NONE               0   0\n";
  std::string form = "         2         2         1  5.00000E-01  2.50000E-01  0.00000E+00\n";
  std::string abscissa = "        17    0    0    0 Time                 s\n";
  std::string ordinate = "        12    1    0    0 Acceleration         m/s^2\n";
  std::string other = "         0    0    0    0 NONE                 NONE\n";
  std::string values = "  1.50000E+00 -2.50000E+00\n";
  std::string close = "    -1\n";

  [[nodiscard]] std::string text() const {
    return open + ids + dof + form + abscissa + ordinate + other + other + values + close;
  }
};

}  // namespace alembert::test
