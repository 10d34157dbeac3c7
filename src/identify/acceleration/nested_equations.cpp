#include "identify/acceleration/nested_equations.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace alembert::identify {
namespace {

using Eigen::Index;
using Eigen::VectorXd;

// Equal expressions in another order differ by rounding, which an integration with tolerance 1e-11
// carries on; different terms differ by far more.
constexpr double kSameMotion = 1e-6;
// Two searches of one optimum end at costs that differ by less.
constexpr double kSameCost = 1e-6;

bool may_be(const std::vector<optimize::Parameter>& entries, const std::string& name,
            double value) {
  for (const optimize::Parameter& entry : entries) {
    if (entry.name != name) continue;
    return entry.fixed ? entry.guess == value : entry.lower <= value && value <= entry.upper;
  }
  return true;
}

VectorXd motion_of(const EquationOfMotion& equation, const VectorXd& parameters,
                   const RefinedEquation& start, const AccelerationRecord& record) {
  const SimulatedMotion motion =
      simulate_motion(equation, parameters, start.x0, start.v0, record.step, record.samples(),
                      record.forcing, record.start_time);
  return motion.ok() ? motion.acceleration : VectorXd();
}

bool same_motion(const VectorXd& one, const VectorXd& other) {
  return one.size() > 0 && one.size() == other.size() &&
         (one - other).norm() <= kSameMotion * other.norm();
}

// Fits the larger equation from where it equals the smaller one.
void fit_again(const EquationCandidate& candidate, const AccelerationRecord& record,
               const VectorXd& parameters, const RefinedEquation& smaller,
               const EquationRefineOptions& options, EquationScore& score) {
  const FitGuess start{
      .x0 = smaller.x0, .v0 = smaller.v0, .offset = smaller.offset, .parameters = parameters};
  RefinedEquation found =
      refine_equation(candidate.equation, record, start, smaller.offset_fitted, options);
  if (!(found.residual > 0.0) || !(found.residual < score.refined.residual)) return;
  score.refined = std::move(found);
  static_cast<Outcome&>(score) = score.refined;
}

// Indices by the number of parameters: a smaller one is put right before a larger one begins there.
std::vector<std::size_t> by_parameters(const std::vector<EquationCandidate>& candidates) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < candidates.size(); ++i) order.push_back(i);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return candidates[a].equation.parameters().size() < candidates[b].equation.parameters().size();
  });
  return order;
}

// Fitted both, with the same unknowns of the sensor, to the same samples.
bool comparable(const RefinedEquation& one, const RefinedEquation& other) {
  return one.residual > 0.0 && other.residual > 0.0 && one.offset_fitted == other.offset_fitted &&
         one.samples == other.samples;
}

}  // namespace

std::optional<VectorXd> as_smaller(const EquationOfMotion& larger,
                                   const std::vector<optimize::Parameter>& entries,
                                   const EquationOfMotion& smaller, const RefinedEquation& optimum,
                                   const AccelerationRecord& record) {
  if (smaller.parameters().size() >= larger.parameters().size()) return {};
  VectorXd values = VectorXd::Zero(static_cast<Index>(larger.parameters().size()));
  std::size_t shared = 0;
  for (std::size_t i = 0; i < larger.parameters().size(); ++i) {
    const std::string& name = larger.parameters()[i];
    const auto found = std::find(smaller.parameters().begin(), smaller.parameters().end(), name);
    if (found != smaller.parameters().end()) {
      ++shared;
      values(static_cast<Index>(i)) = optimum.parameters(found - smaller.parameters().begin());
    }
    if (!may_be(entries, name, values(static_cast<Index>(i)))) return {};
  }
  if (shared < smaller.parameters().size()) return {};
  const bool same = same_motion(motion_of(larger, values, optimum, record),
                                motion_of(smaller, optimum.parameters, optimum, record));
  return same ? std::optional<VectorXd>(values) : std::nullopt;
}

std::vector<NestedPair> keep_nested_order(const std::vector<EquationCandidate>& candidates,
                                          const AccelerationRecord& record,
                                          const std::vector<EquationRefineOptions>& options,
                                          std::vector<EquationScore>& scores) {
  std::vector<NestedPair> pairs;
  for (const std::size_t large : by_parameters(candidates)) {
    const EquationRefineOptions& own = options.size() == 1 ? options.front() : options[large];
    const std::size_t first = pairs.size();
    for (std::size_t small = 0; small < candidates.size(); ++small) {
      const RefinedEquation& smaller = scores[small].refined;
      const RefinedEquation& larger = scores[large].refined;
      if (small == large || !comparable(smaller, larger)) continue;
      const std::optional<VectorXd> values = as_smaller(
          candidates[large].equation, own.parameters, candidates[small].equation, smaller, record);
      if (!values) continue;
      if (larger.residual > (1.0 + kSameCost) * smaller.residual) {
        fit_again(candidates[large], record, *values, smaller, own, scores[large]);
      }
      pairs.push_back({.larger = large, .smaller = small});
    }
    for (std::size_t i = first; i < pairs.size(); ++i) {
      pairs[i].ratio = scores[large].refined.residual / scores[pairs[i].smaller].refined.residual;
    }
  }
  return pairs;
}

std::vector<std::string> nesting_warnings(const std::vector<EquationCandidate>& candidates,
                                          const std::vector<NestedPair>& pairs) {
  std::vector<std::string> warnings;
  for (const NestedPair& pair : pairs) {
    if (!(pair.ratio > 1.0 + kSameCost)) continue;
    warnings.push_back(fmt::format(
        "comparison: '{}' contains '{}' and leaves a residual {:.4g} times as large: its search "
        "ended in a worse optimum; give it other guesses",
        candidates[pair.larger].name, candidates[pair.smaller].name, pair.ratio));
  }
  return warnings;
}

}  // namespace alembert::identify
