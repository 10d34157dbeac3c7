#pragma once

#include <Eigen/Core>
#include <memory>

/// Discrete Fourier transforms of any length n in O(n log n), forward unnormalised:
///
///   X(k) = Σ_j x(j) exp(-2πi j k / n),    x(j) = (1/n) Σ_k X(k) exp(+2πi j k / n)
///
/// Eigen's mixed-radix transform (kissfft) costs O(n p) for the largest prime factor p of n.
/// Where p is large, the transform is written as a convolution with a chirp [Bluestein1970],
/// which needs only transforms of a length with small factors.
namespace alembert::signal {

/// The longest transform, 2^27 samples.
inline constexpr Eigen::Index kLongestTransform = Eigen::Index{1} << 27;

/// The tables of one length, for many transforms of that length. Owns its workspace: use one
/// plan per thread. A NaN or infinity in the input spreads over the whole output.
class FftPlan {
 public:
  /// @throws InvalidInput unless 1 <= length <= kLongestTransform.
  explicit FftPlan(Eigen::Index length);
  ~FftPlan();
  FftPlan(FftPlan&&) noexcept;
  FftPlan& operator=(FftPlan&&) noexcept;

  [[nodiscard]] Eigen::Index length() const noexcept;

  /// X of n complex values. @throws InvalidInput if the size is not n, also below.
  [[nodiscard]] Eigen::VectorXcd forward(const Eigen::Ref<const Eigen::VectorXcd>& values);
  /// x of n complex values.
  [[nodiscard]] Eigen::VectorXcd inverse(const Eigen::Ref<const Eigen::VectorXcd>& spectrum);
  /// X(0) .. X(n/2) of n real values; the others follow from X(n-k) = conj X(k).
  [[nodiscard]] Eigen::VectorXcd forward_real(const Eigen::Ref<const Eigen::VectorXd>& values);
  /// n real values from X(0) .. X(n/2). The imaginary parts of X(0) and, for even n, of X(n/2)
  /// are taken as zero.
  [[nodiscard]] Eigen::VectorXd inverse_real(const Eigen::Ref<const Eigen::VectorXcd>& spectrum);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Transform of complex values. @throws InvalidInput if empty or too long, also below.
[[nodiscard]] Eigen::VectorXcd fft(const Eigen::Ref<const Eigen::VectorXcd>& values);

/// Inverse of fft().
[[nodiscard]] Eigen::VectorXcd ifft(const Eigen::Ref<const Eigen::VectorXcd>& spectrum);

/// Transform of real values: the n/2 + 1 values at frequencies k / (n step), k = 0 .. n/2.
[[nodiscard]] Eigen::VectorXcd rfft(const Eigen::Ref<const Eigen::VectorXd>& values);

/// Inverse of rfft(). @param length n, which the n/2 + 1 values do not tell (n even or odd).
/// @throws InvalidInput if the spectrum has not length/2 + 1 values.
[[nodiscard]] Eigen::VectorXd irfft(const Eigen::Ref<const Eigen::VectorXcd>& spectrum,
                                    Eigen::Index length);

/// Frequencies of rfft() in Hz: k / (length step), k = 0 .. length/2.
/// @throws InvalidInput unless length >= 1 and step > 0.
[[nodiscard]] Eigen::VectorXd rfft_frequencies(Eigen::Index length, double step);

}  // namespace alembert::signal
