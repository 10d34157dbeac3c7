#include "reduce/reduce/candidates.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "alembert/core/error.hpp"
#include "reduce/bases/dynamic_basis.hpp"
#include "reduce/bases/rational_basis.hpp"

namespace alembert::reduce {
namespace {

constexpr Eigen::Index kAllUpTo = 1500;
constexpr Eigen::Index kSomeLowest = 200;
constexpr int kMostDerivatives = 4;  // of a response by ω²

/// What a small model is judged by.
struct Targets {
  std::vector<Eigen::Index> numbers;  // of modes, from 1
  std::vector<ForcedResponse> responses;
  std::vector<bool> design;

  [[nodiscard]] std::vector<ForcedResponse> at_design() const {
    std::vector<ForcedResponse> chosen;
    for (std::size_t i = 0; i < responses.size(); ++i) {
      if (design[i]) chosen.push_back(responses[i]);
    }
    return chosen;
  }
};

// Rows of K22 and M22 up to which LAPACK may take all modes.
StructureModes candidate_modes(const Substructure& split, const ReduceOptions& options) {
  const auto s = static_cast<Eigen::Index>(split.slaves.size());
  const bool all = s <= kAllUpTo && options.candidates == 0;
  const Eigen::Index wanted = options.candidates > 0 ? options.candidates : kSomeLowest;
  const Eigen::Index count = all ? s : std::min(wanted, std::max<Eigen::Index>(1, s / 4));
  ModesOptions how;
  if (all) how.dense_below = kAllUpTo;
  if (!all && s <= how.dense_below) return interior_modes(split, std::min(wanted, s), how);
  return interior_modes(split, count, how);
}

StructureModes target_modes(const model::Structure& structure, const ReduceOptions& options) {
  if (options.modes.empty()) return {};
  const int highest = *std::max_element(options.modes.begin(), options.modes.end());
  if (highest > structure.size()) {
    throw InvalidInput(
        {.function = "reduce_structure",
         .argument = "modes",
         .rule = fmt::format("must be at most {}, the rows of the structure", structure.size()),
         .value = std::to_string(highest)});
  }
  return lowest_modes(structure.K, structure.M, highest);
}

Targets targets_of(const model::Structure& structure, const Substructure& split,
                   const ReduceOptions& options) {
  Targets targets;
  targets.numbers.assign(options.modes.begin(), options.modes.end());
  for (const Harmonic& one : options.harmonics) {
    const auto add = [&](double factor, bool design) {
      targets.responses.push_back(
          forced_response(structure, split.masters, factor * one.frequency_hz, one.force));
      targets.design.push_back(design);
    };
    add(1.0, true);
    if (options.off_design <= 0.0) continue;
    add(1.0 - options.off_design, false);
    add(1.0 + options.off_design, false);
  }
  return targets;
}

Eigen::VectorXd weights_of(const ReduceOptions& options) {
  const auto count = static_cast<Eigen::Index>(options.modes.size());
  if (options.weights.empty()) {
    return Eigen::VectorXd::Constant(count,
                                     1.0 / static_cast<double>(std::max<Eigen::Index>(1, count)));
  }
  const Eigen::VectorXd given = Eigen::Map<const Eigen::VectorXd>(options.weights.data(), count);
  return given / given.sum();
}

Eigen::MatrixXd target_shapes(const StructureModes& modes, const Targets& targets) {
  std::vector<Eigen::Index> which;
  for (const Eigen::Index number : targets.numbers) which.push_back(number - 1);
  return modes.shapes(Eigen::all, which);
}

// A tenth of the wanted gain error: it is an estimate.
Eigen::MatrixXd band_responses(const model::Structure& structure, const Substructure& split,
                               const ReduceOptions& options) {
  constexpr Eigen::Index kMostEach = 8;
  std::vector<ResponseBand> bands;
  for (const Harmonic& one : options.harmonics) bands.push_back({one.frequency_hz, one.force});
  const auto most = kMostEach * static_cast<Eigen::Index>(bands.size());
  return rational_basis(structure, split, bands, std::max(0.0, options.off_design),
                        0.1 * options.gain_error, most)
      .vectors;
}

std::vector<Eigen::Index> all_of(Eigen::Index count) {
  std::vector<Eigen::Index> order(static_cast<std::size_t>(count));
  std::iota(order.begin(), order.end(), Eigen::Index{0});
  return order;
}

}  // namespace

CandidateSet candidates_for(const model::Structure& structure, const Substructure& split,
                            const ReduceOptions& options, ReduceResult& result) {
  result.modes = target_modes(structure, options);
  result.interior = candidate_modes(split, options);
  const Targets targets = targets_of(structure, split, options);
  const auto judge_of = [&](const HybridBasis& basis) {
    return std::make_shared<const BasisJudge>(structure, basis, result.modes, targets.numbers,
                                              targets.responses, targets.design);
  };
  const auto modal = std::make_shared<const HybridBasis>(
      hybrid_basis(structure, split, result.interior.shapes, result.interior.eigenvalue));
  const auto modal_judge = judge_of(*modal);
  CandidateSet set;
  const auto add_order = [&](Method method, std::vector<Eigen::Index> order, bool nested = true) {
    set.candidates.push_back({method, modal, modal_judge, std::move(order), nested});
  };
  const auto add_vectors = [&](Method method, const Eigen::MatrixXd& vectors) {
    const auto basis = std::make_shared<const HybridBasis>(
        hybrid_basis(structure, split, interior_residuals(split, vectors)));
    set.candidates.push_back({method, basis, judge_of(*basis), all_of(basis->interior()), false});
  };
  const auto add_levels = [&](Method method, const LevelledVectors& levels) {
    // Without a response, a force of zero for instance, the masters alone are left.
    if (levels.ends.empty()) add_vectors(method, levels.vectors);
    for (const Eigen::Index end : levels.ends) {
      add_vectors(method, levels.vectors.leftCols(end));
    }
  };
  add_order(Method::Guyan, {}, false);
  add_order(Method::Frequency, rank_by_frequency(*modal).order);
  add_order(Method::InterfaceMass, rank_by_interface_mass(*modal).order);
  add_order(Method::InterfaceMoments, rank_by_interface_moments(*modal).order);
  if (!targets.numbers.empty()) {
    const Eigen::MatrixXd shapes = target_shapes(result.modes, targets);
    result.ranking = rank_for_modes(structure, *modal, shapes, weights_of(options));
    add_order(Method::ModeRanking, result.ranking.order);
    add_vectors(Method::ModeResiduals, shapes);
  }
  if (!targets.responses.empty()) {
    const std::vector<ForcedResponse> design = targets.at_design();
    add_order(Method::ForceRanking, rank_for_forces(structure, *modal, design).order);
    add_levels(Method::DynamicResiduals, response_levels(structure, design, kMostDerivatives));
    // All responses together: where they were taken they are exact, so the frequencies at which
    // models are judged would take too few of them for good.
    add_vectors(Method::RationalKrylov, band_responses(structure, split, options));
  }
  return set;
}

}  // namespace alembert::reduce
