#include <fmt/format.h>

#include <cmath>

#include "alembert/identify/partial_sensing.hpp"
#include "alembert/model/published_systems.hpp"
#include "study/linear_methods.hpp"
#include "study/reproduce_linear.hpp"

namespace alembert::study {

namespace {

using Indices = std::vector<Eigen::Index>;

// One row of the table: where the frame is driven and sensed.
struct SensingRow {
  std::string name;
  Indices actuated;  ///< empty: all
  Indices sensed;
  double snr_db = 20.0;
  model::Motion motion = model::Motion::Displacement;
  double step = 5e-3;
};

Indices up_to(Eigen::Index n) {
  Indices all;
  for (Eigen::Index i = 0; i < n; ++i) {
    all.push_back(i);
  }
  return all;
}

std::vector<SensingRow> sensing_rows(bool full) {
  struct Set {
    const char* name;
    Indices actuated, sensed;
  };
  const std::vector<Set> sets{
      {"sensors 1-4", {}, {0, 1, 2, 3}},
      {"sensors 1, 4", {}, {0, 3}},
      {"sensors 2, 4, 6, 8", {}, {1, 3, 5, 7}},
      {"forces 1-5, sensors 1, 2, 5-8", {0, 1, 2, 3, 4}, {0, 1, 4, 5, 6, 7}}};
  std::vector<SensingRow> rows;
  for (const double snr : {20.0, 30.0}) {
    for (const Set& set : sets) {
      rows.push_back({fmt::format("{}, {:g} dB", set.name, snr), set.actuated, set.sensed, snr});
    }
  }
  for (const Set& set : sets) {
    rows.push_back({fmt::format("accelerometers {}, 20 dB", std::string(set.name)), set.actuated,
                    set.sensed, 20.0, model::Motion::Acceleration});
  }
  if (full) {
    for (const Set& set : sets) {
      rows.push_back({fmt::format("{}, 20 dB, 10 ms", set.name), set.actuated, set.sensed, 20.0,
                      model::Motion::Displacement, 1e-2});
      rows.push_back({fmt::format("velocity {}, 20 dB", std::string(set.name)), set.actuated,
                      set.sensed, 20.0, model::Motion::Velocity});
      rows.push_back({fmt::format("{}, 10 dB", set.name), set.actuated, set.sensed, 10.0});
    }
  }
  return rows;
}

LinearCase sensing_case(const SensingRow& row) {
  LinearCase linear{.system = model::frame_8dof(),
                    .outputs = {},
                    .step = row.step,
                    .samples = 3300,
                    .spacing = 0.05,
                    .snr_db = row.snr_db};
  if (!row.actuated.empty()) {
    Eigen::MatrixXd L(8, static_cast<Eigen::Index>(row.actuated.size()));
    for (std::size_t c = 0; c < row.actuated.size(); ++c) {
      L.col(static_cast<Eigen::Index>(c)) = Eigen::VectorXd::Unit(8, row.actuated[c]);
    }
    linear.system.L = L;
  }
  std::vector<model::OutputChoice> choices;
  for (const Eigen::Index i : row.sensed.empty() ? up_to(8) : row.sensed) {
    choices.push_back({row.motion, i});
  }
  linear.outputs = model::output_map(8, choices);
  return linear;
}

struct SensingRun {
  bool finished = false;
  bool at_optimum = false;
  bool accepted = false;
  bool falsely = false;  ///< accepted in another optimum: cost 0.1 % above the right one
  double candidates = 0.0;
  double iterations = 0.0;
  Eigen::Vector3d errors = Eigen::Vector3d::Zero();
  Eigen::Vector3d bound = Eigen::Vector3d::Zero();
};

SensingRun sensing_run(const SensingRow& row, std::uint64_t stream) {
  const LinearCase linear = sensing_case(row);
  const SimulatedCase simulated = simulate_case(linear, RandomStream(9001, stream));
  Estimate truth;
  truth.matrices = matrices_of(linear.system);
  const Estimate best = refined(linear, simulated, truth, {});
  const identify::PartialSensing found = identify::identify_partially_sensed(
      simulated.data, linear.system.L, linear.outputs, row.motion);
  SensingRun run;
  run.finished = true;
  run.accepted = found.ok();
  run.candidates = static_cast<double>(found.candidates.size());
  run.bound = bound(linear, simulated);
  if (found.refinement.noise.size() > 0) {
    run.iterations = found.refinement.iterations;
    run.errors = relative_errors(matrices_of(found.refinement.system), matrices_of(linear.system));
    const double cost = noise_ratio(found.refinement.noise, simulated.noise) / best.noise_ratio;
    run.at_optimum = cost <= 1.02;
    run.falsely = run.accepted && !(cost <= 1.001);
  }
  return run;
}

// Columns: at the optimum, accepted, bound M D K, rms/bound M D K, iterations, candidates, falsely
// accepted.
Eigen::RowVectorXd row_values(const SensingRun* runs, std::size_t count) {
  Eigen::RowVectorXd values = Eigen::RowVectorXd::Zero(11);
  Eigen::Vector3d squares = Eigen::Vector3d::Zero();
  Eigen::Vector3d bounds = Eigen::Vector3d::Zero();
  for (std::size_t i = 0; i < count; ++i) {
    values[0] += runs[i].at_optimum ? 1.0 : 0.0;
    values[1] += runs[i].accepted ? 1.0 : 0.0;
    squares += runs[i].errors.cwiseAbs2();
    bounds += runs[i].bound.cwiseAbs2();
    values[8] += runs[i].iterations;
    values[9] += runs[i].candidates;
    values[10] += runs[i].falsely ? 1.0 : 0.0;
  }
  values /= static_cast<double>(count);
  values.segment<3>(2) = (bounds / static_cast<double>(count)).cwiseSqrt().transpose();
  values.segment<3>(5) = squares.cwiseQuotient(bounds).cwiseSqrt().transpose();
  return values;
}

}  // namespace

Reproduction run_partial_sensing(const ReproduceOptions& options) {
  Reproduction result;
  result.name = "partial-sensing";
  result.title = "M, D, K from fewer sensors than degrees of freedom";
  result.summary =
      "The frame with 8 degrees of freedom, 3300 samples, identified without any start value from "
      "some of its sensors or actuators. A run is at the optimum if its cost is within 2 % of that "
      "of a refinement started at the truth.";
  const std::vector<SensingRow> rows = sensing_rows(options.full);
  const std::size_t runs = options.full ? 16 : 3;
  std::vector<SensingRun> all(rows.size() * runs);
  parallel_for(
      all.size(), [&](std::size_t i) { all[i] = sensing_run(rows[i / runs], i); },
      options.parallel);
  NumberTable table{
      .id = "sensing",
      .title = "automatic start and refinement",
      .row_title = "case",
      .columns = {"at the optimum", "accepted", "bound M", "bound D", "bound K", "rms/bound M",
                  "rms/bound D", "rms/bound K", "iterations", "candidates", "falsely accepted"},
      .caption = fmt::format("{} runs in each row.", runs)};
  table.values.resize(static_cast<Eigen::Index>(rows.size()), 11);
  for (std::size_t r = 0; r < rows.size(); ++r) {
    for (std::size_t i = r * runs; i < (r + 1) * runs; ++i) {
      if (!all[i].finished) {
        result.status = Status::Stopped;
        result.message = "stopped on request; no claim is made";
        return result;
      }
    }
    const auto row = static_cast<Eigen::Index>(r);
    table.rows.push_back(rows[r].name);
    table.values.row(row) = row_values(all.data() + r * runs, runs);
    if (rows[r].snr_db < 15.0) {
      continue;  // shown, not claimed: the likelihood is flat there
    }
    result.claims.push_back(make_claim(fmt::format("runs at the optimum, {}", rows[r].name),
                                       table.values(row, 0), "", "== 1"));
    result.claims.push_back(make_claim(
        fmt::format("largest rms error over bound, {}", rows[r].name),
        table.values.row(row).segment<3>(5).maxCoeff(), "", options.full ? "<= 1.5" : "<= 2"));
  }
  result.claims.push_back(make_claim("share of runs accepted in a wrong optimum, all cases",
                                     table.values.col(10).mean(), "", "<= 0.01"));
  result.tables.push_back(table);
  return result;
}

}  // namespace alembert::study
