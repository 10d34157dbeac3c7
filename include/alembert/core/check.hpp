#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <string_view>

/// Checks at the public boundary. Each throws InvalidInput with the message
/// `function: argument rule, got value`.
namespace alembert::check {

/// value is finite.
void finite(std::string_view function, std::string_view argument, double value);
/// value is finite and > 0.
void positive(std::string_view function, std::string_view argument, double value);
/// value is finite and >= 0.
void non_negative(std::string_view function, std::string_view argument, double value);
/// value is finite and lower <= value <= upper.
void in_range(std::string_view function, std::string_view argument, double value, double lower,
              double upper);
/// value >= lower.
void at_least(std::string_view function, std::string_view argument, long long value,
              long long lower);
/// actual == expected.
void size(std::string_view function, std::string_view argument, long long actual,
          long long expected);
/// matrix is rows x columns.
void shape(std::string_view function, std::string_view argument,
           const Eigen::Ref<const Eigen::MatrixXd>& matrix, long long rows, long long columns);
/// All entries are finite; the message names the first that is not (1-based row and column).
void all_finite(std::string_view function, std::string_view argument,
                const Eigen::Ref<const Eigen::MatrixXd>& matrix);
/// matrix is square and |a(i,j) - a(j,i)| <= tolerance * max|a|; the message names the worst pair.
void symmetric(std::string_view function, std::string_view argument,
               const Eigen::Ref<const Eigen::MatrixXd>& matrix, double tolerance = 1e-9);

}  // namespace alembert::check
