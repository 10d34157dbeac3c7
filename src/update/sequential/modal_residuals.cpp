#include "update/sequential/modal_residuals.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/algebra/decompositions.hpp"
#include "update/slopes/bordered.hpp"

namespace alembert::update {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// Eigenvalues this close, relatively, are one: the directions of their shapes are rounding.
constexpr double kClose = 1e-6;

bool close(double a, double b) { return std::abs(a - b) <= kClose * std::max(a, b); }

// Turns followed shapes of one close group to those before: the nearest orthonormal set
// (Procrustes).
void turn_group(const std::vector<Index>& group, const DenseModes& found, const MatrixXd& M,
                const MatrixXd& before, FollowedModes& made) {
  std::vector<Index> space;
  for (Index j = 0; j < found.eigenvalue.size(); ++j) {
    if (close(found.eigenvalue(j), made.eigenvalue(group.front()))) space.push_back(j);
  }
  if (space.size() < 2) return;
  const MatrixXd basis = found.shapes(Eigen::all, space);
  const MatrixXd target = basis.transpose() * (M * before(Eigen::all, group));
  const Eigen::BDCSVD<MatrixXd> parts(target, Eigen::ComputeThinU | Eigen::ComputeThinV);
  made.shapes(Eigen::all, group) = basis * (parts.matrixU() * parts.matrixV().transpose());
}

}  // namespace

FollowedModes followed(const DenseModes& found, const MatrixXd& M, const MatrixXd& before) {
  const MatrixXd products = before.transpose() * (M * found.shapes);
  const MatrixXd size = (before.transpose() * M * before).diagonal().cwiseSqrt();
  const MatrixXd alike = products.cwiseAbs().array().colwise() / size.col(0).array();
  const std::vector<Index> at = cheapest_assignment(MatrixXd((2.0 - alike.array()).matrix()));
  FollowedModes made{VectorXd(before.cols()), MatrixXd(before.rows(), before.cols())};
  for (Index i = 0; i < before.cols(); ++i) {
    const Index j = at[static_cast<std::size_t>(i)];
    made.eigenvalue(i) = found.eigenvalue(j);
    made.shapes.col(i) = (products(i, j) < 0.0 ? -1.0 : 1.0) * found.shapes.col(j);
  }
  std::vector<bool> done(static_cast<std::size_t>(before.cols()), false);
  for (Index i = 0; i < before.cols(); ++i) {
    if (done[static_cast<std::size_t>(i)]) continue;
    std::vector<Index> group;
    for (Index k = i; k < before.cols(); ++k) {
      if (!close(made.eigenvalue(i), made.eigenvalue(k))) continue;
      group.push_back(k);
      done[static_cast<std::size_t>(k)] = true;
    }
    turn_group(group, found, M, before, made);
  }
  return made;
}

ModalProblem::ModalProblem(const DenseModel& model, const MeasuredModes& measured,
                           const UpdateOptions& options, const std::vector<Pair>& pairs,
                           double shift, Index modes, Index skipped)
    : model_(&model),
      measured_(&measured),
      options_(&options),
      pairs_(&pairs),
      shift_(shift),
      modes_(modes),
      skipped_(skipped) {
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    if (static_cast<Index>(i) == skipped) continue;
    data_ += 1 + static_cast<Index>(sensors_of(pairs[i].measured).size());
  }
}

std::vector<Index> ModalProblem::sensors_of(Index measured) const {
  std::vector<Index> there;
  if (!options_->use_shapes || !measured_->has_shape(measured)) return there;
  for (Index s = 0; s < measured_->shapes.rows(); ++s) {
    if (std::isfinite(measured_->shapes(s, measured))) there.push_back(s);
  }
  return there;
}

double ModalProblem::frequency_sigma(Index measured) const {
  const double own = measured_->deviation_hz.size() > 0 ? measured_->deviation_hz(measured) : 0.0;
  return std::hypot(own, options_->frequency_sigma * measured_->frequency_hz(measured));
}

// y - α c with c = C φ, α = yᵀc/cᵀc:
//   ∂(α c) = α ∂c + c ∂α,  ∂α = (yᵀ∂c - 2 α cᵀ∂c)/cᵀc
void ModalProblem::fill_shape(Index pair, const VectorXd& phi, Index first,
                              const MatrixXd* phi_slopes, ModalResiduals& made) const {
  const Index mode = (*pairs_)[static_cast<std::size_t>(pair)].measured;
  const std::vector<Index> sensors = sensors_of(mode);
  if (sensors.empty()) return;
  const VectorXd y = measured_->shapes(sensors, mode);
  const MatrixXd C = model_->C(sensors, Eigen::all);
  const VectorXd c = C * phi;
  const double cc = c.squaredNorm();
  const double alpha = cc > 0.0 ? y.dot(c) / cc : 0.0;
  const double sigma = options_->shape_sigma * y.cwiseAbs().maxCoeff();
  const auto rows = static_cast<Index>(sensors.size());
  made.r.segment(first, rows) = (y - alpha * c) / sigma;
  if (phi_slopes == nullptr || !(cc > 0.0)) return;
  const MatrixXd dc = C * *phi_slopes;
  const Eigen::RowVectorXd dalpha = (y - 2.0 * alpha * c).transpose() * dc / cc;
  made.J.middleRows(first, rows) = -(alpha * dc + c * dalpha) / sigma;
}

void ModalProblem::add_slopes(const MatrixXd& K, const MatrixXd& M, ModalResiduals& made) const {
  const auto count = static_cast<Index>(model_->dK.size());
  const auto pairs = static_cast<Index>(pairs_->size());
  made.J = MatrixXd::Zero(data_, count);
  made.hz_slope.resize(pairs, count);
  Index row = 0;
  for (Index i = 0; i < pairs; ++i) {
    const double lambda = made.modes.eigenvalue(i);
    std::vector<Index> group;
    for (Index k = 0; k < pairs; ++k) {
      if (close(lambda, made.modes.eigenvalue(k))) group.push_back(k);
    }
    const MatrixXd space = made.modes.shapes(Eigen::all, group);
    const VectorXd phi = made.modes.shapes.col(i);
    MatrixXd right(phi.size(), count);
    MatrixXd along(space.cols(), count);
    for (Index j = 0; j < count; ++j) {
      const auto k = static_cast<std::size_t>(j);
      const VectorXd Mj = model_->dM[k] * phi;
      const VectorXd G = model_->dK[k] * phi - lambda * Mj;
      const double slope = phi.dot(G);
      // df/dp = λ'/(8 π² f)
      made.hz_slope(i, j) =
          slope / (8.0 * std::numbers::pi * std::numbers::pi * std::max(hz_of(lambda), 1e-300));
      // Inside the space of close eigenvalues the basis is held: no part of it but the length.
      right.col(j) = M * (space * (space.transpose() * G)) - G;
      along.col(j) = -0.5 * (space.transpose() * Mj);
    }
    if (i == skipped_) continue;
    const Index mode = (*pairs_)[static_cast<std::size_t>(i)].measured;
    made.J.row(row) = -made.hz_slope.row(i) / frequency_sigma(mode);
    const auto shape_rows = static_cast<Index>(sensors_of(mode).size());
    if (shape_rows > 0) {
      const BorderedModes bordered(K - lambda * M, M * space);
      const MatrixXd phi_slopes = bordered.solve(right) + space * along;
      fill_shape(i, phi, row + 1, &phi_slopes, made);
    }
    row += 1 + shape_rows;
  }
}

std::optional<ModalResiduals> ModalProblem::at(const VectorXd& p, const FollowedModes& before,
                                               bool slopes) const {
  const MatrixXd K = model_->stiffness(p);
  const MatrixXd M = model_->mass(p);
  const DenseModes found = lowest_dense_modes(K, M, shift_, modes_);
  if (found.eigenvalue.size() < static_cast<Index>(pairs_->size())) return std::nullopt;
  ModalResiduals made{.modes = followed(found, M, before.shapes), .r = VectorXd(data_)};
  Index row = 0;
  for (std::size_t i = 0; i < pairs_->size(); ++i) {
    const auto pair = static_cast<Index>(i);
    if (pair == skipped_) continue;
    const Index mode = (*pairs_)[i].measured;
    made.r(row) = (measured_->frequency_hz(mode) - hz_of(made.modes.eigenvalue(pair))) /
                  frequency_sigma(mode);
    fill_shape(pair, made.modes.shapes.col(pair), row + 1, nullptr, made);
    row += 1 + static_cast<Index>(sensors_of(mode).size());
  }
  if (slopes) add_slopes(K, M, made);
  if (!made.r.allFinite()) return std::nullopt;
  return made;
}

}  // namespace alembert::update
