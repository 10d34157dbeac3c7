#pragma once

#include <Eigen/Core>
#include <cmath>
#include <limits>
#include <numbers>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "alembert/core/random.hpp"
#include "alembert/estimate/ekf.hpp"
#include "alembert/estimate/sigma_point_filter.hpp"
#include "alembert/estimate/square_root_ekf.hpp"
#include "alembert/estimate/square_root_sigma_point_filter.hpp"
#include "core/algebra/decompositions.hpp"

/// A linear model as filter model, its data, and the Kalman filter and the least-squares solution
/// of the whole record as oracles.
namespace alembert::estimate::test_models {

inline constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

/// x⁺ = A x + B u, y = C x.
template <typename Real, int N, int M>
struct Linear {
  using Scalar = Real;
  using Input = Real;
  static constexpr int kStates = N;
  static constexpr int kOutputs = M;
  Eigen::MatrixXd A, C;
  Eigen::VectorXd B;
  int states() const { return static_cast<int>(A.rows()); }
  int outputs() const { return static_cast<int>(C.rows()); }

  template <typename T>
  void process(const Input& u, std::span<const T> x, std::span<T> next) const {
    for (std::size_t i = 0; i < next.size(); ++i) {
      T sum = static_cast<Real>(B(static_cast<int>(i))) * u;
      add(A, i, x, sum);
      next[i] = sum;
    }
  }
  template <typename T>
  void output(const Input&, std::span<const T> x, std::span<T> y) const {
    for (std::size_t i = 0; i < y.size(); ++i) {
      T sum(Real(0));
      add(C, i, x, sum);
      y[i] = sum;
    }
  }

 private:
  template <typename T>
  static void add(const Eigen::MatrixXd& matrix, std::size_t row, std::span<const T> x, T& sum) {
    for (std::size_t j = 0; j < x.size(); ++j) {
      sum += static_cast<Real>(matrix(static_cast<int>(row), static_cast<int>(j))) * x[j];
    }
  }
};

/// A stable random system with its noises, start and data; NaN in z with the given share.
struct LinearCase {
  Eigen::MatrixXd A, C, Q, R, P0;
  Eigen::VectorXd B, x0;
  std::vector<double> u;
  std::vector<Eigen::VectorXd> z, truth;

  LinearCase(int n, int m, int steps, std::uint64_t seed, double missing = 0.0) {
    RandomStream random(seed);
    const auto matrix = [&](int rows, int cols) {
      Eigen::MatrixXd a(rows, cols);
      for (int i = 0; i < a.size(); ++i) a(i) = random.uniform(-1.0, 1.0);
      return a;
    };
    const auto definite = [&](int size, double scale) -> Eigen::MatrixXd {
      const Eigen::MatrixXd a = matrix(size, size);
      return scale * (a * a.transpose() + 0.1 * Eigen::MatrixXd::Identity(size, size));
    };
    A = 0.9 * Eigen::MatrixXd::Identity(n, n) + 0.3 / n * matrix(n, n);
    C = matrix(m, n);
    B = matrix(n, 1);
    Q = definite(n, 0.05);
    R = definite(m, 0.2);
    P0 = definite(n, 1.0);
    x0 = matrix(n, 1);
    const Eigen::MatrixXd lq = Q.llt().matrixL(), lr = R.llt().matrixL(), lp = P0.llt().matrixL();
    Eigen::VectorXd x = x0 + lp * random.normal_vector(n);
    for (int k = 0; k < steps; ++k) {
      u.push_back(std::sin(0.3 * k));
      x = A * x + B * u.back() + lq * random.normal_vector(n);
      truth.push_back(x);
      Eigen::VectorXd y = C * x + lr * random.normal_vector(m);
      for (int i = 0; i < m; ++i) {
        if (random.uniform() < missing) y(i) = kMissing;
      }
      z.push_back(y);
    }
  }

  template <typename Real, int N, int M>
  [[nodiscard]] Linear<Real, N, M> model() const {
    return {A, C, B};
  }
  /// Rows of the outputs that were measured.
  [[nodiscard]] std::vector<int> present(std::size_t k) const {
    std::vector<int> rows;
    for (int i = 0; i < z[k].size(); ++i) {
      if (!std::isnan(z[k](i))) rows.push_back(i);
    }
    return rows;
  }
};

struct Gaussian {
  Eigen::VectorXd mean;
  Eigen::MatrixXd covariance;
};

/// The textbook filter, Joseph's form, with its log-likelihood; step k is after the update.
inline std::vector<Gaussian> kalman(const LinearCase& data, double* log_likelihood = nullptr) {
  std::vector<Gaussian> steps;
  Gaussian now{data.x0, data.P0};
  double sum = 0.0;
  for (std::size_t k = 0; k < data.z.size(); ++k) {
    now.mean = data.A * now.mean + data.B * data.u[k];
    now.covariance = data.A * now.covariance * data.A.transpose() + data.Q;
    const std::vector<int> rows = data.present(k);
    if (!rows.empty()) {
      const Eigen::MatrixXd C = data.C(rows, Eigen::all);
      const Eigen::MatrixXd R = data.R(rows, rows);
      const Eigen::VectorXd v = data.z[k](rows) - C * now.mean;
      const Eigen::MatrixXd S = C * now.covariance * C.transpose() + R;
      const Eigen::MatrixXd K = now.covariance * C.transpose() * S.inverse();
      const Eigen::MatrixXd I = Eigen::MatrixXd::Identity(data.A.rows(), data.A.rows()) - K * C;
      sum += -0.5 * (v.dot(S.inverse() * v) + std::log((2.0 * std::numbers::pi * S).determinant()));
      now.mean += K * v;
      now.covariance = I * now.covariance * I.transpose() + K * R * K.transpose();
    }
    steps.push_back(now);
  }
  if (log_likelihood != nullptr) *log_likelihood = sum;
  return steps;
}

/// All states x_0..x_N at once: weighted least squares over start, motion and measurements. Block k
/// is the smoothed estimate of x_k.
inline std::vector<Gaussian> batch(const LinearCase& data) {
  const int n = static_cast<int>(data.A.rows());
  const int count = static_cast<int>(data.z.size()) + 1;
  Eigen::MatrixXd information = Eigen::MatrixXd::Zero(n * count, n * count);
  Eigen::VectorXd right = Eigen::VectorXd::Zero(n * count);
  const Eigen::MatrixXd p_inverse = data.P0.inverse();
  const Eigen::MatrixXd q_inverse = data.Q.inverse();
  information.topLeftCorner(n, n) += p_inverse;
  right.head(n) += p_inverse * data.x0;
  for (int k = 1; k < count; ++k) {
    Eigen::MatrixXd rows = Eigen::MatrixXd::Zero(n, 2 * n);
    rows << -data.A, Eigen::MatrixXd::Identity(n, n);
    information.block(n * (k - 1), n * (k - 1), 2 * n, 2 * n) +=
        rows.transpose() * q_inverse * rows;
    const auto at = static_cast<std::size_t>(k - 1);
    right.segment(n * (k - 1), 2 * n) += rows.transpose() * q_inverse * data.B * data.u[at];
    const std::vector<int> present = data.present(at);
    if (present.empty()) continue;
    const Eigen::MatrixXd C = data.C(present, Eigen::all);
    const Eigen::MatrixXd r_inverse = Eigen::MatrixXd(data.R(present, present)).inverse();
    information.block(n * k, n * k, n, n) += C.transpose() * r_inverse * C;
    right.segment(n * k, n) += C.transpose() * r_inverse * data.z[at](present);
  }
  const Eigen::MatrixXd covariance = information.inverse();
  const Eigen::VectorXd solution = covariance * right;
  std::vector<Gaussian> blocks;
  for (int k = 0; k < count; ++k) {
    blocks.push_back({solution.segment(n * k, n), covariance.block(n * k, n * k, n, n)});
  }
  return blocks;
}

template <typename Model>
struct NamedFilter {
  std::string name;
  std::variant<Ekf<Model>, SquareRootEkf<Model>, SigmaPointFilter<Model>,
               SquareRootSigmaPointFilter<Model>>
      filter;
};

/// Every filter there is, for a model with dynamic or fixed sizes.
template <typename Model>
std::vector<NamedFilter<Model>> all_filters(const Model& model,
                                            const typename ModelTypes<Model>::State& x0,
                                            const typename ModelTypes<Model>::StateMatrix& P0,
                                            const GateOptions& gate) {
  const int n = states_of(model);
  std::vector<NamedFilter<Model>> filters;
  for (const int iterations : {1, 5}) {
    const EkfOptions options{.iterations = iterations, .gate = gate};
    filters.push_back({"ekf", Ekf<Model>(model, x0, P0, options)});
    filters.push_back({"square-root ekf", SquareRootEkf<Model>(model, x0, P0, options)});
  }
  const std::vector<std::pair<std::string, SigmaPoints>> sets = {
      {"simplex", spherical_simplex(n)},
      {"simplex without centre", spherical_simplex(n, 0.0)},
      {"unscented", unscented(n)},
      {"cubature", cubature(n)},
      {"gauss-hermite", gauss_hermite(n, 3)},
      {"scaled unscented", unscented(n, {.alpha = 0.5, .beta = 2.0})}};
  for (const auto& [name, set] : sets) {
    filters.push_back({name, SigmaPointFilter<Model>(model, x0, P0, set, {.gate = gate})});
    if (!set.square_root_possible()) continue;
    filters.push_back({"square-root " + name,
                       SquareRootSigmaPointFilter<Model>(model, x0, P0, set, {.gate = gate})});
  }
  return filters;
}

/// Calls body(name, filter) with each of them.
template <typename Model, typename Body>
void for_each_filter(const Model& model, const typename ModelTypes<Model>::State& x0,
                     const typename ModelTypes<Model>::StateMatrix& P0, const Body& body,
                     const GateOptions& gate = {}) {
  for (const NamedFilter<Model>& named : all_filters(model, x0, P0, gate)) {
    std::visit([&](const auto& filter) { body(named.name, filter); }, named.filter);
  }
}

}  // namespace alembert::estimate::test_models
