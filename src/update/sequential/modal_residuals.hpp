#pragma once

#include <Eigen/Core>
#include <optional>
#include <vector>

#include "alembert/update/pairing.hpp"
#include "alembert/update/update.hpp"
#include "update/sequential/dense_model.hpp"

namespace alembert::update {

/// Modes of the model at some parameters that were followed to be partners of measured ones.
struct FollowedModes {
  Eigen::VectorXd eigenvalue;
  Eigen::MatrixXd shapes;
};

/// What measured modes say at some parameters.
struct ModalResiduals {
  FollowedModes modes = {};       ///< one for each pair
  Eigen::VectorXd r;              ///< (measured - model)/σ
  Eigen::MatrixXd J = {};         ///< ∂r/∂p; empty where it was not asked for
  Eigen::MatrixXd hz_slope = {};  ///< ∂f/∂p, pairs x parameters; likewise
};

/// Residuals of paired modes as functions of the parameters.
class ModalProblem {
 public:
  /// All are kept by reference and must live on. @param skipped a pair that gives no residuals; -1:
  /// none.
  ModalProblem(const DenseModel& model, const MeasuredModes& measured, const UpdateOptions& options,
               const std::vector<Pair>& pairs, double shift, Eigen::Index modes,
               Eigen::Index skipped = -1);

  [[nodiscard]] Eigen::Index data() const { return data_; }
  [[nodiscard]] double frequency_sigma(Eigen::Index measured) const;
  /// @param before modes from which those at p are followed. None if the model is not possible at
  ///   p.
  [[nodiscard]] std::optional<ModalResiduals> at(const Eigen::VectorXd& p,
                                                 const FollowedModes& before, bool slopes) const;

 private:
  void add_slopes(const Eigen::MatrixXd& K, const Eigen::MatrixXd& M, ModalResiduals& made) const;
  void fill_shape(Eigen::Index pair, const Eigen::VectorXd& phi, Eigen::Index first,
                  const Eigen::MatrixXd* phi_slopes, ModalResiduals& made) const;
  [[nodiscard]] std::vector<Eigen::Index> sensors_of(Eigen::Index measured) const;

  const DenseModel* model_;
  const MeasuredModes* measured_;
  const UpdateOptions* options_;
  const std::vector<Pair>* pairs_;
  double shift_;
  Eigen::Index modes_, skipped_, data_ = 0;
};

/// The modes among `found` that are most similar to those before, M-orthonormal; in the space of
/// eigenvalues that lie close together turned towards them.
[[nodiscard]] FollowedModes followed(const DenseModes& found, const Eigen::MatrixXd& M,
                                     const Eigen::MatrixXd& before);

}  // namespace alembert::update
