#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reproductions/discretisation/discretisation.hpp"
#include "reproductions/discretisation/reference.hpp"

/// The parts of measure(), each a function of plain data and one row of a table.
/// Those that simulate return nothing after a stop request.
namespace alembert::reproductions::discretisation {

/// The integrators whose order is measured, and those whose energy is.
[[nodiscard]] std::size_t order_candidates();
[[nodiscard]] std::size_t energy_candidates();

[[nodiscard]] std::optional<IntegratorConvergence> measure_order(const TestSystem& test,
                                                                 std::size_t candidate,
                                                                 Eigen::Index rungs,
                                                                 const StopFlag* stop);
[[nodiscard]] RoundTrip measure_round_trip(const TestSystem& test, double step);
[[nodiscard]] TustinEquality measure_tustin(const TestSystem& test, double step,
                                            Eigen::Index circle_points);
[[nodiscard]] std::optional<PassivityRow> measure_passivity(const TestSystem& test, double step,
                                                            Eigen::Index circle_points,
                                                            const StopFlag* stop);
[[nodiscard]] std::optional<EnergyRow> measure_energy(const TestSystem& test, std::size_t candidate,
                                                      double step, Eigen::Index steps,
                                                      const StopFlag* stop);

/// The systems that a result holds something of, in the order of its tables.
[[nodiscard]] std::vector<std::string> systems_of(const Result& result);
[[nodiscard]] std::vector<Claim> claims_of(const Result& result);

}  // namespace alembert::reproductions::discretisation
