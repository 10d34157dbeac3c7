#pragma once

// A mechanism with unknown numbers and start states, as a simulation of experiments.

#include <Eigen/Core>
#include <optional>
#include <string>
#include <vector>

#include "alembert/identify/mechanism/mechanism_fit.hpp"
#include "identify/mechanism/exact_run.hpp"

namespace alembert::identify {

/// The order of θ: the numbers of the mechanism, then z and z' of each experiment.
class MechanismProblem {
 public:
  /// Makes readings continuous and physical, and finds the starts.
  /// @throws InvalidInput as fit_mechanism().
  MechanismProblem(const model::planar::MechanismDescription& description,
                   std::vector<optimize::Parameter> parameters, Experiments data,
                   const MechanismFitOptions& options);

  [[nodiscard]] const Experiments& data() const { return data_; }
  [[nodiscard]] const model::planar::MechanismDescription& description() const {
    return description_;
  }
  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }
  /// With the start states.
  [[nodiscard]] const std::vector<optimize::Parameter>& parameters() const { return parameters_; }
  [[nodiscard]] std::vector<std::string> units() const;
  [[nodiscard]] Eigen::VectorXd guess() const;
  [[nodiscard]] const MeasuredPath& measured() const { return measured_; }

  [[nodiscard]] MechanismRun run(const Eigen::VectorXd& theta, std::size_t experiment,
                                 Eigen::Index substeps, const CoordinateForces& added = {}) const;
  /// The readings. @throws optimize::Infeasible where there are none.
  [[nodiscard]] Eigen::MatrixXd readings(const Eigen::VectorXd& theta,
                                         std::size_t experiment) const;
  [[nodiscard]] Eigen::MatrixXd readings(const Eigen::VectorXd& theta, std::size_t experiment,
                                         Eigen::Index substeps,
                                         const CoordinateForces& added = {}) const;
  [[nodiscard]] Eigen::Index substeps() const { return steps_.substeps; }
  /// Exact derivatives of the readings by θ: a matrix for each entry; empty where it has no part.
  /// @throws optimize::Infeasible as readings().
  [[nodiscard]] std::vector<Eigen::MatrixXd> slopes(const Eigen::VectorXd& theta,
                                                    std::size_t experiment) const;
  /// "native code" or "interpreter".
  [[nodiscard]] std::string engine() const;
  /// Σ (w (y − ŷ))²; infinite where θ is not possible.
  [[nodiscard]] double cost(const Eigen::VectorXd& theta, const Eigen::VectorXd& weights) const;
  /// One over the sigma of the sensors, where all have one; else empty.
  [[nodiscard]] Eigen::VectorXd sigma_weights() const;
  [[nodiscard]] std::vector<std::string> sensor_names() const;

 private:
  void find_starts(const MechanismFitOptions& options);
  void add_start_parameters(const MechanismFitOptions& options);
  void settle_turns();
  [[nodiscard]] ExactStart start_of(const Eigen::VectorXd& theta, std::size_t experiment) const;

  model::planar::MechanismDescription description_;
  std::vector<std::string> names_;
  std::vector<optimize::Parameter> parameters_;
  Experiments data_;
  RunSteps steps_;
  MeasuredPath measured_;
  Eigen::MatrixXd starts_;
  std::optional<ExactRuns> runs_;
};

}  // namespace alembert::identify
