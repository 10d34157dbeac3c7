#include "identify/acceleration/fit/compare_alternatives.hpp"

#include <utility>

#include "identify/acceleration/fit/examine_record.hpp"
#include "identify/acceleration/nested_equations.hpp"

namespace alembert::identify {

void compare_alternatives(const EquationOfMotion& equation, const AccelerationRecord& first,
                          const AccelerationOptions& options, AccelerationFit& fit) {
  if (options.alternatives.empty() || !fit.has_fit()) return;
  std::vector<EquationCandidate> candidates = {{"model", equation}};
  for (const EquationCandidate& other : options.alternatives) candidates.push_back(other);
  const AccelerationRecord record = without_drift(first, fit.records.front().drift_removed);
  // One by one, each with the parameters of its own equation.
  std::vector<EquationScore> scores;
  std::vector<EquationRefineOptions> refinements;
  for (const EquationCandidate& candidate : candidates) {
    EquationComparisonOptions own;
    own.regression = options.regression;
    own.regression.reconstruction.cycle = fit.records.front().diagnosis.cycles.period;
    own.regression.fit.parameters = entries_for(candidate.equation, options.parameters);
    own.refine = options.refinement;
    own.refine.parameters = entries_for(candidate.equation, options.parameters);
    own.identification_part = options.prediction_part;
    scores.push_back(compare_equations({candidate}, record, own).scores.front());
    refinements.push_back(own.refine);
  }
  const std::vector<NestedPair> pairs = keep_nested_order(candidates, record, refinements, scores);
  for (const std::string& text : nesting_warnings(candidates, pairs)) fit.warnings.push_back(text);
  fit.comparison = rank_equations(std::move(scores));
}

}  // namespace alembert::identify
