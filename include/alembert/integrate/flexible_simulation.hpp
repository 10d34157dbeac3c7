#pragma once

#include <Eigen/Core>
#include <vector>

#include "alembert/core/enum_names.hpp"
#include "alembert/core/not_a_number.hpp"
#include "alembert/core/status.hpp"
#include "alembert/integrate/ode/system.hpp"
#include "alembert/model/flexible/mechanism.hpp"
#include "alembert/model/time_formula.hpp"

/// The motion of a mechanism with flexible links under forces.
namespace alembert::integrate {

/// How the steps are made.
enum class FlexibleMethod {
  /// Implicit midpoint rule, steps of one length: stable for any stiffness, keeps the energy of
  /// linear vibration exactly, order 2. What is faster than half the steps is not resolved.
  Midpoint,
  /// Classical Runge-Kutta of order 4, steps of one length: needs ω·step < 2.83.
  RungeKutta4,
  /// Dormand-Prince 5(4), whose steps follow its error estimate.
  DormandPrince,
};
constexpr auto enum_names(FlexibleMethod) {
  return std::to_array<EnumName<FlexibleMethod>>(
      {{FlexibleMethod::Midpoint, "midpoint"},
       {FlexibleMethod::RungeKutta4, "runge-kutta-4"},
       {FlexibleMethod::DormandPrince, "dormand-prince"}});
}

struct FlexibleSimulationOptions {
  FlexibleMethod method = FlexibleMethod::Midpoint;
  /// Midpoint and RungeKutta4: equal steps from sample to sample. 0: chosen. They are halved until
  /// that changes the motion by no more than `accuracy`; RungeKutta4 begins at the longest stable
  /// ones.
  int substeps = 0;
  /// Largest change by halving that is left, of the largest value of displacements, coordinates and
  /// their rates each, > 0; a third of it is left after Midpoint.
  double accuracy = 1e-3;
  /// DormandPrince: error of a step relative to each state, > 0.
  double relative_tolerance = 1e-8;
  /// DormandPrince: the same absolute, rad, m and their rates, > 0.
  double absolute_tolerance = 1e-10;
};

/// A motion at its samples. NotFinite: it could be followed to some time only, which the message
/// has, and the rows before it are kept. NotConverged: the steps are too long for the motion, which
/// the energy or the change by halving shows; all rows are kept.
struct [[nodiscard]] FlexibleSimulation : Outcome {
  Eigen::VectorXd time;                         ///< s
  Eigen::MatrixXd states;                       ///< samples x 2 n: (u, q, u', q')
  Eigen::MatrixXd accelerations;                ///< samples x n: (u'', q'')
  Eigen::MatrixXd forces;                       ///< samples x forces
  Eigen::VectorXd kinetic, elastic, potential;  ///< energies, J
  Eigen::VectorXd work, loss;                   ///< that the forces did and that damping took, J
  int substeps = 1;                             ///< that were taken, or chosen
  double halving_change = kNaN;                 ///< as `accuracy`, where steps were chosen
  /// Complete form: largest change of kinetic + elastic + potential − work + loss, of the largest
  /// kinetic, elastic or potential energy that came, or of the work or loss.
  double energy_drift = kNaN;
};

/// Longest step of RungeKutta4 at the start of a mechanism, s: 2.82 over its highest angular
/// frequency, where damping is small.
[[nodiscard]] double longest_explicit_step(const model::flexible::FlexibleMechanism& mechanism);

/// Solves the equations of motion from x = (u, q, u', q'). Work and loss are integrated along, so
/// that with FlexibleEquations::Complete kinetic + elastic + potential − work + loss stays what it
/// was.
/// @param start 2 n numbers. @param forces one law in the time for each force of the mechanism.
/// @throws InvalidInput for wrong sizes, a start that cannot be reached, options that are not
///   possible, or steps of RungeKutta4 longer than longest_explicit_step().
FlexibleSimulation simulate_flexible(const model::flexible::FlexibleMechanism& mechanism,
                                     const Eigen::Ref<const Eigen::VectorXd>& start,
                                     const std::vector<model::TimeFormula>& forces,
                                     const ode::SampleTimes& times,
                                     const FlexibleSimulationOptions& options = {});

}  // namespace alembert::integrate
