#pragma once

// A mechanism along a record of the forces on it, with exact derivatives by its numbers and by
// where it starts.

#include <Eigen/Core>
#include <string>
#include <vector>

#include "alembert/model/planar/compiled_mechanism.hpp"
#include "identify/mechanism/mechanism_run.hpp"

namespace alembert::identify {

/// θ of one experiment.
struct ExactStart {
  Eigen::VectorXd numbers;  ///< by the names of the runs
  Eigen::VectorXd z, zd;
};

/// Runs of a compiled mechanism with other numbers and starts.
class ExactRuns {
 public:
  /// @param names as mechanism_parameters() has them. @param z where it can be assembled with the
  ///   numbers of the description and these lengths.
  /// @throws InvalidInput with the argument "engine" if native code is demanded and cannot be had,
  ///   or with the reason if the mechanism cannot be assembled.
  ExactRuns(const model::planar::MechanismDescription& description, std::vector<std::string> names,
            const Eigen::VectorXd& z, const Eigen::VectorXd& lengths, model::EngineKind engine);

  /// As run_mechanism(). @param slopes of the readings by the numbers and by z and z' at the start;
  ///   null: not wanted. @throws InvalidInput if the numbers make no mechanism (a mass below zero).
  [[nodiscard]] MechanismRun run(const ExactStart& start, const Eigen::MatrixXd& columns,
                                 double step, const RunSteps& steps,
                                 std::vector<Eigen::MatrixXd>* slopes = nullptr) const;

  /// "native code" or "interpreter".
  [[nodiscard]] std::string engine() const;

 private:
  model::planar::MechanismDescription description_;
  std::vector<std::string> names_;
  std::vector<Eigen::Index> compiled_place_;  // of each name in the compiled parameters; -1: offset
  std::vector<int> offset_of_;                // motion sensor whose offset a name is; -1: none
  std::vector<int> sensors_;
  model::planar::CompiledMechanism compiled_;
  model::planar::CompiledState start_;
};

}  // namespace alembert::identify
