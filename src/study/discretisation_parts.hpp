#pragma once

#include <string>
#include <vector>

#include "alembert/study/reproduce_discretisation.hpp"
#include "study/discretisation_reference.hpp"

/// The parts of reproduce_discretisation(), each a function of plain data.
namespace alembert::study {

[[nodiscard]] std::vector<IntegratorConvergence> measure_orders(const TestSystem& test,
                                                                Eigen::Index rungs);
[[nodiscard]] RoundTrip measure_round_trip(const TestSystem& test, double step);
[[nodiscard]] TustinEquality measure_tustin(const TestSystem& test, double step,
                                            Eigen::Index circle_points);
[[nodiscard]] PassivityRow measure_passivity(const TestSystem& test, double step,
                                             Eigen::Index circle_points);
[[nodiscard]] std::vector<EnergyRow> measure_energy(const TestSystem& test, double step,
                                                    Eigen::Index steps);
[[nodiscard]] std::vector<Claim> discretisation_claims(const DiscretisationResult& result);

}  // namespace alembert::study
