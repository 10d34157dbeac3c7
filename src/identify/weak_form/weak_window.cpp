#include "identify/weak_form/weak_window.hpp"

#include <cmath>
#include <utility>

#include "identify/weak_form/weak_solve.hpp"

namespace alembert::identify {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kSameInstruments = 1e-5;  // relative change that ends the instruments

// Floors of the simulated model. Lower than the defaults of clipped(): they only have to keep the
// simulation stable, and a stiffness range of 1e3 would cut slow modes off.
constexpr double kMassFloor = 1e-3;
constexpr double kOtherFloor = 1e-6;

// Clipped in coordinates of unit rms, so that metres and radians do not compete.
Matrices stable(const WeakSetting& setting, const VectorXd& theta) {
  const Matrices raw = matrices(setting.unknowns, theta);
  const MatrixXd S = setting.scale.asDiagonal();
  const MatrixXd R = setting.scale.cwiseInverse().asDiagonal();
  const Matrices unit =
      clipped({S * raw.M * S, S * raw.D * S, S * raw.K * S}, kMassFloor, kOtherFloor);
  return {symmetrised(R * unit.M * R), symmetrised(R * unit.D * R), symmetrised(R * unit.K * R)};
}

void simulate_iterate(const WeakSetting& setting, WeakIterate& iterate) {
  const Matrices matrices = stable(setting, iterate.theta);
  QuickPrediction::Result prediction =
      setting.predict({matrices.M, matrices.D, matrices.K, setting.L});
  // rms over outputs of (rms of the error / rms of the output)
  iterate.cost = std::sqrt((prediction.noise.array() / setting.scale.array()).square().mean());
  iterate.predictions = std::move(prediction.predictions);
}

Outcome check_mass(const WeakSetting& setting, const VectorXd& theta) {
  const MatrixXd M = matrices(setting.unknowns, theta).M;
  if (theta.allFinite() && M.diagonal().maxCoeff() > 0.0) return {};
  return {Status::NotIdentifiable,
          "the weak equations give no positive mass; check that the forces excite the system, and "
          "the signs and units of forces and responses"};
}

}  // namespace

WeakWindow::WeakWindow(const WeakSetting& setting, double window, bool total)
    : setting_(setting),
      kernels_(
          weak_kernels(window, setting.data.front().step, setting.motion, setting.options.hold)) {
  std::vector<MatrixXd> instruments;
  for (const Experiment& experiment : setting.records()) {
    rows_.push_back(weak_rows(kernels_, experiment, setting.L, setting.unknowns));
    instruments.push_back(rows_.back().response);
  }
  weights_ = setting.scale.array().square();
  accept(solved_with(instruments));
  if (total && outcome_.ok()) try_total_least_squares();
}

void WeakWindow::iterate(int count) {
  for (int k = 0; k < count && outcome_.ok() && !settled_; ++k) {
    std::vector<MatrixXd> instruments;
    for (const MatrixXd& prediction : current_.predictions) {
      instruments.push_back(correlated(kernels_, prediction));
    }
    const VectorXd before = current_.theta;
    WeakIterate next;
    // Least squares shrinks the rows without a force; only instruments give sizes to weigh by.
    if (iterations_ > 0) {
      weights_ = equation_weights(rows_, matrices(setting_.unknowns, best_.theta));
    }
    const WeakSystem system = weak_system(rows_, instruments, weights_, setting_.unknowns);
    scale_columns(system);
    const Outcome solved = solve_weak_system(system, d_, setting_.unknowns.names, next.theta);
    // Noise makes the moments of least squares regular; those of the instruments tell the truth.
    if (!solved.ok() && iterations_ == 0) outcome_ = solved;
    // A model that no longer drives all unknowns ends the iteration; the best one so far stays.
    if (!solved.ok() || !check_mass(setting_, next.theta).ok()) break;
    current_.theta = next.theta;
    ++iterations_;
    accept({});
    settled_ = (current_.theta - before).cwiseQuotient(d_).norm() <
               kSameInstruments * before.cwiseQuotient(d_).norm();
  }
}

void WeakWindow::scale_columns(const WeakSystem& system) {
  const VectorXd diagonal = system.A.diagonal();
  d_ = (diagonal.array() > 0.0).select(diagonal.array().max(1e-300).rsqrt(), 1.0);
}

Outcome WeakWindow::solved_with(const std::vector<MatrixXd>& instruments) {
  const WeakSystem system = weak_system(rows_, instruments, weights_, setting_.unknowns);
  scale_columns(system);
  return solve_weak_system(system, d_, setting_.unknowns.names, current_.theta);
}

// Equations without a force are homogeneous, and noise in their responses shrinks the least
// squares solution towards zero. With N
// the part of the squares that noise would cause, truth gives xᵀ (R - κ N) x the mean 0 and
// anything else more, for x = (θ, 1) and the level κ of the noise: x belongs to the smallest κ of
// R x = κ N x. Only ratios of the noises are needed.
void WeakWindow::try_total_least_squares() {
  for (int round = 0; round < 2; ++round) {
    const WeakPencil pencil =
        weak_pencil(kernels_, rows_, setting_.noise, weights_, setting_.unknowns);
    if (!solve_weak_pencil(pencil, current_.theta) || !check_mass(setting_, current_.theta).ok()) {
      break;
    }
    accept({});
    weights_ = equation_weights(rows_, matrices(setting_.unknowns, current_.theta));
  }
  current_ = best_;
}

void WeakWindow::accept(const Outcome& outcome) {
  outcome_ = outcome;
  if (outcome_.ok()) outcome_ = check_mass(setting_, current_.theta);
  if (!outcome_.ok()) return;
  simulate_iterate(setting_, current_);
  if (!(best_.cost <= current_.cost)) best_ = current_;
}

}  // namespace alembert::identify
