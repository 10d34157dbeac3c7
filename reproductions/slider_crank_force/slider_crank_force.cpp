#include "reproductions/slider_crank_force/slider_crank_force.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "alembert/core/parallel.hpp"
#include "reproductions/slider_crank_force/observers.hpp"

namespace alembert::reproductions::slider_crank_force {
namespace {

using Eigen::Index;

const char* const kReference =
    "reference computation: an independent program, same mechanism and force, means over 10 seeds";
const char* const kMotion =
    "the reference says how far the motions go, not their frequencies nor the gains of the "
    "controller of S0, nor which levels were tuned: ours are our own";
const char* const kUnprinted =
    "torque, force, step and noise levels are not printed, so that absolute errors have no "
    "meaning beside each other";
const char* const kBenchmark =
    "both observers are tuned here; a ratio of that size needs a benchmark that trusts its model "
    "too much, and the noise levels of the thesis are not printed";

/// A row: an observer on a motion.
struct Row {
  std::size_t observer = 0, motion = 0;
  ForceRun run = {};
};
using Rows = std::vector<Row>;

struct Kinds {
  const char* name;
  const char* unit;
  double ForceErrors::*value;
};
constexpr std::array<Kinds, 3> kKinds = {{{"velocity", "rad/s", &ForceErrors::velocity},
                                          {"acceleration", "rad/s^2", &ForceErrors::acceleration},
                                          {"force", "N", &ForceErrors::force}}};

const Row& row_at(const Rows& rows, std::size_t observer, std::size_t motion) {
  return *std::find_if(rows.begin(), rows.end(), [&](const Row& row) {
    return row.observer == observer && row.motion == motion;
  });
}

// Places in force_cases().
constexpr std::size_t kThesis = 0, kSingle = 2, kJoint = 5;

void compare_rows(const Rows& rows, std::vector<Claim>& claims) {
  for (const Row& row : rows) {
    const ForceCase& one = force_cases()[row.observer];
    for (const Kinds& kind : kKinds) {
      const double reference = one.reference[row.motion].*kind.value;
      claims.push_back(compared({.name = fmt::format("rms {}, {}, {}", kind.name, one.name,
                                                     slider_motions()[row.motion].name),
                                 .measured = row.run.errors.*kind.value,
                                 .unit = kind.unit,
                                 .reference = reference,
                                 .target = within(reference, 0.1),
                                 .source = kReference,
                                 .reason = kMotion}));
    }
  }
}

// [MultibodyThesis, table 3.4], EKF: two stages and benchmark.
constexpr ForceErrors kPrintedStages = {.0842, 1.8226, 4.4267};
constexpr ForceErrors kPrintedBenchmark = {.7215, 7.4521, 11.5015};

void compare_published(const Rows& rows, std::vector<Claim>& claims) {
  const char* const source = "MultibodyThesis, table 3.4, EKF";
  const ForceErrors& stages = row_at(rows, kThesis, 1).run.errors;
  const ForceErrors& single = row_at(rows, kSingle, 1).run.errors;
  for (const Kinds& kind : kKinds) {
    const double two = kPrintedStages.*kind.value;
    const double one = kPrintedBenchmark.*kind.value;
    claims.push_back(compared({.name = fmt::format("rms {}, published two stages, S1", kind.name),
                               .measured = stages.*kind.value,
                               .unit = kind.unit,
                               .published = two,
                               .target = within(two, 0.1),
                               .source = source,
                               .reason = kUnprinted}));
    claims.push_back(compared({.name = fmt::format("rms {}, single stage, S1", kind.name),
                               .measured = single.*kind.value,
                               .unit = kind.unit,
                               .published = one,
                               .target = within(one, 0.1),
                               .source = source,
                               .reason = kUnprinted}));
    claims.push_back(
        compared({.name = fmt::format("{}: single stage over two stages, S1", kind.name),
                  .measured = single.*kind.value / (stages.*kind.value),
                  .published = one / two,
                  .target = "> 1",
                  .source = source,
                  .reason = kBenchmark}));
  }
}

// What a user gains by motion and force in one filter: promised where the motion passes dead
// centres; away from them the forms tie.
void promise_joint(const Rows& rows, std::vector<Claim>& claims) {
  const auto& cases = force_cases();
  for (std::size_t m = 0; m < slider_motions().size(); ++m) {
    const Claim claim{
        .name = fmt::format("force: joint form over the published two stages, {}",
                            slider_motions()[m].name),
        .measured =
            row_at(rows, kJoint, m).run.errors.force / row_at(rows, kThesis, m).run.errors.force,
        .reference = cases[kJoint].reference[m].force / cases[kThesis].reference[m].force,
        .target = "< 1",
        .source = kReference,
        .reason = m < 2 ? "" : "away from dead centres all forms are within some percent"};
    claims.push_back(m < 2 ? promised(claim) : compared(claim));
  }
}

Table error_table(const Rows& rows) {
  Table table{
      .id = "errors",
      .title = "Errors of speed, acceleration and force",
      .header = {"observer: motion", "velocity [rad/s]", "reference [rad/s]",
                 "acceleration [rad/s^2]", "reference [rad/s^2]", "force [N]", "reference [N]"},
      .caption =
          "rms after 0.5 s of 5 s at 1 kHz, means over the noise seeds; the observers "
          "believe the nominal masses and lengths, the records are of the actual ones. "
          "Thesis, table 3.4 (EKF), with a motion and a force that are not printed: "
          "two stages 0.0842, 1.82, 4.43; single stage 0.7215, 7.45, 11.5"};
  table.values.resize(static_cast<Index>(rows.size()), 6);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Row& row = rows[i];
    const ForceCase& one = force_cases()[row.observer];
    table.rows.push_back({one.name + ": " + slider_motions()[row.motion].name});
    for (std::size_t k = 0; k < kKinds.size(); ++k) {
      const auto at = static_cast<Index>(2 * k);
      table.values(static_cast<Index>(i), at) = row.run.errors.*kKinds[k].value;
      table.values(static_cast<Index>(i), at + 1) = one.reference[row.motion].*kKinds[k].value;
    }
  }
  return table;
}

Table level_table(const Rows& rows) {
  constexpr Index kMost = 6;
  Table table{.id = "levels",
              .title = "Noise levels found with the truth at hand",
              .header = {"observer: motion", "1", "2", "3", "4", "5", "6"},
              .caption = "Decimal logarithms."};
  for (const ForceCase& one : force_cases()) {
    const std::vector<std::string> names = level_names(one.kind);
    std::string words;
    for (const std::string& name : names) words += (words.empty() ? "" : "; ") + name;
    const std::string sentence = fmt::format(" {}: {}.", one.name, words);
    table.caption += sentence;
  }
  table.values = Eigen::MatrixXd::Constant(static_cast<Index>(rows.size()), kMost, std::nan(""));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    table.rows.push_back(
        {force_cases()[rows[i].observer].name + ": " + slider_motions()[rows[i].motion].name});
    const Eigen::VectorXd& levels = rows[i].run.levels;
    table.values.row(static_cast<Index>(i)).head(levels.size()) = levels.transpose();
  }
  return table;
}

Rows rows_to_run() {
  Rows rows;
  for (std::size_t m = 0; m < slider_motions().size(); ++m) {
    for (std::size_t i = 0; i < force_cases().size(); ++i) {
      rows.push_back({.observer = i, .motion = m});
    }
  }
  return rows;
}

}  // namespace

Reproduction run(const ReproduceOptions& options) {
  Reproduction result;
  result.name = "slider-crank-force";
  result.title = "Observers of the force on a slider: two stages, one stage, joint form";
  result.summary =
      "The slider-crank of section 3.2.1 of the thesis with its nominal masses and lengths in the "
      "observers and its actual ones in the records: encoder 0.003 rad, accelerometer 0.05 m/s^2, "
      "torque 0.28 N m, 5 s at 1 kHz. The thesis prints neither torque nor force nor noise levels; "
      "force and motions are those of a reference computation, as far as it says them. S0: under a "
      "speed controller, S1: 6.28 +- 0.6 rad/s, S2: 1.45 +- 0.6 rad. Noise levels of every "
      "observer are those that do best with the truth at hand, on records of other seeds.";
  result.source = "MultibodyThesis (docs/references.md), section 3.2.1";
  const ForceEffort effort = options.full ? ForceEffort{.starts = 5,
                                                        .evaluations = 200,
                                                        .training = 2,
                                                        .test = 10,
                                                        .stop = options.parallel.stop}
                                          : ForceEffort{.stop = options.parallel.stop};
  Rows rows = rows_to_run();
  parallel_for(
      rows.size(),
      [&](std::size_t i) {
        rows[i].run = run_force_case(force_cases()[rows[i].observer],
                                     slider_motions()[rows[i].motion], effort);
      },
      options.parallel);
  if (!std::all_of(rows.begin(), rows.end(), [](const Row& row) { return row.run.finished; })) {
    result.status = Status::Stopped;
    result.message = "stopped on request; all claims are missing";
    return result;
  }
  compare_rows(rows, result.claims);
  compare_published(rows, result.claims);
  promise_joint(rows, result.claims);
  result.tables = {error_table(rows), level_table(rows)};
  return result;
}

}  // namespace alembert::reproductions::slider_crank_force
