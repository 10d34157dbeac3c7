#include "alembert/optimize/estimate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "alembert/core/check.hpp"
#include "alembert/core/error.hpp"
#include "alembert/core/not_a_number.hpp"
#include "alembert/core/text.hpp"
#include "core/algebra/decompositions.hpp"

namespace alembert::optimize {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr std::string_view kEstimate = "estimate_statistics";
constexpr double kNotFinite = std::numeric_limits<double>::infinity();
// Scaled parts of null directions below this come from rounding.
constexpr double kTakesPart = 1e-5;
// Singular values below this part of the largest are looked at twice; a direction is open if one
// standard deviation along it is so many times a parameter.
constexpr double kDoubtful = 1e-7;
constexpr double kWideOpen = 1e3;
constexpr double kHasItsPart = 1e-2;

// JᵀJ with unit diagonal and its eigenvalues: squares of the singular values of the scaled J.
struct ScaledInformation {
  VectorXd length;       // of the columns of J; 1 for a column of zeros
  VectorXd eigenvalues;  // increasing
  MatrixXd vectors;
  Index rank = 0;

  // From a factor of JᵀJ: singular values lose no digits.
  static ScaledInformation of_factor(const MatrixXd& factor, double rank_tolerance) {
    ScaledInformation result;
    result.length = factor.colwise().norm().transpose().unaryExpr(
        [](double norm) { return norm > 0.0 ? norm : 1.0; });
    const MatrixXd scaled = factor * result.length.cwiseInverse().asDiagonal();
    const Eigen::JacobiSVD<MatrixXd> svd(scaled, Eigen::ComputeFullV);
    result.eigenvalues = svd.singularValues().cwiseAbs2().reverse();
    result.vectors = svd.matrixV().rowwise().reverse();
    const VectorXd& singular = svd.singularValues();
    result.rank = (singular.array() > rank_tolerance * singular(0)).count();
    return result;
  }

  // Small singular values whose directions the noise leaves wide open count as zero too: σ/s along
  // the direction moves every parameter in it by many times its size.
  void drop_open_directions(const VectorXd& parameters, double sigma) {
    while (rank > 0) {
      const Index k = nullity();
      const double singular = std::sqrt(eigenvalues(k));
      if (singular > kDoubtful * std::sqrt(eigenvalues(eigenvalues.size() - 1))) return;
      double least = kNotFinite;
      for (Index i = 0; i < parameters.size(); ++i) {
        if (parameters(i) == 0.0 || std::abs(vectors(i, k)) < kHasItsPart) continue;
        const double change = sigma * std::abs(vectors(i, k)) / (singular * length(i));
        least = std::min(least, change / std::abs(parameters(i)));
      }
      if (!(least > kWideOpen)) return;
      --rank;
    }
  }

  ScaledInformation() = default;
  ScaledInformation(const MatrixXd& information, double rank_tolerance) {
    const Index size = information.rows();
    length = information.diagonal().unaryExpr(
        [](double square) { return square > 0.0 ? std::sqrt(square) : 1.0; });
    MatrixXd scaled(size, size);
    for (Index j = 0; j < size; ++j) {
      for (Index i = j; i < size; ++i) {
        scaled(i, j) = scaled(j, i) = information(i, j) / (length(i) * length(j));
      }
    }
    const Eigen::SelfAdjointEigenSolver<MatrixXd> solver(scaled);
    eigenvalues = solver.eigenvalues().cwiseMax(0.0);
    vectors = solver.eigenvectors();
    const double tolerance = std::max(rank_tolerance, 1e-7);
    const double limit = tolerance * tolerance * eigenvalues.maxCoeff();
    rank = (eigenvalues.array() > limit).count();
  }

  Index nullity() const { return eigenvalues.size() - rank; }

  // Inverse on what the data see, in real units.
  MatrixXd inverse() const {
    const Index size = eigenvalues.size();
    const MatrixXd seen = vectors.rightCols(rank);
    const VectorXd weight = eigenvalues.tail(rank).cwiseInverse();
    MatrixXd result = seen * weight.asDiagonal() * seen.transpose();
    for (Index j = 0; j < size; ++j) {
      for (Index i = 0; i < size; ++i) result(i, j) /= length(i) * length(j);
    }
    return result;
  }

  bool takes_part(Index i) const { return vectors.row(i).head(nullity()).norm() > kTakesPart; }
};

// A basis of the null space in which each direction has a parameter of its own: Gauss-Jordan with
// pivots, because the eigenvectors of an eigenvalue of multiplicity two are any mixture.
MatrixXd readable_basis(MatrixXd basis) {
  std::vector<bool> used(static_cast<std::size_t>(basis.rows()), false);
  for (Index k = 0; k < basis.cols(); ++k) {
    Index pivot = 0;
    double largest = -1.0;
    for (Index i = 0; i < basis.rows(); ++i) {
      if (used[static_cast<std::size_t>(i)] || std::abs(basis(i, k)) <= largest) continue;
      largest = std::abs(basis(i, k));
      pivot = i;
    }
    used[static_cast<std::size_t>(pivot)] = true;
    basis.col(k) /= basis(pivot, k);
    for (Index j = 0; j < basis.cols(); ++j) {
      if (j != k) basis.col(j) -= basis(pivot, j) * basis.col(k);
    }
  }
  return basis;
}

Direction direction_of(const EstimateStatistics& result, const VectorXd& scaled,
                       const VectorXd& length, double singular_value) {
  Direction direction;
  direction.singular_value = singular_value;
  const double tiny = kTakesPart * scaled.cwiseAbs().maxCoeff();
  direction.change.resize(scaled.size());
  for (Index i = 0; i < scaled.size(); ++i) {
    direction.change(i) = std::abs(scaled(i)) > tiny ? scaled(i) / length(i) : 0.0;
  }
  double largest = 0.0;
  for (Index i = 0; i < scaled.size(); ++i) {
    const double theta = std::abs(result.parameters(i));
    const double size = std::abs(direction.change(i));
    largest = std::max(largest, theta > 0.0 ? size / theta : size);
  }
  direction.change /= largest;
  direction.words = direction_in_words(result.names, result.parameters, direction.change);
  return direction;
}

void add_directions(const ScaledInformation& scaled, EstimateStatistics& result) {
  const Index nullity = scaled.nullity();
  const MatrixXd basis = readable_basis(scaled.vectors.leftCols(nullity));
  for (Index k = 0; k < nullity; ++k) {
    result.null_directions.push_back(direction_of(result, basis.col(k), scaled.length, 0.0));
  }
  result.weakest = nullity > 0 ? result.null_directions.front()
                               : direction_of(result, scaled.vectors.col(0), scaled.length,
                                              std::sqrt(scaled.eigenvalues(0)));
}

void add_covariance(const ScaledInformation& scaled, Index residuals,
                    const StatisticsOptions& options, EstimateStatistics& result) {
  const MatrixXd inverse = scaled.inverse();
  double factor = result.noise_variance;
  MatrixXd shape = inverse;
  if (options.score_covariance.size() > 0) {
    const double N = static_cast<double>(residuals);
    factor = N / static_cast<double>(std::max(result.freedom, Index{1}));
    const MatrixXd half = inverse * options.score_covariance;
    shape = half * inverse;
  }
  result.covariance = factor * shape;
  // From the shape: an exact fit has no variance, but its parameters still hang together.
  result.correlation = MatrixXd::Identity(inverse.rows(), inverse.cols());
  for (Index j = 0; j < inverse.cols(); ++j) {
    for (Index i = 0; i < j; ++i) {
      const bool known = !scaled.takes_part(i) && !scaled.takes_part(j);
      result.correlation(i, j) = result.correlation(j, i) =
          known ? shape(i, j) / std::sqrt(shape(i, i) * shape(j, j)) : kNaN;
    }
  }
  for (Index i = 0; i < inverse.rows(); ++i) {
    if (!scaled.takes_part(i)) continue;
    result.covariance.row(i).setConstant(kNaN);
    result.covariance.col(i).setConstant(kNaN);
  }
  for (Index i = 0; i < inverse.rows(); ++i) {
    if (scaled.takes_part(i)) result.covariance(i, i) = kNotFinite;
  }
}

void add_correlations(double limit, EstimateStatistics& result) {
  const Index size = result.parameters.size();
  result.deviations = result.covariance.diagonal().cwiseMax(0.0).cwiseSqrt();
  result.relative_deviations.resize(size);
  for (Index j = 0; j < size; ++j) {
    const double theta = std::abs(result.parameters(j));
    result.relative_deviations(j) = theta > 0.0 ? result.deviations(j) / theta : kNotFinite;
    for (Index i = 0; i < j; ++i) {
      const double rho = result.correlation(i, j);
      if (std::abs(rho) > limit) {
        result.correlated.push_back({result.names[static_cast<std::size_t>(i)],
                                     result.names[static_cast<std::size_t>(j)], rho});
      }
    }
  }
}

Outcome outcome_of(const EstimateStatistics& result) {
  if (!result.null_directions.empty()) {
    std::vector<std::string> words;
    for (const Direction& direction : result.null_directions) words.push_back(direction.words);
    return {Status::NotIdentifiable,
            fmt::format("these data do not determine: {}; fix a parameter of each, or measure more",
                        join(words, "; "))};
  }
  if (result.freedom < 1) {
    return {Status::NotIdentifiable,
            "as many parameters as residuals: nothing is left to judge the noise by; give "
            "noise_variance"};
  }
  return {};
}

void check_input(const std::vector<std::string>& names, const VectorXd& parameters,
                 double residual_sum, Index residuals, const StatisticsOptions& options) {
  const Index size = parameters.size();
  check::at_least(kEstimate, "parameters", size, 1);
  check::size(kEstimate, "names", static_cast<long long>(names.size()), size);
  check::all_finite(kEstimate, "parameters", parameters);
  check::non_negative(kEstimate, "residual_sum", residual_sum);
  check::at_least(kEstimate, "residuals", residuals, 1);
  check::non_negative(kEstimate, "noise_variance", options.noise_variance);
  if (options.score_covariance.size() > 0) {
    check::shape(kEstimate, "score_covariance", options.score_covariance, size, size);
    check::all_finite(kEstimate, "score_covariance", options.score_covariance);
  }
}

EstimateStatistics statistics_of(const std::vector<std::string>& names, const VectorXd& parameters,
                                 const ScaledInformation& scaled, double residual_sum,
                                 Index residuals, const StatisticsOptions& options) {
  EstimateStatistics result;
  result.names = names;
  result.parameters = parameters;
  result.rank = scaled.rank;
  result.freedom = residuals - scaled.rank;
  result.singular_values = scaled.eigenvalues.cwiseSqrt().reverse();
  result.condition = scaled.nullity() > 0
                         ? kNotFinite
                         : result.singular_values(0) / result.singular_values.minCoeff();
  // σ² = rᵀr/(N - p)
  result.noise_variance = options.noise_variance;
  if (options.noise_variance == 0.0) {
    result.noise_variance =
        result.freedom > 0 ? residual_sum / static_cast<double>(result.freedom) : kNotFinite;
  }
  add_directions(scaled, result);
  add_covariance(scaled, residuals, options, result);
  add_correlations(options.correlation_limit, result);
  if (options.noise_variance == 0.0 || !result.null_directions.empty()) {
    static_cast<Outcome&>(result) = outcome_of(result);
  }
  return result;
}

}  // namespace

EstimateStatistics estimate_statistics(const std::vector<std::string>& names,
                                       const VectorXd& parameters, const MatrixXd& information,
                                       double residual_sum, Index residuals,
                                       const StatisticsOptions& options) {
  check_input(names, parameters, residual_sum, residuals, options);
  const Index size = parameters.size();
  check::shape(kEstimate, "information", information, size, size);
  check::all_finite(kEstimate, "information", MatrixXd(information.triangularView<Eigen::Lower>()));
  const ScaledInformation scaled(information, options.rank_tolerance);
  return statistics_of(names, parameters, scaled, residual_sum, residuals, options);
}

EstimateStatistics estimate_statistics_by_factor(const std::vector<std::string>& names,
                                                 const VectorXd& parameters, const MatrixXd& factor,
                                                 double residual_sum, Index residuals,
                                                 const StatisticsOptions& options) {
  check_input(names, parameters, residual_sum, residuals, options);
  check::at_least(kEstimate, "rows of the factor", factor.rows(), parameters.size());
  check::shape(kEstimate, "factor", factor, factor.rows(), parameters.size());
  check::all_finite(kEstimate, "factor", factor);
  ScaledInformation scaled = ScaledInformation::of_factor(factor, options.rank_tolerance);
  const auto freedom = static_cast<double>(std::max(residuals - scaled.rank, Index{1}));
  const double variance =
      options.noise_variance > 0.0 ? options.noise_variance : residual_sum / freedom;
  scaled.drop_open_directions(parameters, std::sqrt(variance));
  return statistics_of(names, parameters, scaled, residual_sum, residuals, options);
}

EstimateStatistics with_covariance(EstimateStatistics statistics, const MatrixXd& covariance,
                                   double correlation_limit) {
  const Index size = statistics.parameters.size();
  check::shape("with_covariance", "covariance", covariance, size, size);
  statistics.covariance = covariance;
  statistics.correlation = MatrixXd::Identity(size, size);
  for (Index j = 0; j < size; ++j) {
    for (Index i = 0; i < j; ++i) {
      const double product = covariance(i, i) * covariance(j, j);
      statistics.correlation(i, j) = statistics.correlation(j, i) =
          std::isfinite(product) && product > 0.0 ? covariance(i, j) / std::sqrt(product) : kNaN;
    }
  }
  statistics.correlated.clear();
  add_correlations(correlation_limit, statistics);
  return statistics;
}

}  // namespace alembert::optimize
