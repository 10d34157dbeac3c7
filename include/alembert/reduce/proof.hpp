#pragma once

#include <Eigen/Core>
#include <vector>

#include "alembert/reduce/ranking.hpp"
#include "alembert/reduce/substructure.hpp"

/// How well a small model stands for the whole structure.
namespace alembert::reduce {

/// A mode of the whole structure against its nearest one of the small model.
struct ModeError {
  Eigen::Index mode = 0;         ///< number of the full mode, from 1
  double frequency_hz = 0.0;     ///< of the whole structure
  double reduced_hz = 0.0;       ///< of the small model
  double frequency_error = 0.0;  ///< |f - f*| / f; |f*| in Hz for a rigid-body mode
  double nco = 0.0;              ///< (uᵀMu*)² / ((uᵀMu)(u*ᵀMu*))
  double mac = 0.0;              ///< (uᵀu*)² / ((uᵀu)(u*ᵀu*))
};

/// A forced response of the whole structure against that of the small model.
struct ResponseError {
  double frequency_hz = 0.0;
  bool design = true;       ///< the basis was made for this frequency
  double mac = 0.0;         ///< between the responses of all rows
  double gain_error = 0.0;  ///< |x - x*| / |x| of the master that moves most
};

/// Products of a large basis with what it is judged by: parts of the basis are then judged without
/// touching the rows of the structure.
class BasisJudge {
 public:
  /// @param modes the modes of interest with their numbers from 1. @param responses full responses.
  BasisJudge(const model::Structure& structure, const HybridBasis& basis,
             const StructureModes& modes, std::vector<Eigen::Index> numbers,
             std::vector<ForcedResponse> responses, std::vector<bool> design);

  /// Errors of the small model of masters and these interior coordinates.
  [[nodiscard]] std::vector<ModeError> mode_errors(const std::vector<Eigen::Index>& interior) const;
  [[nodiscard]] std::vector<ResponseError> response_errors(
      const std::vector<Eigen::Index>& interior) const;

 private:
  [[nodiscard]] std::vector<Eigen::Index> columns(const std::vector<Eigen::Index>& interior) const;
  /// Real and imaginary part of the response of these coordinates.
  [[nodiscard]] Eigen::MatrixXd response_of(const ForcedResponse& full,
                                            const std::vector<Eigen::Index>& which) const;

  Eigen::Index masters_;
  Eigen::MatrixXd M_, K_;
  Eigen::MatrixXd gram_;          // Hᵀ H
  Eigen::VectorXd frequency_hz_;  // of the modes of interest
  std::vector<Eigen::Index> numbers_;
  Eigen::MatrixXd mass_modes_;   // Hᵀ M u
  Eigen::MatrixXd plain_modes_;  // Hᵀ u
  Eigen::VectorXd mode_norms_;   // uᵀ u
  std::vector<ForcedResponse> responses_;
  std::vector<bool> design_;
  Eigen::MatrixXcd plain_responses_;  // Hᵀ x
  Eigen::MatrixXcd master_responses_;
};

/// Worst of several errors.
[[nodiscard]] double worst_frequency_error(const std::vector<ModeError>& errors);
[[nodiscard]] double worst_nco(const std::vector<ModeError>& errors);

}  // namespace alembert::reduce
