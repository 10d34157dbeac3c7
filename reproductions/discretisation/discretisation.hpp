#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "alembert/core/parallel.hpp"
#include "alembert/core/status.hpp"
#include "alembert/document/claims.hpp"
#include "alembert/integrate/convergence.hpp"
#include "reproductions/reproduce.hpp"

/// What the discretisations of linear systems promise, measured on the two published systems.
namespace alembert::reproductions::discretisation {

/// How much to compute.
struct Options {
  Eigen::Index rungs = 5;            ///< step sizes per convergence table, each half of the last
  Eigen::Index long_run = 100'000;   ///< steps of the energy runs
  Eigen::Index circle_points = 200;  ///< values of z on each circle
  ParallelOptions parallel = {};     ///< threads, progress and stop request
};

/// Error of one integrator against a closed-form solution over a ladder of steps.
struct IntegratorConvergence {
  std::string system;                  ///< "frame-8dof", "coupled-3dof"
  std::string integrator;              ///< "variational midpoint", "Newmark 1/4, 1/2", ...
  std::string input;                   ///< "multisine", "cubic polynomial"
  double expected = 0.0;               ///< order in theory
  integrate::Convergence convergence;  ///< of max |q - q_ref| / max |q_ref|
};

/// Relative errors (Frobenius norm) of M, D, K after the variational map and its inverse.
struct RoundTrip {
  std::string system;
  double step = 0.0;                                   ///< h in s
  Eigen::Vector3d relative = Eigen::Vector3d::Zero();  ///< of M, D, K
  Eigen::Vector3d plain =
      Eigen::Vector3d::Zero();  ///< the same if Md, Dd, Kd are rounded to single doubles
  double plain_scaled = 0.0;    ///< then, of (M/h, D/2, h K/4) relative to the largest entry of Md
};

/// Largest |H(z) - H(s)|/|H(s)| of the variational transfer function and its Tustin transform.
struct TustinEquality {
  std::string system;
  double step = 0.0;
  double on_circle = 0.0;  ///< |z| = 1
  double outside = 0.0;    ///< |z| = 1.01, 1.1, 2, 10
};

/// Stability and passivity of the midpoint map at one step.
struct PassivityRow {
  std::string system;
  double step = 0.0;
  double spectral_radius = 0.0;  ///< of the damped system
  double balance = 0.0;   ///< largest residual of the energy balance over the energy that flowed
  double mobility = 0.0;  ///< smallest eigenvalue of Re V(z), |z| = 1, over the largest |V|
};

/// Energy of the undamped frame in free motion, relative to its start.
struct EnergyRow {
  std::string integrator;
  double step = 0.0;
  Eigen::Index steps = 0;
  double lowest = 0.0;   ///< min E/E(0) - 1
  double highest = 0.0;  ///< max E/E(0) - 1
  double end = 0.0;      ///< E/E(0) at the end
  double drift = 0.0;    ///< mean of E/E(0) over the last tenth less that over the first tenth
};

/// Everything measured, and the claims made of it.
struct Result : Outcome {
  std::vector<IntegratorConvergence> convergence;
  std::vector<RoundTrip> round_trip;
  std::vector<TustinEquality> tustin;
  std::vector<PassivityRow> passivity;
  std::vector<EnergyRow> energy;
  std::vector<Claim> claims;
};

/// Measures orders of convergence, the round trip of the variational map, its equality with the
/// Tustin transform, its passivity, and the energy behaviour of every integrator.
///
/// Its parts are independent and run on several threads, with the same result for any number of
/// them. Nothing random; about a second with the defaults. The energy runs take the most memory:
/// for each thread the motion of long_run steps, 40 MB with the defaults, 400 MB with `full`.
/// Status Stopped: of the tables (orders, round trip, Tustin and passivity of each system, energy)
/// those that were not finished are missing, with their claims.
/// @throws InvalidInput if rungs < 3, long_run < 100 or circle_points < 8.
Result measure(const Options& options = {});

/// The same as tables, figures and claims for result files and reports.
[[nodiscard]] Reproduction to_reproduction(const Result& result);

/// `alembert reproduce discretisation`: both of the above; with `full` two more halvings of the
/// step and ten times longer energy runs.
Reproduction run(const ReproduceOptions& options);

}  // namespace alembert::reproductions::discretisation
