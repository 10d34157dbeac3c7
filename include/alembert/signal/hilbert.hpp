#pragma once

#include <Eigen/Core>

namespace alembert::signal {

/// The analytic signal z = x + i H(x) of one period of a periodic signal: its spectrum is that of x
/// without the negative frequencies,
///
///   Z(0) = X(0),  Z(k) = 2 X(k) for 0 < k < n/2,  Z(n/2) = X(n/2) for even n,  else Z(k) = 0.
///
/// |z| is the envelope and arg z the phase. A record that is not a whole period has errors near its
/// ends; identify::decay_envelope() treats them.
/// @throws InvalidInput if empty or not finite.
[[nodiscard]] Eigen::VectorXcd analytic_signal(const Eigen::Ref<const Eigen::VectorXd>& values);

}  // namespace alembert::signal
