#pragma once

#include <Eigen/Core>

#include "alembert/reduce/modes.hpp"
#include "reduce/factor/shifted.hpp"

namespace alembert::reduce {

/// An interval of eigenvalues with the counts at its ends.
struct Interval {
  double lower = 0.0, upper = 0.0;
  Eigen::Index below_lower = 0, below_upper = 0;

  [[nodiscard]] Eigen::Index count() const { return below_upper - below_lower; }
};

/// Finds eigenpairs of a structure and keeps those found.
class ModeFinder {
 public:
  ModeFinder(const model::SparseMatrix& K, const model::SparseMatrix& M,
             const ModesOptions& options);

  /// The largest K_ii / M_ii: of the size of the largest eigenvalue.
  [[nodiscard]] double scale() const { return scale_; }
  /// A shift below zero by little, at which K - s M is positive definite. @throws InvalidInput if K
  /// or M is indefinite.
  [[nodiscard]] double lowest_shift();
  /// Eigenvalues below x.
  [[nodiscard]] Eigen::Index count_below(double x);

  /// The lowest from a shift that lies below all; found without proof.
  void seek_lowest(double shift, Eigen::Index count);
  /// All of an interval that are not found yet. Returns false if some stay missing.
  [[nodiscard]] bool seek_in(const Interval& interval);
  /// All, by LAPACK.
  void take_dense();

  /// Found pairs of an interval, sorted.
  [[nodiscard]] StructureModes found(double lower, double upper) const;
  [[nodiscard]] const Eigen::VectorXd& values() const { return values_; }

 private:
  [[nodiscard]] std::vector<Interval> slices(const Interval& interval, double least);
  [[nodiscard]] bool seek_slice(const Interval& slice);
  void turn_together(const Interval& slice);
  void keep(const Eigen::VectorXd& values, const Eigen::MatrixXd& vectors);
  [[nodiscard]] Eigen::Index found_in(double lower, double upper) const;
  [[nodiscard]] Eigen::Index block() const;
  bool factor_near(double shift, double width);

  ModesOptions options_;
  ShiftedStructure shifted_;
  double scale_ = 0.0;
  Eigen::VectorXd values_;
  Eigen::MatrixXd vectors_;
  Eigen::Index solves_ = 0;
};

}  // namespace alembert::reduce
