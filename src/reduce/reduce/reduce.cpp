#include "alembert/reduce/reduce.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <set>

#include "alembert/core/check.hpp"
#include "alembert/core/error.hpp"
#include "reduce/reduce/candidates.hpp"

namespace alembert::reduce {
namespace {

constexpr Eigen::Index kSearched = 60;

void check_reduce_options(const ReduceOptions& options, Eigen::Index masters) {
  const auto refuse = [](const char* argument, std::string rule, std::string value = {}) {
    throw InvalidInput({.function = "reduce_structure",
                        .argument = argument,
                        .rule = std::move(rule),
                        .value = std::move(value)});
  };
  for (const int mode : options.modes) check::at_least("reduce_structure", "modes", mode, 1);
  if (std::set<int>(options.modes.begin(), options.modes.end()).size() != options.modes.size()) {
    refuse("modes", "must hold each number once");
  }
  if (!options.weights.empty() && options.weights.size() != options.modes.size()) {
    refuse("weights", fmt::format("must hold one for each of the {} modes", options.modes.size()),
           std::to_string(options.weights.size()));
  }
  for (const double weight : options.weights) {
    check::positive("reduce_structure", "weights", weight);
  }
  for (const Harmonic& one : options.harmonics) {
    check::positive("reduce_structure", "frequency_hz", one.frequency_hz);
    check::size("reduce_structure", "force", one.force.size(), masters);
  }
  if (options.size != 0 && options.size < masters) {
    refuse("size", fmt::format("must be 0 or at least {}, the number of masters", masters),
           std::to_string(options.size));
  }
  const bool needs_modes =
      options.method == Method::ModeRanking || options.method == Method::ModeResiduals;
  const bool needs_forces = options.method == Method::ForceRanking ||
                            options.method == Method::DynamicResiduals ||
                            options.method == Method::RationalKrylov;
  if (needs_modes && options.modes.empty()) {
    refuse("modes",
           fmt::format("must name the target modes of method \"{}\"", name_of(options.method)));
  }
  if (needs_forces && options.harmonics.empty()) {
    refuse("harmonics",
           fmt::format("must give the forces of method \"{}\"", name_of(options.method)));
  }
  if (options.modes.empty() && options.harmonics.empty()) {
    refuse("modes", "or harmonics must say where the small model must be right");
  }
}

TradeOff judged(Method method, Eigen::Index size, const BasisJudge& judge,
                const std::vector<Eigen::Index>& interior, const ReduceOptions& options) {
  const std::vector<ModeError> modes = judge.mode_errors(interior);
  TradeOff point{.method = method,
                 .size = size,
                 .frequency_error = worst_frequency_error(modes),
                 .nco = worst_nco(modes)};
  for (const ResponseError& one : judge.response_errors(interior)) {
    double& mac = one.design ? point.mac : point.off_design_mac;
    double& gain = one.design ? point.gain_error : point.off_design_gain;
    mac = std::min(mac, one.mac);
    gain = std::max(gain, one.gain_error);
  }
  // NaN is not good.
  point.good = point.frequency_error <= options.frequency_error && point.nco >= options.nco &&
               point.mac >= options.mac && point.gain_error <= options.gain_error;
  point.good_off_design = point.good && point.off_design_mac >= options.mac &&
                          point.off_design_gain <= options.gain_error;
  return point;
}

// Points of one candidate at the sizes it can take.
std::vector<TradeOff> curve_of(const Candidate& candidate, const ReduceOptions& options,
                               Eigen::Index largest) {
  std::vector<TradeOff> points;
  const Eigen::Index masters = candidate.basis->masters;
  const auto most = static_cast<Eigen::Index>(candidate.order.size());
  const Eigen::Index from = candidate.nested ? 0 : most;
  for (Eigen::Index k = from; k <= most; ++k) {
    if (candidate.nested && masters + k > largest) break;
    const std::vector<Eigen::Index> kept(candidate.order.begin(), candidate.order.begin() + k);
    points.push_back(judged(candidate.method, masters + k, *candidate.judge, kept, options));
  }
  return points;
}

// The smallest from which on all sizes that were looked at are good; none: size 0.
TradeOff smallest_good(Method method, const std::vector<TradeOff>& points, bool TradeOff::*good) {
  TradeOff found{.method = method};
  for (auto point = points.rbegin(); point != points.rend() && (*point).*good; ++point) {
    found = *point;
  }
  return found;
}

// The smallest of several; none: nullptr.
const TradeOff* smallest_of(const std::vector<TradeOff>& points) {
  const TradeOff* best = nullptr;
  for (const TradeOff& one : points) {
    if (one.size > 0 && (best == nullptr || one.size < best->size)) best = &one;
  }
  return best;
}

Method chosen_method(const ReduceOptions& options, const ReduceResult& result) {
  if (options.method != Method::Auto) return options.method;
  for (const auto* points : {&result.smallest_off_design, &result.smallest}) {
    if (const TradeOff* best = smallest_of(*points)) return best->method;
  }
  return options.modes.empty() ? Method::DynamicResiduals : Method::ModeResiduals;
}

// The size that a method is to have: the smallest good one, with the responses off the design
// frequencies if there is one; else the largest.
Eigen::Index wanted_size(Method method, const ReduceOptions& options, const ReduceResult& result,
                         Eigen::Index largest) {
  if (options.size > 0) return options.size;
  for (const auto* points : {&result.smallest_off_design, &result.smallest}) {
    for (const TradeOff& one : *points) {
      if (one.method == method && one.size > 0) return one.size;
    }
  }
  return largest;
}

/// A candidate and how many of its interior coordinates are kept.
struct Choice {
  const Candidate* candidate = nullptr;
  Eigen::Index kept = 0;
};

// The largest of a method that is not above a size; the smallest where all are.
Choice choice_of(const std::vector<Candidate>& candidates, Method method, Eigen::Index size) {
  Choice choice;
  for (const Candidate& one : candidates) {
    if (one.method != method) continue;
    const auto most = static_cast<Eigen::Index>(one.order.size());
    const Eigen::Index room = size - one.basis->masters;
    if (choice.candidate != nullptr && !one.nested && most > room) break;
    choice = {&one, one.nested ? std::min(most, room) : most};
  }
  return choice;
}

// Points of all methods, and the smallest good ones of each.
void add_curves(const std::vector<Candidate>& candidates, const ReduceOptions& options,
                Eigen::Index largest, ReduceResult& result) {
  for (auto one = candidates.begin(); one != candidates.end();) {
    const Method method = one->method;
    std::vector<TradeOff> points;
    for (; one != candidates.end() && one->method == method; ++one) {
      const std::vector<TradeOff> some = curve_of(*one, options, largest);
      points.insert(points.end(), some.begin(), some.end());
    }
    result.curve.insert(result.curve.end(), points.begin(), points.end());
    result.smallest.push_back(smallest_good(method, points, &TradeOff::good));
    result.smallest_off_design.push_back(smallest_good(method, points, &TradeOff::good_off_design));
  }
}

void judge_result(const ReduceOptions& options, ReduceResult& result) {
  Evidence evidence;
  evidence.add(result);
  for (const ModeError& one : result.mode_errors) {
    if (one.frequency_error <= options.frequency_error && one.nco >= options.nco) continue;
    evidence.add(TrustLevel::Bad,
                 fmt::format("mode {}: frequency off by {:.3g} %, NCO {:.4f}", one.mode,
                             100.0 * one.frequency_error, one.nco),
                 "allow a larger model, or take mode-residuals");
  }
  for (const ResponseError& one : result.response_errors) {
    if (one.mac >= options.mac && one.gain_error <= options.gain_error) continue;
    evidence.add(one.design ? TrustLevel::Bad : TrustLevel::Caution,
                 fmt::format("response at {:.6g} Hz{}: MAC {:.4f}, gain off by {:.3g} %",
                             one.frequency_hz, one.design ? "" : ", off the design frequency",
                             one.mac, 100.0 * one.gain_error),
                 one.design ? "allow a larger model, or take dynamic-residuals"
                            : "use the model at its design frequencies, or take rational-krylov");
  }
  for (const StructureModes* modes : {&result.modes, &result.interior}) {
    if (modes->count() > 0 && !modes->ok()) {
      evidence.add(TrustLevel::Bad, modes->message, "raise the block size");
    }
  }
  result.verdict = evidence.verdict();
}

}  // namespace

ReduceResult reduce_structure(const model::Structure& structure,
                              const std::vector<Eigen::Index>& masters,
                              const ReduceOptions& options) {
  check_reduce_options(options, static_cast<Eigen::Index>(masters.size()));
  ReduceResult result;
  result.check = model::check_structure(structure);
  const Substructure split = split_structure(structure, masters);
  const CandidateSet set = candidates_for(structure, split, options, result);
  const auto m = static_cast<Eigen::Index>(masters.size());
  const Eigen::Index largest =
      std::max(options.size, options.largest > 0 ? options.largest : m + kSearched);
  add_curves(set.candidates, options, largest, result);
  result.method = chosen_method(options, result);
  const Choice choice = choice_of(set.candidates, result.method,
                                  wanted_size(result.method, options, result, largest));
  const Candidate& chosen = *choice.candidate;
  const std::vector<Eigen::Index> kept(chosen.order.begin(), chosen.order.begin() + choice.kept);
  result.basis = selected(*chosen.basis, kept);
  if (chosen.nested) result.kept = kept;
  result.mode_errors = chosen.judge->mode_errors(kept);
  result.response_errors = chosen.judge->response_errors(kept);
  judge_result(options, result);
  return result;
}

}  // namespace alembert::reduce
