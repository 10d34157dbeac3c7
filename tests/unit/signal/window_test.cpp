#include "alembert/signal/window.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <numbers>

#include "support/matrices_near.hpp"
#include "support/message_of.hpp"

namespace alembert::signal {
namespace window_test {

using test::kEps;
using test::message_of;
using testing::HasSubstr;

constexpr WindowKind kSymmetricKinds[] = {
    WindowKind::Rectangular, WindowKind::Hann,   WindowKind::Hamming, WindowKind::BlackmanHarris,
    WindowKind::FlatTop,     WindowKind::Kaiser, WindowKind::Tukey,   WindowKind::HalfSine};

// |Σ w(k) exp(-2πi x k/N)| / Σw: response to a sine x lines away, by direct summation.
double response(const Eigen::VectorXd& w, double lines) {
  std::complex<double> sum = 0.0;
  for (Eigen::Index k = 0; k < w.size(); ++k) {
    const double z = static_cast<double>(k) / static_cast<double>(w.size());
    sum += w(k) * std::polar(1.0, -2.0 * std::numbers::pi * lines * z);
  }
  return std::abs(sum) / w.sum();
}

double highest_side_lobe_db(const Eigen::VectorXd& w, double from_line) {
  double highest = 0.0;
  for (double x = from_line; x < 40.0; x += 0.05) highest = std::max(highest, response(w, x));
  return 20.0 * std::log10(highest);
}

// The periodic form repeats with N: w(N - k) = w(k).
TEST(Window, PeriodicFormIsSymmetricAboutTheMiddle) {
  for (const WindowKind kind : kSymmetricKinds) {
    for (const Eigen::Index n : {2, 7, 64}) {
      const Eigen::VectorXd w = window(n, {.kind = kind});
      const Eigen::VectorXd tail = w.tail(n - 1);
      EXPECT_TRUE(test::matrices_near(tail.reverse(), tail, {.abs = 8 * kEps}))
          << static_cast<int>(kind) << " " << n;
    }
  }
}

TEST(Window, PeakIsOneInTheMiddle) {
  for (const WindowKind kind : kSymmetricKinds) {
    // Published coefficients add up to 1 within their last digit.
    EXPECT_NEAR(window(64, {.kind = kind})(32), 1.0, 1e-8) << static_cast<int>(kind);
  }
}

// Closed forms for cosine sums with Σ over full periods: gain a0, bandwidth 1 + Σ a_i²/(2 a0²).
TEST(Window, GainAndBandwidthOfCosineSums) {
  const Eigen::Index n = 128;
  const double rounding = 32 * kEps;
  const Eigen::VectorXd hann = window(n, {.kind = WindowKind::Hann});
  EXPECT_NEAR(coherent_gain(hann), 0.5, rounding);
  EXPECT_NEAR(noise_bandwidth(hann), 1.5, rounding);
  const Eigen::VectorXd hamming = window(n, {.kind = WindowKind::Hamming});
  EXPECT_NEAR(coherent_gain(hamming), 0.54, rounding);
  EXPECT_NEAR(noise_bandwidth(hamming), 1.0 + 0.46 * 0.46 / (2 * 0.54 * 0.54), rounding);
  const Eigen::VectorXd rectangular = window(n, {.kind = WindowKind::Rectangular});
  EXPECT_NEAR(coherent_gain(rectangular), 1.0, rounding);
  EXPECT_NEAR(noise_bandwidth(rectangular), 1.0, rounding);
  // Published: 2.00 lines for the four-term Blackman-Harris window [Harris1978, table 1].
  EXPECT_NEAR(noise_bandwidth(window(n, {.kind = WindowKind::BlackmanHarris})), 2.00, 0.005);
}

// sin πz: ∫ = 2/π, ∫sin² = 1/2, so the bandwidth is π²/8; the sum differs from the integral by
// O(1/N²).
TEST(Window, GainAndBandwidthOfTheHalfSine) {
  const Eigen::VectorXd w = window(1000, {.kind = WindowKind::HalfSine});
  EXPECT_NEAR(coherent_gain(w), 2.0 / std::numbers::pi, 1e-6);
  EXPECT_NEAR(noise_bandwidth(w), std::numbers::pi * std::numbers::pi / 8.0, 3e-6);
}

// Published highest side lobes: [Harris1978, table 1] for the first four.
TEST(Window, SideLobes) {
  const Eigen::Index n = 256;
  EXPECT_NEAR(highest_side_lobe_db(window(n, {.kind = WindowKind::Rectangular}), 1.0), -13.3, 0.1);
  EXPECT_NEAR(highest_side_lobe_db(window(n, {.kind = WindowKind::Hann}), 2.0), -31.5, 0.5);
  EXPECT_NEAR(highest_side_lobe_db(window(n, {.kind = WindowKind::Hamming}), 2.0), -42.7, 1.0);
  EXPECT_NEAR(highest_side_lobe_db(window(n, {.kind = WindowKind::BlackmanHarris}), 4.0), -92.0,
              0.5);
  EXPECT_LT(highest_side_lobe_db(window(n, {.kind = WindowKind::FlatTop}), 5.0), -85.0);
}

// A sine half a line off loses at most 0.01 dB with the flat top; with Hann it loses 1.42 dB.
TEST(Window, FlatTopKeepsAmplitudesBetweenLines) {
  const Eigen::VectorXd flat = window(256, {.kind = WindowKind::FlatTop});
  for (double x = 0.0; x <= 0.5; x += 0.05) {
    EXPECT_LT(std::abs(20.0 * std::log10(response(flat, x))), 0.01) << x;
  }
  EXPECT_NEAR(20.0 * std::log10(response(window(256), 0.5)), -1.42, 0.01);
}

// I₀ by the integral (1/π) ∫ exp(x cos θ) dθ, exact to rounding for a periodic integrand.
TEST(Window, KaiserFollowsTheBesselFunction) {
  const auto bessel = [](double x) {
    double sum = 0.0;
    for (int i = 0; i < 200; ++i) sum += std::exp(x * std::cos(std::numbers::pi * (i + 0.5) / 200));
    return sum / 200.0;
  };
  for (const double beta : {0.0, 1.0, 8.0, 30.0}) {
    const Eigen::VectorXd w = window(16, {.kind = WindowKind::Kaiser, .beta = beta});
    for (Eigen::Index k = 0; k < 16; ++k) {
      const double s = static_cast<double>(k) / 8.0 - 1.0;
      const double expected = bessel(beta * std::sqrt(1.0 - s * s)) / bessel(beta);
      EXPECT_NEAR(w(k), expected, 100 * kEps * expected) << beta << " " << k;
    }
  }
  EXPECT_TRUE(window(64, {.kind = WindowKind::Kaiser, .beta = 500.0}).allFinite());
}

TEST(Window, TukeyRunsFromRectangularToHann) {
  const Eigen::VectorXd none = window(32, {.kind = WindowKind::Tukey, .taper = 0.0});
  EXPECT_EQ(none, Eigen::VectorXd::Ones(32));
  const Eigen::VectorXd all = window(32, {.kind = WindowKind::Tukey, .taper = 1.0});
  EXPECT_TRUE(test::matrices_near(all, window(32), {.abs = 8 * kEps}));
  const Eigen::VectorXd half = window(32, {.kind = WindowKind::Tukey, .taper = 0.5});
  EXPECT_EQ(half.segment(8, 17), Eigen::VectorXd::Ones(17));
  EXPECT_NEAR(half(4), 0.5, 8 * kEps);
}

TEST(Window, ExponentialReachesItsEndLevel) {
  const Eigen::VectorXd w = window(100, {.kind = WindowKind::Exponential, .end_level = 0.01});
  EXPECT_EQ(w(0), 1.0);
  EXPECT_NEAR(w(50), 0.1, 8 * kEps);
  EXPECT_NEAR(w(99) * std::pow(0.01, 0.01), 0.01, 8 * kEps);
}

// Published: Hann at half overlap correlates by 1/36 in power (0.167 in amplitude)
// [Harris1978, table 1].
TEST(Window, OverlapCorrelation) {
  const Eigen::VectorXd w = window(512);
  EXPECT_NEAR(overlap_correlation(w, 0), 1.0, 8 * kEps);
  EXPECT_NEAR(overlap_correlation(w, 256), 1.0 / 36.0, 1e-4);
  EXPECT_EQ(overlap_correlation(w, 512), 0.0);
  EXPECT_EQ(overlap_correlation(w, 5000), 0.0);
  // Rectangular: the common share, squared.
  EXPECT_NEAR(overlap_correlation(Eigen::VectorXd::Ones(10), 4), 0.36, 8 * kEps);
}

TEST(Window, BadInputIsNamed) {
  EXPECT_THAT(message_of([] { (void)window(0); }), HasSubstr("window: length"));
  EXPECT_THAT(message_of([] { (void)window(4, {.beta = -1.0}); }), HasSubstr("window: beta"));
  EXPECT_THAT(message_of([] { (void)window(4, {.taper = 1.5}); }), HasSubstr("window: taper"));
  EXPECT_THAT(message_of([] { (void)window(4, {.end_level = 0.0}); }),
              HasSubstr("window: end_level"));
  EXPECT_THAT(message_of([] { (void)window(4, {.end_level = 1.1}); }),
              HasSubstr("window: end_level"));
  const Eigen::VectorXd none;
  EXPECT_THAT(message_of([&] { (void)coherent_gain(none); }), HasSubstr("size of w"));
  EXPECT_THAT(message_of([&] { (void)noise_bandwidth(none); }), HasSubstr("size of w"));
  EXPECT_THAT(message_of([&] { (void)overlap_correlation(none, 0); }), HasSubstr("size of w"));
  EXPECT_THAT(message_of([&] { (void)overlap_correlation(Eigen::VectorXd::Ones(2), -1); }),
              HasSubstr("overlap_correlation: shift"));
}

}  // namespace window_test
}  // namespace alembert::signal
