#include "measure_peers.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <cmath>

#include "alembert/core/random.hpp"
#include "bare_model.hpp"
#include "step_times.hpp"

#ifdef ALEMBERT_BENCHMARK_BFL
#include <bfl/filter/extendedkalmanfilter.h>
#include <bfl/model/analyticmeasurementmodel_gaussianuncertainty.h>
#include <bfl/model/analyticsystemmodel_gaussianuncertainty.h>
#include <bfl/pdf/analyticconditionalgaussian_additivenoise.h>
#endif

namespace alembert::benchmark {
namespace {

template <int M>
std::vector<Eigen::Matrix<double, M, 1>> readings() {
  RandomStream random(1);
  std::vector<Eigen::Matrix<double, M, 1>> z(1000);
  for (auto& value : z) value = 0.1 * random.normal_vector(M);
  return z;
}

/// An unscented filter with 2n + 1 points, written down as textbooks have it, sizes known to the
/// compiler.
template <int N, int M>
class TextbookUnscented {
 public:
  using State = Eigen::Matrix<double, N, 1>;
  using Output = Eigen::Matrix<double, M, 1>;

  void step(const Output& z) {
    draw();
    for (int k = 0; k < kCount; ++k) {
      State next;
      model_.process({}, view(points_.col(k)), {next.data(), N});
      points_.col(k) = next;
    }
    mean_ = points_ * weights_;
    covariance_ = (points_.colwise() - mean_) * weights_.asDiagonal() *
                      (points_.colwise() - mean_).transpose() +
                  kBareProcessDeviation * kBareProcessDeviation * Square::Identity();
    draw();
    Eigen::Matrix<double, M, kCount> outputs;
    for (int k = 0; k < kCount; ++k) {
      Output y;
      model_.output({}, view(points_.col(k)), {y.data(), M});
      outputs.col(k) = y;
    }
    const Output expected = outputs * weights_;
    const Eigen::Matrix<double, M, M> S =
        (outputs.colwise() - expected) * weights_.asDiagonal() *
            (outputs.colwise() - expected).transpose() +
        kBareOutputDeviation * kBareOutputDeviation * Eigen::Matrix<double, M, M>::Identity();
    const Eigen::Matrix<double, N, M> cross = (points_.colwise() - mean_) * weights_.asDiagonal() *
                                              (outputs.colwise() - expected).transpose();
    const Eigen::Matrix<double, N, M> gain = S.llt().solve(cross.transpose()).transpose();
    mean_ += gain * (z - expected);
    covariance_ -= gain * S * gain.transpose();
  }

  [[nodiscard]] bool finite() const { return mean_.allFinite(); }

 private:
  static constexpr int kCount = 2 * N + 1;
  static constexpr double kKappa = 1.0;
  using Square = Eigen::Matrix<double, N, N>;

  static std::span<const double> view(const Eigen::Ref<const State>& x) { return {x.data(), N}; }

  void draw() {
    const Square factor = covariance_.llt().matrixL();
    points_.col(0) = mean_;
    for (int i = 0; i < N; ++i) {
      points_.col(1 + i) = mean_ + std::sqrt(N + kKappa) * factor.col(i);
      points_.col(1 + N + i) = mean_ - std::sqrt(N + kKappa) * factor.col(i);
    }
  }

  static Eigen::Matrix<double, kCount, 1> make_weights() {
    Eigen::Matrix<double, kCount, 1> weights;
    weights.setConstant(0.5 / (N + kKappa));
    weights(0) = kKappa / (N + kKappa);
    return weights;
  }

  Bare<N, M> model_;
  State mean_ = State::Zero();
  Square covariance_ = Square::Identity();
  Eigen::Matrix<double, kCount, 1> weights_ = make_weights();
  Eigen::Matrix<double, N, kCount> points_;
};

template <int N, int M>
void measure_textbook(long steps) {
  const auto z = readings<M>();
  TextbookUnscented<N, M> filter;
  std::size_t at = 0;
  long failures = 0;
  measure_steps(fmt::format("bare n = {}, m = {}", N, M), "unscented by hand with Eigen", steps,
                failures, [&] {
                  filter.step(z[at]);
                  if (++at == z.size()) at = 0;
                });
  if (!filter.finite()) fmt::print(stderr, "the filter by hand with Eigen was lost\n");
}

#ifdef ALEMBERT_BENCHMARK_BFL

MatrixWrapper::SymmetricMatrix scaled_identity(unsigned size, double value) {
  MatrixWrapper::SymmetricMatrix matrix(size);
  matrix = 0.0;
  for (unsigned i = 1; i <= size; ++i) matrix(i, i) = value;
  return matrix;
}

BFL::Gaussian noise_of(unsigned size, double deviation) {
  MatrixWrapper::ColumnVector mean(size);
  mean = 0.0;
  return BFL::Gaussian(mean, scaled_identity(size, deviation * deviation));
}

/// The process of Bare with its Jacobian.
template <int N>
class BflProcess final : public BFL::AnalyticConditionalGaussianAdditiveNoise {
 public:
  explicit BflProcess(const BFL::Gaussian& noise)
      : AnalyticConditionalGaussianAdditiveNoise(noise, 1), jacobian_(N, N), next_(N) {
    jacobian_ = 0.0;
    for (unsigned i = 1; i < N; i += 2) {
      jacobian_(i, i) = jacobian_(i + 1, i + 1) = 1.0;
      jacobian_(i, i + 1) = 0.01;
      jacobian_(i + 1, i) = -0.01;
    }
  }
  MatrixWrapper::ColumnVector ExpectedValueGet() const override {
    const MatrixWrapper::ColumnVector& x = ConditionalArgumentGet(0);
    for (unsigned i = 1; i < N; i += 2) {
      next_(i) = x(i) + 0.01 * x(i + 1);
      next_(i + 1) = x(i + 1) - 0.01 * x(i);
    }
    return next_;
  }
  MatrixWrapper::Matrix dfGet(unsigned) const override { return jacobian_; }

 private:
  MatrixWrapper::Matrix jacobian_;
  mutable MatrixWrapper::ColumnVector next_;
};

/// The outputs of Bare with their Jacobian.
template <int N, int M>
class BflOutput final : public BFL::AnalyticConditionalGaussianAdditiveNoise {
 public:
  explicit BflOutput(const BFL::Gaussian& noise)
      : AnalyticConditionalGaussianAdditiveNoise(noise, 1), jacobian_(M, N), y_(M) {
    jacobian_ = 0.0;
  }
  MatrixWrapper::ColumnVector ExpectedValueGet() const override {
    const MatrixWrapper::ColumnVector& x = ConditionalArgumentGet(0);
    for (unsigned i = 1; i <= M; ++i) y_(i) = x(i) + 0.001 * x(i) * x(i);
    return y_;
  }
  MatrixWrapper::Matrix dfGet(unsigned) const override {
    const MatrixWrapper::ColumnVector& x = ConditionalArgumentGet(0);
    for (unsigned i = 1; i <= M; ++i) jacobian_(i, i) = 1.0 + 0.002 * x(i);
    return jacobian_;
  }

 private:
  mutable MatrixWrapper::Matrix jacobian_;
  mutable MatrixWrapper::ColumnVector y_;
};

template <int N, int M>
void measure_bfl(long steps) {
  BflProcess<N> process(noise_of(N, kBareProcessDeviation));
  BflOutput<N, M> output(noise_of(M, kBareOutputDeviation));
  BFL::AnalyticSystemModelGaussianUncertainty system(&process);
  BFL::AnalyticMeasurementModelGaussianUncertainty measurement(&output);
  BFL::Gaussian prior = noise_of(N, 1.0);
  BFL::ExtendedKalmanFilter filter(&prior);
  std::vector<MatrixWrapper::ColumnVector> z;
  for (const auto& reading : readings<M>()) {
    z.emplace_back(M);
    for (unsigned i = 0; i < M; ++i) z.back()(i + 1) = reading(i);
  }
  std::size_t at = 0;
  long failures = 0;
  measure_steps(fmt::format("bare n = {}, m = {}", N, M), "ekf of Orocos BFL", steps, failures,
                [&] {
                  if (!filter.Update(&system, &measurement, z[at])) ++failures;
                  if (++at == z.size()) at = 0;
                });
}

#endif

template <int N, int M>
void measure_peers_of(long steps) {
  measure_textbook<N, M>(steps);
#ifdef ALEMBERT_BENCHMARK_BFL
  measure_bfl<N, M>(steps / 10);
#endif
}

}  // namespace

void measure_peers(long steps) {
  measure_peers_of<2, 1>(steps);
  measure_peers_of<4, 2>(steps);
  measure_peers_of<6, 3>(steps);
  measure_peers_of<10, 5>(steps);
}

}  // namespace alembert::benchmark
