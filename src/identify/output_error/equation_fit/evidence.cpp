#include "identify/output_error/equation_fit/evidence.hpp"

#include <fmt/format.h>

#include <cmath>

#include "alembert/core/text.hpp"
#include "identify/output_error/loss/robust.hpp"
#include "identify/verdict/fit_evidence.hpp"
#include "identify/verdict/residual_evidence.hpp"

namespace alembert::identify {
namespace {

constexpr double kManyOutliers = 0.05;  // of all samples
// A difference of BIC above 10 is very strong evidence [KassRaftery1995].
constexpr double kVeryStrong = 10.0;

// What the model misses of the data, whatever the deviations say.
void judge_equation_misses(const Experiments& data, const EquationFit& fit, Evidence& evidence) {
  if (!fit.has_prediction()) return;
  const OutputErrorResult& estimate = fit.estimate;
  const std::vector<std::string>& names = fit.output_names;
  judge_fit(names, estimate.outputs, fit.input_shares, evidence);
  judge_experiments(names, data, estimate.prediction.residuals, evidence);
  // Windows have start states of their own.
  if (estimate.windows == 0) {
    const std::vector<Eigen::MatrixXd>& residuals = estimate.prediction.residuals;
    judge_beginnings(weighted_residuals(data, residuals), weighted_rms(data, residuals), evidence,
                     fit.simulation.start == StartState::Free);
  }
  judge_delays(names, estimate.delays, evidence);
  judge_gain_changes(names, estimate.gain_changes, evidence);
  if (fit.validation && fit.validation->prediction.ok()) {
    judge_held_back(names, fit.validation->outputs, estimate.prediction.rms, evidence,
                    TrustLevel::Bad, fit.validation->unsure);
  }
}

// Outliers that an estimate with a loss expects are no reason to doubt it, unless they are many.
// With least squares something is wrong with the record.
void judge_left_out(const Experiments& data, const EquationFit& fit, Evidence& evidence) {
  const std::vector<Outlier>& outliers = fit.estimate.outliers;
  if (outliers.empty()) return;
  const double share =
      static_cast<double>(outliers.size()) / static_cast<double>(measured_samples(data));
  const bool expected = !fit.estimate.sample_weights.empty();
  if (expected && share < kManyOutliers) return;
  evidence.add(TrustLevel::Caution, outlier_words(fit, data),
               "look at the record there; leave such samples empty if they are no measurements");
}

// Other equations that explain the data better, unless held-back data speak against them.
void judge_comparison(const std::vector<EquationSetScore>& comparison, Evidence& evidence) {
  if (comparison.size() < 2) return;
  const EquationSetScore& own = comparison.front();
  const EquationSetScore* best = nullptr;
  for (const EquationSetScore& one : comparison) {
    const bool better = one.ok() && !(one.held_back > own.held_back) &&
                        own.bic_difference - one.bic_difference > kVeryStrong;
    if (better && (best == nullptr || one.bic_difference < best->bic_difference)) best = &one;
  }
  if (best == nullptr) return;
  evidence.add(
      TrustLevel::Caution,
      fmt::format("the equations '{}' explain the data better: their BIC is lower by {:.3g}",
                  best->name, own.bic_difference - best->bic_difference),
      "take those equations, or say why their terms have no place");
}

// A shift of half a deviation leaves 92 of 100 intervals of 95 % right.
constexpr double kTermMatters = 0.5;
// Terms that are as likely as the surest one: their deviations are this part of its.
constexpr double kAsLikely = 0.8;

std::string term_words(const UnmodelledTerm& term) {
  return fmt::format("{} = ... {} {:.3g}*{}", term.equation, term.coefficient < 0.0 ? "-" : "+",
                     std::abs(term.coefficient), term.text);
}

// A derivative that is the small difference of large terms is smaller than what it lacks.
std::string share_words(const UnmodelledTerm& term) {
  return term.share < 1.0 ? fmt::format("{:.2g} % of {}", 100.0 * term.share, term.equation)
                          : fmt::format("{:.2g} times {}", term.share, term.equation);
}

// What explains the residuals almost as well; "" without any.
std::string rivals_of(const std::vector<UnmodelledTerm>& terms) {
  std::vector<std::string> words;
  for (std::size_t i = 1; i < terms.size() && words.size() < 2; ++i) {
    if (terms[i].deviations() < kAsLikely * terms.front().deviations()) break;
    words.push_back(term_words(terms[i]));
  }
  return words.empty() ? "" : "; or nearly as well " + join(words, " or ");
}

}  // namespace

void judge_missing_terms(const std::vector<UnmodelledTerm>& terms, const std::string& compare,
                         Evidence& evidence) {
  if (terms.empty()) return;
  const UnmodelledTerm& term = terms.front();
  if (!(std::abs(term.shift) >= kTermMatters)) return;
  evidence.add(
      TrustLevel::Caution,
      fmt::format("the residuals show a term that the equations have not: {} ({}, {:.2g} times "
                  "its deviation), with which {} changes by {:.2g}, {:.2g} of its "
                  "deviations{}",
                  term_words(term), share_words(term), term.deviations(), term.parameter,
                  term.moved, std::abs(term.shift), rivals_of(terms)),
      compare.empty()
          ? "add the term with a free coefficient"
          : "fit the equations with the term and a free coefficient beside: " + compare);
}

bool is_doubtful(const Experiments& data, const EquationFit& fit) {
  Evidence evidence;
  judge_equation_misses(data, fit, evidence);
  evidence.add(fit);
  return fit.status != Status::Stopped && evidence.verdict().level != TrustLevel::Good;
}

void judge_trust(const Experiments& data, const EquationFitNames& names, EquationFit& fit) {
  Evidence evidence;
  judge_equation_misses(data, fit, evidence);
  if (fit.has_prediction()) {
    judge_outliers(fit.output_names, data, fit.estimate.prediction.residuals, evidence,
                   names.loss.empty() ? "" : ", or keep them from deciding: " + names.loss);
    judge_left_out(data, fit, evidence);
    judge_comparison(fit.comparison, evidence);
    judge_missing_terms(fit.estimate.missing_terms, names.compare, evidence);
  }
  judge_alternatives(fit.alternatives, evidence);
  for (const std::string& warning : fit.warnings) evidence.add(TrustLevel::Caution, warning);
  fit.warnings = evidence.verdict().reasons;
  evidence.add(fit);
  fit.verdict = evidence.verdict();
}

}  // namespace alembert::identify
