#include "alembert/identify/modes/record_modes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>
#include <optional>
#include <utility>

#include "alembert/core/check.hpp"
#include "alembert/core/error.hpp"
#include "alembert/identify/modes/hammer.hpp"
#include "identify/modes/choice/mode_evidence.hpp"
#include "identify/modes/records/band_fit.hpp"
#include "identify/modes/records/blow_segments.hpp"

namespace alembert::identify {
namespace {

using Eigen::Index;
using Eigen::VectorXd;

constexpr double kMostNumbers = 6e7;  // of the matrix of signals: 0.5 GB
constexpr double kFurthest = 0.02;    // that a refined frequency may be from that of the FRFs
constexpr double kHighest = 0.8;      // of half the sampling rate
constexpr double kSameStart = 0.002;  // of |λ|, or the decay if that is more
constexpr double kLeastStart = 1e-4;  // damping of a start, where a window took more than all

bool is_complete(const std::vector<signal::InputOutput>& experiments) {
  return std::all_of(experiments.begin(), experiments.end(), [](const signal::InputOutput& one) {
    return one.inputs.allFinite() && one.outputs.allFinite();
  });
}

bool in_band(double frequency_hz, const RecordModes& found) {
  const VectorXd& f = found.frf.data.frequencies_hz;
  return frequency_hz >= f(0) && frequency_hz <= f(f.size() - 1);
}

// Without the decay that the window of the responses added.
std::complex<double> without_window(std::complex<double> pole, const RecordModes& found) {
  if (found.added_decay == 0.0) return pole;
  return {std::min(pole.real() + found.added_decay, -kLeastStart * std::abs(pole)), pole.imag()};
}

std::vector<FrfPole> start_terms(const RecordModes& found) {
  std::vector<FrfPole> terms = found.frf.fit.modes;
  for (FrfPole& one : terms) one.pole = without_window(one.pole, found);
  return terms;
}

// Frequency and damping of the modes of windowed responses.
void take_window_off(RecordModes& found) {
  for (Mode& mode : found.modes) {
    mode.pole += found.added_decay;
    mode.frequency_hz = std::abs(mode.pole) / (2.0 * std::numbers::pi);
    mode.damping_ratio = -mode.pole.real() / std::abs(mode.pole);
    if (mode.damping_ratio > 2.0 * mode.damping_deviation) continue;
    mode.damping_known = false;
    mode.remark = "damping is below twice its own deviation";
  }
}

// Whether the FRFs have a term within 2 % and what their lines resolve.
bool is_near_start(const FrfPole& pole, const RecordModes& found,
                   const std::vector<FrfPole>& start) {
  const double line = 2.0 * std::numbers::pi * found.measured.averaging.resolution_hz;
  return std::any_of(start.begin(), start.end(), [&](const FrfPole& one) {
    return std::abs(one.pole - pole.pole) < kFurthest * std::abs(one.pole) + line;
  });
}

// The first term of the band that the fit led away from every term of the FRFs; -1 if there is
// none.
Index astray(const std::vector<FrfPole>& poles, const RecordModes& found,
             const std::vector<FrfPole>& start) {
  for (std::size_t r = 0; r < poles.size(); ++r) {
    if (in_band(poles[r].frequency_hz(), found) && !is_near_start(poles[r], found, start)) {
      return static_cast<Index>(r);
    }
  }
  return -1;
}

// The modes of the band that are wanted.
void take_refined(const modes::BandFit& refinement, const RecordModesOptions& options,
                  RecordModes& found) {
  std::vector<Mode> refined;
  for (Mode& mode : refinement.modes()) {
    if (!in_band(mode.frequency_hz, found)) continue;
    if (is_wanted(mode.frequency_hz, options.modes.windows)) refined.push_back(std::move(mode));
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

// The records up to lengths whose transforms are fast.
std::vector<signal::InputOutput> shortened(const std::vector<signal::InputOutput>& experiments) {
  std::vector<signal::InputOutput> list;
  for (const signal::InputOutput& one : experiments) {
    const Index count = modes::smooth_length(one.outputs.rows());
    list.push_back({.inputs = one.inputs.topRows(count), .outputs = one.outputs.topRows(count)});
  }
  return list;
}

void refine_on_records(const std::vector<signal::InputOutput>& records, double step,
                       const RecordModesOptions& options, std::vector<FrfPole> start,
                       RecordModes& found) {
  const std::vector<signal::InputOutput> experiments = shortened(records);
  // A term above half the sampling rate has no place in sampled records.
  std::erase_if(start, [&](const FrfPole& one) { return one.frequency_hz() * step >= 0.5; });
  const VectorXd& f = found.frf.data.frequencies_hz;
  modes::BandFit refinement(experiments, step,
                            {.from_hz = f(0),
                             .to_hz = f(f.size() - 1),
                             .iterations = options.modes.fit.iterations,
                             .false_alarm = options.modes.false_alarm,
                             .frequency_share = options.modes.largest_frequency_share,
                             .damping_share = options.modes.largest_damping_share});
  refinement.run(start);
  for (Index lost = astray(refinement.poles(), found, start); lost >= 0;
       lost = astray(refinement.poles(), found, start)) {
    refinement.remove(static_cast<std::size_t>(lost));
  }
  found.iterations = refinement.iterations();
  found.modes.clear();
  if (!refinement.poles().empty()) take_refined(refinement, options, found);
  if (!found.modes.empty()) return;
  found.status = Status::NotIdentifiable;
  found.message =
      "the frequency responses show modes that the records themselves do not support; hit harder, "
      "measure longer, or take the band that the force excites";
}

void refine(const std::vector<signal::InputOutput>& experiments, double step,
            const RecordModesOptions& options, std::vector<FrfPole> start, RecordModes& found) {
  Index rows = 0;
  for (const signal::InputOutput& one : experiments) rows += one.outputs.rows();
  const auto modes = static_cast<Index>(start.size());
  const Index inputs = experiments.front().inputs.cols();
  const Index columns = 2 * modes * (1 + inputs + static_cast<Index>(experiments.size()));
  if (!is_complete(experiments)) {
    found.warnings.push_back("samples are missing: the modes are those of the FRFs");
  } else if (static_cast<double>(rows) * static_cast<double>(columns) > kMostNumbers) {
    found.warnings.push_back(
        "the records are too long to be fitted sample by sample: the modes "
        "are those of the FRFs");
  } else {
    refine_on_records(experiments, step, options, std::move(start), found);
  }
}

// First or second half: of the experiments, or of the samples of a single one.
std::vector<signal::InputOutput> half_of(const std::vector<signal::InputOutput>& experiments,
                                         bool second) {
  const auto half = static_cast<std::ptrdiff_t>(experiments.size() / 2);
  const auto middle = experiments.begin() + half;
  if (half > 0) {
    return second ? std::vector(middle, experiments.end())
                  : std::vector(experiments.begin(), middle);
  }
  const signal::InputOutput& one = experiments.front();
  const Index rows = one.outputs.rows() / 2;
  if (second) return {{one.inputs.bottomRows(rows), one.outputs.bottomRows(rows)}};
  return {{one.inputs.topRows(rows), one.outputs.topRows(rows)}};
}

void judge_modes(const std::vector<signal::InputOutput>& experiments,
                 const std::vector<Mode>& first, const std::vector<Mode>& second,
                 RecordModes& found) {
  Evidence evidence;
  evidence.add(found);
  for (const std::string& warning : found.warnings) evidence.add(TrustLevel::Caution, warning);
  modes::add_mode_evidence(found.modes, evidence);
  std::vector<Eigen::MatrixXd> responses;
  for (const signal::InputOutput& one : experiments) responses.push_back(one.outputs);
  modes::add_clipping_evidence(responses, evidence);
  for (const std::string& blow : found.bad_blows) {
    evidence.add(TrustLevel::Caution, blow,
                 "hit again: too many blows are like this to leave them out");
  }
  modes::add_half_evidence(first, second, "the records", evidence);
  if (!found.measured.warning.empty()) {
    evidence.add(TrustLevel::Caution, found.measured.warning,
                 "take the band where all forces excite the structure");
  }
  found.verdict = evidence.verdict();
}

// Modes of responses that are averaged in one way, before the records are fitted themselves.
RecordModes modes_of_responses(const std::vector<signal::InputOutput>& experiments, double step,
                               const signal::FrfOptions& frf, double added_decay,
                               const RecordModesOptions& options) {
  RecordModes found;
  found.added_decay = added_decay;
  found.measured = signal::estimate_frf(experiments, step, frf);
  const double to = options.to_hz.value_or(kHighest * 0.5 / step);
  FrfData lines = frf_data(found.measured, options.from_hz.value_or(0.0), to);
  // A few blows tell little of the noise of a line, and a window correlates the lines.
  if (added_decay > 0.0) lines.line_deviation.resize(0);
  found.frf = identify_frf_modes(lines, options.modes);
  found.status = found.frf.status;
  found.message = found.frf.message;
  found.modes = found.frf.modes;
  if (added_decay > 0.0) take_window_off(found);
  return found;
}

// Nothing where the blows leave too few lines in the band.
std::optional<RecordModes> modes_of_blows(const std::vector<signal::InputOutput>& experiments,
                                          double step, const RecordModesOptions& options) {
  const std::optional<modes::BlowSegments> blows =
      modes::blow_segments(experiments, step, options.frf);
  if (!blows) return {};
  try {
    return modes_of_responses(blows->segments, step, blows->frf, blows->added_decay, options);
  } catch (const InvalidInput&) {
    return {};
  }
}

// The terms of the band that another way of averaging shows and this one does not.
void add_others(const RecordModes& other, std::vector<FrfPole>& start) {
  for (const FrfPole& one : start_terms(other)) {
    if (!in_band(one.frequency_hz(), other)) continue;
    const bool known = std::any_of(start.begin(), start.end(), [&](const FrfPole& mine) {
      const double near = std::max(kSameStart * std::abs(mine.pole), -mine.pole.real());
      return std::abs(mine.pole - one.pole) < near;
    });
    if (!known) start.push_back(one);
  }
}

// Blows close to each other cut light modes short, and segments that lie anywhere tear blows apart:
// of a hammer both are tried, the records decide.
RecordModes find_record_modes(const std::vector<signal::InputOutput>& experiments, double step,
                              const RecordModesOptions& options) {
  RecordModes found = modes_of_responses(experiments, step, options.frf, 0.0, options);
  std::optional<RecordModes> blows = modes_of_blows(experiments, step, options);
  if (blows && blows->modes.size() >= found.modes.size()) std::swap(found, *blows);
  if (!options.refine || found.modes.empty()) return found;
  std::vector<FrfPole> start = start_terms(found);
  if (blows) add_others(*blows, start);
  refine(experiments, step, options, std::move(start), found);
  return found;
}

// Nothing where half of the records is too short for the averages, or has no refined modes.
std::vector<Mode> modes_of_half(const std::vector<signal::InputOutput>& experiments, double step,
                                const RecordModesOptions& options) {
  try {
    const RecordModes found = find_record_modes(experiments, step, options);
    if (found.ok() && found.refined) return found.modes;
  } catch (const InvalidInput&) {
    // Said by nobody: the whole records were long enough.
  }
  return {};
}

}  // namespace

RecordModes identify_record_modes(const std::vector<signal::InputOutput>& records, double step,
                                  const RecordModesOptions& options) {
  check::positive("identify_record_modes", "step", step);
  HammerRecords blows = without_bad_blows(records, step);
  const std::vector<signal::InputOutput>& experiments = blows.experiments;
  RecordModes found = find_record_modes(experiments, step, options);
  found.left_out = std::move(blows.left_out);
  found.bad_blows = std::move(blows.doubts);
  std::vector<Mode> first, second;
  if (found.ok() && found.refined) {
    first = modes_of_half(half_of(experiments, false), step, options);
    if (!first.empty()) second = modes_of_half(half_of(experiments, true), step, options);
  }
  judge_modes(experiments, first, second, found);
  return found;
}

}  // namespace alembert::identify
