#include "alembert/signal/fft.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <numbers>
#include <unsupported/Eigen/FFT>

#include "alembert/core/check.hpp"

namespace alembert::signal {
namespace {

using Complex = std::complex<double>;

// A butterfly of a prime p > 5 costs O(p) per sample; where the sum of these primes exceeds this,
// the chirp convolution was measured to be faster.
constexpr Eigen::Index kLargestDirectCost = 40;

// The sum of the prime factors of n above 5, each as often as it occurs.
Eigen::Index butterfly_cost(Eigen::Index n) {
  for (const Eigen::Index p : {2, 3, 5}) {
    while (n % p == 0) {
      n /= p;
    }
  }
  Eigen::Index cost = 0;
  for (Eigen::Index p = 7; p * p <= n; p += 2) {
    for (; n % p == 0; n /= p) {
      cost += p;
    }
  }
  return n > 1 ? cost + n : cost;
}

// The smallest 2^a, 3·2^a or 5·2^a that is at least n.
Eigen::Index padded_length(Eigen::Index n) {
  Eigen::Index best = std::numeric_limits<Eigen::Index>::max();
  for (Eigen::Index m : {1, 3, 5}) {
    while (m < n) {
      m *= 2;
    }
    best = std::min(best, m);
  }
  return best;
}

void check_length(std::string_view function, Eigen::Index length) {
  check::in_range(function, "length", static_cast<double>(length), 1.0,
                  static_cast<double>(kLongestTransform));
}

Eigen::FFT<double> unscaled_transform() {
  Eigen::FFT<double> transform;
  transform.SetFlag(Eigen::FFT<double>::Unscaled);
  transform.SetFlag(Eigen::FFT<double>::HalfSpectrum);
  return transform;
}

// The n values of a spectrum whose first n/2 + 1 are given, X(n-k) = conj X(k).
Eigen::VectorXcd full_spectrum(const Eigen::Ref<const Eigen::VectorXcd>& half, Eigen::Index n) {
  Eigen::VectorXcd full(n);
  full.head(half.size()) = half;
  full(0) = half(0).real();
  for (Eigen::Index k = 1; k <= n / 2; ++k) {
    full(n - k) = std::conj(half(k));
  }
  if (n % 2 == 0) {
    full(n / 2) = half(n / 2).real();
  }
  return full;
}

// Transform of length n as a convolution with a chirp:
//   jk = (j² + k² - (k-j)²)/2  gives  X(k) = c(k) Σ_j [x(j) c(j)] conj c(k-j),
//   c(k) = exp(-πi k²/n),
// the sum being a cyclic convolution of length m >= 2n - 1 free to choose [Bluestein1970].
class ChirpTransform {
 public:
  explicit ChirpTransform(Eigen::Index n) : chirp_(n), transform_(unscaled_transform()) {
    const Eigen::Index m = padded_length(2 * n - 1);
    padded_.setZero(m);
    spectrum_.resize(m);
    filter_.resize(m);
    for (Eigen::Index k = 0; k < n; ++k) {
      // k² modulo 2n in integers: the angle keeps all its digits for large k.
      const double turn = static_cast<double>((k * k) % (2 * n)) / static_cast<double>(n);
      chirp_(k) = std::polar(1.0, -std::numbers::pi * turn);
      padded_(k) = std::conj(chirp_(k));
      if (k > 0) {
        padded_(m - k) = padded_(k);
      }
    }
    transform_.fwd(filter_.data(), padded_.data(), m);
    filter_ /= static_cast<double>(m);
  }

  Eigen::VectorXcd forward(const Eigen::Ref<const Eigen::VectorXcd>& values) {
    const Eigen::Index n = chirp_.size();
    const Eigen::Index m = padded_.size();
    padded_.head(n) = values.cwiseProduct(chirp_);
    padded_.tail(m - n).setZero();
    transform_.fwd(spectrum_.data(), padded_.data(), m);
    spectrum_ = spectrum_.cwiseProduct(filter_).eval();
    transform_.inv(padded_.data(), spectrum_.data(), m);
    return padded_.head(n).cwiseProduct(chirp_);
  }

 private:
  Eigen::VectorXcd chirp_;     // c
  Eigen::VectorXcd filter_;    // transform of conj c, over m
  Eigen::VectorXcd padded_;    // workspace in time
  Eigen::VectorXcd spectrum_;  // workspace in frequency
  Eigen::FFT<double> transform_;
};

}  // namespace

struct FftPlan::State {
  explicit State(Eigen::Index n) : length(n), direct(unscaled_transform()) {
    if (butterfly_cost(n) > kLargestDirectCost) {
      chirp = std::make_unique<ChirpTransform>(n);
    }
  }

  Eigen::VectorXcd forward(const Eigen::Ref<const Eigen::VectorXcd>& values) {
    if (length == 1) {
      return values;
    }
    if (chirp) {
      return chirp->forward(values);
    }
    Eigen::VectorXcd result(length);
    direct.fwd(result.data(), values.data(), length);
    return result;
  }

  Eigen::Index length;
  Eigen::FFT<double> direct;
  std::unique_ptr<ChirpTransform> chirp;
};

FftPlan::FftPlan(Eigen::Index length) {
  check_length("FftPlan", length);
  state_ = std::make_unique<State>(length);
}
FftPlan::~FftPlan() = default;
FftPlan::FftPlan(FftPlan&&) noexcept = default;
FftPlan& FftPlan::operator=(FftPlan&&) noexcept = default;

Eigen::Index FftPlan::length() const noexcept { return state_->length; }

Eigen::VectorXcd FftPlan::forward(const Eigen::Ref<const Eigen::VectorXcd>& values) {
  check::size("FftPlan::forward", "values", values.size(), length());
  return state_->forward(values);
}

Eigen::VectorXcd FftPlan::inverse(const Eigen::Ref<const Eigen::VectorXcd>& spectrum) {
  check::size("FftPlan::inverse", "spectrum", spectrum.size(), length());
  // The inverse is the forward transform of the conjugate, conjugated, over n.
  const Eigen::VectorXcd values = state_->forward(spectrum.conjugate());
  return values.conjugate() / static_cast<double>(length());
}

Eigen::VectorXcd FftPlan::forward_real(const Eigen::Ref<const Eigen::VectorXd>& values) {
  check::size("FftPlan::forward_real", "values", values.size(), length());
  const Eigen::Index n = length();
  if (n == 1 || state_->chirp) {
    const Eigen::VectorXcd full = state_->forward(values.cast<Complex>());
    return full.head(n / 2 + 1);
  }
  Eigen::VectorXcd half(n / 2 + 1);
  state_->direct.fwd(half.data(), values.data(), n);
  return half;
}

Eigen::VectorXd FftPlan::inverse_real(const Eigen::Ref<const Eigen::VectorXcd>& spectrum) {
  check::size("FftPlan::inverse_real", "spectrum", spectrum.size(), length() / 2 + 1);
  const Eigen::Index n = length();
  if (n == 1 || state_->chirp) {
    return inverse(full_spectrum(spectrum, n)).real();
  }
  Eigen::VectorXd values(n);
  state_->direct.inv(values.data(), spectrum.data(), n);
  return values / static_cast<double>(n);
}

Eigen::VectorXcd fft(const Eigen::Ref<const Eigen::VectorXcd>& values) {
  check_length("fft", values.size());
  return FftPlan(values.size()).forward(values);
}

Eigen::VectorXcd ifft(const Eigen::Ref<const Eigen::VectorXcd>& spectrum) {
  check_length("ifft", spectrum.size());
  return FftPlan(spectrum.size()).inverse(spectrum);
}

Eigen::VectorXcd rfft(const Eigen::Ref<const Eigen::VectorXd>& values) {
  check_length("rfft", values.size());
  return FftPlan(values.size()).forward_real(values);
}

Eigen::VectorXd irfft(const Eigen::Ref<const Eigen::VectorXcd>& spectrum, Eigen::Index length) {
  check_length("irfft", length);
  check::size("irfft", "spectrum", spectrum.size(), length / 2 + 1);
  return FftPlan(length).inverse_real(spectrum);
}

Eigen::VectorXd rfft_frequencies(Eigen::Index length, double step) {
  check::at_least("rfft_frequencies", "length", length, 1);
  check::positive("rfft_frequencies", "step", step);
  const Eigen::Index last = length / 2;
  return Eigen::VectorXd::LinSpaced(last + 1, 0.0, static_cast<double>(last)) /
         (static_cast<double>(length) * step);
}

}  // namespace alembert::signal
