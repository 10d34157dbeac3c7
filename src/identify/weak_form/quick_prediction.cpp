#include "identify/weak_form/quick_prediction.hpp"

#include <algorithm>
#include <cmath>
#include <complex>

#include "alembert/integrate/detail/input_stencil.hpp"
#include "core/algebra/blas.hpp"
#include "core/algebra/dense.hpp"
#include "identify/refine/modal/modal_basis.hpp"

namespace alembert::identify {

namespace {

using Complex = std::complex<double>;
using Eigen::Index;
using Eigen::MatrixXcd;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kFreeMotionOver = 1e-18;       // of a free motion, far below rounding
constexpr double kFreeMotionVanished = 1e-100;  // its square is a normal number
constexpr double kWorstCondition = 1e7;         // leaves 8 digits, far below any noise

// The kept modes as x(k+1) = μ x(k) + G w(k), y = Re(C x) + E u. C is doubled for pairs.
struct ModalMap {
  Eigen::VectorXcd mu;
  MatrixXcd G;  // modes x drive size
  MatrixXcd C;  // p x modes
  MatrixXd E;   // p x m
};

ModalMap modal_map(const model::SecondOrder& system, const model::OutputMap& outputs,
                   const ModalBasis& basis, const StepRule& rule, double h) {
  const Index modes = static_cast<Index>(basis.kept.size());
  const Index m = system.inputs();
  const Index terms = terms_of(rule);
  ModalMap map{Eigen::VectorXcd(modes), MatrixXcd(modes, terms * m),
               MatrixXcd(outputs.outputs(), modes), MatrixXd()};
  for (Index r = 0; r < modes; ++r) {
    const Index place = basis.kept[static_cast<std::size_t>(r)];
    const Complex pole = basis.poles(place);
    const RuleValues values = rule_values(rule, pole);
    map.mu(r) = values.mu;
    // W B = h² uᵀ L
    const Eigen::RowVectorXcd force = h * h * basis.u.col(place).transpose() * system.L;
    for (Index j = 0; j < terms; ++j) map.G.row(r).segment(j * m, m) = values.gamma(j) * force;
    // q = v x, q' = λ v x/h, q'' = λ² v x/h² + M⁻¹ L u
    const Complex rate = pole / h;
    const double copies = pole.imag() > 0.0 ? 2.0 : 1.0;
    const Eigen::VectorXcd v = basis.v.col(place);
    map.C.col(r) = copies * (outputs.displacement * v + rate * (outputs.velocity * v) +
                             rate * rate * (outputs.acceleration * v));
  }
  map.E = dense::times(outputs.acceleration, dense::positive_solve(system.M, system.L));
  return map;
}

// Real and imaginary parts of all modes through a record from rest, N x 2 modes.
MatrixXd forced_modes(const ModalMap& map, const MatrixXd& drive) {
  const Index modes = map.mu.size();
  MatrixXd G(drive.cols(), 2 * modes);
  G << map.G.real().transpose(), map.G.imag().transpose();
  const MatrixXd force = product(drive, G);
  MatrixXd x(drive.rows() + 1, 2 * modes);
  for (Index r = 0; r < modes; ++r) {
    const double re = map.mu(r).real();
    const double im = map.mu(r).imag();
    double a = 0.0;
    double b = 0.0;
    x(0, r) = x(0, modes + r) = 0.0;
    for (Index k = 0; k < drive.rows(); ++k) {
      const double next = re * a - im * b + force(k, r);
      b = re * b + im * a + force(k, modes + r);
      a = next;
      x(k + 1, r) = a;
      x(k + 1, modes + r) = b;
    }
  }
  return x;
}

// The samples until the slowest free motion is over, at most all of them.
Index live_samples(const ModalMap& map, Index samples) {
  double slowest = 0.0;
  for (const Complex& mu : map.mu) slowest = std::max(slowest, std::abs(mu));
  if (!(slowest < 1.0)) return samples;
  const double needed =
      std::ceil(std::log(kFreeMotionOver) / std::log(std::max(slowest, kFreeMotionOver)));
  return std::min(samples, static_cast<Index>(std::min(needed, 1e15)) + 1);
}

// μ^k as real and imaginary parts, samples x 2 modes.
MatrixXd free_modes(const ModalMap& map, Index samples) {
  const Index modes = map.mu.size();
  MatrixXd e(samples, 2 * modes);
  for (Index r = 0; r < modes; ++r) {
    const double re = map.mu(r).real();
    const double im = map.mu(r).imag();
    double a = 1.0;
    double b = 0.0;
    for (Index k = 0; k < samples; ++k) {
      e(k, r) = a;
      e(k, modes + r) = b;
      const double next = re * a - im * b;
      b = re * b + im * a;
      a = next;
      // What is over must not reach the slow denormal numbers.
      if (std::abs(a) + std::abs(b) < kFreeMotionVanished) a = b = 0.0;
    }
  }
  return e;
}

// Columns of output i by (Re ξ, Im ξ) in terms of those of free_modes():
// Re(c ξ μ^k) = Re ξ (c' p - c'' q) - Im ξ (c'' p + c' q), μ^k = p + iq.
MatrixXd free_combination(const ModalMap& map, Index i) {
  const Index modes = map.mu.size();
  const VectorXd re = map.C.row(i).real();
  const VectorXd im = map.C.row(i).imag();
  MatrixXd T = MatrixXd::Zero(2 * modes, 2 * modes);
  T.topLeftCorner(modes, modes).diagonal() = re;
  T.bottomLeftCorner(modes, modes).diagonal() = -im;
  T.topRightCorner(modes, modes).diagonal() = -im;
  T.bottomRightCorner(modes, modes).diagonal() = -re;
  return T;
}

// The smallest solution of H x = b, H scaled to a unit diagonal: real poles have no Im ξ.
VectorXd least_solution(const MatrixXd& H, const VectorXd& b) {
  const VectorXd scale = H.diagonal().unaryExpr(
      [](double square) { return square > 0.0 ? 1.0 / std::sqrt(square) : 0.0; });
  const auto [values, vectors] = dense::symmetric_eigen(dense::scaled(H, scale));
  const double floor = 1e-12 * values.maxCoeff();
  VectorXd part = vectors.transpose() * scale.cwiseProduct(b);
  for (Index i = 0; i < part.size(); ++i) {
    part(i) = values(i) > floor ? part(i) / values(i) : 0.0;
  }
  return scale.cwiseProduct(vectors * part);
}

MatrixXd without_missing(const MatrixXd& error, const MatrixXd& output) {
  return output.array().isNaN().select(0.0, error);
}

// Adds the free motion that fits the measured outputs best.
void add_free_motion(const ModalMap& map, const MatrixXd& output, const VectorXd& weights,
                     MatrixXd& prediction) {
  const Index live = live_samples(map, output.rows());
  const MatrixXd e = free_modes(map, live);
  const Index size = e.cols();
  const auto measured = output.topRows(live);
  MatrixXd error = measured - prediction.topRows(live);
  const bool complete = !error.hasNaN();
  if (!complete) error = without_missing(error, measured);
  MatrixXd right = MatrixXd::Zero(size, output.cols());
  add_transposed_product(e, error, right);
  MatrixXd gram = MatrixXd::Zero(size, size);
  if (complete) add_gram(e, gram);
  MatrixXd H = MatrixXd::Zero(size, size);
  VectorXd b = VectorXd::Zero(size);
  std::vector<MatrixXd> combinations;
  for (Index i = 0; i < output.cols(); ++i) {
    if (!complete) {
      gram.setZero();
      const VectorXd there =
          measured.col(i).array().isNaN().select(VectorXd::Zero(live), VectorXd::Ones(live));
      add_gram(there.asDiagonal() * e, gram);
    }
    combinations.push_back(free_combination(map, i));
    const MatrixXd& T = combinations.back();
    const double square = weights(i) * weights(i);
    H += square * dense::transposed_times(T, dense::times(dense::mirrored(gram), T));
    b += square * T.transpose() * right.col(i);
  }
  const VectorXd xi = least_solution(H, b);
  MatrixXd seen(size, output.cols());
  for (Index i = 0; i < output.cols(); ++i) {
    seen.col(i) = combinations[static_cast<std::size_t>(i)] * xi;
  }
  prediction.topRows(live) += product(e, seen);
}

}  // namespace

QuickPrediction::QuickPrediction(const Experiments& data, model::OutputMap outputs,
                                 signal::BetweenSamples hold, VectorXd weights)
    : data_(data), outputs_(std::move(outputs)) {
  options_.hold = hold;
  options_.weights = std::move(weights);
  rule_ = step_rule("predict", options_);
  for (const Experiment& experiment : data) {
    const integrate::InputStencil stencil(drive_of(rule_), experiment.input, experiment.step);
    MatrixXd w(stencil.size(), experiment.samples() - 1);
    if (w.cols() > 0) stencil.fill(0, w);
    drives_.push_back(w.transpose());
  }
}

QuickPrediction::Result QuickPrediction::operator()(const model::SecondOrder& system) const {
  const double step = data_.front().step;
  const ModalBasis basis = modal_basis(system, step);
  if (!basis.usable || basis.condition > kWorstCondition) {
    Prediction slow = predict(system, outputs_, data_, options_);
    return {std::move(slow.predictions), slow.noise};
  }
  const ModalMap map = modal_map(system, outputs_, basis, rule_, step);
  Result result;
  MatrixXd C(2 * map.mu.size(), outputs_.outputs());
  C << map.C.real().transpose(), -map.C.imag().transpose();
  VectorXd squares = VectorXd::Zero(outputs_.outputs());
  VectorXd counts = squares;
  for (std::size_t e = 0; e < data_.size(); ++e) {
    const MatrixXd& output = data_[e].output;
    MatrixXd y = product(forced_modes(map, drives_[e]), C);
    if (!map.E.isZero(0.0)) y.noalias() += data_[e].input * map.E.transpose();
    add_free_motion(map, output, options_.weights, y);
    const VectorXd missing = output.array().isNaN().cast<double>().colwise().sum().matrix();
    MatrixXd error = output - y;
    if (missing.maxCoeff() > 0.0) error = without_missing(error, output);
    squares += error.colwise().squaredNorm().transpose();
    counts += VectorXd::Constant(counts.size(), static_cast<double>(output.rows())) - missing;
    result.predictions.push_back(std::move(y));
  }
  result.noise = (squares.array() / counts.array().max(1.0)).sqrt();
  return result;
}

}  // namespace alembert::identify
