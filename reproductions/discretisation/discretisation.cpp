#include "reproductions/discretisation/discretisation.hpp"

#include <algorithm>
#include <functional>
#include <iterator>
#include <utility>

#include "alembert/core/check.hpp"
#include "reproductions/discretisation/parts.hpp"
#include "reproductions/published_systems.hpp"

namespace alembert::reproductions::discretisation {

namespace {

// The range of the published study, and what lies far outside of it.
constexpr double kPublishedSteps[] = {1e-3, 2e-3, 5e-3, 1e-2, 2e-2, 5e-2};
constexpr double kAllSteps[] = {1e-3, 1e-2, 5e-2, 1.0, 1e2, 1e4, 1e6};
constexpr double kEnergyStep = 0.01;  // ω_max h = 0.2

// The rows of one table, each filled by a part of its own.
template <typename Row>
using Rows = std::vector<std::optional<Row>>;

// Everything that is measured of one system.
struct SystemRows {
  Rows<IntegratorConvergence> orders = Rows<IntegratorConvergence>(order_candidates());
  Rows<RoundTrip> round_trip = Rows<RoundTrip>(std::size(kPublishedSteps));
  Rows<TustinEquality> tustin = Rows<TustinEquality>(std::size(kPublishedSteps));
  Rows<PassivityRow> passivity = Rows<PassivityRow>(std::size(kAllSteps));
};

using Parts = std::vector<std::function<void()>>;

void add_energy_parts(const TestSystem& test, const Options& options, Rows<EnergyRow>& rows,
                      Parts& parts) {
  for (std::size_t i = 0; i < rows.size(); ++i) {
    parts.emplace_back([&, i] {
      rows[i] = measure_energy(test, i, kEnergyStep, options.long_run, options.parallel.stop);
    });
  }
}

void add_system_parts(const TestSystem& test, const Options& options, SystemRows& rows,
                      Parts& parts) {
  for (std::size_t i = 0; i < rows.orders.size(); ++i) {
    parts.emplace_back(
        [&, i] { rows.orders[i] = measure_order(test, i, options.rungs, options.parallel.stop); });
  }
  for (std::size_t i = 0; i < std::size(kPublishedSteps); ++i) {
    parts.emplace_back([&, i] {
      rows.round_trip[i] = measure_round_trip(test, kPublishedSteps[i]);
      rows.tustin[i] = measure_tustin(test, kPublishedSteps[i], options.circle_points);
    });
  }
  for (std::size_t i = 0; i < std::size(kAllSteps); ++i) {
    parts.emplace_back([&, i] {
      rows.passivity[i] =
          measure_passivity(test, kAllSteps[i], options.circle_points, options.parallel.stop);
    });
  }
}

// A table with all its rows; one with gaps would claim more than was measured.
template <typename Row>
void append_if_complete(const Rows<Row>& rows, std::vector<Row>& all) {
  const bool complete = std::all_of(rows.begin(), rows.end(),
                                    [](const std::optional<Row>& row) { return row.has_value(); });
  for (std::size_t i = 0; complete && i < rows.size(); ++i) {
    all.push_back(*rows[i]);
  }
}

void append(const SystemRows& rows, Result& result) {
  append_if_complete(rows.orders, result.convergence);
  append_if_complete(rows.round_trip, result.round_trip);
  append_if_complete(rows.tustin, result.tustin);
  append_if_complete(rows.passivity, result.passivity);
}

}  // namespace

Result measure(const Options& options) {
  check::at_least("measure", "rungs", options.rungs, 3);
  check::at_least("measure", "long_run", options.long_run, 100);
  check::at_least("measure", "circle_points", options.circle_points, 8);
  const TestSystem frame{"frame-8dof", frame_8dof(), 2.4};
  const TestSystem small{"coupled-3dof", coupled_3dof(), 20.0};
  SystemRows frame_rows;
  SystemRows small_rows;
  Rows<EnergyRow> energy(energy_candidates());
  // The longest first, so that no thread is left alone with one of them.
  Parts parts;
  add_energy_parts(frame, options, energy, parts);
  add_system_parts(frame, options, frame_rows, parts);
  add_system_parts(small, options, small_rows, parts);
  parallel_for(
      parts.size(), [&](std::size_t i) { parts[i](); }, options.parallel);

  Result result;
  append(frame_rows, result);
  append(small_rows, result);
  append_if_complete(energy, result.energy);
  // A request that came too late to leave anything out has stopped nothing.
  const bool all_there = result.convergence.size() == 2 * order_candidates() &&
                         result.round_trip.size() == 2 * std::size(kPublishedSteps) &&
                         result.passivity.size() == 2 * std::size(kAllSteps) &&
                         result.energy.size() == energy_candidates();
  if (!all_there) {
    result.status = Status::Stopped;
    result.message = "stopped on request; tables that were not finished are missing, with claims";
  }
  result.claims = claims_of(result);
  return result;
}

Reproduction run(const ReproduceOptions& options) {
  Options size{.parallel = options.parallel};
  if (options.full) {
    size.rungs = 7;
    size.long_run = 1'000'000;
    size.circle_points = 1000;
  }
  return to_reproduction(measure(size));
}

}  // namespace alembert::reproductions::discretisation
