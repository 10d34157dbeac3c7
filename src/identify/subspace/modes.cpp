#include <cmath>
#include <limits>

#include "core/algebra/decompositions.hpp"
#include "identify/subspace/inputs.hpp"

namespace alembert::identify::realisation {

using Eigen::Index;

RealModes real_modes(const Eigen::Ref<const Eigen::MatrixXd>& F) {
  const Index n = F.rows();
  const Eigen::EigenSolver<Eigen::MatrixXd> solver{Eigen::MatrixXd(F)};
  RealModes modes;
  modes.V.resize(n, n);
  modes.poles.resize(static_cast<std::size_t>(n));
  modes.block.resize(static_cast<std::size_t>(n));
  const Eigen::VectorXcd& values = solver.eigenvalues();
  const Eigen::MatrixXcd vectors = solver.eigenvectors();
  for (Index i = 0; i < n; ++i) {
    const auto place = static_cast<std::size_t>(i);
    modes.poles[place] = values(i);
    modes.block[place] = i;
    modes.V.col(i) = vectors.col(i).real();
    if (values(i).imag() == 0.0 || i + 1 == n) continue;
    // The solver lists the conjugate of a complex eigenvalue right after it.
    modes.V.col(i + 1) = vectors.col(i).imag();
    modes.poles[place + 1] = values(i);
    modes.block[place + 1] = i;
    ++i;
  }
  const Eigen::JacobiSVD<Eigen::MatrixXd> svd(modes.V);
  const double least = n > 0 ? svd.singularValues()(n - 1) : 1.0;
  modes.condition =
      least > 0.0 ? svd.singularValues()(0) / least : std::numeric_limits<double>::infinity();
  return modes;
}

}  // namespace alembert::identify::realisation
