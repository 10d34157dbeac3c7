#include "update/sequential/reduced_basis.hpp"

#include <cmath>

#include "alembert/reduce/detail/shifted_solver.hpp"
#include "core/algebra/decompositions.hpp"

namespace alembert::update {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// Columns orthonormal in A, without directions that are rounding.
MatrixXd orthonormal_in(const model::SparseMatrix& A, MatrixXd V) {
  constexpr double kRounding = 1e-11;
  for (Index j = 0; j < V.cols(); ++j) {
    const double size = std::sqrt(V.col(j).dot(A * V.col(j)));
    V.col(j) /= size > 0.0 ? size : 1.0;
  }
  const MatrixXd gram = V.transpose() * (A * V);
  const Eigen::SelfAdjointEigenSolver<MatrixXd> parts(MatrixXd(0.5 * (gram + gram.transpose())));
  const VectorXd& values = parts.eigenvalues();
  Index first = 0;
  while (first < values.size() && values(first) < kRounding * values(values.size() - 1)) ++first;
  const Index kept = values.size() - first;
  return V * (parts.eigenvectors().rightCols(kept) *
              values.tail(kept).cwiseSqrt().cwiseInverse().asDiagonal());
}

}  // namespace

reduce::StructureModes whole_modes(const ParametricModel& model, const VectorXd& p, Index count) {
  const Index n = model.size();
  const reduce::ModesOptions options{.dense_below = 600, .prove = false};
  const Index most = n <= options.dense_below ? n : std::max<Index>(1, n / 4);
  return reduce::lowest_modes(stiffness_at(model, p), mass_at(model, p), std::min(count, most),
                              options);
}

MatrixXd reduced_basis(const ParametricModel& model, const MeasuredModes& measured,
                       const VectorXd& p, const reduce::StructureModes& modes,
                       const std::vector<Index>& followed, double shift, const MatrixXd& others) {
  const model::SparseMatrix K = stiffness_at(model, p);
  const model::SparseMatrix M = mass_at(model, p);
  const reduce::ShiftedSolver solver(K, M, -shift);
  const auto parameters = static_cast<Index>(model.dK.size());
  const auto wanted = static_cast<Index>(followed.size());
  const Index sensors = measured.shapes.size() > 0 ? measured.sensors.rows() : 0;
  MatrixXd right(model.size(), wanted * parameters + sensors);
  for (Index i = 0; i < wanted; ++i) {
    const Index mode = followed[static_cast<std::size_t>(i)];
    const VectorXd phi = modes.shapes.col(mode);
    for (Index j = 0; j < parameters; ++j) {
      const auto k = static_cast<std::size_t>(j);
      right.col(i * parameters + j) =
          model.dK[k] * phi - modes.eigenvalue(mode) * (model.dM[k] * phi);
    }
  }
  if (sensors > 0) right.rightCols(sensors) = MatrixXd(measured.sensors.transpose());
  MatrixXd V(model.size(), modes.shapes.cols() + right.cols() + others.cols());
  V << modes.shapes, solver.solve(right), others;
  const model::SparseMatrix A = K + shift * M;
  return orthonormal_in(A, std::move(V));
}

}  // namespace alembert::update
