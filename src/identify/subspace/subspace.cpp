#include "alembert/identify/subspace.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <random>

#include "alembert/core/check.hpp"
#include "alembert/core/error.hpp"
#include "alembert/core/parallel.hpp"
#include "core/algebra/lapack.hpp"
#include "identify/subspace/inputs.hpp"
#include "identify/subspace/noise.hpp"
#include "identify/subspace/steps.hpp"

namespace alembert::identify::realisation {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

constexpr double kRankTolerance = 1e-6;
// Below this the normal equations of G and J are singular to working precision.
constexpr double kSingular = 1e-14;
// Eigenvectors beyond this are of a defective F: two poles that cannot be told apart.
constexpr double kDefective = 1e9;
constexpr double kSplitting = 1e-10;

Index choose_order(const Compression& data, const Projection& projection, Index highest,
                   SubspaceModel& result) {
  const Index above = order_above_noise(data, highest);
  const Index gap = order_at_gap(projection.values, 1, highest);
  if (above == 0) {
    result.status = Status::NotIdentifiable;
    result.message =
        "no singular value stands above the noise: the past does not predict the outputs; check "
        "the signal-to-noise ratio, or use a longer record";
    return gap;
  }
  // Shifted copies of the same noise correlate, which lifts a few of its singular values over the
  // edge: the clearest gap below it is taken, but weak modes must not fall to the gap after strong
  // ones.
  const Index order = order_at_gap(projection.values, (3 * above + 4) / 5, above);
  if (gap != order) {
    result.warnings.push_back(fmt::format(
        "the order {} is uncertain: {} singular values stand above the noise, the largest gap is "
        "after {}; look at the stabilisation table",
        order, above, gap));
  }
  return order;
}

// Two equal poles with one eigenvector have no modal form: F is moved by a part in 1e10, far below
// what any record resolves, which moves double poles by a part in 1e5.
RealModes separated_modes(MatrixXd& F, std::vector<std::string>& warnings) {
  RealModes modes = real_modes(F);
  if (modes.condition < kDefective) return modes;
  std::mt19937_64 engine(1);
  const double size = kSplitting * F.norm();
  for (double& entry : F.reshaped()) {
    entry += size * (2.0 * static_cast<double>(engine() >> 11) / 9007199254740992.0 - 1.0);
  }
  warnings.push_back("the model has multiple poles; they were moved apart by a part in 1e5");
  return real_modes(F);
}

// The input channels to blame for a singular fit.
std::string guilty_inputs(const Experiments& data) {
  const Index m = data.front().input.cols();
  MatrixXd gram = MatrixXd::Zero(m, m);
  for (const Experiment& experiment : data) {
    gram += experiment.input.transpose() * experiment.input;
  }
  for (Index i = 0; i < m; ++i) {
    if (gram(i, i) == 0.0) return fmt::format("input {} is zero", i + 1);
    for (Index j = 0; j < i; ++j) {
      if (gram(i, j) * gram(i, j) > (1.0 - 1e-12) * gram(i, i) * gram(j, j)) {
        return fmt::format("inputs {} and {} are proportional", j + 1, i + 1);
      }
    }
  }
  return "the inputs have too few frequencies";
}

void judge(const Experiments& data, const SubspaceOptions& options, const InputFit& fit,
           const RealModes& modes, SubspaceModel& result) {
  const Excitation& input = result.excitation;
  if (input.rank < input.full) {
    result.warnings.push_back(fmt::format(
        "the input Hankel matrix has rank {} of {}: a smooth input or one with few frequencies",
        input.rank, input.full));
  }
  if (!result.ok()) return;
  double radius = 0.0;
  for (const std::complex<double>& pole : modes.poles) radius = std::max(radius, std::abs(pole));
  if (fit.reciprocal_condition < kSingular) {
    result.status = Status::NotIdentifiable;
    result.message = fmt::format(
        "the input cannot tell the columns of G{} apart: {}; excite all inputs independently",
        options.feedthrough ? " and J" : "", guilty_inputs(data));
  } else if (!fit.G.allFinite() || !fit.J.allFinite()) {
    result.status = Status::NotFinite;
    result.message = "the least-squares fit of G and J left the range of numbers";
  } else if (radius > 1.0 + 1e-9) {
    result.status = Status::Unstable;
    result.message = fmt::format(
        "a pole has the magnitude {:.6g}: the order may be too high, or the record too short",
        radius);
  }
}

// From channels of unit size to those of the user.
void set_model(const ShiftModel& shift, const InputFit& fit, const ChannelScales& scales,
               const Experiments& data, Index stride, DiscreteModel& model) {
  model.F = shift.F;
  model.H = scales.output.asDiagonal() * shift.H;
  const VectorXd per_input = scales.input.cwiseInverse();
  model.G = fit.G * per_input.asDiagonal();
  model.J = scales.output.asDiagonal() * fit.J * per_input.asDiagonal();
  model.noise = scales.output.asDiagonal() * fit.covariance * scales.output.asDiagonal();
  model.start.resize(shift.F.rows(), static_cast<Index>(data.size()));
  Index part = 0;
  for (std::size_t e = 0; e < data.size(); ++e) {
    model.start.col(static_cast<Index>(e)) = fit.start.col(part);
    part += std::min(stride, data[e].samples());
  }
  model.step = data.front().step * static_cast<double>(stride);
}

void set_noise(const NoiseModel& noise, const ChannelScales& scales, SubspaceModel& result) {
  result.model.gain = noise.gain * scales.output.cwiseInverse().asDiagonal();
  if (!noise.estimated) {
    result.warnings.push_back("the outputs have no noise to estimate a Kalman gain from");
    return;
  }
  result.model.noise = scales.output.asDiagonal() * noise.covariance * scales.output.asDiagonal();
}

}  // namespace

PreparedData prepare(std::string_view function, const Experiments& data,
                     const SubspaceOptions& options, Index least_order, CompressionWay way) {
  check_experiments(function, data);
  check::at_least(function, "stride", options.stride, 1);
  check::at_least(function, "horizon", options.horizon, 0);
  check::at_least(function, "order", options.order, 0);
  if (has_missing(data)) {
    throw InvalidInput({.function = std::string(function),
                        .item = "the outputs",
                        .rule = "must have no missing samples"});
  }
  PreparedData prepared;
  prepared.parts = sequences(data, options.stride);
  prepared.scales = channel_scales(data);
  const Index outputs = prepared.scales.output.size();
  const Index horizon = options.horizon > 0
                            ? options.horizon
                            : suitable_horizon(data, prepared.parts, options, least_order);
  if (horizon < 2 || least_order > (horizon - 1) * outputs) {
    throw InvalidInput(
        {.function = std::string(function),
         .argument = "order",
         .rule = fmt::format("must be in [1, {}]", (horizon - 1) * outputs),
         .value = fmt::format("{} (horizon = {}, {} outputs)", least_order, horizon, outputs)});
  }
  const Index rows = 2 * horizon * (prepared.scales.input.size() + outputs);
  const Index columns = hankel_columns(prepared.parts, horizon);
  if (columns < rows) {
    throw InvalidInput({.function = std::string(function),
                        .rule = fmt::format("the records are too short for horizon {}: the Hankel "
                                            "matrix has {} rows and only {} columns",
                                            horizon, rows, columns)});
  }
  prepared.compression =
      compress(prepared.parts, prepared.scales, horizon,
               options.weighting == SubspaceWeighting::N4sid, way, options.threads);
  return prepared;
}

Excitation excitation(const Compression& data) {
  const Index full = 2 * data.horizon * data.inputs;
  if (full == 0) return {};
  // The squares of the singular values ascend; their rounding is far below the square of the
  // tolerance.
  MatrixXd gram = MatrixXd::Zero(full, full);
  add_outer_gram(data.L.topLeftCorner(full, full), 1.0, gram);
  const VectorXd squares = eigenvalues(std::move(gram));
  const double least = squares(0);
  const double most = squares(full - 1);
  return {(squares.array() > kRankTolerance * kRankTolerance * most).count(), full,
          least > 0.0 ? std::sqrt(most / least) : std::numeric_limits<double>::infinity()};
}

SubspaceModel subspace_by(const Experiments& data, const SubspaceOptions& options,
                          CompressionWay way) {
  const PreparedData prepared =
      prepare("subspace", data, options, std::max<Index>(1, options.order), way);
  const Compression& compression = prepared.compression;
  SubspaceModel result;
  result.horizon = compression.horizon;
  Projection projection;
  // Two dense factorisations that do not need each other.
  parallel_for(2,
               [&](std::size_t part) {
                 if (part == 0) {
                   projection = project(compression, options.weighting);
                 } else {
                   result.excitation = excitation(compression);
                 }
               },
               {.threads = options.threads});
  result.singular_values = projection.values;
  const Index highest =
      std::min((compression.horizon - 1) * compression.outputs, projection.values.size());
  result.order =
      options.order > 0 ? options.order : choose_order(compression, projection, highest, result);
  ShiftModel shift = shift_model(projection, compression.outputs, result.order);
  if (!shift.F.allFinite()) {
    result.status = Status::NotFinite;
    result.message = "the shift equation of the observability matrix has no finite solution";
    return result;
  }
  const RealModes modes = separated_modes(shift.F, result.warnings);
  const InputFit fit = fit_inputs(prepared.parts, prepared.scales, modes, shift.H,
                                  options.feedthrough, options.threads);
  judge(data, options, fit, modes, result);
  set_model(shift, fit, prepared.scales, data, options.stride, result.model);
  if (options.innovation) {
    set_noise(noise_model(compression, shift.F, fit.G, shift.H, fit.J), prepared.scales, result);
  }
  return result;
}

}  // namespace alembert::identify::realisation

namespace alembert::identify {

SubspaceModel subspace(const Experiments& data, const SubspaceOptions& options) {
  return realisation::subspace_by(data, options, realisation::CompressionWay::Automatic);
}

}  // namespace alembert::identify
