#include "alembert/optimize/transformation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "alembert/core/error.hpp"
#include "alembert/core/text.hpp"

namespace alembert::optimize {

namespace {

using Eigen::Index;

[[noreturn]] void reject(const Parameter& parameter, const std::string& rule) {
  throw InvalidInput({.function = "Transformation", .item = item_of(parameter.name), .rule = rule});
}

void check_logarithmic(Parameter& parameter) {
  if (!(parameter.guess > 0.0)) {
    reject(parameter, fmt::format("is logarithmic and needs a positive guess, got {}",
                                  shortest(parameter.guess)));
  }
  if (parameter.lower < 0.0 && std::isfinite(parameter.lower)) {
    reject(parameter,
           fmt::format("is logarithmic and needs lower >= 0, got {}", shortest(parameter.lower)));
  }
  parameter.lower = std::max(parameter.lower, 0.0);
}

void check_parameter(Parameter& parameter) {
  if (!std::isfinite(parameter.guess)) {
    reject(parameter, fmt::format("needs a finite guess, got {}", shortest(parameter.guess)));
  }
  if (!(parameter.scale >= 0.0) || !std::isfinite(parameter.scale)) {
    reject(parameter, fmt::format("needs a finite scale >= 0, got {}", shortest(parameter.scale)));
  }
  if (!(parameter.lower < parameter.upper)) {
    reject(parameter, fmt::format("needs lower < upper, got {} and {}", shortest(parameter.lower),
                                  shortest(parameter.upper)));
  }
  if (parameter.prior &&
      !(std::isfinite(parameter.prior->mean) && parameter.prior->deviation > 0.0)) {
    reject(parameter,
           fmt::format("needs a finite prior mean and a prior deviation > 0, got {}, {}",
                       shortest(parameter.prior->mean), shortest(parameter.prior->deviation)));
  }
  if (parameter.logarithmic && !parameter.fixed && !parameter.tie) check_logarithmic(parameter);
}

void check_guess(const Parameter& parameter) {
  if (parameter.guess < parameter.lower || parameter.guess > parameter.upper) {
    reject(parameter, fmt::format("needs a guess in [{}, {}], got {}", shortest(parameter.lower),
                                  shortest(parameter.upper), shortest(parameter.guess)));
  }
}

void check_names(const std::vector<Parameter>& parameters) {
  for (std::size_t k = 0; k < parameters.size(); ++k) {
    if (parameters[k].name.empty()) {
      throw InvalidInput({.function = "Transformation",
                          .item = fmt::format("parameter {}", k + 1),
                          .rule = "has no name"});
    }
    for (std::size_t i = 0; i < k; ++i) {
      if (parameters[i].name == parameters[k].name) reject(parameters[k], "is given twice");
    }
  }
}

Index index_of(const std::vector<Parameter>& parameters, const Parameter& tied) {
  std::vector<std::string> names;
  for (std::size_t k = 0; k < parameters.size(); ++k) {
    if (parameters[k].name == tied.tie->other) return static_cast<Index>(k);
    names.push_back(parameters[k].name);
  }
  const std::string near = nearest(tied.tie->other, names);
  reject(tied, fmt::format("is tied to the unknown parameter '{}'{}", tied.tie->other,
                           near.empty() ? "" : fmt::format(", did you mean '{}'?", near)));
}

double scale_of(const Parameter& parameter) {
  if (parameter.scale > 0.0) return parameter.scale;
  if (parameter.logarithmic) return 1.0;
  if (parameter.guess != 0.0) return std::abs(parameter.guess);
  const double range = parameter.upper - parameter.lower;
  if (std::isfinite(range)) return 0.1 * range;
  for (const double bound : {parameter.lower, parameter.upper}) {
    if (std::isfinite(bound) && bound != 0.0) return std::abs(bound);
  }
  return 1.0;
}

// A logarithmic parameter that runs away stays a positive number, from which a search can begin.
constexpr double kSmallestLogarithmic = 1e-300;
constexpr double kLargestLogarithmic = 1e300;

double positive(double value, const Parameter& parameter) {
  const double kept = std::clamp(value, kSmallestLogarithmic, kLargestLogarithmic);
  return std::clamp(kept, parameter.lower, parameter.upper);
}

double variable_of(const Parameter& parameter, double scale, double theta) {
  return (parameter.logarithmic ? std::log(theta) : theta) / scale;
}

}  // namespace

std::string item_of(const std::string& parameter) {
  return fmt::format("parameter '{}'", parameter);
}

Transformation::Transformation(std::vector<Parameter> parameters)
    : parameters_(std::move(parameters)) {
  check_names(parameters_);
  for (Parameter& parameter : parameters_) check_parameter(parameter);
  const std::size_t size = parameters_.size();
  factor_.setOnes(static_cast<Index>(size));
  source_.assign(size, -1);
  root_.resize(size);
  resolve_ties();
  for (const Parameter& parameter : parameters_) {
    if (!parameter.tie) check_guess(parameter);
  }
  for (std::size_t k = 0; k < size; ++k) {
    if (!parameters_[k].fixed && !parameters_[k].tie) add_free(static_cast<Index>(k));
  }
  for (std::size_t k = 0; k < size; ++k) source_[k] = source_[static_cast<std::size_t>(root_[k])];
}

void Transformation::resolve_ties() {
  for (std::size_t k = 0; k < parameters_.size(); ++k) {
    Parameter& tied = parameters_[k];
    root_[k] = static_cast<Index>(k);
    if (!tied.tie) continue;
    if (tied.fixed) reject(tied, "is both fixed and tied");
    root_[k] = index_of(parameters_, tied);
    Parameter& root = parameters_[static_cast<std::size_t>(root_[k])];
    const double factor = tied.tie->factor;
    if (root.tie) reject(tied, fmt::format("is tied to '{}', which is tied itself", root.name));
    if (factor == 0.0 || !std::isfinite(factor)) {
      reject(tied, fmt::format("needs a finite factor other than 0, got {}", shortest(factor)));
    }
    factor_(static_cast<Index>(k)) = factor;
    tied.guess = factor * root.guess;
    const double low = (factor > 0.0 ? tied.lower : tied.upper) / factor;
    const double high = (factor > 0.0 ? tied.upper : tied.lower) / factor;
    root.lower = std::max(root.lower, low);
    root.upper = std::min(root.upper, high);
    if (!root.fixed && !(root.lower < root.upper)) {
      reject(tied, fmt::format("leaves no room for '{}' between its bounds", root.name));
    }
  }
}

void Transformation::add_free(Index k) {
  const Parameter& parameter = parameters_[static_cast<std::size_t>(k)];
  const Index j = static_cast<Index>(free_.size());
  free_.push_back(k);
  source_[static_cast<std::size_t>(k)] = j;
  const double scale = scale_of(parameter);
  for (auto* values : {&scale_, &start_, &lower_, &upper_}) values->conservativeResize(j + 1);
  scale_(j) = scale;
  start_(j) = variable_of(parameter, scale, parameter.guess);
  lower_(j) = variable_of(parameter, scale, parameter.lower);
  upper_(j) = variable_of(parameter, scale, parameter.upper);
}

Index Transformation::parameter_of(Index j) const { return free_[static_cast<std::size_t>(j)]; }

Index Transformation::source(Index k) const { return source_[static_cast<std::size_t>(k)]; }

void Transformation::to_parameters(const Eigen::VectorXd& x, Eigen::VectorXd& theta) const {
  theta.resize(size());
  for (Index k = 0; k < size(); ++k) {
    const Parameter& root =
        parameters_[static_cast<std::size_t>(root_[static_cast<std::size_t>(k)])];
    const Index j = source(k);
    double value = root.guess;
    if (j >= 0) {
      const double scaled = scale_(j) * x(j);
      value = root.logarithmic ? positive(std::exp(scaled), root)
                               : std::clamp(scaled, root.lower, root.upper);
    }
    theta(k) = factor_(k) * value;
  }
}

Eigen::VectorXd Transformation::to_free(const Eigen::VectorXd& theta) const {
  Eigen::VectorXd x(free_size());
  for (Index j = 0; j < free_size(); ++j) {
    const Index k = parameter_of(j);
    const double value = variable_of(parameters_[static_cast<std::size_t>(k)], scale_(j), theta(k));
    x(j) = std::clamp(value, lower_(j), upper_(j));
  }
  return x;
}

void Transformation::slopes(const Eigen::VectorXd& theta, Eigen::VectorXd& slope) const {
  slope.resize(size());
  for (Index k = 0; k < size(); ++k) {
    const Index j = source(k);
    if (j < 0) {
      slope(k) = 0.0;
      continue;
    }
    const bool logarithmic = parameters_[static_cast<std::size_t>(parameter_of(j))].logarithmic;
    slope(k) = scale_(j) * (logarithmic ? theta(k) : factor_(k));
  }
}

double Transformation::prior_cost(const Eigen::VectorXd& theta) const {
  double sum = 0.0;
  for (Index k = 0; k < size(); ++k) {
    const auto& prior = parameters_[static_cast<std::size_t>(k)].prior;
    if (!prior) continue;
    const double residual = (theta(k) - prior->mean) / prior->deviation;
    sum += residual * residual;
  }
  return sum;
}

void Transformation::add_priors(const Eigen::VectorXd& theta, NormalEquations& sums) const {
  for (Index k = 0; k < size(); ++k) {
    const auto& prior = parameters_[static_cast<std::size_t>(k)].prior;
    if (!prior) continue;
    const double weight = 1.0 / prior->deviation;
    const double residual = (theta(k) - prior->mean) * weight;
    sums.matrix(k, k) += weight * weight;
    sums.gradient(k) += weight * residual;
    sums.cost += residual * residual;
    ++sums.count;
  }
}

void Transformation::reduce(const NormalEquations& sums, const Eigen::VectorXd& slope,
                            NormalEquations& free) const {
  free.reset(free_size());
  free.cost = sums.cost;
  free.count = sums.count;
  for (Index k = 0; k < size(); ++k) {
    const Index j = source(k);
    if (j < 0) continue;
    free.gradient(j) += slope(k) * sums.gradient(k);
    for (Index m = 0; m < size(); ++m) {
      const Index l = source(m);
      if (l < 0 || l > j) continue;
      const double entry = m <= k ? sums.matrix(k, m) : sums.matrix(m, k);
      free.matrix(j, l) += slope(k) * slope(m) * entry;
    }
  }
}

}  // namespace alembert::optimize
