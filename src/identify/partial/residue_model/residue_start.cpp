#include <cmath>
#include <complex>
#include <limits>

#include "alembert/core/linear_algebra.hpp"
#include "core/algebra/blas.hpp"
#include "core/algebra/decompositions.hpp"
#include "core/algebra/dense.hpp"
#include "identify/partial/residue_model/residue_model.hpp"

namespace alembert::identify {

namespace {

using Complex = std::complex<double>;
using Eigen::Index;
using Eigen::MatrixXcd;
using Eigen::MatrixXd;
using Eigen::VectorXcd;
using Eigen::VectorXd;

constexpr double kHighestDamping = 0.3;
constexpr double kBandMargin = 1.15;

// Normal equations of y_i = 2 Re Σ_r c_ir (b_rᵀ x_r + ξ_r e_r) in the real and imaginary parts of
// (b_r, ξ_r); each mode owns 2 (m + E) neighbouring unknowns.
struct InputNormal {
  MatrixXd H;
  VectorXd g;
  Index per_mode = 0;
};

VectorXd output_weights(const ResidueData& data) {
  VectorXd sum = VectorXd::Zero(data.C.rows());
  for (const MatrixXd& y : data.output) sum += y.colwise().squaredNorm().transpose();
  return sum.cwiseMax(1e-300).cwiseSqrt().cwiseInverse();
}

// Columns of one mode in the rows of output i of experiment e: 2 Re and -2 Im of c x_j and c e.
void fill_mode(const PoleResponse& response, Complex c, Index experiment,
               Eigen::Ref<MatrixXd> columns) {
  const Index m = response.x.cols();
  columns.setZero();
  for (Index j = 0; j < m; ++j) {
    columns.col(2 * j) = 2.0 * (c * response.x.col(j)).real();
    columns.col(2 * j + 1) = -2.0 * (c * response.x.col(j)).imag();
  }
  const Index free = 2 * (m + experiment);
  columns.col(free) = 2.0 * (c * response.e).real();
  columns.col(free + 1) = -2.0 * (c * response.e).imag();
}

InputNormal input_normal(const ResidueData& data, const BandPoles& found) {
  const Index modes = found.poles.size();
  InputNormal normal;
  normal.per_mode = 2 * (data.L.cols() + data.experiments());
  const Index size = modes * normal.per_mode;
  normal.H = MatrixXd::Zero(size, size);
  normal.g = VectorXd::Zero(size);
  const VectorXd weights = output_weights(data);
  for (Index e = 0; e < data.experiments(); ++e) {
    const auto place = static_cast<std::size_t>(e);
    const MatrixXd& y = data.output[place];
    std::vector<PoleResponse> responses;
    for (Index r = 0; r < modes; ++r) {
      responses.push_back(pole_response(data.drives[place], found.poles(r), false));
    }
    MatrixXd rows(y.rows(), size);
    for (Index i = 0; i < y.cols(); ++i) {
      for (Index r = 0; r < modes; ++r) {
        fill_mode(responses[static_cast<std::size_t>(r)], weights(i) * found.sensed(i, r), e,
                  rows.middleCols(r * normal.per_mode, normal.per_mode));
      }
      add_gram(rows, normal.H);
      normal.g += rows.transpose() * (weights(i) * y.col(i));
    }
  }
  normal.H.triangularView<Eigen::StrictlyUpper>() = normal.H.transpose();
  return normal;
}

std::vector<Index> unknowns_of(const std::vector<Index>& modes, Index per_mode) {
  std::vector<Index> list;
  for (const Index r : modes) {
    for (Index k = 0; k < per_mode; ++k) list.push_back(r * per_mode + k);
  }
  return list;
}

// H⁻¹ and θ of the kept modes, scaled to unit diagonal with a ridge at the rounding level.
struct InputSolution {
  MatrixXd inverse;
  VectorXd theta;
};

InputSolution solve(const InputNormal& normal, const std::vector<Index>& modes) {
  const std::vector<Index> list = unknowns_of(modes, normal.per_mode);
  MatrixXd H = normal.H(list, list);
  const VectorXd g = normal.g(list);
  const VectorXd scale = H.diagonal().cwiseMax(1e-300).cwiseSqrt().cwiseInverse();
  H = dense::scaled(H, scale);
  H.diagonal().array() += 1e-12;
  const MatrixXd identity = MatrixXd::Identity(H.rows(), H.cols());
  const MatrixXd inverse = Eigen::LDLT<MatrixXd>(H).solve(identity);
  InputSolution solution;
  solution.inverse = dense::scaled(inverse, scale);
  solution.theta = solution.inverse * g;
  return solution;
}

// Drops modes with the smallest θ_aᵀ [(H⁻¹)_aa]⁻¹ θ_a, the rise of the cost without mode a.
std::vector<Index> significant_modes(const InputNormal& normal, Index modes, Index wanted) {
  std::vector<Index> kept;
  for (Index r = 0; r < modes; ++r) kept.push_back(r);
  while (static_cast<Index>(kept.size()) > wanted) {
    const InputSolution solution = solve(normal, kept);
    const Index size = normal.per_mode;
    Index least = 0;
    double smallest = std::numeric_limits<double>::infinity();
    for (Index a = 0; a < static_cast<Index>(kept.size()); ++a) {
      const VectorXd part = solution.theta.segment(a * size, size);
      const MatrixXd block = solution.inverse.block(a * size, a * size, size, size);
      const double rise = part.dot(block.ldlt().solve(part));
      if (rise < smallest) {
        smallest = rise;
        least = a;
      }
    }
    kept.erase(kept.begin() + least);
  }
  return kept;
}

// ψ from c = α C ψ and b = Lᵀ ψ/α. Where C and Lᵀ see the same direction, c and α² b agree there,
// which gives α²; then ψ is the least-squares solution of C ψ = c/α, Lᵀ ψ = α b.
class Reciprocity {
 public:
  Reciprocity(const MatrixXd& C, const MatrixXd& L) : seen_(C.rows() + L.cols(), C.cols()) {
    seen_ << C, L.transpose();
    factor_.compute(seen_);
    const MatrixXd transposed = seen_.transpose();
    shared_ = Eigen::FullPivLU<MatrixXd>(transposed).kernel();
    sensed_ = C.rows();
  }

  [[nodiscard]] VectorXcd shape(const VectorXcd& c, const VectorXcd& b) const {
    // Nᵀ [c/α; α b] = 0 for the left null space N of [C; Lᵀ].
    const VectorXcd c_shared = shared_.topRows(sensed_).transpose() * c;
    const VectorXcd b_shared = -shared_.bottomRows(b.size()).transpose() * b;
    const Complex product = b_shared.dot(c_shared);
    Complex alpha = 1.0;
    if (std::abs(product) > 0.0) {
      alpha = std::sqrt(product / std::abs(product) * c_shared.norm() / b_shared.norm());
    }
    VectorXcd right(c.size() + b.size());
    right << c / alpha, alpha * b;
    const MatrixXd parts = (MatrixXd(right.size(), 2) << right.real(), right.imag()).finished();
    const MatrixXd solved = factor_.solve(parts);
    return solved.col(0) + Complex(0.0, 1.0) * solved.col(1);
  }

 private:
  MatrixXd seen_, shared_;
  Eigen::ColPivHouseholderQR<MatrixXd> factor_;
  Index sensed_ = 0;
};

}  // namespace

ResidueData residue_data(const Experiments& decimated, const MatrixXd& C, const MatrixXd& L) {
  ResidueData data;
  data.C = C;
  data.L = L;
  for (const Experiment& experiment : decimated) {
    data.drives.push_back(pole_drive(experiment.input, experiment.step));
    data.output.push_back(experiment.output);
    data.step = experiment.step;
  }
  return data;
}

BandPoles band_poles(const DiscreteModel& model, double highest) {
  const Eigen::EigenSolver<MatrixXd> solver(model.F);
  const MatrixXcd sensed = model.H * solver.eigenvectors();
  std::vector<Index> kept;
  VectorXcd poles(solver.eigenvalues().size());
  for (Index r = 0; r < poles.size(); ++r) {
    poles(r) = std::log(solver.eigenvalues()(r)) / model.step;
    const double size = std::abs(poles(r));
    const double damping = -poles(r).real() / size;
    if (poles(r).imag() > 0.0 && damping < kHighestDamping && size < kBandMargin * highest) {
      // A pole that grows a little is noise; the fit needs a start that does not grow.
      if (damping < 1e-3) poles(r) = Complex(-1e-3 * size, poles(r).imag());
      kept.push_back(r);
    }
  }
  return {poles(kept), sensed(Eigen::all, kept)};
}

ResidueModel residue_start(const ResidueData& data, const BandPoles& found) {
  const Index n = data.coordinates();
  const Index m = data.L.cols();
  const InputNormal normal = input_normal(data, found);
  const std::vector<Index> kept = significant_modes(normal, found.poles.size(), n);
  const VectorXd theta = solve(normal, kept).theta;
  const Reciprocity reciprocity(data.C, data.L);
  ResidueModel model{MatrixXcd(n, n), VectorXcd(n), MatrixXcd::Zero(n, data.experiments())};
  for (Index r = 0; r < n; ++r) {
    VectorXcd b(m);
    for (Index j = 0; j < m; ++j) {
      const Index place = r * normal.per_mode + 2 * j;
      b(j) = Complex(theta(place), theta(place + 1));
    }
    const Index mode = kept[static_cast<std::size_t>(r)];
    model.poles(r) = found.poles(mode);
    model.shapes.col(r) = reciprocity.shape(found.sensed.col(mode), b);
  }
  return model;
}

Matrices residue_matrices(const ResidueModel& model) {
  const MatrixXcd& psi = model.shapes;
  const VectorXcd& poles = model.poles;
  const auto sum = [&](const VectorXcd& factors) -> MatrixXd {
    return 2.0 * dense::sandwich(psi, factors, psi).real();
  };
  const MatrixXd M = dense::inverse(sum(poles));
  const MatrixXd K = -dense::inverse(sum(poles.cwiseInverse()));
  const MatrixXd D = -dense::times(dense::times(M, sum(poles.cwiseProduct(poles))), M);
  return {symmetrised(M), symmetrised(D), symmetrised(K)};
}

Matrices real_residue_matrices(const ResidueModel& model) {
  const Index n = model.poles.size();
  MatrixXd phi(n, n);
  for (Index r = 0; r < n; ++r) {
    const Complex root = std::sqrt(Complex(0.0, 2.0 * model.poles(r).imag()));
    phi.col(r) = (model.shapes.col(r) * root).real();
  }
  const MatrixXd M = dense::inverse(dense::times(phi, MatrixXd(phi.transpose())));
  const MatrixXd left = dense::times(M, phi);
  const MatrixXd K = dense::sandwich(left, VectorXd(model.poles.cwiseAbs2()), left);
  const MatrixXd D = dense::sandwich(left, VectorXd(-2.0 * model.poles.real()), left);
  return {symmetrised(M), symmetrised(D), symmetrised(K)};
}

}  // namespace alembert::identify
