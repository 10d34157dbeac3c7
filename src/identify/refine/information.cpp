#include "identify/refine/information.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "alembert/core/random.hpp"
#include "alembert/core/text.hpp"
#include "core/algebra/blas.hpp"
#include "core/algebra/decompositions.hpp"
#include "core/algebra/dense.hpp"

namespace alembert::identify {

namespace {

using Eigen::Index;

constexpr double kConditionLimit = 1e8;
constexpr int kPowerIterations = 60;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

// R with columns of unit length.
struct ScaledFactor {
  Eigen::MatrixXd R;
  Eigen::VectorXd scale;  // 1/length, 1 for a column of zeros
};
ScaledFactor scaled_factor(const Eigen::MatrixXd& R) {
  ScaledFactor result;
  result.scale = R.colwise().norm().transpose().unaryExpr(
      [](double length) { return length > 0.0 ? 1.0 / length : 1.0; });
  result.R = R * result.scale.asDiagonal();
  return result;
}

double largest_singular_value(const Eigen::MatrixXd& R, Eigen::VectorXd x) {
  double value = 0.0;
  for (int i = 0; i < kPowerIterations; ++i) {
    x = R.transpose() * (R * x.normalized());
    value = std::sqrt(x.norm());
  }
  return value;
}

// Inverse iteration on Rᵀ R; returns the smallest singular value and leaves its vector in x.
double smallest_singular_value(Eigen::MatrixXd R, Eigen::VectorXd& x) {
  for (Index i = 0; i < R.rows(); ++i) {
    if (std::abs(R(i, i)) < 1e-30) R(i, i) = 1e-30;
  }
  double value = 0.0;
  for (int i = 0; i < kPowerIterations; ++i) {
    x.normalize();
    R.transpose().triangularView<Eigen::Lower>().solveInPlace(x);
    x.normalize();
    R.triangularView<Eigen::Upper>().solveInPlace(x);
    value = 1.0 / x.norm();
  }
  x.normalize();
  return value;
}

Eigen::MatrixXd inverse_square(const Eigen::MatrixXd& R) {
  const Eigen::MatrixXd inverse =
      R.triangularView<Eigen::Upper>().solve(Eigen::MatrixXd::Identity(R.rows(), R.cols()));
  return product(inverse, inverse.transpose());
}

// (Rᵀ R)⁻¹ without the directions that carry no information, and these directions.
struct Truncated {
  Eigen::MatrixXd inverse, lost;
};
Truncated truncated_inverse(const Eigen::MatrixXd& R) {
  const auto [values, all_vectors] = dense::symmetric_eigen(dense::transposed_times(R, R));
  Index lost = 1;
  while (lost < values.size() && values(lost) < 1e-14 * values.maxCoeff()) ++lost;
  const Index kept = values.size() - lost;
  const Eigen::MatrixXd vectors = all_vectors.rightCols(kept);
  return {vectors * values.tail(kept).cwiseInverse().asDiagonal() * vectors.transpose(),
          all_vectors.leftCols(lost)};
}

// Infinite variances where a direction without information has a part.
void set_infinite(const Eigen::MatrixXd& lost, Eigen::MatrixXd& covariance) {
  constexpr double kPart = 1e-6;
  const Eigen::VectorXd part = lost.rowwise().norm();
  const double largest = part.maxCoeff();
  for (Index i = 0; i < part.size(); ++i) {
    if (part(i) > kPart * largest) covariance(i, i) = kInfinity;
  }
}

// From z = (q, h q') to (q, q').
Eigen::VectorXd unit_factors(const Fit& fit, Index unknowns, Index size) {
  Eigen::VectorXd factors = Eigen::VectorXd::Ones(size);
  const Index n = fit.coordinates();
  for (Index place = unknowns; place < size; place += 2 * n) {
    factors.segment(place + n, n).setConstant(1.0 / fit.step);
  }
  return factors;
}

std::vector<std::string> unknown_names(const Fit& fit, const Parametrisation& unknowns) {
  std::vector<std::string> names = unknowns.names;
  for (std::size_t e = 0; fit.free_start && e < fit.data.size(); ++e) {
    for (Index i = 0; i < 2 * fit.coordinates(); ++i) {
      const bool velocity = i >= fit.coordinates();
      names.push_back(fmt::format("q{}{}(0) of experiment {}",
                                  (velocity ? i - fit.coordinates() : i) + 1, velocity ? "'" : "",
                                  e + 1));
    }
  }
  return names;
}

}  // namespace

Information information(const Fit& fit, const Guess& guess, const Eigen::MatrixXd& R) {
  Information result;
  const Index size = R.cols();
  const Index unknowns = guess.unknowns();
  if (!R.allFinite()) {
    result.covariance = Eigen::MatrixXd::Constant(size, size, kInfinity);
    result.matrix_covariance =
        Eigen::MatrixXd::Constant(guess.jacobian.rows(), guess.jacobian.rows(), kInfinity);
    result.condition = kInfinity;
    result.weakest = Eigen::VectorXd::Zero(size);
    return result;
  }
  const ScaledFactor scaled = scaled_factor(R);
  result.weakest = RandomStream(1).normal_vector(size);
  const double largest = largest_singular_value(scaled.R, result.weakest);
  result.condition = largest / smallest_singular_value(scaled.R, result.weakest);
  result.identifiable = result.condition < kConditionLimit;
  const Eigen::VectorXd units = scaled.scale.cwiseProduct(unit_factors(fit, unknowns, size));
  const auto with_units = [&](const Eigen::MatrixXd& matrix) {
    return Eigen::MatrixXd(units.asDiagonal() * matrix * units.asDiagonal());
  };
  Eigen::MatrixXd lost;
  if (result.identifiable) {
    result.covariance = with_units(inverse_square(scaled.R));
  } else {
    const Truncated truncated = truncated_inverse(scaled.R);
    result.covariance = with_units(truncated.inverse);
    lost = truncated.lost;
  }
  const Eigen::MatrixXd spread =
      guess.jacobian * result.covariance.topLeftCorner(unknowns, unknowns);
  result.matrix_covariance = guess.jacobian * spread.transpose();
  if (lost.cols() > 0) {
    set_infinite(lost, result.covariance);
    const Eigen::MatrixXd theta = units.head(unknowns).asDiagonal() * lost.topRows(unknowns);
    // Rows relative to the reach of the other unknowns in the same entry.
    const Eigen::VectorXd reach = guess.jacobian.cwiseAbs() * units.head(unknowns).cwiseAbs();
    const Eigen::VectorXd inverse =
        reach.unaryExpr([](double value) { return value > 0.0 ? 1.0 / value : 0.0; });
    const Eigen::MatrixXd entries = inverse.asDiagonal() * (guess.jacobian * theta);
    set_infinite(entries, result.matrix_covariance);
  }
  return result;
}

std::string involved_unknowns(const Fit& fit, const Parametrisation& unknowns,
                              const Eigen::VectorXd& direction) {
  constexpr std::size_t kNamed = 6;
  const std::vector<std::string> all = unknown_names(fit, unknowns);
  std::vector<Index> order(static_cast<std::size_t>(direction.size()));
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) {
    return std::abs(direction(a)) > std::abs(direction(b));
  });
  std::vector<std::string> named;
  for (const Index i : order) {
    if (named.size() == kNamed || std::abs(direction(i)) < 0.2 * std::abs(direction(order[0]))) {
      break;
    }
    named.push_back(all[static_cast<std::size_t>(i)]);
  }
  return join(named, ", ");
}

}  // namespace alembert::identify
