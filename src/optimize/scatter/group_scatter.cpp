#include "alembert/optimize/group_scatter.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

#include "alembert/core/check.hpp"
#include "alembert/core/error.hpp"
#include "core/algebra/decompositions.hpp"
#include "optimize/scatter/f_distribution.hpp"

namespace alembert::optimize {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr auto kScatterFunction = "group_scatter";
// Share of a direction's information from which on a group is alone with it.
constexpr double kAlone = 0.99;

// One group in coordinates in which A is the identity: A = R Rᵀ, H = R⁻¹ A_g R⁻ᵀ.
struct TurnedGroup {
  MatrixXd share;   // H_g
  MatrixXd factor;  // (1 - H_g)⁻¹
  MatrixXd noise;   // R⁻¹ C_g R⁻ᵀ
  VectorXd score;   // R⁻¹ s_g
};

void check_groups(const std::vector<ScoreGroup>& groups, const VectorXd& deviations,
                  const VectorXd& freedom, const MatrixXd& prior) {
  check::at_least(kScatterFunction, "number of groups", static_cast<long long>(groups.size()), 2);
  const Index p = groups.front().score.size();
  check::at_least(kScatterFunction, "number of parameters", p, 1);
  for (const ScoreGroup& group : groups) {
    check::size(kScatterFunction, "score", group.score.size(), p);
    check::shape(kScatterFunction, "information", group.information, p, p);
    check::shape(kScatterFunction, "noise", group.noise, p, p);
  }
  check::size(kScatterFunction, "deviations", deviations.size(), p);
  check::size(kScatterFunction, "freedom", freedom.size(), p);
  if (prior.size() > 0) check::shape(kScatterFunction, "prior", prior, prior.rows(), p);
}

// R⁻¹ of A = R Rᵀ; parameters are scaled first, so that their units do not matter.
MatrixXd inverse_root(const std::vector<ScoreGroup>& groups, const MatrixXd& prior) {
  MatrixXd A = groups.front().information;
  for (std::size_t g = 1; g < groups.size(); ++g) A += groups[g].information;
  if (prior.size() > 0) A += prior.transpose() * prior;
  const VectorXd scale = A.diagonal().cwiseMax(0.0).cwiseSqrt().cwiseInverse();
  const MatrixXd scaled = scale.asDiagonal() * A * scale.asDiagonal();
  const Eigen::LLT<MatrixXd> root(scaled);
  if (!scale.allFinite() || root.info() != Eigen::Success) {
    throw InvalidInput({.function = kScatterFunction,
                        .argument = "information",
                        .rule = "must add up to a positive definite matrix",
                        .value = "a singular one"});
  }
  return root.matrixL().solve(MatrixXd(scale.asDiagonal()));
}

TurnedGroup turned(const ScoreGroup& group, const MatrixXd& root) {
  TurnedGroup result{.share = root * group.information * root.transpose(),
                     .factor = {},
                     .noise = root * group.noise * root.transpose(),
                     .score = root * group.score};
  const Eigen::SelfAdjointEigenSolver<MatrixXd> eigen(result.share);
  const VectorXd gain = eigen.eigenvalues().unaryExpr(
      [](double share) { return share < kAlone ? 1.0 / (1.0 - share) : 0.0; });
  result.factor = eigen.eigenvectors() * gain.asDiagonal() * eigen.eigenvectors().transpose();
  return result;
}

// Covariance of v_gj and v_hj by the noise. The fit takes from each score what it took from the
// data, s_g = J_gᵀ e - H_g Σ_h J_hᵀ e, and the groups are independent. B x B.
MatrixXd movements_by_noise(const std::vector<TurnedGroup>& groups, const VectorXd& row) {
  const auto count = static_cast<Index>(groups.size());
  MatrixXd b(row.size(), count), u = b, Cb = b;
  MatrixXd total = MatrixXd::Zero(row.size(), row.size());
  for (Index g = 0; g < count; ++g) {
    const TurnedGroup& group = groups[static_cast<std::size_t>(g)];
    b.col(g) = group.factor * row;
    u.col(g) = group.share * b.col(g);
    Cb.col(g) = group.noise * b.col(g);
    total += group.noise;
  }
  const MatrixXd mixed = u.transpose() * Cb;
  MatrixXd result = u.transpose() * total * u - mixed - mixed.transpose();
  result.diagonal() += b.cwiseProduct(Cb).colwise().sum().transpose();
  return result;
}

}  // namespace

GroupScatter group_scatter(const std::vector<ScoreGroup>& groups, const VectorXd& deviations,
                           const VectorXd& freedom, const MatrixXd& prior) {
  check_groups(groups, deviations, freedom, prior);
  const MatrixXd root = inverse_root(groups, prior);
  std::vector<TurnedGroup> all;
  MatrixXd total = MatrixXd::Zero(root.rows(), root.rows());
  for (const ScoreGroup& group : groups) {
    all.push_back(turned(group, root));
    total += all.back().noise;
  }
  const Index p = root.rows();
  const double B = static_cast<double>(groups.size());
  GroupScatter result{.groups = static_cast<Index>(groups.size()),
                      .deviations = VectorXd::Zero(p),
                      .freedom = VectorXd::Ones(p),
                      .ratio = VectorXd::Zero(p)};
  for (Index j = 0; j < p; ++j) {
    const VectorXd row = root.col(j);  // row j of R⁻ᵀ
    double squares = 0.0;
    for (const TurnedGroup& group : all) {
      // v_g = (A - A_g)⁻¹ s_g = R⁻ᵀ (1 - H_g)⁻¹ R⁻¹ s_g
      squares += std::pow(row.dot(group.factor * group.score), 2);
    }
    const MatrixXd expected = movements_by_noise(all, row);
    const double mean = expected.trace();
    if (!(mean > 0.0)) continue;  // one group alone tells it
    result.deviations(j) = std::sqrt((B - 1.0) / B * squares);
    // ν = (tr Λ)²/tr Λ²: Satterthwaite's rule
    result.freedom(j) = mean * mean / expected.squaredNorm();
    // What the jackknife makes of the noise, over the variance that the noise gives.
    const double grown = (B - 1.0) / B * mean / row.dot(total * row);
    result.ratio(j) = std::pow(result.deviations(j) / deviations(j), 2) / grown;
    const double tail = f_tail(result.ratio(j), result.freedom(j), freedom(j));
    result.probability = std::min(result.probability, static_cast<double>(p) * tail);
  }
  return result;
}

}  // namespace alembert::optimize
