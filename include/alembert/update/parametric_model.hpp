#pragma once

#include <Eigen/Core>
#include <limits>
#include <string>
#include <vector>

#include "alembert/model/structure/structure.hpp"

/// Structures whose matrices depend on physical parameters.
namespace alembert::update {

/// A physical parameter that is not known well.
struct ModelParameter {
  std::string name = {};
  std::string unit = {};
  double nominal = 0.0;
  double lower = -std::numeric_limits<double>::infinity();
  double upper = std::numeric_limits<double>::infinity();
  /// Standard deviation of the prior about `nominal`, > 0; infinite: no prior.
  double sigma = std::numeric_limits<double>::infinity();
};

/// M(p) = M + Σ (p_j - point_j) M_j and K(p) likewise: exact for densities, moduli, masses,
/// inertias and springs.
struct ParametricModel {
  model::SparseMatrix M, K;  ///< at the point, symmetric
  std::vector<ModelParameter> parameters = {};
  std::vector<model::SparseMatrix> dM = {};  ///< ∂M/∂p_j, one for each parameter
  std::vector<model::SparseMatrix> dK = {};  ///< ∂K/∂p_j

  Eigen::VectorXd point = {};  ///< parameters of M and K; empty: the nominal ones

  [[nodiscard]] Eigen::Index size() const { return K.rows(); }
  [[nodiscard]] Eigen::Index count() const { return static_cast<Eigen::Index>(parameters.size()); }
  [[nodiscard]] Eigen::VectorXd nominal() const;
};

/// Adds a parameter. @param dK, dM empty: no such part.
void add_parameter(ParametricModel& model, ModelParameter parameter, model::SparseMatrix dK,
                   model::SparseMatrix dM = {});

/// A mass or inertia of 1 on each of these rows. @throws InvalidInput for a row that is not there.
[[nodiscard]] model::SparseMatrix unit_masses(Eigen::Index size,
                                              const std::vector<Eigen::Index>& rows);
/// A spring of 1 N/m or 1 N m/rad from each of these rows to the ground.
[[nodiscard]] model::SparseMatrix unit_ground_springs(Eigen::Index size,
                                                      const std::vector<Eigen::Index>& rows);
/// A spring of 1 N/m or 1 N m/rad between two rows.
[[nodiscard]] model::SparseMatrix unit_spring(Eigen::Index size, Eigen::Index a, Eigen::Index b);

/// M and K at these parameters.
[[nodiscard]] model::SparseMatrix mass_at(const ParametricModel& model,
                                          const Eigen::Ref<const Eigen::VectorXd>& p);
[[nodiscard]] model::SparseMatrix stiffness_at(const ParametricModel& model,
                                               const Eigen::Ref<const Eigen::VectorXd>& p);

/// Checks sizes, names that are there once, and that lower < upper with the nominal value inside.
/// @throws InvalidInput naming the parameter.
void check_model(const ParametricModel& model);

}  // namespace alembert::update
