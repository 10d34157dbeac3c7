#pragma once

#include <vector>

#include "alembert/identify/state_space/state_space.hpp"
#include "identify/state_space/response_fit.hpp"
#include "identify/state_space/start_poles.hpp"

/// The order of a state-space model and the start of its search.
namespace alembert::identify::state_space {

/// Where the last search begins, and why there.
struct StartOfOrder {
  std::vector<std::complex<double>> poles;
  Eigen::VectorXd singular_values;
  Eigen::Index order = 0, horizon = 0, reflected = 0, dropped = 0;
  std::vector<OrderTrial> trials;
  std::string reason;
};

/// Block rows of the starts: those of the options as far as the records allow.
/// @throws InvalidInput if they allow none.
[[nodiscard]] std::vector<Eigen::Index> start_horizons(const Samples& samples, double stretch,
                                                       const StateSpaceOptions& options);

/// Fits all orders to the first part of the records and compares them on the rest; with a given
/// order compares the horizons only, by the cost of the fit.
[[nodiscard]] StartOfOrder choose_start(const Samples& samples,
                                        const std::vector<Eigen::Index>& horizons,
                                        const StateSpaceOptions& options);

/// The largest radius of poles for records of so many samples.
[[nodiscard]] double largest_radius(Eigen::Index samples, bool stable);

}  // namespace alembert::identify::state_space
