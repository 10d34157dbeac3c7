#include "alembert/identify/modes/ambient_modes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "alembert/core/check.hpp"
#include "alembert/core/error.hpp"
#include "core/algebra/decompositions.hpp"
#include "identify/modes/ambient/ambient_tracks.hpp"
#include "identify/modes/choice/mode_evidence.hpp"
#include "identify/modes/records/response_records.hpp"

namespace alembert::identify {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr const char* kAmbient = "identify_ambient_modes";
constexpr Index kUsualBlockRows = 50;
constexpr int kFewestBlocks = 8;
constexpr int kMostBlocks = 32;
constexpr Index kSamplesOfBlock = 1024;
constexpr double kUncertainDamping = 0.25;  // of sd_zeta to zeta
constexpr double kInPhase = 0.9;            // MPC

// All channels, or the principal components of the standardised ones.
MatrixXd reference_map(const std::vector<MatrixXd>& records, Index most) {
  const Index l = records.front().cols();
  if (l <= most) return MatrixXd::Identity(l, l);
  MatrixXd gram = MatrixXd::Zero(l, l);
  for (const MatrixXd& record : records) gram += record.transpose() * record;
  const Eigen::SelfAdjointEigenSolver<MatrixXd> parts(gram);
  return parts.eigenvectors().rightCols(most);
}

// The number of block rows: enough columns for the largest order.
Index rows_of_blocks(const AmbientOptions& options, Index references) {
  if (options.block_rows > 0) return options.block_rows;
  return std::max(kUsualBlockRows, (5 * Index{options.largest_order}) / (4 * references) + 1);
}

int number_of_blocks(const AmbientOptions& options, Index samples) {
  if (options.blocks > 0) return options.blocks;
  return static_cast<int>(std::clamp<Index>(samples / kSamplesOfBlock, kFewestBlocks, kMostBlocks));
}

void check_length(Index samples, Index lags) {
  if (samples >= kFewestBlocks * lags) return;
  throw InvalidInput(
      {.function = kAmbient,
       .argument = "records",
       .rule = fmt::format("must have at least {} samples for {} lags", kFewestBlocks * lags, lags),
       .value = std::to_string(samples)});
}

// Whether the covariances at lags above 0 differ from those of white noise. With nb blocks the
// ratio of a covariance to its deviation has a t distribution with nb - 1 degrees of freedom, whose
// square has the mean (nb - 1)/(nb - 3) and, for the sum over n entries, a deviation of about
// √(2/n) times that (more for few blocks, hence six of them).
bool has_memory(const modes::BlockCovariances& covariances) {
  const auto blocks = static_cast<double>(covariances.deviations.size());
  MatrixXd variance = MatrixXd::Zero(covariances.mean.rows(), covariances.mean.cols());
  for (const MatrixXd& one : covariances.deviations) variance += one.cwiseAbs2();
  const double ratio = covariances.mean.cwiseAbs2().cwiseQuotient(variance).mean();
  const double expected = (blocks - 1.0) / (blocks - 3.0);
  return ratio > expected * (1.0 + 6.0 * std::sqrt(2.0 / static_cast<double>(variance.size())));
}

Mode mode_of_pole(const modes::AmbientPole& pole, const VectorXd& rms) {
  Mode mode;
  mode.pole = pole.pole;
  mode.frequency_hz = pole.frequency_hz;
  mode.damping_ratio = pole.damping_ratio;
  mode.frequency_deviation = pole.frequency_deviation;
  mode.damping_deviation = pole.damping_deviation;
  mode.damping_known = mode.damping_ratio > 2.0 * mode.damping_deviation;
  if (!mode.damping_known) mode.remark = "damping is below twice its own deviation";
  mode.shape = rms.cast<std::complex<double>>().cwiseProduct(pole.shape);
  normalise_shape(mode);
  return mode;
}

// Noise between two modes may look like a pole over many orders. Its parts do not move in phase,
// and its damping is hardly known: both together are no mode.
bool looks_like_noise(const Mode& mode) {
  return mode.shape.size() > 2 && mode.collinearity < kInPhase &&
         mode.damping_deviation > kUncertainDamping * mode.damping_ratio;
}

bool is_in_band(double f, const AmbientOptions& options) {
  return f >= options.from_hz.value_or(0.0) && f <= options.to_hz.value_or(1e300) &&
         is_wanted(f, options.windows);
}

// First or second half: of the records, or of the samples of a single one.
std::vector<MatrixXd> half_of(const std::vector<MatrixXd>& records, bool second) {
  const auto half = static_cast<std::ptrdiff_t>(records.size() / 2);
  const auto middle = records.begin() + half;
  if (half > 0) {
    return second ? std::vector(middle, records.end()) : std::vector(records.begin(), middle);
  }
  const MatrixXd& one = records.front();
  const Index rows = one.rows() / 2;
  if (second) return {one.bottomRows(rows)};
  return {one.topRows(rows)};
}

void name_lack_of_modes(AmbientModes& found) {
  if (found.modes.empty()) {
    found.status = Status::NotIdentifiable;
    found.message =
        "no pole is seen in most orders with a frequency known to 1 % and a damping known to half; "
        "measure longer, or take the band of fewer modes";
  }
}

void judge_ambient(const std::vector<MatrixXd>& records, const std::vector<Mode>& first,
                   const std::vector<Mode>& second, AmbientModes& found) {
  Evidence evidence;
  evidence.add(found);
  for (const std::string& warning : found.warnings) evidence.add(TrustLevel::Caution, warning);
  modes::add_mode_evidence(found.modes, evidence);
  modes::add_clipping_evidence(records, evidence);
  modes::add_half_evidence(first, second, "the records", evidence);
  found.verdict = evidence.verdict();
}

AmbientModes find_ambient_modes(const std::vector<MatrixXd>& records, double step,
                                const AmbientOptions& options) {
  modes::ResponseRecords ready = modes::decimated_responses(records, step, options.to_hz);
  std::vector<MatrixXd>& scaled = ready.records;
  const VectorXd rms = modes::standardise(kAmbient, scaled);
  const MatrixXd reference = reference_map(scaled, options.references);
  AmbientModes found;
  found.decimation = ready.decimation;
  Index samples = 0;
  for (const MatrixXd& record : scaled) samples += record.rows();
  found.block_rows = rows_of_blocks(options, reference.cols());
  const Index lags = 2 * found.block_rows - 1;
  check_length(samples, lags);
  found.blocks = number_of_blocks(options, samples);
  const modes::BlockCovariances covariances =
      modes::block_covariances(scaled, reference, lags, found.blocks);
  if (!has_memory(covariances)) {
    name_lack_of_modes(found);
    return found;
  }
  const Index carried = std::min<Index>({options.largest_order, (found.block_rows - 1) * rms.size(),
                                         found.block_rows * reference.cols()});
  const modes::StochasticOrders all(covariances, found.block_rows, carried);
  found.singular_values = all.singular_values();
  std::vector<modes::AmbientOrder> orders;
  for (int n = options.smallest_order; n <= all.largest(); n += options.order_step) {
    orders.push_back(all.poles(n, ready.step, options.largest_damping));
  }
  modes::AmbientTracks tracks = modes::ambient_tracks(orders, options);
  found.diagram = std::move(tracks.diagram);
  for (const modes::AmbientPole& pole : tracks.chosen) {
    if (!is_in_band(pole.frequency_hz, options)) continue;
    Mode mode = mode_of_pole(pole, rms);
    if (!looks_like_noise(mode)) found.modes.push_back(std::move(mode));
  }
  std::sort(found.modes.begin(), found.modes.end(),
            [](const Mode& a, const Mode& b) { return a.frequency_hz < b.frequency_hz; });
  name_lack_of_modes(found);
  return found;
}

// Nothing where half of the records is too short.
std::vector<Mode> modes_of_half(const std::vector<MatrixXd>& records, double step,
                                const AmbientOptions& options) {
  try {
    return find_ambient_modes(records, step, options).modes;
  } catch (const InvalidInput&) {
    return {};
  }
}

}  // namespace

AmbientModes identify_ambient_modes(const std::vector<MatrixXd>& records, double step,
                                    const AmbientOptions& options) {
  modes::check_responses(kAmbient, records);
  check::positive(kAmbient, "step", step);
  check::at_least(kAmbient, "smallest_order", options.smallest_order, 2);
  check::at_least(kAmbient, "order_step", options.order_step, 1);
  AmbientModes found = find_ambient_modes(records, step, options);
  std::vector<Mode> first, second;
  if (!found.modes.empty()) {
    first = modes_of_half(half_of(records, false), step, options);
    if (!first.empty()) second = modes_of_half(half_of(records, true), step, options);
  }
  judge_ambient(records, first, second, found);
  return found;
}

}  // namespace alembert::identify
