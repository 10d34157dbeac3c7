#pragma once

#include <Eigen/Core>

#include "alembert/signal/record.hpp"

/// Polynomial trends: found by least squares from the samples that are there (NaN counts as
/// missing) and known at all times. Degree 0 is the mean, 1 the line.
///
/// The polynomials are built orthogonal on the samples themselves, so that high degrees stay well
/// conditioned and times of any origin and unit do: p(k+1) = (x - a(k)) p(k) - b(k) p(k-1).
namespace alembert::signal {

/// The least-squares polynomial at all times, also at those of missing values.
/// @param times in s, strictly increasing.
/// @param degree 0 or more, below the number of values that are not missing.
/// @throws InvalidInput if the sizes disagree, the degree is out of range, or a value is infinite.
[[nodiscard]] Eigen::VectorXd polynomial_trend(const Eigen::Ref<const Eigen::VectorXd>& times,
                                               const Eigen::Ref<const Eigen::VectorXd>& values,
                                               int degree);

/// The same for samples at a constant step, whose size does not matter.
[[nodiscard]] Eigen::VectorXd polynomial_trend(const Eigen::Ref<const Eigen::VectorXd>& values,
                                               int degree);

/// values - polynomial_trend(values, degree); missing values stay missing.
[[nodiscard]] Eigen::VectorXd detrended(const Eigen::Ref<const Eigen::VectorXd>& times,
                                        const Eigen::Ref<const Eigen::VectorXd>& values,
                                        int degree);
[[nodiscard]] Eigen::VectorXd detrended(const Eigen::Ref<const Eigen::VectorXd>& values,
                                        int degree);

/// All channels of a record without their trends; channels without any sample stay as they are.
/// Move a large record in: its samples are changed in place.
/// @throws InvalidInput as above, naming the channel.
[[nodiscard]] Record detrended(Record record, int degree);

}  // namespace alembert::signal
