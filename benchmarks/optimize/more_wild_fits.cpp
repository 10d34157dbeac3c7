#include "benchmarks/optimize/more_wild_fits.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace alembert::test {

namespace {

using Eigen::Index;
using Eigen::VectorXd;

constexpr std::array<double, 15> kBard = {0.14, 0.18, 0.22, 0.25, 0.29, 0.32, 0.35, 0.39,
                                          0.37, 0.58, 0.73, 0.96, 1.34, 2.10, 4.39};
constexpr std::array<double, 11> kKowalikAt = {4.0,   2.0, 1.0,    0.5,    0.25,  0.167,
                                               0.125, 0.1, 0.0833, 0.0714, 0.0625};
constexpr std::array<double, 11> kKowalik = {0.1957, 0.1947, 0.1735, 0.1600, 0.0844, 0.0627,
                                             0.0456, 0.0342, 0.0323, 0.0235, 0.0246};
constexpr std::array<double, 16> kMeyer = {34780, 28610, 23650, 19630, 16370, 13720, 11540, 9744,
                                           8261,  7030,  6005,  5147,  4427,  3820,  3307,  2872};
constexpr std::array<double, 33> kOsborne1 = {
    0.844, 0.908, 0.932, 0.936, 0.925, 0.908, 0.881, 0.850, 0.818, 0.784, 0.751,
    0.718, 0.685, 0.658, 0.628, 0.603, 0.580, 0.558, 0.538, 0.522, 0.506, 0.490,
    0.478, 0.467, 0.457, 0.448, 0.438, 0.431, 0.424, 0.420, 0.414, 0.411, 0.406};
constexpr std::array<double, 65> kOsborne2 = {
    1.366, 1.191, 1.112, 1.013, 0.991, 0.885, 0.831, 0.847, 0.786, 0.725, 0.746, 0.679, 0.608,
    0.655, 0.616, 0.606, 0.602, 0.626, 0.651, 0.724, 0.649, 0.649, 0.694, 0.644, 0.624, 0.661,
    0.612, 0.558, 0.533, 0.495, 0.500, 0.423, 0.395, 0.375, 0.372, 0.391, 0.396, 0.405, 0.428,
    0.429, 0.523, 0.562, 0.607, 0.653, 0.672, 0.708, 0.633, 0.668, 0.645, 0.632, 0.591, 0.559,
    0.597, 0.625, 0.739, 0.710, 0.729, 0.720, 0.636, 0.581, 0.428, 0.292, 0.162, 0.098, 0.054};

// x0 e^(-x4 t) and three bells of heights x1 ... x3, widths by x5 ... x7, at x8 ... x10.
double decay_and_bells(double t, const VectorXd& x) {
  double sum = x(0) * std::exp(-t * x(4));
  for (Index k = 1; k < 4; ++k) {
    const double away = t - x(7 + k);
    sum += x(k) * std::exp(-away * away * x(4 + k));
  }
  return sum;
}

}  // namespace

bool fits_measurements(int function) {
  return (function >= 8 && function <= 10) || function == 17 || function == 18;
}

double measurement_misfit(int function, Index i, const VectorXd& x) {
  const auto k = static_cast<std::size_t>(i);
  const double t = static_cast<double>(i + 1);
  if (function == 8) {
    return kBard[k] - (x(0) + t / (x(1) * (16.0 - t) + x(2) * std::min(t, 16.0 - t)));
  }
  if (function == 9) {
    const double v = kKowalikAt[k];
    return kKowalik[k] - x(0) * v * (v + x(1)) / (v * (v + x(2)) + x(3));
  }
  if (function == 10) return x(0) * std::exp(x(1) / (45.0 + 5.0 * t + x(2))) - kMeyer[k];
  if (function == 17) {
    const double s = 10.0 * static_cast<double>(i);
    return kOsborne1[k] - (x(0) + x(1) * std::exp(-s * x(3)) + x(2) * std::exp(-s * x(4)));
  }
  return kOsborne2[k] - decay_and_bells(static_cast<double>(i) / 10.0, x);
}

}  // namespace alembert::test
