#include "alembert/identify/input_share.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "alembert/signal/fft.hpp"

namespace alembert::identify {
namespace {

using Eigen::Index;
using Eigen::MatrixXcd;
using Eigen::MatrixXd;
using Eigen::VectorXcd;
using Eigen::VectorXd;

constexpr int kEarlyLags = 5;      // of responses that run ahead of their force
constexpr int kMostColumns = 400;  // of all filters together
constexpr int kFewestLags = 4;     // of one filter
constexpr double kRidge = 1e-9;    // of the mean diagonal: inputs may be smooth
constexpr double kLongestStride = 64;

// Without its mean; missing samples become zero.
VectorXd centred(const Eigen::Ref<const VectorXd>& values) {
  double sum = 0.0;
  double count = 0.0;
  for (const double value : values) {
    if (std::isnan(value)) continue;
    sum += value;
    count += 1.0;
  }
  const double mean = count > 0.0 ? sum / count : 0.0;
  return values.unaryExpr([&](double value) { return std::isnan(value) ? 0.0 : value - mean; });
}

// The mean of |R|² over neighbouring lines.
VectorXd smoothed_power(const VectorXcd& spectrum) {
  const Index lines = spectrum.size();
  const Index half = std::max<Index>(10, lines / 64);
  VectorXd sums(lines + 1);
  sums(0) = 0.0;
  for (Index k = 0; k < lines; ++k) sums(k + 1) = sums(k) + std::norm(spectrum(k));
  VectorXd smooth(lines);
  for (Index k = 0; k < lines; ++k) {
    const Index from = std::max<Index>(0, k - half);
    const Index to = std::min(lines, k + half + 1);
    smooth(k) = (sums(to) - sums(from)) / static_cast<double>(to - from);
  }
  return smooth;
}

// An eighth of the mean period of the residuals, in samples.
Index stride_of(const VectorXd& power) {
  const VectorXd places = VectorXd::LinSpaced(power.size(), 0.0, 0.5);
  const double total = power.sum();
  const double mean = total > 0.0 ? power.dot(places) / total : 0.25;
  return static_cast<Index>(
      std::clamp(std::floor(0.125 / std::max(mean, 1e-6)), 1.0, kLongestStride));
}

// Sums over the experiments: b, G, G_S and Σ r² of one output.
struct FilterSums {
  VectorXd b;
  MatrixXd G, G_noise;
  double squares = 0.0;
};

// The lags of one input, in samples.
std::vector<Index> lags_of(Index inputs, int lags, Index stride) {
  const int each =
      std::max(kFewestLags, std::min<int>(lags, kMostColumns / static_cast<int>(inputs)));
  const int early = std::min(kEarlyLags, each / 4);
  std::vector<Index> list(static_cast<std::size_t>(each));
  std::iota(list.begin(), list.end(), -static_cast<Index>(early));
  for (Index& lag : list) lag *= stride;
  return list;
}

// c(τ) from its transform, of positive and negative lags.
double at_lag(const VectorXd& correlation, Index lag) {
  return correlation(lag >= 0 ? lag : correlation.size() + lag);
}

// Adds a block G_jk(l, m) = c_jk(m - l).
void add_block(const VectorXd& correlation, const std::vector<Index>& lags, Index j, Index k,
               MatrixXd& G) {
  const auto count = static_cast<Index>(lags.size());
  for (Index l = 0; l < count; ++l) {
    for (Index m = 0; m < count; ++m) {
      const Index lag = lags[static_cast<std::size_t>(m)] - lags[static_cast<std::size_t>(l)];
      G(j * count + l, k * count + m) += at_lag(correlation, lag);
      if (j != k) G(k * count + m, j * count + l) += at_lag(correlation, lag);
    }
  }
}

void add_experiment(const MatrixXcd& inputs, const VectorXcd& residual, const VectorXd& power,
                    Index samples, const std::vector<Index>& lags, signal::FftPlan& plan,
                    FilterSums& sums) {
  const auto count = static_cast<Index>(lags.size());
  const VectorXd noise = power / static_cast<double>(samples);
  for (Index j = 0; j < inputs.cols(); ++j) {
    // b_(j,l) = Σ_s r(s + l) u_j(s)
    const VectorXd cross = plan.inverse_real(residual.cwiseProduct(inputs.col(j).conjugate()));
    for (Index l = 0; l < count; ++l) {
      sums.b(j * count + l) += at_lag(cross, lags[static_cast<std::size_t>(l)]);
    }
    for (Index k = 0; k <= j; ++k) {
      const VectorXcd product = inputs.col(j).cwiseProduct(inputs.col(k).conjugate());
      add_block(plan.inverse_real(product), lags, j, k, sums.G);
      add_block(plan.inverse_real(product.cwiseProduct(noise)), lags, j, k, sums.G_noise);
    }
  }
}

InputShare share_of(const FilterSums& sums, double output_squares) {
  InputShare found;
  const double diagonal = sums.G.diagonal().mean();
  if (!(sums.squares > 0.0) || !(diagonal > 0.0)) return found;
  MatrixXd G = sums.G;
  G.diagonal().array() += kRidge * diagonal;
  const Eigen::LDLT<MatrixXd> factor(G);
  const MatrixXd noise_part = factor.solve(sums.G_noise);
  found.share = std::clamp(sums.b.dot(factor.solve(sums.b)) / sums.squares, 0.0, 1.0);
  found.expected = noise_part.trace() / sums.squares;
  // 2 tr((G⁻¹ G_S)²)
  const double spread = noise_part.cwiseProduct(noise_part.transpose()).sum();
  found.deviation = std::sqrt(2.0 * std::max(spread, 0.0)) / sums.squares;
  found.size = std::sqrt(found.excess() * sums.squares / output_squares);
  return found;
}

InputShare share_of_output(const Experiments& data, const std::vector<MatrixXd>& residuals,
                           Index output, int lags) {
  const Index inputs = data.front().input.cols();
  FilterSums sums;
  double output_squares = 0.0;
  std::vector<Index> places;
  for (std::size_t e = 0; e < data.size(); ++e) {
    const Index samples = data[e].samples();
    const VectorXd residual = centred(residuals[e].col(output));
    output_squares += centred(data[e].output.col(output)).squaredNorm();
    sums.squares += residual.squaredNorm();
    if (places.empty()) {
      places = lags_of(inputs, lags, stride_of(smoothed_power(signal::rfft(residual))));
      const Index columns = inputs * static_cast<Index>(places.size());
      sums.b = VectorXd::Zero(columns);
      sums.G = sums.G_noise = MatrixXd::Zero(columns, columns);
    }
    // Zeros behind the signals keep lags from going round.
    const Index length = samples + (places.back() - places.front()) + 1;
    signal::FftPlan plan(length);
    const auto transformed = [&](const Eigen::Ref<const VectorXd>& values) {
      VectorXd padded = VectorXd::Zero(length);
      padded.head(samples) = centred(values);
      return plan.forward_real(padded);
    };
    MatrixXcd spectra(length / 2 + 1, inputs);
    for (Index j = 0; j < inputs; ++j) spectra.col(j) = transformed(data[e].input.col(j));
    const VectorXcd residual_spectrum = transformed(residual);
    add_experiment(spectra, residual_spectrum, smoothed_power(residual_spectrum), samples, places,
                   plan, sums);
  }
  return share_of(sums, output_squares);
}

}  // namespace

std::vector<InputShare> input_shares(const Experiments& data,
                                     const std::vector<MatrixXd>& residuals, int lags) {
  check_experiments("input_shares", data);
  std::vector<InputShare> shares(static_cast<std::size_t>(data.front().output.cols()));
  if (residuals.size() != data.size() || data.front().input.cols() == 0) return shares;
  for (std::size_t i = 0; i < shares.size(); ++i) {
    shares[i] = share_of_output(data, residuals, static_cast<Index>(i), lags);
  }
  return shares;
}

}  // namespace alembert::identify
