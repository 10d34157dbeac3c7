#include <cmath>
#include <complex>

#include "alembert/core/not_a_number.hpp"
#include "core/algebra/blas.hpp"
#include "core/algebra/decompositions.hpp"
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

constexpr double kFastestPole = 2.5;  // |λ| times the decimated step
const double kFirstPenalty = 1e3;
const double kLastPenalty = 1e5;

// The real numbers of a model: Re ψ, Im ψ, Re λ, Im λ, Re ξ, Im ξ.
VectorXd packed(const ResidueModel& model) {
  const Index n = model.poles.size();
  VectorXd theta(2 * model.shapes.size() + 2 * n + 2 * model.free.size());
  theta << model.shapes.real().reshaped(), model.shapes.imag().reshaped(), model.poles.real(),
      model.poles.imag(), model.free.real().reshaped(), model.free.imag().reshaped();
  return theta;
}

ResidueModel unpacked(const VectorXd& theta, Index n, Index experiments) {
  const auto complex = [&](Index begin, Index rows, Index columns) -> MatrixXcd {
    const Index size = rows * columns;
    return theta.segment(begin, size).reshaped(rows, columns) +
           Complex(0.0, 1.0) * theta.segment(begin + size, size).reshaped(rows, columns);
  };
  ResidueModel model;
  model.shapes = complex(0, n, n);
  model.poles = complex(2 * n * n, n, 1);
  model.free = complex(2 * n * n + 2 * n, n, experiments);
  return model;
}

bool allowed(const VectorXcd& poles, double step) {
  return poles.allFinite() && poles.real().maxCoeff() <= 0.0 && poles.imag().minCoeff() > 0.0 &&
         poles.cwiseAbs().maxCoeff() * step <= kFastestPole;
}

VectorXd inverse_rms(const std::vector<MatrixXd>& signals) {
  VectorXd sum = VectorXd::Zero(signals.front().cols());
  double count = 0.0;
  for (const MatrixXd& signal : signals) {
    sum += signal.colwise().squaredNorm().transpose();
    count += static_cast<double>(signal.rows());
  }
  return (sum / count).cwiseMax(1e-300).cwiseSqrt().cwiseInverse();
}

// One mode on one experiment: responses and the products that derivatives need.
struct ModePart {
  PoleResponse response;
  MatrixXcd forced;  // x Lᵀ, N x n
  VectorXcd motion;  // f = ψᵀ L x + ξ e
  VectorXcd d_pole;  // ψᵀ L dx + ξ t e
};

class ComplexModes {
 public:
  ComplexModes(const ResidueData& data, VectorXd weights, double penalty, VectorXd sizes)
      : data_(data), weights_(std::move(weights)), penalty_(penalty), sizes_(std::move(sizes)) {}

  // Cost at θ; with the normal equations if asked for. NaN where θ is not allowed.
  double operator()(const VectorXd& theta, LevenbergSums* normal) const {
    const ResidueModel model = unpacked(theta, data_.coordinates(), data_.experiments());
    if (!allowed(model.poles, data_.step)) return kNaN;
    if (normal != nullptr) normal->reset(theta.size());
    double cost = add_penalty(model, normal);
    for (Index e = 0; e < data_.experiments(); ++e) cost += add_experiment(model, e, normal);
    if (normal != nullptr) normal->finish();
    return cost;
  }

  // y - ŷ of each experiment.
  [[nodiscard]] std::vector<MatrixXd> residuals(const ResidueModel& model) const {
    std::vector<MatrixXd> result;
    for (Index e = 0; e < data_.experiments(); ++e) {
      result.push_back(residual(model, e, mode_parts(model, e, false)));
    }
    return result;
  }

 private:
  [[nodiscard]] std::vector<ModePart> mode_parts(const ResidueModel& model, Index e,
                                                 bool derivatives) const {
    std::vector<ModePart> parts;
    for (Index r = 0; r < model.poles.size(); ++r) {
      ModePart part;
      part.response =
          pole_response(data_.drives[static_cast<std::size_t>(e)], model.poles(r), derivatives);
      const VectorXcd b = data_.L.transpose() * model.shapes.col(r);
      part.motion = part.response.x * b + model.free(r, e) * part.response.e;
      if (derivatives) {
        part.forced = part.response.x * data_.L.transpose();
        part.d_pole = part.response.dx * b + model.free(r, e) * part.response.te;
      }
      parts.push_back(std::move(part));
    }
    return parts;
  }

  [[nodiscard]] MatrixXd residual(const ResidueModel& model, Index e,
                                  const std::vector<ModePart>& parts) const {
    MatrixXd error = data_.output[static_cast<std::size_t>(e)];
    const MatrixXcd sensed = data_.C * model.shapes;
    for (Index r = 0; r < model.poles.size(); ++r) {
      // 2 Re C ψ f
      const VectorXcd& f = parts[static_cast<std::size_t>(r)].motion;
      error.noalias() -= 2.0 * f.real() * sensed.col(r).real().transpose();
      error.noalias() += 2.0 * f.imag() * sensed.col(r).imag().transpose();
    }
    return error;
  }

  double add_experiment(const ResidueModel& model, Index e, LevenbergSums* normal) const {
    const std::vector<ModePart> parts = mode_parts(model, e, normal != nullptr);
    const MatrixXd error = residual(model, e, parts) * weights_.asDiagonal();
    if (normal != nullptr) {
      MatrixXd rows = MatrixXd::Zero(error.rows(), normal->gradient.size());
      for (Index i = 0; i < error.cols(); ++i) {
        fill_rows(model, parts, e, i, rows);
        add_gram(rows, normal->matrix);
        normal->gradient.noalias() += rows.transpose() * error.col(i);
      }
    }
    return error.squaredNorm();
  }

  // Derivatives of w_i ŷ_i: a holomorphic derivative g gives 2 Re g and -2 Im g.
  void fill_rows(const ResidueModel& model, const std::vector<ModePart>& parts, Index e, Index i,
                 MatrixXd& rows) const {
    const Index n = model.poles.size();
    const Index free = 2 * n * n + 2 * n;
    VectorXcd g(rows.rows());
    const auto put = [&](Index real, Index imaginary) {
      rows.col(real) = 2.0 * g.real();
      rows.col(imaginary) = -2.0 * g.imag();
    };
    for (Index r = 0; r < n; ++r) {
      const ModePart& part = parts[static_cast<std::size_t>(r)];
      const Complex c = weights_(i) * (data_.C.row(i) * model.shapes.col(r)).value();
      for (Index k = 0; k < n; ++k) {
        // ∂/∂ψ_k = C_ik f + c (L x)_k
        g = c * part.forced.col(k);
        if (data_.C(i, k) != 0.0) g += weights_(i) * data_.C(i, k) * part.motion;
        put(r * n + k, n * n + r * n + k);
      }
      g = c * part.d_pole;
      put(2 * n * n + r, 2 * n * n + n + r);
      g = c * part.response.e;
      put(free + e * n + r, free + n * data_.experiments() + e * n + r);
    }
  }

  // μ Σ_ij P_ij², P = 2 Re ψψᵀ scaled to the sizes of the coordinates.
  double add_penalty(const ResidueModel& model, LevenbergSums* normal) const {
    if (penalty_ == 0.0) return 0.0;
    const Index n = model.poles.size();
    const MatrixXd scale =
        std::sqrt(penalty_) * sizes_.cwiseInverse() * sizes_.cwiseInverse().transpose();
    const MatrixXcd product = model.shapes * model.shapes.transpose();
    const MatrixXd P = 2.0 * product.real().cwiseProduct(scale);
    if (normal == nullptr) return P.squaredNorm();
    MatrixXd rows = MatrixXd::Zero(n * n, normal->gradient.size());
    for (Index r = 0; r < n; ++r) {
      for (Index i = 0; i < n; ++i) {
        for (Index j = 0; j < n; ++j) {
          // ∂P_ij/∂ψ_ir = ψ_jr, both factors of the product
          const Complex g = scale(i, j) * model.shapes(j, r);
          for (const Index row : {j * n + i, i * n + j}) {
            rows(row, r * n + i) += 2.0 * g.real();
            rows(row, n * n + r * n + i) -= 2.0 * g.imag();
          }
        }
      }
    }
    add_gram(rows, normal->matrix);
    normal->gradient.noalias() -= rows.transpose() * P.reshaped();
    return P.squaredNorm();
  }

  const ResidueData& data_;
  VectorXd weights_;
  double penalty_;
  VectorXd sizes_;
};

}  // namespace

ResidueFit fit_residues(const ResidueData& data, const ResidueModel& start) {
  ResidueFit fit;
  fit.model = start;
  const auto run = [&](const VectorXd& weights, double penalty, const LevenbergOptions& options) {
    const VectorXd sizes = fit.model.shapes.rowwise().norm().cwiseMax(1e-300);
    const ComplexModes evaluate(data, weights, penalty, sizes);
    const LevenbergResult result = levenberg(evaluate, packed(fit.model), options);
    fit.model = unpacked(result.theta, data.coordinates(), data.experiments());
    fit.cost = result.cost;
    fit.iterations += result.iterations;
  };
  run(inverse_rms(data.output), 0.0, {.max_iterations = 40, .tolerance = 1e-5});
  const ComplexModes plain(data, inverse_rms(data.output), 0.0, {});
  const VectorXd weights = inverse_rms(plain.residuals(fit.model));
  run(weights, kFirstPenalty, {.max_iterations = 25, .tolerance = 1e-4});
  run(weights, kLastPenalty, {.max_iterations = 25, .tolerance = 1e-4});
  return fit;
}

}  // namespace alembert::identify
