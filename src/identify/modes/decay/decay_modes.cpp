#include "alembert/identify/modes/decay_modes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "alembert/core/check.hpp"
#include "alembert/core/error.hpp"
#include "alembert/model/modes.hpp"
#include "identify/modes/choice/mode_evidence.hpp"
#include "identify/modes/decay/decay_poles.hpp"
#include "identify/modes/decay/decay_window.hpp"
#include "identify/modes/records/band_fit.hpp"
#include "identify/modes/records/response_records.hpp"

namespace alembert::identify {
namespace {

using Complex = std::complex<double>;
using Eigen::Index;
using Eigen::MatrixXcd;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr const char* kDecay = "identify_decay_modes";
constexpr Index kFewestDecayRows = 64;
constexpr Index kFilterRows = 70;      // in which the decimation smears the tap
constexpr double kQuietCycles = 20.0;  // before the tap, to know a steady vibration
constexpr double kSteadyShare = 0.5;   // of its amplitude before the tap to that after
constexpr double kSameShape = 0.95;    // MAC

// The decays of standardised records and what went before the taps.
struct Decays {
  std::vector<MatrixXd> decays, quiet;
  double step = 0.0;
};

Decays cut_decays(const modes::ResponseRecords& ready, const DecayOptions& options,
                  DecayModes& found) {
  Decays all{.decays = {}, .quiet = {}, .step = ready.step};
  for (const MatrixXd& record : ready.records) {
    const modes::DecayRows rows = modes::find_decay(record, ready.step, options);
    if (rows.count < kFewestDecayRows) {
      throw InvalidInput({.function = kDecay,
                          .argument = fmt::format("the decay of record {}", all.decays.size() + 1),
                          .rule = fmt::format("must have at least {} samples", kFewestDecayRows),
                          .value = fmt::format("{} from {:.4g} s", rows.count,
                                               static_cast<double>(rows.first) * ready.step)});
    }
    const Index count = modes::smooth_length(rows.count);
    all.decays.push_back(record.middleRows(rows.first, count));
    all.quiet.push_back(record.topRows(std::max<Index>(0, rows.peak - kFilterRows)));
    found.windows.push_back({.peak = static_cast<double>(rows.peak) * ready.step,
                             .start = static_cast<double>(rows.first) * ready.step,
                             .length = static_cast<double>(count) * ready.step});
  }
  return all;
}

// A decay is the response to an impulse of its own at its first sample.
std::vector<signal::InputOutput> as_impulse_tests(const std::vector<MatrixXd>& decays) {
  std::vector<signal::InputOutput> experiments;
  const auto count = static_cast<Index>(decays.size());
  for (Index e = 0; e < count; ++e) {
    const MatrixXd& decay = decays[static_cast<std::size_t>(e)];
    MatrixXd impulse = MatrixXd::Zero(decay.rows(), count);
    impulse(0, e) = 1.0;
    experiments.push_back({.inputs = std::move(impulse), .outputs = decay});
  }
  return experiments;
}

// Size of each pole over all decays, outputs together.
VectorXd pole_amplitudes(const Decays& all, const std::vector<FrfPole>& poles) {
  VectorXd squares = VectorXd::Zero(static_cast<Index>(poles.size()));
  for (const MatrixXd& decay : all.decays) {
    squares += modes::decay_residues(decay, all.step, poles).colwise().squaredNorm().transpose();
  }
  return squares.cwiseSqrt();
}

bool are_one_mode(const FrfPole& a, const FrfPole& b, const MatrixXcd& shapes, Index i, Index k) {
  const double apart = std::abs(a.frequency_hz() - b.frequency_hz()) / a.frequency_hz();
  if (apart >= 2.0 * std::max(a.damping_ratio(), b.damping_ratio())) return false;
  return shapes.rows() == 1 || model::mac(shapes.col(i), shapes.col(k)) > kSameShape;
}

// A term below 1 % of the largest, or the smaller of two that are one mode; -1 if there is none.
Index surplus_term(const Decays& all, const std::vector<FrfPole>& poles, double least) {
  const VectorXd sizes = pole_amplitudes(all, poles);
  Index smallest = 0;
  if (sizes.minCoeff(&smallest) < least * sizes.maxCoeff()) return smallest;
  const MatrixXcd shapes = modes::decay_residues(all.decays.front(), all.step, poles);
  for (Index i = 0; i < sizes.size(); ++i) {
    for (Index k = 0; k < i; ++k) {
      const auto at = static_cast<std::size_t>(i);
      const auto other = static_cast<std::size_t>(k);
      if (are_one_mode(poles[at], poles[other], shapes, i, k)) return sizes(i) < sizes(k) ? i : k;
    }
  }
  return -1;
}

// Amplitude of a sine of the frequency before the tap, outputs together; 0 if too little is known.
double quiet_amplitude(const MatrixXd& quiet, double step, double frequency_hz) {
  if (static_cast<double>(quiet.rows()) * step * frequency_hz < kQuietCycles) return 0.0;
  const Complex pole(0.0, 2.0 * std::numbers::pi * frequency_hz);
  return modes::decay_residues(quiet, step, {{.pole = pole, .participation = {}}}).norm();
}

// Why a term is no mode but a steady vibration; "" if it is one.
std::string steady_words(const Decays& all, const std::vector<FrfPole>& poles, std::size_t r,
                         const Mode& mode) {
  if (mode.damping_ratio < 2.0 * mode.damping_deviation) {
    return fmt::format("it does not decay: damping {:.2g} % ± {:.2g} %", 100.0 * mode.damping_ratio,
                       100.0 * mode.damping_deviation);
  }
  for (std::size_t e = 0; e < all.decays.size(); ++e) {
    const double before = quiet_amplitude(all.quiet[e], all.step, mode.frequency_hz);
    const double after =
        modes::decay_residues(all.decays[e], all.step, poles).col(static_cast<Index>(r)).norm();
    if (before < kSteadyShare * after) continue;
    return fmt::format("it is there before the tap with {:.0f} % of its amplitude after it",
                       100.0 * before / after);
  }
  return {};
}

void sort_modes(std::vector<Mode>& modes) {
  std::sort(modes.begin(), modes.end(),
            [](const Mode& a, const Mode& b) { return a.frequency_hz < b.frequency_hz; });
}

void take_modes(const modes::BandFit& refinement, const Decays& all, const VectorXd& rms,
                const DecayOptions& options, DecayModes& found) {
  std::vector<Mode> list = refinement.modes();
  for (std::size_t r = 0; r < list.size(); ++r) {
    Mode& mode = list[r];
    mode.shape = rms.cast<Complex>().cwiseProduct(mode.shape).eval();
    mode.shape_deviation = rms.cwiseProduct(mode.shape_deviation).eval();
    normalise_shape(mode);
    const std::string steady = steady_words(all, refinement.poles(), r, mode);
    if (!steady.empty()) {
      mode.remark = steady;
      found.harmonics.push_back(std::move(mode));
    } else if (mode.frequency_hz >= options.from_hz.value_or(0.0) &&
               mode.frequency_hz <= options.to_hz.value_or(1e300) &&
               is_wanted(mode.frequency_hz, options.windows)) {
      found.modes.push_back(std::move(mode));
    }
  }
  sort_modes(found.modes);
  sort_modes(found.harmonics);
}

// Measured and fitted decays; a constant is no part of the fit.
void take_signals(const modes::BandFit& refinement, const Decays& all, const VectorXd& rms,
                  DecayModes& found) {
  found.outputs = refinement.output_fits();
  const MatrixXd model = refinement.fitted();
  Index row = 0;
  for (const MatrixXd& decay : all.decays) {
    MatrixXd fitted = model.middleRows(row, decay.rows());
    fitted.rowwise() += (decay - fitted).colwise().mean().eval();
    found.measured.push_back(decay * rms.asDiagonal());
    found.fitted.push_back(fitted * rms.asDiagonal());
    row += decay.rows();
  }
  for (std::size_t o = 0; o < found.outputs.size(); ++o) {
    found.outputs[o].residual *= rms(static_cast<Index>(o));
  }
}

void fit_decays(const Decays& all, const VectorXd& rms, std::vector<FrfPole> start,
                const DecayOptions& options, DecayModes& found) {
  const std::vector<signal::InputOutput> experiments = as_impulse_tests(all.decays);
  const double highest = 0.5 / all.step;
  modes::BandFit refinement(experiments, all.step,
                            {.from_hz = options.from_hz.value_or(0.0),
                             .to_hz = std::min(options.to_hz.value_or(highest), highest),
                             .false_alarm = options.false_alarm,
                             .frequency_share = options.largest_frequency_share,
                             .damping_share = options.largest_damping_share,
                             .starts = modes::StartStates::AtRest,
                             .steady = true});
  refinement.run(std::move(start));
  while (!refinement.poles().empty()) {
    const Index surplus = surplus_term(all, refinement.poles(), options.least_amplitude);
    if (surplus < 0) break;
    refinement.remove(static_cast<std::size_t>(surplus));
  }
  found.iterations = refinement.iterations();
  if (refinement.poles().empty()) return;
  take_modes(refinement, all, rms, options, found);
  take_signals(refinement, all, rms, found);
  if (!refinement.fit().ok()) found.warnings.push_back("fit: " + refinement.fit().message);
}

void name_lack_of_modes(DecayModes& found) {
  if (found.modes.empty()) {
    found.status = Status::NotIdentifiable;
    found.message = fmt::format(
        "no decaying mode stands above the noise ({} candidates, {} steady vibrations); look at "
        "where the decay begins and ends, or tap harder",
        found.candidates, found.harmonics.size());
  }
}

DecayModes find_decay_modes(const std::vector<MatrixXd>& records, double step,
                            const DecayOptions& options) {
  modes::ResponseRecords ready = modes::decimated_responses(records, step, options.to_hz);
  const VectorXd rms = modes::standardise(kDecay, ready.records);
  DecayModes found;
  found.step = ready.step;
  found.decimation = ready.decimation;
  const Decays all = cut_decays(ready, options, found);
  modes::DecayCandidates candidates = modes::decay_candidates(all.decays, ready.step, options);
  found.diagram = std::move(candidates.diagram);
  found.singular_values = std::move(candidates.singular_values);
  found.candidates = candidates.poles.size();
  if (!candidates.poles.empty()) {
    modes::set_decay_participations(all.decays, ready.step, candidates.poles);
    fit_decays(all, rms, std::move(candidates.poles), options, found);
  }
  name_lack_of_modes(found);
  return found;
}

// Nothing where a part of the decays is too short.
std::vector<Mode> modes_of_part(const std::vector<MatrixXd>& records, double step,
                                const DecayOptions& options) {
  try {
    return find_decay_modes(records, step, options).modes;
  } catch (const InvalidInput&) {
    return {};
  }
}

// A frequency that changes with the amplitude is another one later in the decay.
void compare_early_and_late(const std::vector<MatrixXd>& records, double step,
                            const DecayOptions& options, const DecayModes& found,
                            Evidence& evidence) {
  const DecayWindow& window = found.windows.front();
  DecayOptions early = options, late = options;
  early.start = window.start - window.peak;
  early.length = 0.5 * window.length;
  late.start = *early.start + *early.length;
  late.length = early.length;
  modes::add_half_evidence(modes_of_part(records, step, early), modes_of_part(records, step, late),
                           "the decays", evidence);
}

void compare_records(const std::vector<MatrixXd>& records, double step, const DecayOptions& options,
                     Evidence& evidence) {
  if (records.size() < 2) return;
  const auto middle = records.begin() + static_cast<std::ptrdiff_t>(records.size() / 2);
  modes::add_half_evidence(modes_of_part({records.begin(), middle}, step, options),
                           modes_of_part({middle, records.end()}, step, options), "the records",
                           evidence);
}

}  // namespace

DecayModes identify_decay_modes(const std::vector<MatrixXd>& records, double step,
                                const DecayOptions& options) {
  modes::check_responses(kDecay, records);
  check::positive(kDecay, "step", step);
  check::at_least(kDecay, "largest_order", options.largest_order, 2);
  DecayModes found = find_decay_modes(records, step, options);
  Evidence evidence;
  evidence.add(found);
  for (const std::string& warning : found.warnings) evidence.add(TrustLevel::Caution, warning);
  modes::add_mode_evidence(found.modes, evidence);
  modes::add_clipping_evidence(records, evidence);
  if (!found.modes.empty()) {
    compare_early_and_late(records, step, options, found, evidence);
    compare_records(records, step, options, evidence);
  }
  found.verdict = evidence.verdict();
  return found;
}

}  // namespace alembert::identify
