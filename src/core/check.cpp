#include "alembert/core/check.hpp"

#include <fmt/core.h>

#include <cmath>
#include <string>
#include <utility>

#include "alembert/core/error.hpp"

namespace alembert::check {

namespace {

[[noreturn]] void fail(std::string_view function, std::string_view argument, std::string rule,
                       std::string value) {
  throw InvalidInput({.function = std::string(function),
                      .argument = std::string(argument),
                      .rule = std::move(rule),
                      .value = std::move(value)});
}

}  // namespace

void finite(std::string_view function, std::string_view argument, double value) {
  if (!std::isfinite(value)) {
    fail(function, argument, "must be finite", fmt::format("{}", value));
  }
}

void positive(std::string_view function, std::string_view argument, double value) {
  if (!(std::isfinite(value) && value > 0.0)) {
    fail(function, argument, "must be positive", fmt::format("{}", value));
  }
}

void non_negative(std::string_view function, std::string_view argument, double value) {
  if (!(std::isfinite(value) && value >= 0.0)) {
    fail(function, argument, "must not be negative", fmt::format("{}", value));
  }
}

void in_range(std::string_view function, std::string_view argument, double value, double lower,
              double upper) {
  if (!(std::isfinite(value) && value >= lower && value <= upper)) {
    fail(function, argument, fmt::format("must be in [{}, {}]", lower, upper),
         fmt::format("{}", value));
  }
}

void at_least(std::string_view function, std::string_view argument, long long value,
              long long lower) {
  if (value < lower) {
    fail(function, argument, fmt::format("must be at least {}", lower), fmt::format("{}", value));
  }
}

void size(std::string_view function, std::string_view argument, long long actual,
          long long expected) {
  if (actual != expected) {
    fail(function, argument, fmt::format("must have size {}", expected), fmt::format("{}", actual));
  }
}

void shape(std::string_view function, std::string_view argument,
           const Eigen::Ref<const Eigen::MatrixXd>& matrix, long long rows, long long columns) {
  if (matrix.rows() != rows || matrix.cols() != columns) {
    fail(function, argument, fmt::format("must be {} x {}", rows, columns),
         fmt::format("{} x {}", matrix.rows(), matrix.cols()));
  }
}

void all_finite(std::string_view function, std::string_view argument,
                const Eigen::Ref<const Eigen::MatrixXd>& matrix) {
  for (Eigen::Index column = 0; column < matrix.cols(); ++column) {
    for (Eigen::Index row = 0; row < matrix.rows(); ++row) {
      if (!std::isfinite(matrix(row, column))) {
        fail(function, argument, "must be finite",
             fmt::format("{} in row {}, column {}", matrix(row, column), row + 1, column + 1));
      }
    }
  }
}

void symmetric(std::string_view function, std::string_view argument,
               const Eigen::Ref<const Eigen::MatrixXd>& matrix, double tolerance) {
  if (matrix.rows() != matrix.cols()) {
    fail(function, argument, "must be square",
         fmt::format("{} x {}", matrix.rows(), matrix.cols()));
  }
  if (matrix.size() == 0) {
    return;
  }
  Eigen::Index row = 0;
  Eigen::Index column = 0;
  const double worst = (matrix - matrix.transpose()).cwiseAbs().maxCoeff(&row, &column);
  if (worst > tolerance * matrix.cwiseAbs().maxCoeff()) {
    fail(function, argument, "must be symmetric",
         fmt::format("{} at ({}, {}) and {} at ({}, {})", matrix(row, column), row + 1, column + 1,
                     matrix(column, row), column + 1, row + 1));
  }
}

}  // namespace alembert::check
