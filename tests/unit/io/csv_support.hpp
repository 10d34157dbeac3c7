#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "alembert/core/error.hpp"
#include "alembert/io/csv.hpp"

// What the tests of the CSV reader share.
namespace alembert::io::csv_test {

using signal::Record;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

inline std::vector<std::string> names(const Record& record) {
  std::vector<std::string> result;
  for (const signal::Channel& channel : record.channels()) {
    result.push_back(channel.name);
  }
  return result;
}

inline std::vector<std::string> units(const Record& record) {
  std::vector<std::string> result;
  for (const signal::Channel& channel : record.channels()) {
    result.push_back(channel.unit);
  }
  return result;
}

// Equal entry by entry, NaN equal to NaN.
inline testing::AssertionResult same(const Eigen::MatrixXd& actual,
                                     const Eigen::MatrixXd& expected) {
  if (actual.rows() != expected.rows() || actual.cols() != expected.cols()) {
    return testing::AssertionFailure() << "size " << actual.rows() << " x " << actual.cols();
  }
  for (Eigen::Index c = 0; c < actual.cols(); ++c) {
    for (Eigen::Index r = 0; r < actual.rows(); ++r) {
      const double a = actual(r, c);
      const double e = expected(r, c);
      if (a != e && !(std::isnan(a) && std::isnan(e))) {
        return testing::AssertionFailure()
               << fmt::format("entry ({}, {}): {:.17g}, expected {:.17g}", r, c, a, e);
      }
    }
  }
  return testing::AssertionSuccess();
}

inline std::string message_for(const std::string& text, const ReadOptions& options = {.step = 1.0},
                               const CsvOptions& csv = {}) {
  try {
    static_cast<void>(read_csv_text(text, options, csv, "run1.csv"));
  } catch (const DataError& error) {
    return error.what();
  }
  return "no error";
}

inline const Eigen::MatrixXd kTwoByTwo = (Eigen::MatrixXd(2, 2) << 1.5, 2.5, -3.0, 4e3).finished();

}  // namespace alembert::io::csv_test
