#include "identify/weak_form/weak_setting.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "alembert/signal/snr.hpp"
#include "core/algebra/decompositions.hpp"
#include "identify/weak_form/bridged_gaps.hpp"

namespace alembert::identify {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr Index kShortestWindow = 9;  // samples of the first window of the grid

// Proportional damping is not linear in its unknowns: every entry of D is free instead.
Parametrisation affine(const Parametrisation& unknowns) {
  Parametrisation result = unknowns;
  if (!unknowns.proportional_damping) return result;
  const Index n = unknowns.degrees_of_freedom;
  const Index half = n * (n + 1) / 2;
  const Index columns = unknowns.basis.cols();
  std::vector<Eigen::Triplet<double>> entries;
  for (Index column = 0; column < columns; ++column) {
    for (Eigen::SparseMatrix<double>::InnerIterator it(unknowns.basis, column); it; ++it) {
      entries.emplace_back(it.row(), column, it.value());
    }
  }
  for (Index i = 0; i < half; ++i) entries.emplace_back(half + i, columns + i, 1.0);
  result.basis.resize(3 * half, columns + half);
  result.basis.setFromTriplets(entries.begin(), entries.end());
  result.proportional_damping = false;
  result.names.resize(static_cast<std::size_t>(columns));
  result.units.resize(static_cast<std::size_t>(columns));
  for (Index j = 0; j < n; ++j) {
    for (Index i = j; i < n; ++i) result.names.push_back(fmt::format("D{}{}", i + 1, j + 1));
  }
  result.units.resize(result.names.size());
  return result;
}

VectorXd rms_of_outputs(const Experiments& data) {
  VectorXd sum = VectorXd::Zero(data.front().output.cols());
  VectorXd count = sum;
  for (const Experiment& experiment : data) {
    for (Index c = 0; c < sum.size(); ++c) {
      for (const double value : experiment.output.col(c)) {
        if (std::isnan(value)) continue;
        sum(c) += value * value;
        count(c) += 1.0;
      }
    }
  }
  const VectorXd rms = (sum.array() / count.array().max(1.0)).sqrt();
  // A channel of zeros says nothing; a scale of 1 keeps its equation in.
  return (rms.array() > 0.0).select(rms, 1.0);
}

// White noise of each output, smallest over the experiments: what the others have more is signal.
VectorXd noise_of_outputs(const Experiments& data) {
  VectorXd noise(data.front().output.cols());
  for (Index c = 0; c < noise.size(); ++c) {
    noise(c) = std::numeric_limits<double>::infinity();
    for (const Experiment& experiment : data) {
      const VectorXd values = experiment.output.col(c);
      const Index rest = values.size() - 1;
      const bool enough = (values.head(rest) + values.tail(rest)).array().isFinite().count() >= 100;
      if (enough) noise(c) = std::min(noise(c), signal::noise_by_differences(values).sigma);
    }
    if (!std::isfinite(noise(c))) noise(c) = 0.0;
  }
  return noise;
}

}  // namespace

WeakSetting weak_setting(const Parametrisation& unknowns, const Experiments& data,
                         const Eigen::Ref<const MatrixXd>& L, model::Motion motion,
                         const WeakFormOptions& options) {
  const Index n = unknowns.degrees_of_freedom;
  std::vector<model::OutputChoice> choices;
  for (Index i = 0; i < n; ++i) choices.push_back({motion, i});
  const VectorXd scale = rms_of_outputs(data);
  return {affine(unknowns),
          data,
          L,
          motion,
          scale,
          Eigen::FullPivLU<MatrixXd>(L).rank() == n,
          noise_of_outputs(data),
          QuickPrediction(data, model::output_map(n, choices), options.hold, scale.cwiseInverse()),
          options,
          with_bridged_gaps(data, kShortestWindow)};
}

}  // namespace alembert::identify
