#pragma once

#include <Eigen/Core>
#include <cmath>
#include <limits>
#include <type_traits>
#include <utility>

/// Small dense kernels of the estimators: plain loops over storage that exists already. They
/// allocate nothing, throw nothing, and unroll where the sizes are known to the compiler.
///
/// A size is an int or Fixed<N>; the latter makes the trip counts constants.
namespace alembert::estimate::kernels {

template <int N>
using Fixed = std::integral_constant<int, N>;

/// The size as a constant where the type knows it, else the size given.
template <int N>
constexpr auto extent([[maybe_unused]] Eigen::Index size) {
  if constexpr (N == Eigen::Dynamic) {
    return static_cast<int>(size);
  } else {
    return Fixed<N>{};
  }
}

/// a + b, or Dynamic if either is.
constexpr int sum(int a, int b) {
  return a == Eigen::Dynamic || b == Eigen::Dynamic ? Eigen::Dynamic : a + b;
}

/// Calls body(i) for i = 0..n-1 until it returns false; i is a constant where n is a small one, so
/// that the loops inside have constant bounds too. Returns whether all were called.
template <typename Size, typename Body>
bool for_each_index(Size n, const Body& body) {
  if constexpr (std::is_same_v<Size, int>) {
    for (int i = 0; i < n; ++i) {
      if (!body(i)) return false;
    }
    return true;
  } else if constexpr (Size::value > 6) {
    return for_each_index(int{n}, body);
  } else {
    return [&]<int... I>(std::integer_sequence<int, I...>) { return (body(Fixed<I>{}) && ...); }
    (std::make_integer_sequence<int, Size::value>{});
  }
}

/// Whether Cholesky's factorisation may meet a pivot of zero.
enum class Pivots { Positive, NonNegative };

/// Replaces the lower triangle of a (n x n) by L, a = L Lᵀ; the upper triangle is set to zero.
///
/// A pivot counts as zero below n·eps times its diagonal entry; its column of L is then zero.
/// Returns false at a negative pivot, at NaN, and at a zero one unless `pivots` allows it.
template <typename Matrix, typename Size>
bool cholesky(Matrix& a, Size n, Pivots pivots) {
  using T = typename Matrix::Scalar;
  const T unit = static_cast<T>(static_cast<int>(n)) * std::numeric_limits<T>::epsilon();
  return for_each_index(n, [&](auto index) {
    const int k = index;
    const T tolerance = unit * std::abs(a(k, k));
    for (int j = 0; j < k; ++j) {
      const T factor = a(k, j);
      for (int i = k; i < n; ++i) a(i, k) -= factor * a(i, j);
    }
    const T pivot = a(k, k);
    const bool zero = pivot <= tolerance;
    if (!(pivot >= -tolerance) || (zero && pivots == Pivots::Positive)) return false;
    const T scale = zero ? T(0) : T(1) / std::sqrt(pivot);
    for (int i = k; i < n; ++i) a(i, k) *= scale;
    for (int i = 0; i < k; ++i) a(i, k) = T(0);
    return true;
  });
}

/// 1/x, and 0 for 0: the columns of a zero pivot drop out of solutions.
template <typename T>
T inverse_or_zero(T x) {
  return x == T(0) ? T(0) : T(1) / x;
}

/// x := L⁻¹ x for a lower-triangular L (n x n).
template <typename Lower, typename Vector, typename Size>
void solve_lower(const Lower& l, Vector& x, Size n) {
  using T = typename Vector::Scalar;
  for (int k = 0; k < n; ++k) {
    const T value = x(k) * inverse_or_zero<T>(l(k, k));
    x(k) = value;
    for (int i = k + 1; i < n; ++i) x(i) -= l(i, k) * value;
  }
}

/// w := w L⁻ᵀ, w with `rows` rows and n columns.
template <typename Lower, typename Matrix, typename Rows, typename Size>
void solve_right_transposed(const Lower& l, Matrix& w, Rows rows, Size n) {
  using T = typename Matrix::Scalar;
  for (int k = 0; k < n; ++k) {
    for (int j = 0; j < k; ++j) {
      const T factor = l(k, j);
      for (int i = 0; i < rows; ++i) w(i, k) -= factor * w(i, j);
    }
    const T scale = inverse_or_zero<T>(l(k, k));
    for (int i = 0; i < rows; ++i) w(i, k) *= scale;
  }
}

/// w := w L⁻¹, w with `rows` rows and n columns.
template <typename Lower, typename Matrix, typename Rows, typename Size>
void solve_right(const Lower& l, Matrix& w, Rows rows, Size n) {
  using T = typename Matrix::Scalar;
  for (int k = n - 1; k >= 0; --k) {
    for (int j = k + 1; j < n; ++j) {
      const T factor = l(j, k);
      for (int i = 0; i < rows; ++i) w(i, k) -= factor * w(i, j);
    }
    const T scale = inverse_or_zero<T>(l(k, k));
    for (int i = 0; i < rows; ++i) w(i, k) *= scale;
  }
}

/// Orthogonal reduction of rows into a triangle: Q [R; B] = [R'; B'] with B' zero in its first k
/// columns and R' upper trapezoidal with diagonal >= 0.
///
/// @param r k rows, c columns, zero below the diagonal of its first k columns.
/// @param b p rows, c columns from column `first` on; the first k of them are left as workspace,
/// not as zeros.
///
/// Householder's reflections I - τ v vᵀ act on one row of R and all rows of B, so that the zeros of
/// R cost nothing. The reflected pivot is always +norm; x₀ - norm is computed as -σ/(x₀ + norm) for
/// x₀ > 0, which does not cancel. Where |v|² is less than a normal number τ may be infinite: there
/// the pivot becomes the norm without a reflection, as all that is left out is beyond the digits of
/// any other entry (1e-154, in single precision 1e-19).
template <typename Upper, typename Rows, typename K, typename P, typename C>
void triangularise(Upper& r, Rows& b, K k, P p, C c, int first = 0) {
  using T = typename Upper::Scalar;
  constexpr T kLeast = T(2) * std::numeric_limits<T>::min();
  for (int q = 0; q < k; ++q) {
    const T pivot = r(q, q);
    T sigma = T(0);
    for (int i = 0; i < p; ++i) sigma += b(i, first + q) * b(i, first + q);
    const T norm = std::sqrt(pivot * pivot + sigma);
    const T v = pivot > T(0) ? -sigma / (pivot + norm) : pivot - norm;
    const T square = v * v + sigma;
    const T tau = square < kLeast ? T(0) : T(2) / square;
    r(q, q) = norm;
    for (int j = q + 1; j < c; ++j) {
      T w = v * r(q, j);
      for (int i = 0; i < p; ++i) w += b(i, first + q) * b(i, first + j);
      w *= tau;
      r(q, j) -= w * v;
      for (int i = 0; i < p; ++i) b(i, first + j) -= w * b(i, first + q);
    }
  }
}

/// Room for a column of a product: in registers where the size is a constant.
template <typename T, typename Size>
struct Column {
  T values[Size::value];
};
template <typename T>
struct Column<T, int> {};

/// out += A diag(w) Bᵀ, A with `rows` rows, B with `columns` rows, both with `count` columns.
template <typename A, typename Weights, typename B, typename Out, typename Rows, typename Columns,
          typename Count>
void add_product(const A& a, const Weights& w, const B& b, Out& out, Rows rows, Columns columns,
                 Count count) {
  using T = typename Out::Scalar;
  for (int j = 0; j < columns; ++j) {
    if constexpr (std::is_same_v<Rows, int>) {
      for (int k = 0; k < count; ++k) {
        const T scaled = w(k) * b(j, k);
        for (int i = 0; i < rows; ++i) out(i, j) += a(i, k) * scaled;
      }
    } else {
      Column<T, Rows> sum;
      for (int i = 0; i < rows; ++i) sum.values[i] = out(i, j);
      for (int k = 0; k < count; ++k) {
        const T scaled = w(k) * b(j, k);
        for (int i = 0; i < rows; ++i) sum.values[i] += a(i, k) * scaled;
      }
      for (int i = 0; i < rows; ++i) out(i, j) = sum.values[i];
    }
  }
}

/// out := L U for a lower-triangular L (n x n), U with `count` columns, many of them nearly empty.
template <typename Lower, typename U, typename Out, typename Size, typename Count>
void lower_product(const Lower& l, const U& u, Out& out, Size n, Count count) {
  using T = typename Out::Scalar;
  constexpr bool kShort = [] {
    if constexpr (std::is_same_v<Size, int>) {
      return false;
    } else {
      return Size::value <= 6;
    }
  }();
  for (int k = 0; k < count; ++k) {
    if constexpr (kShort) {
      Column<T, Size> sum{};
      for (int j = 0; j < n; ++j) {
        const T unit = u(j, k);
        for (int i = 0; i < n; ++i) sum.values[i] += l(i, j) * unit;
      }
      for (int i = 0; i < n; ++i) out(i, k) = sum.values[i];
    } else {
      for (int i = 0; i < n; ++i) out(i, k) = T(0);
      for (int j = 0; j < n; ++j) {
        const T unit = u(j, k);
        if (unit == T(0)) continue;
        for (int i = j; i < n; ++i) out(i, k) += l(i, j) * unit;
      }
    }
  }
}

/// mean := V w, V := V - mean, V with `rows` rows and `count` columns.
template <typename Values, typename Weights, typename Mean, typename Rows, typename Count>
void centre(Values& v, const Weights& w, Mean& mean, Rows rows, Count count) {
  using T = typename Values::Scalar;
  if constexpr (std::is_same_v<Rows, int>) {
    for (int i = 0; i < rows; ++i) mean(i) = T(0);
    for (int k = 0; k < count; ++k) {
      for (int i = 0; i < rows; ++i) mean(i) += w(k) * v(i, k);
    }
  } else {
    Column<T, Rows> sum{};
    for (int k = 0; k < count; ++k) {
      for (int i = 0; i < rows; ++i) sum.values[i] += w(k) * v(i, k);
    }
    for (int i = 0; i < rows; ++i) mean(i) = sum.values[i];
  }
  for (int k = 0; k < count; ++k) {
    for (int i = 0; i < rows; ++i) v(i, k) -= mean(i);
  }
}

/// Whether the first n entries are finite.
template <typename Vector, typename Size>
bool all_finite(const Vector& x, Size n) {
  using T = typename Vector::Scalar;
  T sum = T(0);
  // 0 x is NaN for infinite x as well.
  for (int i = 0; i < n; ++i) sum += T(0) * x(i);
  return sum == T(0);
}

/// Copies the lower triangle to the upper one.
template <typename Matrix, typename Size>
void mirror_lower(Matrix& a, Size n) {
  for (int j = 1; j < n; ++j) {
    for (int i = 0; i < j; ++i) a(i, j) = a(j, i);
  }
}

}  // namespace alembert::estimate::kernels
