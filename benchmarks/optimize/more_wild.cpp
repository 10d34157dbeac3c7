#include "benchmarks/optimize/more_wild.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <initializer_list>
#include <limits>
#include <numbers>

#include "benchmarks/optimize/more_wild_fits.hpp"

namespace alembert::test {

namespace {

using Eigen::Index;
using Eigen::VectorXd;

double cubed(double x) { return x * x * x; }

double linear(int function, Index m, Index i, const VectorXd& x) {
  const Index n = x.size();
  if (function == 1) {
    const double sum = 2.0 * x.sum() / static_cast<double>(m) + 1.0;
    return (i < n ? x(i) : 0.0) - sum;
  }
  const Index skip = function == 3 ? 1 : 0;
  double sum = 0.0;
  for (Index j = skip; j < n - skip; ++j) sum += static_cast<double>(j + 1) * x(j);
  if (function == 2) return static_cast<double>(i + 1) * sum - 1.0;
  return (i < m - 1 ? static_cast<double>(i) * sum : 0.0) - 1.0;
}

VectorXd helical(const VectorXd& x) {
  double turn = std::atan(x(1) / x(0)) / (2.0 * std::numbers::pi);
  if (x(0) == 0.0) turn = x(1) < 0.0 ? -0.25 : 0.25;
  if (x(0) < 0.0) turn += 0.5;
  return Eigen::Vector3d(10.0 * (x(2) - 10.0 * turn), 10.0 * (std::hypot(x(0), x(1)) - 1.0), x(2));
}

VectorXd powell_singular(const VectorXd& x) {
  return Eigen::Vector4d(x(0) + 10.0 * x(1), std::sqrt(5.0) * (x(2) - x(3)),
                         (x(1) - 2.0 * x(2)) * (x(1) - 2.0 * x(2)),
                         std::sqrt(10.0) * (x(0) - x(3)) * (x(0) - x(3)));
}

double watson(Index i, const VectorXd& x) {
  if (i == 29) return x(0);
  if (i == 30) return x(1) - x(0) * x(0) - 1.0;
  const double t = static_cast<double>(i + 1) / 29.0;
  double value = 0.0;
  double slope = 0.0;
  for (Index j = x.size() - 1; j >= 0; --j) value = value * t + x(j);
  for (Index j = x.size() - 1; j >= 1; --j) slope = slope * t + static_cast<double>(j) * x(j);
  return slope - value * value - 1.0;
}

double exponential_fit(int function, Index i, const VectorXd& x) {
  const double k = static_cast<double>(i + 1);
  if (function == 12) {
    const double t = k / 10.0;
    return std::exp(-t * x(0)) - std::exp(-t * x(1)) + (std::exp(-k) - std::exp(-t)) * x(2);
  }
  if (function == 13) return 2.0 + 2.0 * k - std::exp(k * x(0)) - std::exp(k * x(1));
  const double t = k / 5.0;
  const double a = x(0) + t * x(1) - std::exp(t);
  const double b = x(2) + x(3) * std::sin(t) - std::cos(t);
  return a * a + b * b;
}

VectorXd chebyquad(const VectorXd& x) {
  const Index n = x.size();
  VectorXd sums = VectorXd::Zero(n);
  for (const double entry : x) {
    const double t = 2.0 * entry - 1.0;
    double before = 1.0;
    double value = t;
    for (Index i = 0; i < n; ++i) {
      sums(i) += value / static_cast<double>(n);
      const double next = 2.0 * t * value - before;
      before = value;
      value = next;
    }
  }
  for (Index i = 1; i < n; i += 2) {
    const double degree = static_cast<double>(i + 1);
    sums(i) += 1.0 / (degree * degree - 1.0);
  }
  return sums;
}

VectorXd brown_almost_linear(const VectorXd& x) {
  const double sum = x.sum() - static_cast<double>(x.size() + 1);
  VectorXd r = x.array() + sum;
  r(x.size() - 1) = x.prod() - 1.0;
  return r;
}

VectorXd bdqrtic(const VectorXd& x) {
  const Index half = x.size() - 4;
  VectorXd r(2 * half);
  for (Index i = 0; i < half; ++i) {
    r(i) = 3.0 - 4.0 * x(i);
    r(half + i) = x(i) * x(i) + 2.0 * x(i + 1) * x(i + 1) + 3.0 * x(i + 2) * x(i + 2) +
                  4.0 * x(i + 3) * x(i + 3) + 5.0 * x(x.size() - 1) * x(x.size() - 1);
  }
  return r;
}

VectorXd cube(const VectorXd& x) {
  VectorXd r(x.size());
  r(0) = x(0) - 1.0;
  for (Index i = 1; i < x.size(); ++i) r(i) = 10.0 * (x(i) - cubed(x(i - 1)));
  return r;
}

double mancino_sum(Index i, double square, Index n) {
  double sum = 0.0;
  for (Index j = 0; j < n; ++j) {
    const double v = std::sqrt(square + static_cast<double>(i + 1) / static_cast<double>(j + 1));
    sum += v * (std::pow(std::sin(std::log(v)), 5.0) + std::pow(std::cos(std::log(v)), 5.0));
  }
  return sum;
}

VectorXd mancino(const VectorXd& x) {
  VectorXd r(x.size());
  for (Index i = 0; i < x.size(); ++i) {
    r(i) = 1400.0 * x(i) + cubed(static_cast<double>(i + 1) - 50.0) +
           mancino_sum(i, x(i) * x(i), x.size());
  }
  return r;
}

VectorXd mancino_start(Index n) {
  VectorXd x(n);
  for (Index i = 0; i < n; ++i) {
    x(i) = -8.710996e-4 * (cubed(static_cast<double>(i + 1) - 50.0) + mancino_sum(i, 0.0, n));
  }
  return x;
}

// Moments Σ a z^k, k = 0 ... 3, of two complex dipoles a at places z against measured ones.
VectorXd heart(const VectorXd& x) {
  using Complex = std::complex<double>;
  constexpr std::array<Complex, 4> measured = {Complex{-0.69, -0.044}, Complex{-1.57, -1.31},
                                               Complex{-2.65, 2.0}, Complex{-12.6, 9.48}};
  const Complex z1(x(4), x(6)), z2(x(5), x(7));
  Complex moment1(x(0), x(2)), moment2(x(1), x(3));
  VectorXd r(8);
  for (Index k = 0; k < 4; ++k) {
    const Complex left = moment1 + moment2 - measured[static_cast<std::size_t>(k)];
    r.segment<2>(2 * k) << left.real(), left.imag();
    moment1 *= z1;
    moment2 *= z2;
  }
  return r;
}

VectorXd given_start(Index n, std::initializer_list<double> values) {
  return Eigen::Map<const VectorXd>(values.begin(), n);
}

VectorXd standard_start(int function, Index n) {
  switch (function) {
    case 4:
      return Eigen::Vector2d(-1.2, 1.0);
    case 5:
      return Eigen::Vector3d(-1.0, 0.0, 0.0);
    case 6:
      return Eigen::Vector4d(3.0, -1.0, 0.0, 1.0);
    case 7:
      return Eigen::Vector2d(0.5, -2.0);
    case 9:
      return Eigen::Vector4d(0.25, 0.39, 0.415, 0.39);
    case 10:
      return Eigen::Vector3d(0.02, 4000.0, 250.0);
    case 12:
      return Eigen::Vector3d(0.0, 10.0, 20.0);
    case 13:
      return Eigen::Vector2d(0.3, 0.4);
    case 14:
      return Eigen::Vector4d(25.0, 5.0, -5.0, -1.0);
    case 15:
      return VectorXd::LinSpaced(n, 1.0, static_cast<double>(n)) / static_cast<double>(n + 1);
    case 11:
    case 16:
    case 20:
      return VectorXd::Constant(n, 0.5);
    case 17:
      return given_start(n, {0.5, 1.5, -1.0, 0.01, 0.02});
    case 18:
      return given_start(n, {1.3, 0.65, 0.65, 0.7, 0.6, 3.0, 5.0, 7.0, 2.0, 4.5, 5.5});
    case 21:
      return mancino_start(n);
    case 22:
      return given_start(n, {-0.3, -0.39, 0.3, -0.344, -1.2, 2.69, 1.59, -1.5});
    default:
      return VectorXd::Ones(n);
  }
}

// The deterministic noise of [MoreWild2009]: T_3(0.9 sin(100 |x|_1) cos(100 |x|_inf) + 0.1 cos
// |x|_2).
double oscillation(const VectorXd& x) {
  const double phi =
      0.9 * std::sin(100.0 * x.cwiseAbs().sum()) * std::cos(100.0 * x.cwiseAbs().maxCoeff()) +
      0.1 * std::cos(x.norm());
  return phi * (4.0 * phi * phi - 3.0);
}

constexpr std::array<const char*, 22> kNames = {"linear",
                                                "linear-rank-1",
                                                "linear-rank-1-zeros",
                                                "rosenbrock",
                                                "helical",
                                                "powell",
                                                "freudenstein-roth",
                                                "bard",
                                                "kowalik",
                                                "meyer",
                                                "watson",
                                                "box",
                                                "jennrich",
                                                "brown-dennis",
                                                "chebyquad",
                                                "brown-almost-linear",
                                                "osborne-1",
                                                "osborne-2",
                                                "bdqrtic",
                                                "cube",
                                                "mancino",
                                                "heart"};

}  // namespace

VectorXd residuals(const MoreWildProblem& problem, const VectorXd& x) {
  switch (problem.function) {
    case 4:
      return Eigen::Vector2d(10.0 * (x(1) - x(0) * x(0)), 1.0 - x(0));
    case 5:
      return helical(x);
    case 6:
      return powell_singular(x);
    case 7:
      return Eigen::Vector2d(x(0) - 13.0 + ((5.0 - x(1)) * x(1) - 2.0) * x(1),
                             x(0) - 29.0 + ((1.0 + x(1)) * x(1) - 14.0) * x(1));
    case 15:
      return chebyquad(x);
    case 16:
      return brown_almost_linear(x);
    case 19:
      return bdqrtic(x);
    case 20:
      return cube(x);
    case 21:
      return mancino(x);
    case 22:
      return heart(x);
    default:
      break;
  }
  VectorXd r(problem.m);
  for (Index i = 0; i < problem.m; ++i) {
    r(i) = problem.function <= 3                 ? linear(problem.function, problem.m, i, x)
           : fits_measurements(problem.function) ? measurement_misfit(problem.function, i, x)
           : problem.function == 11              ? watson(i, x)
                                                 : exponential_fit(problem.function, i, x);
  }
  return r;
}

double cost_of(const MoreWildProblem& problem, CostKind kind, const VectorXd& x) {
  const VectorXd r = residuals(problem, x);
  if (kind == CostKind::Kinks) return r.cwiseAbs().sum();
  return r.squaredNorm() * (kind == CostKind::Noise ? 1.0 + 1e-3 * oscillation(x) : 1.0);
}

std::vector<MoreWildProblem> more_wild_problems(Index max_variables) {
  // function, n, m, start ten times as far
  constexpr int kRows[][4] = {
      {1, 9, 45, 0},   {1, 9, 45, 1},   {2, 7, 35, 0},   {2, 7, 35, 1},   {3, 7, 35, 0},
      {3, 7, 35, 1},   {4, 2, 2, 0},    {4, 2, 2, 1},    {5, 3, 3, 0},    {5, 3, 3, 1},
      {6, 4, 4, 0},    {6, 4, 4, 1},    {7, 2, 2, 0},    {7, 2, 2, 1},    {8, 3, 15, 0},
      {8, 3, 15, 1},   {9, 4, 11, 0},   {10, 3, 16, 0},  {11, 6, 31, 0},  {11, 6, 31, 1},
      {11, 9, 31, 0},  {11, 9, 31, 1},  {11, 12, 31, 0}, {11, 12, 31, 1}, {12, 3, 10, 0},
      {13, 2, 10, 0},  {14, 4, 20, 0},  {14, 4, 20, 1},  {15, 6, 6, 0},   {15, 7, 7, 0},
      {15, 8, 8, 0},   {15, 9, 9, 0},   {15, 10, 10, 0}, {15, 11, 11, 0}, {16, 10, 10, 0},
      {17, 5, 33, 0},  {18, 11, 65, 0}, {18, 11, 65, 1}, {19, 8, 8, 0},   {19, 10, 12, 0},
      {19, 11, 14, 0}, {19, 12, 16, 0}, {20, 5, 5, 0},   {20, 6, 6, 0},   {20, 8, 8, 0},
      {21, 5, 5, 0},   {21, 5, 5, 1},   {21, 8, 8, 0},   {21, 10, 10, 0}, {21, 12, 12, 0},
      {21, 12, 12, 1}, {22, 8, 8, 0},   {22, 8, 8, 1}};
  std::vector<MoreWildProblem> problems;
  for (const auto& row : kRows) {
    if (row[1] > max_variables) continue;
    MoreWildProblem problem;
    problem.name = fmt::format("{}-{}{}", kNames[static_cast<std::size_t>(row[0] - 1)], row[1],
                               row[3] == 1 ? "-far" : "");
    problem.function = row[0];
    problem.m = row[2];
    problem.start = standard_start(row[0], row[1]);
    if (row[3] == 1) problem.start *= 10.0;
    problems.push_back(problem);
  }
  return problems;
}

double simplex_gradients_to_solve(const Trace& trace, double best, double tau) {
  if (trace.costs.empty()) return std::numeric_limits<double>::infinity();
  const double limit = best + tau * (trace.costs.front() - best);
  for (std::size_t k = 0; k < trace.costs.size(); ++k) {
    if (trace.costs[k] <= limit) {
      return static_cast<double>(k + 1) / static_cast<double>(trace.variables + 1);
    }
  }
  return std::numeric_limits<double>::infinity();
}

double solved_share(const std::vector<double>& needed, double alpha) {
  const auto solved =
      std::count_if(needed.begin(), needed.end(), [&](double k) { return k <= alpha; });
  return static_cast<double>(solved) / static_cast<double>(needed.size());
}

}  // namespace alembert::test
