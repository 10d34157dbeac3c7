#pragma once

#include <Eigen/Core>
#include <complex>
#include <vector>

#include "identify/subspace/hankel.hpp"
#include "identify/subspace/inputs.hpp"

/// Regressors of the least-squares fit of G, J and start states.
namespace alembert::identify::realisation {

/// A stretch of a sequence that is simulated from one start state.
struct Piece {
  Sequence sequence;
  Eigen::Index begin = 0, length = 0;
  Eigen::Index index = 0;  ///< of the sequence
};

/// The sequences as pieces: whole ones for stable poles; for unstable ones so short that no mode
/// grows by more than a factor 1e3, at most 1000 of them.
[[nodiscard]] std::vector<Piece> pieces(const std::vector<Sequence>& data, double spectral_radius);

/// Columns of the regressors: each input filtered by each pole (real and imaginary part of
/// z(k+1) = λ z(k) + u(k), z(0) = 0), the free motions λ^k, and the inputs.
struct FilterColumns {
  Eigen::Index order = 0, inputs = 0;

  [[nodiscard]] Eigen::Index filtered(Eigen::Index input) const { return input * order; }
  [[nodiscard]] Eigen::Index free_motion() const { return inputs * order; }
  [[nodiscard]] Eigen::Index direct() const { return (inputs + 1) * order; }
  [[nodiscard]] Eigen::Index count() const { return direct() + inputs; }
};

/// The states z of all recursions, order x (inputs + 1); the last column is the free motion.
struct FilterState {
  Eigen::MatrixXd real, imaginary;
};

/// Makes the regressors of a piece block by block.
class ModalFilter {
 public:
  ModalFilter(const RealModes& modes, Eigen::Index inputs);

  void restart();
  void restart(const FilterState& state) { state_ = state; }
  [[nodiscard]] const FilterState& state() const { return state_; }
  /// Fills the next rows of regressors; its last columns hold the inputs already.
  void next(Eigen::Ref<Eigen::MatrixXd> rows);

  [[nodiscard]] const FilterColumns& columns() const { return columns_; }

  /// States now, n x (m + 1): real and imaginary parts as the columns of the regressors have them.
  [[nodiscard]] Eigen::MatrixXd states() const;

 private:
  const RealModes* modes_;
  FilterColumns columns_;
  FilterState state_;
};

/// λ^count z + forced: the state after `count` samples from that before and from the response to
/// the inputs alone.
[[nodiscard]] FilterState later_state(const RealModes& modes, const FilterState& before,
                                      Eigen::Index count, const FilterState& forced);

/// Products of the filtered inputs and free motions with each other, without summing them.
///
/// A filtered input obeys x(k+1) = Λ x(k) + e u(k), so the sums S = Σ x(k) x'(k)ᵀ over a record
/// obey
///
///   S - Λ S Λᵀ = Λ (Σ x u') eᵀ + e (Σ u x'ᵀ) Λᵀ + e eᵀ Σ u u' - x(N) x'(N)ᵀ + x(0) x'(0)ᵀ
///
/// which is solved block by block from the few sums with the inputs. Rounding grows by
/// 1/|1 - λ λ'|; see least_separation().
/// @param with sums of all regressors (columns x m) with the inputs.
/// @return the sums of all regressors with each other.
[[nodiscard]] Eigen::MatrixXd products_from_inputs(const RealModes& modes,
                                                   const FilterColumns& columns,
                                                   const Eigen::Ref<const Eigen::MatrixXd>& with,
                                                   const Eigen::MatrixXd& first_states,
                                                   const Eigen::MatrixXd& last_states);

/// The smallest |1 - λ λ'| over all pairs of poles, 0 if a pole is unstable.
[[nodiscard]] double least_separation(const RealModes& modes);

}  // namespace alembert::identify::realisation
