#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <string>
#include <vector>

/// Numbers as compact text, read back by assets/data.js.
namespace alembert::report {

/// Base64 of bytes (RFC 4648, with padding).
std::string base64(const std::vector<unsigned char>& bytes);

/// Base64 of IEEE doubles, little endian, in order.
std::string base64_doubles(const Eigen::Ref<const Eigen::VectorXd>& values);

/// JSON object for abscissae. A uniform grid, whole or thinned, is written as start, step and
/// sample numbers; anything else as doubles.
std::string encode_x(const Eigen::Ref<const Eigen::VectorXd>& x, double step);

/// JSON object for ordinates: single precision where it errs by less than 1e-6 of the range (and
/// 1e-6 relative, for logarithmic axes), if need be about an offset; else double precision.
/// Infinities are written as NaN.
std::string encode_y(const Eigen::Ref<const Eigen::VectorXd>& y);

/// The step of the grid that all x lie on (within 1e-6 of a step, as text files leave it),
/// ascending and possibly with points left out; 0 if there is none.
double grid_step(const Eigen::Ref<const Eigen::VectorXd>& x);

}  // namespace alembert::report
