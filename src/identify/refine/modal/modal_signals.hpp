#pragma once

#include <Eigen/Core>
#include <complex>
#include <utility>
#include <vector>

#include "alembert/integrate/detail/input_stencil.hpp"
#include "identify/refine/step_rule.hpp"

/// The scalar signals of which every sensitivity is a fixed linear combination;
/// docs/theory/refinement.md.
namespace alembert::identify {

/// Which complex signals there are, in this order:
///   - for each channel c (0: free motion, 1..m: inputs) and kept pole t the response s_tc;
///   - for each t the derivative η_t by λ_t of the modal coordinate ξ_t = Σ_c β_tc s_tc;
///   - for each ordered close pair (r, s) and channel c the divided difference s_c[λ_r, λ_s].
struct SignalLayout {
  Eigen::Index modes = 0;                                    ///< kept poles
  Eigen::Index inputs = 0;                                   ///< m
  bool free_motion = true;                                   ///< channel 0 is there
  std::vector<std::pair<Eigen::Index, Eigen::Index>> pairs;  ///< of kept poles, counted among them
  bool direct_input = false;  ///< the inputs themselves are signals too

  [[nodiscard]] Eigen::Index channels() const noexcept { return inputs + (free_motion ? 1 : 0); }
  [[nodiscard]] Eigen::Index plain(Eigen::Index channel, Eigen::Index mode) const noexcept {
    return channel * modes + mode;
  }
  [[nodiscard]] Eigen::Index slope(Eigen::Index mode) const noexcept {
    return channels() * modes + mode;
  }
  [[nodiscard]] Eigen::Index pair(Eigen::Index number, Eigen::Index channel) const noexcept {
    return (channels() + 1) * modes + number * channels() + channel;
  }
  [[nodiscard]] Eigen::Index signals() const noexcept {
    return (channels() + 1) * modes + static_cast<Eigen::Index>(pairs.size()) * channels();
  }
  /// Real columns: real parts of all signals, imaginary parts, inputs.
  [[nodiscard]] Eigen::Index columns() const noexcept {
    return 2 * signals() + (direct_input ? inputs : 0);
  }
  /// The kept pole whose output coefficient multiplies a signal.
  [[nodiscard]] std::vector<Eigen::Index> owners() const;
};

/// Runs the recursions s(k+1) = μ s(k) + Σ_j γ_j w_j(k) of all signals through a record, block by
/// block. Signals of complex poles are doubled, because the conjugate ones are left out.
class ModalSignals {
 public:
  /// @param poles kept poles. @param beta β, modes x channels.
  ModalSignals(const SignalLayout& layout, const StepRule& rule, const Eigen::VectorXcd& poles,
               const Eigen::MatrixXcd& beta, const integrate::InputStencil& stencil,
               const Eigen::MatrixXd& input);

  /// Fills rows with the samples first, first + 1, ...; blocks must follow one another.
  void fill(Eigen::Index first, Eigen::Ref<Eigen::MatrixXd> block);

 private:
  void read_drive(Eigen::Index first, Eigen::Index steps);
  void fill_channel(Eigen::Index channel, Eigen::Index steps, Eigen::Ref<Eigen::MatrixXd> block);
  void fill_slopes(Eigen::Index steps, Eigen::Ref<Eigen::MatrixXd> block);
  void fill_pairs(Eigen::Index steps, Eigen::Ref<Eigen::MatrixXd> block);
  void set_force(Eigen::Index channel, const Eigen::VectorXcd& gamma, Eigen::Index steps);
  void advance(std::complex<double> mu, Eigen::Index signal, Eigen::Index steps,
               Eigen::Ref<Eigen::MatrixXd> block);

  SignalLayout layout_;
  Eigen::MatrixXcd beta_;
  const integrate::InputStencil& stencil_;
  const Eigen::MatrixXd& input_;
  Eigen::Index terms_;
  std::vector<RuleValues> values_;       // of each kept pole; γ doubled for complex poles
  std::vector<RuleValues> pair_values_;  // at the mean of each pair
  Eigen::VectorXcd state_;
  Eigen::MatrixXd drive_, transposed_drive_;
  Eigen::MatrixXd coordinate_re_, coordinate_im_;  // ξ
  Eigen::VectorXd force_re_, force_im_;
};

}  // namespace alembert::identify
