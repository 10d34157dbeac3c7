#include "identify/modes/decay/decay_poles.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/algebra/decompositions.hpp"
#include "identify/modes/ambient/stochastic_orders.hpp"
#include "identify/modes/choice/frf_tracks.hpp"

namespace alembert::identify::modes {
namespace {

using Complex = std::complex<double>;
using Eigen::Index;
using Eigen::MatrixXcd;
using Eigen::MatrixXd;
using Eigen::VectorXcd;

constexpr Index kMostRows = 1000;  // of the Hankel matrix, unless more block rows are asked for
constexpr Index kFewestBlockRows = 60;

Index shortest_decay(const std::vector<MatrixXd>& decays) {
  Index rows = decays.front().rows();
  for (const MatrixXd& one : decays) rows = std::min(rows, one.rows());
  return rows;
}

// Half of the samples, up to 1000 rows of the matrix.
Index hankel_rows(const std::vector<MatrixXd>& decays, const DecayOptions& options) {
  const Index half = shortest_decay(decays) / 2;
  if (options.block_rows > 0) return std::min(half, options.block_rows);
  const Index wide = std::max(decays.front().cols(), static_cast<Index>(decays.size()));
  return std::min(half, std::max(kFewestBlockRows, kMostRows / wide));
}

// The samples of all decays as if they were covariances: output o of decay e at lag k is y_e(k).
BlockCovariances as_covariances(const std::vector<MatrixXd>& decays, Index lags) {
  const Index l = decays.front().cols();
  const auto count = static_cast<Index>(decays.size());
  BlockCovariances all{
      .outputs = l, .references = count, .lags = lags, .mean = {}, .deviations = {}};
  all.mean.resize(l * count, lags);
  for (Index e = 0; e < count; ++e) {
    all.mean.middleRows(e * l, l) = decays[static_cast<std::size_t>(e)].topRows(lags).transpose();
  }
  return all;
}

FrfOrder as_frf_order(const AmbientOrder& order, Index decays) {
  FrfOrder list{.order = order.order, .poles = {}};
  for (const AmbientPole& one : order.poles) {
    list.poles.push_back({.pole = one.pole, .participation = VectorXcd::Ones(decays)});
  }
  return list;
}

// Re ρ z^k = Re ρ Re z^k - Im ρ Im z^k for each pole, and a constant.
MatrixXd decay_regressor(const std::vector<FrfPole>& poles, double step, Index rows) {
  const auto count = static_cast<Index>(poles.size());
  MatrixXd X = MatrixXd::Ones(rows, 2 * count + 1);
  for (Index r = 0; r < count; ++r) {
    const Complex z = std::exp(poles[static_cast<std::size_t>(r)].pole * step);
    Complex power = 1.0;
    for (Index k = 0; k < rows; ++k, power *= z) {
      X(k, 2 * r) = power.real();
      X(k, 2 * r + 1) = -power.imag();
    }
  }
  return X;
}

}  // namespace

DecayCandidates decay_candidates(const std::vector<MatrixXd>& decays, double step,
                                 const DecayOptions& options) {
  const Index q = hankel_rows(decays, options);
  const auto count = static_cast<Index>(decays.size());
  const BlockCovariances samples = as_covariances(decays, 2 * q - 1);
  const Index carried =
      std::min<Index>({options.largest_order, (q - 1) * samples.outputs, q * count});
  const StochasticOrders all(samples, q, carried);
  std::vector<FrfOrder> orders;
  for (int n = 2; n <= all.largest(); ++n) {
    orders.push_back(as_frf_order(all.poles(n, step, options.largest_damping), count));
  }
  FrfTracks tracks = frf_tracks(orders, options.shortest_track);
  return {.poles = std::move(tracks.candidates),
          .diagram = std::move(tracks.diagram),
          .singular_values = all.singular_values()};
}

MatrixXcd decay_residues(const MatrixXd& decay, double step, const std::vector<FrfPole>& poles) {
  const MatrixXd X = decay_regressor(poles, step, decay.rows());
  const MatrixXd c = Eigen::HouseholderQR<MatrixXd>(X).solve(decay);
  MatrixXcd residues(decay.cols(), static_cast<Index>(poles.size()));
  for (Index r = 0; r < residues.cols(); ++r) {
    residues.col(r).real() = c.row(2 * r).transpose();
    residues.col(r).imag() = c.row(2 * r + 1).transpose();
  }
  return residues;
}

void set_decay_participations(const std::vector<MatrixXd>& decays, double step,
                              std::vector<FrfPole>& poles) {
  const auto count = static_cast<Index>(decays.size());
  std::vector<MatrixXcd> residues(poles.size(), MatrixXcd(decays.front().cols(), count));
  for (Index e = 0; e < count; ++e) {
    const MatrixXcd own = decay_residues(decays[static_cast<std::size_t>(e)], step, poles);
    for (std::size_t r = 0; r < poles.size(); ++r) {
      residues[r].col(e) = own.col(static_cast<Index>(r));
    }
  }
  for (std::size_t r = 0; r < poles.size(); ++r) {
    // The eigenvector of ρᴴρ for its largest eigenvalue is conj ξ.
    const MatrixXcd gram = residues[r].adjoint() * residues[r];
    const Eigen::SelfAdjointEigenSolver<MatrixXcd> parts(gram);
    const VectorXcd part = parts.eigenvectors().col(count - 1).conjugate();
    Index largest = 0;
    part.cwiseAbs().maxCoeff(&largest);
    poles[r].participation = part / part(largest);
  }
}

}  // namespace alembert::identify::modes
