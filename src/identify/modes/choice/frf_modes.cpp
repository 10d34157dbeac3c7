#include "alembert/identify/modes/frf_modes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "identify/modes/choice/frf_choice.hpp"
#include "identify/modes/choice/frf_tracks.hpp"
#include "identify/modes/choice/line_noise.hpp"
#include "identify/modes/choice/mode_evidence.hpp"

namespace alembert::identify {
namespace {

using Eigen::Index;
using Eigen::VectorXd;

constexpr int kPasses = 3;
constexpr double kSamePole = 0.002;  // of |λ|
constexpr double kPeakDamping = 0.002;

bool is_known_pole(const FrfPole& one, const std::vector<FrfPole>& known) {
  const double near = std::max(kSamePole * std::abs(one.pole), -one.pole.real());
  return std::any_of(known.begin(), known.end(),
                     [&](const FrfPole& other) { return std::abs(other.pole - one.pole) < near; });
}

// A pole at the line of the largest response: so rough that no order shows it twice, it may still
// be one.
FrfPole highest_peak(const FrfData& data) {
  Index line = 0;
  data.values.rowwise().squaredNorm().maxCoeff(&line);
  const double omega = 2.0 * std::numbers::pi * data.frequencies_hz(line);
  return {.pole = {-kPeakDamping * omega, omega},
          .participation = Eigen::VectorXcd::Ones(data.inputs)};
}

// Candidates of lines weighed by their deviations, and those that only equal weights show.
modes::FrfTracks candidates_of(const FrfModes& found, const FrfModesOptions& options) {
  modes::FrfTracks tracks =
      modes::frf_tracks(plscf_poles(found.data, options.plscf), options.shortest_track);
  if (!found.deviations_estimated) return tracks;
  FrfData equal = found.data;
  equal.line_deviation.resize(0);
  modes::FrfTracks more =
      modes::frf_tracks(plscf_poles(equal, options.plscf), options.shortest_track);
  if (tracks.candidates.empty()) tracks.diagram = std::move(more.diagram);
  more.candidates.push_back(highest_peak(found.data));
  for (FrfPole& one : more.candidates) {
    if (!is_known_pole(one, tracks.candidates)) tracks.candidates.push_back(std::move(one));
  }
  return tracks;
}

void find_once(const FrfModesOptions& options, FrfModes& found) {
  modes::FrfTracks tracks = candidates_of(found, options);
  found.candidates = tracks.candidates.size();
  found.diagram = std::move(tracks.diagram);
  modes::ChosenModel chosen = modes::choose_frf_modes(found.data, tracks.candidates, options);
  found.beyond = chosen.fit.modes.size() - chosen.reported;
  found.fit = std::move(chosen.fit);
}

// Damping needs a half-power width of a line, and twice its own deviation.
void judge_damping(double line_hz, Mode& mode) {
  const double width = 2.0 * mode.damping_ratio * mode.frequency_hz;
  if (width < line_hz) {
    mode.damping_known = false;
    mode.remark =
        fmt::format("half-power width {:.3g} Hz is below one line ({:.3g} Hz)", width, line_hz);
  } else if (mode.damping_ratio < 2.0 * mode.damping_deviation) {
    mode.damping_known = false;
    mode.remark = "damping is below twice its own deviation";
  }
}

Mode mode_of(const FrfModes& found, Index r) {
  const FrfPole& pole = found.fit.modes[static_cast<std::size_t>(r)];
  Mode mode;
  mode.pole = pole.pole;
  mode.frequency_hz = pole.frequency_hz();
  mode.damping_ratio = pole.damping_ratio();
  mode.frequency_deviation = found.fit.frequency_deviation(r);
  mode.damping_deviation = found.fit.damping_deviation(r);
  mode.shape = found.fit.shapes.col(r);
  mode.shape_deviation = found.fit.shape_deviation.col(r);
  mode.participation = pole.participation;
  Index largest = 0;
  mode.shape.cwiseAbs().maxCoeff(&largest);
  Index driven = 0;
  mode.participation.cwiseAbs().maxCoeff(&driven);
  mode.residue = mode.shape(largest) * mode.participation(driven);
  mode.participation = (mode.participation / mode.participation(driven)).eval();
  normalise_shape(mode);
  return mode;
}

}  // namespace

bool is_wanted(double frequency_hz, const std::vector<ModeWindow>& windows) {
  bool chosen = false;
  bool kept = false;
  for (const ModeWindow& one : windows) {
    const bool inside = frequency_hz >= one.from_hz && frequency_hz <= one.to_hz;
    if (inside && !one.keep) return false;
    chosen = chosen || one.keep;
    kept = kept || inside;
  }
  return kept || !chosen;
}

FrfModes identify_frf_modes(const FrfData& data, const FrfModesOptions& options) {
  check_frf_data("identify_frf_modes", data);
  FrfModes found;
  found.data = data;
  found.deviations_estimated = data.line_deviation.size() == 0;
  if (found.deviations_estimated) {
    found.data.line_deviation = modes::first_line_noise(data).deviation;
    for (int pass = 1; pass < kPasses; ++pass) {
      find_once(options, found);
      const modes::LineNoise noise = modes::line_noise(found.data, found.fit);
      found.data.line_deviation = noise.deviation;
      found.relative_noise = noise.relative;
    }
  }
  find_once(options, found);
  const double line_hz = (data.frequencies_hz(data.lines() - 1) - data.frequencies_hz(0)) /
                         static_cast<double>(data.lines() - 1);
  const auto reported = static_cast<Index>(found.fit.modes.size() - found.beyond);
  for (Index r = 0; r < reported; ++r) {
    Mode mode = mode_of(found, r);
    if (!is_wanted(mode.frequency_hz, options.windows)) continue;
    judge_damping(line_hz, mode);
    found.modes.push_back(std::move(mode));
  }
  if (found.modes.empty()) {
    found.status = Status::NotIdentifiable;
    found.message = fmt::format(
        "no mode between {:.6g} and {:.6g} Hz stands above the noise ({} candidates); look at the "
        "responses, or widen the band",
        data.frequencies_hz(0), data.frequencies_hz(data.lines() - 1), found.candidates);
  }
  Evidence evidence;
  evidence.add(found);
  modes::add_mode_evidence(found.modes, evidence);
  found.verdict = evidence.verdict();
  return found;
}

}  // namespace alembert::identify
