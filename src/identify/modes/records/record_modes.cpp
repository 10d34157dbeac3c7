#include "alembert/identify/modes/record_modes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "alembert/core/check.hpp"
#include "identify/modes/choice/damping_evidence.hpp"
#include "identify/modes/records/time_refinement.hpp"

namespace alembert::identify {
namespace {

using Eigen::Index;
using Eigen::VectorXd;

constexpr double kMostNumbers = 6e7;  // of the matrix of signals: 0.5 GB
constexpr double kFurthest = 0.02;    // that a refined frequency may be from that of the FRFs
constexpr double kHighest = 0.8;      // of half the sampling rate

bool is_complete(const std::vector<signal::InputOutput>& experiments) {
  return std::all_of(experiments.begin(), experiments.end(), [](const signal::InputOutput& one) {
    return one.inputs.allFinite() && one.outputs.allFinite();
  });
}

bool in_band(double frequency_hz, const RecordModes& found) {
  const VectorXd& f = found.frf.data.frequencies_hz;
  return frequency_hz >= f(0) && frequency_hz <= f(f.size() - 1);
}

// Whether the FRFs have a term within 2 % and what their lines resolve.
bool is_near_start(const Mode& mode, const RecordModes& found) {
  const std::vector<FrfPole>& start = found.frf.fit.modes;
  const double line = 2.0 * std::numbers::pi * found.measured.averaging.resolution_hz;
  return std::any_of(start.begin(), start.end(), [&](const FrfPole& one) {
    return std::abs(one.pole - mode.pole) < kFurthest * std::abs(one.pole) + line;
  });
}

void refuse_refinement(const Mode& mode, RecordModes& found) {
  found.warnings.push_back(fmt::format(
      "the fit of the records moved a mode to {:.5g} Hz, more than {:.0f} % and a line from any "
      "of the FRFs; "
      "the modes are those of the FRFs, whose window raises light damping",
      mode.frequency_hz, 100.0 * kFurthest));
}

// The modes of the band that are wanted, unless the fit led one astray.
void take_refined(const modes::TimeRefinement& refinement, const RecordModesOptions& options,
                  RecordModes& found) {
  std::vector<Mode> refined;
  for (Mode& mode : refinement.modes()) {
    if (!in_band(mode.frequency_hz, found)) continue;
    if (!is_wanted(mode.frequency_hz, options.modes.windows)) continue;
    if (!is_near_start(mode, found)) return refuse_refinement(mode, found);
    refined.push_back(std::move(mode));
  }
  std::sort(refined.begin(), refined.end(),
            [](const Mode& a, const Mode& b) { return a.frequency_hz < b.frequency_hz; });
  found.modes = std::move(refined);
  found.refined = true;
  found.outputs = refinement.output_fits();
  if (!refinement.fit().ok()) {
    found.warnings.push_back("refinement on the records: " + refinement.fit().message);
  }
}

void refine_on_records(const std::vector<signal::InputOutput>& experiments, double step,
                       const RecordModesOptions& options, RecordModes& found) {
  std::vector<FrfPole> start = found.frf.fit.modes;
  // A term above half the sampling rate has no place in sampled records.
  std::erase_if(start, [&](const FrfPole& one) { return one.frequency_hz() * step >= 0.5; });
  modes::TimeRefinement refinement(experiments, step,
                                   {.iterations = options.modes.fit.iterations,
                                    .false_alarm = options.modes.false_alarm,
                                    .places = static_cast<double>(found.frf.data.lines()),
                                    .frequency_share = options.modes.largest_frequency_share,
                                    .damping_share = options.modes.largest_damping_share,
                                    .blocks = options.blocks});
  refinement.run(std::move(start));
  found.iterations = refinement.iterations();
  if (!refinement.poles().empty()) take_refined(refinement, options, found);
}

void refine(const std::vector<signal::InputOutput>& experiments, double step,
            const RecordModesOptions& options, RecordModes& found) {
  Index rows = 0;
  for (const signal::InputOutput& one : experiments) rows += one.outputs.rows();
  const auto modes = static_cast<Index>(found.frf.fit.modes.size());
  const Index inputs = experiments.front().inputs.cols();
  const Index columns = 2 * modes * (1 + inputs + static_cast<Index>(experiments.size()));
  if (!is_complete(experiments)) {
    found.warnings.push_back("samples are missing: the modes are those of the FRFs");
  } else if (static_cast<double>(rows) * static_cast<double>(columns) > kMostNumbers) {
    found.warnings.push_back(
        "the records are too long to be fitted sample by sample: the modes "
        "are those of the FRFs");
  } else {
    refine_on_records(experiments, step, options, found);
  }
}

void judge_modes(RecordModes& found) {
  Evidence evidence;
  evidence.add(found);
  for (const std::string& warning : found.warnings) evidence.add(TrustLevel::Caution, warning);
  modes::add_damping_evidence(found.modes, evidence);
  if (!found.measured.warning.empty()) {
    evidence.add(TrustLevel::Caution, found.measured.warning,
                 "take the band where all forces excite the structure");
  }
  found.verdict = evidence.verdict();
}

}  // namespace

RecordModes identify_record_modes(const std::vector<signal::InputOutput>& experiments, double step,
                                  const RecordModesOptions& options) {
  check::positive("identify_record_modes", "step", step);
  check::at_least("identify_record_modes", "blocks", options.blocks, 2);
  RecordModes found;
  found.measured = signal::estimate_frf(experiments, step, options.frf);
  const double to = options.to_hz.value_or(kHighest * 0.5 / step);
  found.frf = identify_frf_modes(frf_data(found.measured, options.from_hz.value_or(0.0), to),
                                 options.modes);
  found.status = found.frf.status;
  found.message = found.frf.message;
  found.modes = found.frf.modes;
  if (options.refine && !found.modes.empty()) refine(experiments, step, options, found);
  judge_modes(found);
  return found;
}

}  // namespace alembert::identify
