#pragma once

#include <Eigen/Core>
#include <optional>
#include <string>

#include "alembert/core/error.hpp"
#include "alembert/signal/record.hpp"

/// Numbers that no instrument gives: what a damaged file shows where nothing in it can be checked.
namespace alembert::io {

/// A sample that cannot have been measured beside its neighbours.
struct Oddity {
  Eigen::Index sample = 0;  ///< 0-based
  double value = 0.0;
  double other = 0.0;  ///< the neighbour that it does not fit
};

/// The first sample that does not fit the last one before it that is neither 0 nor missing:
/// - they are 200 decades apart or more;
/// - they are 60 decades apart or more, and the larger one is beyond 1e60;
/// - the sample is 60 decades smaller or more than both its neighbours.
/// What a computer rounds to almost zero is 17 decades below the rest, what fades by itself has no
/// jumps; 60 decades are more than lie between the mass of an electron and that of the sun.
[[nodiscard]] std::optional<Oddity> first_oddity(const double* values, Eigen::Index count);

/// What is wrong with it: "sample 812 is 7.8e+307 next to 0.3: no measurement (damaged file?)".
[[nodiscard]] std::string describe(const Oddity& oddity);

/// Checks all channels and the times of a record. @throws DataError naming channel and sample.
void require_plausible(const Place& place, const signal::Record& record);
/// Checks the columns of a matrix. @throws DataError naming column and row.
void require_plausible(const Place& place, const Eigen::MatrixXd& matrix);

}  // namespace alembert::io
