#include <cmath>
#include <complex>

#include "alembert/core/not_a_number.hpp"
#include "core/algebra/blas.hpp"
#include "identify/partial/residue_model/levenberg.hpp"
#include "identify/partial/residue_model/residue_model.hpp"

namespace alembert::identify {

namespace {

using Complex = std::complex<double>;
using Eigen::Index;
using Eigen::MatrixXcd;
using Eigen::MatrixXd;
using Eigen::VectorXcd;
using Eigen::VectorXd;

constexpr double kFastestRealPole = 2.5;  // |λ| times the decimated step

// y = Σ_r C φ_r (φ_rᵀ L Im x_r/ω_r + 2 Re ξ_r e_r), ω = Im λ
struct RealShapes {
  MatrixXd shapes;  // φ, n x n
  VectorXcd poles;
  MatrixXcd free;
};

VectorXd packed(const RealShapes& model) {
  const Index n = model.poles.size();
  VectorXd theta(n * n + 2 * n + 2 * model.free.size());
  theta << model.shapes.reshaped(), model.poles.real(), model.poles.imag(),
      model.free.real().reshaped(), model.free.imag().reshaped();
  return theta;
}

RealShapes unpacked_shapes(const VectorXd& theta, Index n, Index experiments) {
  const Complex i(0.0, 1.0);
  const Index size = n * experiments;
  const Index free = n * n + 2 * n;
  RealShapes model;
  model.shapes = theta.head(n * n).reshaped(n, n);
  model.poles = theta.segment(n * n, n) + i * theta.segment(n * n + n, n);
  model.free = theta.segment(free, size).reshaped(n, experiments) +
               i * theta.segment(free + size, size).reshaped(n, experiments);
  return model;
}

// One mode on one experiment.
struct RealPart {
  MatrixXd forced;            // Im x Lᵀ/ω, N x n
  VectorXd motion;            // φᵀ L Im x/ω + 2 Re ξ e
  VectorXd d_decay, d_omega;  // its derivatives by Re λ and Im λ
  VectorXcd e;
};

class RealModeProblem {
 public:
  explicit RealModeProblem(const ResidueData& data) : data_(data) {
    VectorXd sum = VectorXd::Zero(data.C.rows());
    double count = 0.0;
    for (const MatrixXd& y : data.output) {
      sum += y.colwise().squaredNorm().transpose();
      count += static_cast<double>(y.rows());
    }
    weights_ = (sum / count).cwiseMax(1e-300).cwiseSqrt().cwiseInverse();
  }

  double operator()(const VectorXd& theta, LevenbergSums* normal) const {
    const RealShapes model = unpacked_shapes(theta, data_.coordinates(), data_.experiments());
    const bool fine = theta.allFinite() && model.poles.real().maxCoeff() <= 0.0 &&
                      model.poles.imag().minCoeff() > 0.0 &&
                      model.poles.cwiseAbs().maxCoeff() * data_.step <= kFastestRealPole;
    if (!fine) return kNaN;
    if (normal != nullptr) normal->reset(theta.size());
    double cost = 0.0;
    for (Index e = 0; e < data_.experiments(); ++e) cost += add_experiment(model, e, normal);
    if (normal != nullptr) normal->finish();
    return cost;
  }

 private:
  [[nodiscard]] RealPart part_of(const RealShapes& model, Index e, Index r,
                                 bool derivatives) const {
    const double omega = model.poles(r).imag();
    const Complex free = model.free(r, e);
    PoleResponse response =
        pole_response(data_.drives[static_cast<std::size_t>(e)], model.poles(r), derivatives);
    const VectorXd b = data_.L.transpose() * model.shapes.col(r) / omega;
    RealPart part;
    const VectorXd driven = response.x.imag() * b;
    part.motion = driven + 2.0 * (free * response.e).real();
    if (derivatives) {
      part.forced = response.x.imag() * data_.L.transpose() / omega;
      // ∂ Im x/∂Re λ = Im dx, ∂ Im x/∂Im λ = Re dx
      part.d_decay = response.dx.imag() * b + 2.0 * (free * response.te).real();
      part.d_omega = response.dx.real() * b - driven / omega - 2.0 * (free * response.te).imag();
    }
    part.e = std::move(response.e);
    return part;
  }

  double add_experiment(const RealShapes& model, Index e, LevenbergSums* normal) const {
    const Index n = model.poles.size();
    const MatrixXd sensed = data_.C * model.shapes;
    MatrixXd error = data_.output[static_cast<std::size_t>(e)];
    std::vector<RealPart> parts;
    for (Index r = 0; r < n; ++r) {
      parts.push_back(part_of(model, e, r, normal != nullptr));
      error.noalias() -= parts.back().motion * sensed.col(r).transpose();
    }
    error = (error * weights_.asDiagonal()).eval();
    if (normal == nullptr) return error.squaredNorm();
    MatrixXd rows = MatrixXd::Zero(error.rows(), normal->gradient.size());
    for (Index i = 0; i < error.cols(); ++i) {
      fill_rows(weights_(i) * sensed.row(i).transpose(), parts, e, i, rows);
      add_gram(rows, normal->matrix);
      normal->gradient.noalias() += rows.transpose() * error.col(i);
    }
    return error.squaredNorm();
  }

  void fill_rows(const VectorXd& sensed, const std::vector<RealPart>& parts, Index e, Index i,
                 MatrixXd& rows) const {
    const Index n = sensed.size();
    const Index free = n * n + 2 * n;
    for (Index r = 0; r < n; ++r) {
      const RealPart& part = parts[static_cast<std::size_t>(r)];
      for (Index k = 0; k < n; ++k) {
        // ∂/∂φ_k = C_ik f + C φ (L Im x/ω)_k
        rows.col(r * n + k) = sensed(r) * part.forced.col(k);
        const double direct = weights_(i) * data_.C(i, k);
        if (direct != 0.0) rows.col(r * n + k) += direct * part.motion;
      }
      rows.col(n * n + r) = sensed(r) * part.d_decay;
      rows.col(n * n + n + r) = sensed(r) * part.d_omega;
      rows.col(free + e * n + r) = 2.0 * sensed(r) * part.e.real();
      rows.col(free + n * data_.experiments() + e * n + r) = -2.0 * sensed(r) * part.e.imag();
    }
  }

  const ResidueData& data_;
  VectorXd weights_;
};

}  // namespace

ResidueFit fit_real_residues(const ResidueData& data, const ResidueModel& start) {
  const Index n = data.coordinates();
  RealShapes model{MatrixXd(n, n), start.poles, MatrixXcd::Zero(n, data.experiments())};
  // φ = Re(ψ √(2iω))
  VectorXcd root(n);
  for (Index r = 0; r < n; ++r) root(r) = std::sqrt(Complex(0.0, 2.0 * start.poles(r).imag()));
  model.shapes = (start.shapes * root.asDiagonal()).real();
  const RealModeProblem problem(data);
  const LevenbergResult result =
      levenberg(problem, packed(model), {.max_iterations = 40, .tolerance = 1e-5});
  model = unpacked_shapes(result.theta, n, data.experiments());
  ResidueFit fit;
  fit.model.poles = model.poles;
  fit.model.shapes.resize(n, n);
  fit.model.free = model.free;
  for (Index r = 0; r < n; ++r) {
    const Complex root_r = std::sqrt(Complex(0.0, 2.0 * model.poles(r).imag()));
    fit.model.shapes.col(r) = model.shapes.col(r).cast<Complex>() / root_r;
    fit.model.free.row(r) *= root_r;
  }
  fit.cost = result.cost;
  fit.iterations = result.iterations;
  return fit;
}

}  // namespace alembert::identify
