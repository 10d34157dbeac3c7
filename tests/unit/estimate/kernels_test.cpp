// Triangles of the square-root filters, over the whole range of the numbers.
#include "alembert/estimate/detail/kernels.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "alembert/core/random.hpp"
#include "alembert/estimate/square_root_ekf.hpp"
#include "alembert/estimate/square_root_sigma_point_filter.hpp"
#include "small_models.hpp"

namespace alembert::estimate::kernels_test {

template <typename T>
class SquareRootRange : public ::testing::Test {};
using Numbers = ::testing::Types<double, float>;
TYPED_TEST_SUITE(SquareRootRange, Numbers);

constexpr int kTop = 3, kRest = 4, kWidth = 5;

template <typename T>
struct Array {
  Eigen::Matrix<T, kTop, kWidth> top;    // upper trapezoidal
  Eigen::Matrix<T, kRest, kWidth> rest;  // full

  explicit Array(std::uint64_t seed) {
    RandomStream random(seed);
    for (int j = 0; j < kWidth; ++j) {
      for (int i = 0; i < kTop; ++i) top(i, j) = i <= j ? static_cast<T>(random.normal()) : T(0);
      for (int i = 0; i < kRest; ++i) rest(i, j) = static_cast<T>(random.normal());
    }
  }
  void triangularise() { kernels::triangularise(top, rest, kTop, kRest, kWidth); }
};

// A column with a factor has it in the triangle too, Q [R; B] D = [R'; B'] D, and nothing else
// changes; a triangle with a diagonal > 0 is unique.
TYPED_TEST(SquareRootRange, ScaledColumnsGiveScaledColumnsOfTheTriangle) {
  using T = TypeParam;
  // Some ten products and sums of numbers up to 4.
  const T rounding = T(100) * std::numeric_limits<T>::epsilon();
  const T least = std::numeric_limits<T>::min();
  for (int column = 0; column < kTop; ++column) {
    for (T factor = T(1); factor > T(0); factor *= T(0.5)) {
      Array<T> plain(3), scaled(3);
      scaled.top.col(column) *= factor;
      scaled.rest.col(column) *= factor;
      plain.triangularise();
      scaled.triangularise();
      // Squares below the least normal number leave the next columns one row more to reduce.
      if (factor < T(4) * std::sqrt(least)) {
        EXPECT_TRUE(scaled.top.allFinite()) << factor;
        continue;
      }
      for (int j = 0; j < kWidth; ++j) {
        const T size = j == column ? factor : T(1);
        EXPECT_TRUE((scaled.top.col(j) / size).isApprox(plain.top.col(j), rounding)) << factor;
      }
    }
  }
}

// R'ᵀR' + B'ᵀB' = RᵀR + BᵀB for the columns that are left, whatever was small before them.
TYPED_TEST(SquareRootRange, KeepsTheSquaresOfTheOtherColumns) {
  using T = TypeParam;
  const T rounding = T(100) * std::numeric_limits<T>::epsilon();
  for (int column = 0; column < kTop; ++column) {
    for (const bool with_pivot : {false, true}) {
      for (const T sign : {T(1), T(-1)}) {
        for (T factor = T(1); factor > T(0); factor *= T(0.5)) {
          Array<T> array(5);
          array.top(column, column) = sign * std::abs(array.top(column, column));
          array.rest.col(column) *= factor;
          if (with_pivot) array.top.col(column) *= factor;
          const Array<T> given = array;
          array.triangularise();
          for (int j = kTop; j < kWidth; ++j) {
            const T before = given.top.col(j).squaredNorm() + given.rest.col(j).squaredNorm();
            const T after = array.top.col(j).squaredNorm() + array.rest.col(j).squaredNorm();
            ASSERT_NEAR(after, before, rounding * before) << factor << ' ' << column;
          }
        }
      }
    }
  }
}

template <typename T>
struct Decay : test_models::SmallModel<1, 1> {
  using Scalar = T;
  template <typename U>
  void process(const Input&, std::span<const U> x, std::span<U> next) const {
    next[0] = T(0.9) * x[0];
  }
  template <typename U>
  void output(const Input&, std::span<const U> x, std::span<U> y) const {
    y[0] = x[0];
  }
};

// Without noise of the process 1/P grows by one with every reading: 1/P⁺ = 1/(a²P) + 1, down to
// the least of all numbers.
template <typename Filter, typename T>
void decays(Filter filter) {
  const auto q = Filter::ProcessNoise::from_covariance(Eigen::Matrix<T, 1, 1>::Zero());
  const auto r = Filter::OutputNoise::from_covariance(Eigen::Matrix<T, 1, 1>::Identity());
  const typename Filter::Output reading = Filter::Output::Zero();
  double information = 1.0;
  for (int k = 1; k <= 8000; ++k) {
    ASSERT_EQ(filter.predict({}, q), Status::Success) << k;
    ASSERT_EQ(filter.update({}, reading, r).status, Status::Success) << k;
    const T a = T(0.9);
    information = information / (double(a) * double(a)) + 1.0;
    const double expected = 1.0 / std::sqrt(information);
    if (expected < 4.0 * std::sqrt(double(std::numeric_limits<T>::min()))) continue;
    // A few roundings a step.
    const double rounding = 10.0 * k * double(std::numeric_limits<T>::epsilon());
    ASSERT_NEAR(double(filter.factor()(0, 0)), expected, rounding * expected) << k;
  }
}

TYPED_TEST(SquareRootRange, FiltersGoOnWhenNothingIsUncertainAnyMore) {
  using T = TypeParam;
  using Model = Decay<T>;
  const Eigen::Matrix<T, 1, 1> one = Eigen::Matrix<T, 1, 1>::Identity();
  decays<SquareRootEkf<Model>, T>(SquareRootEkf<Model>(Model{}, one, one));
  using Points = SquareRootSigmaPointFilter<Model, simplex_count(1)>;
  decays<Points, T>(Points(Model{}, one, one, spherical_simplex(1)));
}

}  // namespace alembert::estimate::kernels_test
