#include "identify/refine/fit.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "alembert/core/check.hpp"
#include "alembert/core/error.hpp"

namespace alembert::identify {

namespace {

using Eigen::Index;

std::vector<Index> missing_samples(const Eigen::MatrixXd& output, Index channel) {
  std::vector<Index> missing;
  for (Index k = 0; k < output.rows(); ++k) {
    if (std::isnan(output(k, channel))) missing.push_back(k);
  }
  return missing;
}

std::vector<OutputGroup> output_groups(const Eigen::MatrixXd& output) {
  std::vector<OutputGroup> groups;
  for (Index channel = 0; channel < output.cols(); ++channel) {
    std::vector<Index> missing = missing_samples(output, channel);
    const auto same = std::find_if(groups.begin(), groups.end(), [&](const OutputGroup& group) {
      return group.missing == missing;
    });
    if (same == groups.end()) {
      groups.push_back({{channel}, std::move(missing)});
    } else {
      same->outputs.push_back(channel);
    }
  }
  return groups;
}

}  // namespace

Fit::Fit(std::string_view function, const Experiments& experiments, const Eigen::MatrixXd& forces,
         const model::OutputMap& output_map, const RefineOptions& options)
    : data(experiments),
      L(forces),
      outputs(output_map),
      rule(step_rule(function, options)),
      free_start(options.free_start),
      sensitivities(options.sensitivities) {
  check_experiments(function, experiments);
  check::at_least(function, "coordinates (rows of L)", L.rows(), 1);
  check::all_finite(function, "L", L);
  model::check_outputs(function, outputs, L.rows());
  check::size(function, "number of inputs in the data", data.front().input.cols(), L.cols());
  check::size(function, "number of outputs in the data", data.front().output.cols(),
              outputs.outputs());
  step = data.front().step;
  acceleration_sensed = !outputs.acceleration.isZero(0.0);
  stencils.reserve(data.size());
  for (const Experiment& experiment : data) {
    check::at_least(function, "number of samples", experiment.samples(), 2);
    stencils.emplace_back(drive_of(rule), experiment.input, step);
    groups.push_back(output_groups(experiment.output));
  }
}

ScaledOutputs scaled_outputs(const Fit& fit) {
  const Index n = fit.coordinates();
  const double h = fit.step;
  ScaledOutputs result{Eigen::MatrixXd(fit.output_count(), 2 * n),
                       Eigen::MatrixXd::Zero(fit.output_count(), 2 * n)};
  result.C0 << fit.outputs.displacement, fit.outputs.velocity / h;
  result.C2.rightCols(n) = fit.outputs.acceleration / (h * h);
  return result;
}

std::vector<Eigen::MatrixXd> predicted(const Fit& fit, const model::SecondOrder& system,
                                       const Eigen::MatrixXd& start) {
  const Index n = fit.coordinates();
  std::vector<Eigen::MatrixXd> predictions;
  try {
    const integrate::OneStepMap map = integrate::one_step_map(
        system, fit.step,
        {.method = fit.rule.method, .hold = fit.rule.hold, .gauss_stages = fit.rule.stages});
    for (std::size_t e = 0; e < fit.data.size(); ++e) {
      const Eigen::VectorXd z = start.col(static_cast<Index>(e));
      const integrate::Trajectory motion =
          integrate::simulate(system, map, fit.data[e].input, z.head(n), z.tail(n) / fit.step);
      if (!motion.ok()) return {};
      predictions.push_back(integrate::apply(fit.outputs, motion));
    }
  } catch (const InvalidInput&) {
    // A trial of the optimiser, not the caller: M indefinite, or a singular implicit step.
    return {};
  }
  return predictions;
}

std::vector<Eigen::MatrixXd> differences(const Fit& fit,
                                         const std::vector<Eigen::MatrixXd>& predictions) {
  std::vector<Eigen::MatrixXd> errors;
  for (std::size_t e = 0; e < predictions.size(); ++e) {
    const Eigen::MatrixXd& y = fit.data[e].output;
    errors.emplace_back(y.array().isNaN().select(0.0, y - predictions[e]));
  }
  return errors;
}

Eigen::VectorXd measured_counts(const Fit& fit) {
  Eigen::VectorXd counts = Eigen::VectorXd::Zero(fit.output_count());
  for (std::size_t e = 0; e < fit.data.size(); ++e) {
    for (const OutputGroup& group : fit.groups[e]) {
      const double count =
          static_cast<double>(fit.data[e].samples()) - static_cast<double>(group.missing.size());
      for (const Index output : group.outputs) counts(output) += count;
    }
  }
  return counts;
}

Eigen::VectorXd square_sums(const std::vector<Eigen::MatrixXd>& errors) {
  Eigen::VectorXd sums = Eigen::VectorXd::Zero(errors.empty() ? 0 : errors.front().cols());
  for (const Eigen::MatrixXd& error : errors) {
    sums += error.colwise().squaredNorm().transpose();
  }
  return sums;
}

Eigen::VectorXd output_square_sums(const Fit& fit) {
  std::vector<Eigen::MatrixXd> present;
  for (const Experiment& experiment : fit.data) {
    present.emplace_back(experiment.output.array().isNaN().select(0.0, experiment.output));
  }
  return square_sums(present);
}

}  // namespace alembert::identify
