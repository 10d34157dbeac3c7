#include "alembert/identify/experiment.hpp"

#include <fmt/format.h>

#include <cmath>

#include "alembert/core/error.hpp"

namespace alembert::identify {

namespace {

void check_one(std::string_view function, const Experiment& experiment, const Experiment& first,
               std::size_t number) {
  const auto fail = [&](const std::string& rule) {
    throw InvalidInput({.function = std::string(function),
                        .item = fmt::format("experiment {}", number),
                        .rule = std::string(rule)});
  };
  if (!(experiment.step > 0.0) || !std::isfinite(experiment.step)) {
    fail(fmt::format("must have a positive step, got {}", experiment.step));
  }
  if (std::abs(experiment.step - first.step) > 1e-9 * first.step) {
    fail(fmt::format("must have the step of the first, {} s, got {} s", first.step,
                     experiment.step));
  }
  if (experiment.input.cols() != first.input.cols() ||
      experiment.output.cols() != first.output.cols()) {
    fail(fmt::format("must have the {} inputs and {} outputs of the first, got {} and {}",
                     first.input.cols(), first.output.cols(), experiment.input.cols(),
                     experiment.output.cols()));
  }
  if (experiment.output.rows() != experiment.input.rows()) {
    fail(fmt::format("must have as many output as input samples, got {} and {}",
                     experiment.output.rows(), experiment.input.rows()));
  }
  if (!experiment.input.allFinite()) fail("must have an input without missing samples");
  if (experiment.output.size() == 0 || experiment.output.array().isNaN().all()) {
    fail("must have at least one measured output sample");
  }
  if (experiment.output.array().isInf().any()) fail("has an infinite output sample");
  const Eigen::MatrixXd& weight = experiment.weight;
  if (weight.size() == 0) return;
  if (weight.rows() != experiment.output.rows() || weight.cols() != experiment.output.cols()) {
    fail(fmt::format("must have a weight for each of {} x {} output samples, got {} x {}",
                     experiment.output.rows(), experiment.output.cols(), weight.rows(),
                     weight.cols()));
  }
  if (!weight.allFinite() || weight.minCoeff() < 0.0) fail("must have finite weights >= 0");
  if (!(weight.array() > 0.0 && !experiment.output.array().isNaN()).any()) {
    fail("must have at least one measured output sample with a weight above 0");
  }
}

}  // namespace

void check_experiments(std::string_view function, const Experiments& experiments) {
  if (experiments.empty()) {
    throw InvalidInput(
        {.function = std::string(function), .rule = "there must be at least one experiment"});
  }
  for (std::size_t e = 0; e < experiments.size(); ++e) {
    check_one(function, experiments[e], experiments.front(), e + 1);
  }
}

bool has_missing(const Experiments& experiments) {
  for (const Experiment& experiment : experiments) {
    if (experiment.output.hasNaN()) return true;
  }
  return false;
}

Eigen::Index measured_samples(const Experiments& experiments) {
  Eigen::Index count = 0;
  for (const Experiment& experiment : experiments) {
    count += experiment.output.size() - experiment.output.array().isNaN().count();
  }
  return count;
}

}  // namespace alembert::identify
