#pragma once

#include <Eigen/Core>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "alembert/core/enum_names.hpp"
#include "alembert/core/status.hpp"
#include "alembert/model/planar/mechanism.hpp"
#include "alembert/model/planar/move_mechanism.hpp"

namespace alembert::estimate {

/// How an unknown force moves between samples.
enum class ForceModel {
  RandomWalk,            ///< F' white noise
  IntegratedRandomWalk,  ///< F'' white noise; state (F, F')
  LowPass,               ///< F' = −2π f F + white noise
  Constant,              ///< F' = 0, as a payload
};

constexpr auto enum_names(ForceModel) {
  return std::to_array<EnumName<ForceModel>>(
      {{ForceModel::RandomWalk, "random-walk"},
       {ForceModel::IntegratedRandomWalk, "integrated-random-walk"},
       {ForceModel::LowPass, "low-pass"},
       {ForceModel::Constant, "constant"}});
}

/// The measured forces F1 of a mechanism that moves, by the balance with the unknown ones F2:
///
///   F1 = B1⁻¹ (M z'' + bias − B2 F2)
///
/// with derivatives by z, z', z'', p and F2. Nothing is allocated after it has been made.
class ForceBalance {
 public:
  ForceBalance() = default;
  /// @throws InvalidInput unless every known force has a cell, there are as many of them as
  ///   coordinates, at most as many unknown forces, and some body has a mass; the message names the
  ///   culprit.
  explicit ForceBalance(const model::planar::Mechanism& mechanism);

  [[nodiscard]] int unknown() const { return static_cast<int>(unknown_.size()); }

  /// F1 at an acceleration of the mechanism. @param unknown F2. False where B1 is singular.
  bool solve(const model::planar::Mechanism& mechanism, const model::planar::MechanismState& state,
             std::span<const double> unknown) noexcept;
  /// Derivatives of F1; needs solve() and Mechanism::differentiate().
  void differentiate(const model::planar::Mechanism& mechanism,
                     const model::planar::MechanismState& state) noexcept;

  /// Of the force at this place in the description, which is a known one.
  [[nodiscard]] double value(int force) const { return forces_[static_cast<std::size_t>(force)]; }
  [[nodiscard]] int row(int force) const { return rows_[static_cast<std::size_t>(force)]; }
  /// Rows by row(): ∂F1/∂z, ∂F1/∂z', ∂F1/∂z'', ∂F1/∂p, ∂F1/∂F2.
  Eigen::MatrixXd by_z, by_zd, by_zdd, by_p, by_unknown;

 private:
  void divide(Eigen::MatrixXd& columns) noexcept;

  std::vector<int> unknown_;    // their places in the description
  std::vector<int> rows_;       // of each force among the known ones; -1
  std::vector<double> forces_;  // all, in the order of the description
  model::planar::ReducedDynamics dynamics_;
  model::planar::SmallLu lu_;
};

/// Whether unknown forces can be sought at all: one sensor for every known force, at most as many
/// unknown forces as coordinates, and masses.
/// @throws InvalidInput, beginning with `function`, which names the culprit.
void check_unknown_forces(const char* function, const model::planar::Mechanism& mechanism);

/// Whether a mechanism has a sensor that reads a force or torque.
[[nodiscard]] bool has_force_cells(const model::planar::Mechanism& mechanism);

/// All forces of a mechanism along a path, samples x forces in the order of the description. Status
/// NotConverged if a position cannot be reached, NotIdentifiable where B1 is singular; the message
/// has the time.
struct [[nodiscard]] BalancedForces : Outcome {
  Eigen::MatrixXd forces;
};

/// The measured forces that a motion needs beside the unknown ones.
/// @param times in s, of the rows. @param unknown samples x unknown forces. @param lengths p, empty
///   for none.
/// @throws InvalidInput as ForceBalance, or if sizes do not fit.
BalancedForces balance_forces(const model::planar::Mechanism& mechanism,
                              const Eigen::Ref<const Eigen::VectorXd>& times,
                              const model::planar::CoordinatePath& path,
                              const Eigen::Ref<const Eigen::MatrixXd>& unknown,
                              const Eigen::Ref<const Eigen::VectorXd>& lengths);

}  // namespace alembert::estimate
