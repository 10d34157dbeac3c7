#pragma once

#include <Eigen/Core>
#include <complex>
#include <string>
#include <vector>

#include "alembert/identify/modes/mode_set.hpp"
#include "alembert/model/second_order.hpp"

/// Shapes of unit modal mass from a driving point, where force and response are measured at one
/// place in one direction, and the model that such modes make.
///
/// The receptance of a mode of unit modal mass has the residue φ_o φ_d/(2i ω_d), ω_d = Im λ; that
/// of mobility is λ times, that of accelerance λ² times as large. So at the driving point d
///
///   φ_d = √(2i ω_d R_dd),   φ_o = 2i ω_d R_od/φ_d,
///
/// and 2i ω_d R_dd is real and positive, as far as damping is proportional.
namespace alembert::identify {

/// A force and the response at its place, in its direction.
struct DrivingPoint {
  Eigen::Index output = 0;
  Eigen::Index input = 0;
};

/// A mode with its scale.
struct ScaledMode {
  Eigen::VectorXcd shape;   ///< at the outputs, unit modal mass
  Eigen::VectorXcd drive;   ///< at the inputs, unit modal mass
  double modal_mass = 0.0;  ///< of the shape whose largest entry is 1
  double phase = 0.0;       ///< of 2i ω_d R_dd, rad; 0 at a driving point of proportional damping
  bool trusted = false;     ///< the phase is that of a driving point; `remark` says what is wrong
  std::string remark = {};
};

/// The scale of each mode. A phase beyond 20 degrees is not that of a driving point, and one near
/// 180 degrees that of a sensor against the force.
/// @param motion what the outputs measure.
/// @throws InvalidInput if the driving point is not among outputs and inputs, or a mode has no
///   participation.
[[nodiscard]] std::vector<ScaledMode> scale_modes(const std::vector<Mode>& modes,
                                                  DrivingPoint point, model::Motion motion);

/// A model in modal coordinates: η'' + 2ζω η' + ω² η = φ_inᵀ u, y = φ_out times η, η' or η''.
struct ModalSystem {
  model::SecondOrder system;  ///< M = 1, D and K diagonal
  model::OutputMap outputs;
};

/// The model of modes and their scales, by the real parts of their shapes: what simulation,
/// observers and updating take. Modes whose scale is not trusted are left out.
/// @throws InvalidInput if sizes disagree, or no mode is trusted.
[[nodiscard]] ModalSystem modal_system(const std::vector<Mode>& modes,
                                       const std::vector<ScaledMode>& scales, model::Motion motion);

}  // namespace alembert::identify
