// Time of the covariance for coloured residuals against the number of parameters, for
// benchmarks/coverage/run. The peer in the same run: the covariance for white residuals by QR
// factors of the same Jacobian, (JᵀJ)⁻¹ Σ r²/(N - p).

#include <fmt/format.h>

#include <Eigen/QR>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>

#include "alembert/core/prepare_blas.hpp"
#include "alembert/core/random.hpp"
#include "alembert/optimize/coloured_covariance.hpp"

namespace {

using alembert::optimize::ColouredBlock;
using Eigen::Index;
using Eigen::MatrixXd;

constexpr Index kSamples = 3300;
constexpr int kChannels = 8;

// Sensitivities are noise of first order with time constants of 3 to 19 samples.
std::vector<ColouredBlock> blocks_with(Index parameters) {
  std::vector<ColouredBlock> blocks;
  for (int channel = 0; channel < kChannels; ++channel) {
    alembert::RandomStream random(3, static_cast<std::uint64_t>(channel));
    const auto first_order = [&](double time_constant) {
      const double a = std::exp(-1.0 / time_constant);
      Eigen::VectorXd noise = random.normal_vector(kSamples);
      for (Index k = 1; k < kSamples; ++k) noise(k) += a * noise(k - 1);
      return noise;
    };
    ColouredBlock block{.jacobian = MatrixXd(kSamples, parameters),
                        .residual = first_order(10.0),
                        .channel = channel};
    for (Index j = 0; j < parameters; ++j) {
      block.jacobian.col(j) = first_order(3.0 + static_cast<double>(j % 17));
    }
    blocks.push_back(std::move(block));
  }
  return blocks;
}

double white_deviation(const std::vector<ColouredBlock>& blocks) {
  const Index p = blocks.front().jacobian.cols();
  MatrixXd J(kSamples * kChannels, p);
  double squares = 0.0;
  for (int c = 0; c < kChannels; ++c) {
    const ColouredBlock& block = blocks[static_cast<std::size_t>(c)];
    J.middleRows(c * kSamples, kSamples) = block.jacobian;
    squares += block.residual.squaredNorm();
  }
  const MatrixXd R =
      Eigen::HouseholderQR<MatrixXd>(J).matrixQR().topRows(p).triangularView<Eigen::Upper>();
  const MatrixXd inverse = R.triangularView<Eigen::Upper>().solve(MatrixXd::Identity(p, p));
  return inverse.row(0).norm() * std::sqrt(squares / static_cast<double>(J.rows() - p));
}

// The shortest of three.
double seconds_of(const std::function<double()>& work) {
  double best = 1e300;
  for (int run = 0; run < 3; ++run) {
    const auto start = std::chrono::steady_clock::now();
    const volatile double used = work();
    static_cast<void>(used);
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    best = std::min(best, taken.count());
  }
  return best;
}

}  // namespace

int main() {
  alembert::prepare_blas();
  fmt::print("\n## Time of the covariance\n\n");
  fmt::print(
      "{} samples of {} outputs, shortest of three runs. The peer is the covariance for white "
      "residuals by QR factors of the same Jacobian.\n\n",
      kSamples, kChannels);
  fmt::print("| parameters | coloured, s | white, s | ratio |\n|---|---|---|---|\n");
  for (const Index parameters : {6, 12, 27, 54, 108, 124}) {
    const std::vector<ColouredBlock> blocks = blocks_with(parameters);
    alembert::optimize::ColouredOptions options;
    options.sine_bins = true;
    const double coloured = seconds_of(
        [&] { return alembert::optimize::coloured_covariance(blocks, options).deviations(0); });
    const double white = seconds_of([&] { return white_deviation(blocks); });
    fmt::print("| {} | {:.3f} | {:.3f} | {:.1f} |\n", parameters, coloured, white,
               coloured / white);
  }
  return 0;
}
