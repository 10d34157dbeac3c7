#include "identify/refine/modal/modal_signals.hpp"

#include <algorithm>
#include <cmath>

namespace alembert::identify {

namespace {

using Complex = std::complex<double>;
using Eigen::Index;

constexpr double kSignalOver = 1e-100;

double multiplicity(Complex pole) { return pole.imag() > 0.0 ? 2.0 : 1.0; }

RuleValues doubled(RuleValues values, double factor) {
  values.gamma *= factor;
  values.gamma_slope *= factor;
  return values;
}

}  // namespace

std::vector<Index> SignalLayout::owners() const {
  std::vector<Index> owner(static_cast<std::size_t>(signals()));
  for (Index channel = 0; channel <= channels(); ++channel) {
    for (Index mode = 0; mode < modes; ++mode) {
      owner[static_cast<std::size_t>(plain(channel, mode))] = mode;
    }
  }
  for (std::size_t p = 0; p < pairs.size(); ++p) {
    for (Index channel = 0; channel < channels(); ++channel) {
      owner[static_cast<std::size_t>(pair(static_cast<Index>(p), channel))] = pairs[p].first;
    }
  }
  return owner;
}

ModalSignals::ModalSignals(const SignalLayout& layout, const StepRule& rule,
                           const Eigen::VectorXcd& poles, const Eigen::MatrixXcd& beta,
                           const integrate::InputStencil& stencil, const Eigen::MatrixXd& input)
    : layout_(layout),
      beta_(beta),
      stencil_(stencil),
      input_(input),
      terms_(terms_of(rule)),
      state_(Eigen::VectorXcd::Zero(layout.signals())) {
  for (Index mode = 0; mode < layout.modes; ++mode) {
    const double factor = multiplicity(poles(mode));
    values_.push_back(doubled(rule_values(rule, poles(mode)), factor));
    if (layout.free_motion) state_(layout.plain(0, mode)) = factor;
  }
  // The divided difference of μ and γ between two close poles is their slope at the mean, up to
  // the square of the distance.
  for (const auto& [r, s] : layout.pairs) {
    pair_values_.push_back(
        doubled(rule_values(rule, 0.5 * (poles(r) + poles(s))), multiplicity(poles(r))));
  }
}

void ModalSignals::read_drive(Index first, Index steps) {
  drive_.resize(stencil_.size(), steps);
  if (steps > 0) stencil_.fill(first, drive_);
  transposed_drive_ = drive_.transpose();
}

// force(k) = Σ_j γ_j w_j(k) of one channel; zero for the free motion.
void ModalSignals::set_force(Index channel, const Eigen::VectorXcd& gamma, Index steps) {
  const Index input = channel - (layout_.free_motion ? 1 : 0);
  force_re_.setZero(steps);
  force_im_.setZero(steps);
  if (input < 0) return;
  for (Index j = 0; j < terms_; ++j) {
    force_re_ += gamma(j).real() * transposed_drive_.col(j * layout_.inputs + input);
    force_im_ += gamma(j).imag() * transposed_drive_.col(j * layout_.inputs + input);
  }
}

void ModalSignals::advance(Complex mu, Index signal, Index steps,
                           Eigen::Ref<Eigen::MatrixXd> block) {
  double* re = block.col(signal).data();
  double* im = block.col(layout_.signals() + signal).data();
  const Index count = block.rows();
  double x = state_(signal).real();
  double y = state_(signal).imag();
  for (Index i = 0; i < count; ++i) {
    re[i] = x;
    im[i] = y;
    if (i == steps) break;  // the last sample of the record drives nothing
    const double next = mu.real() * x - mu.imag() * y + force_re_(i);
    y = mu.real() * y + mu.imag() * x + force_im_(i);
    x = next;
  }
  // A free motion that is over must not reach the denormal numbers, which are slow to multiply.
  const bool over = std::abs(x) + std::abs(y) < kSignalOver;
  state_(signal) = over ? Complex(0.0) : Complex(x, y);
}

void ModalSignals::fill_channel(Index channel, Index steps, Eigen::Ref<Eigen::MatrixXd> block) {
  for (Index mode = 0; mode < layout_.modes; ++mode) {
    const RuleValues& rule = values_[static_cast<std::size_t>(mode)];
    const Index signal = layout_.plain(channel, mode);
    set_force(channel, rule.gamma, steps);
    advance(rule.mu, signal, steps, block);
    const Complex beta = beta_(mode, channel);
    const auto re = block.col(signal);
    const auto im = block.col(layout_.signals() + signal);
    coordinate_re_.col(mode) += beta.real() * re - beta.imag() * im;
    coordinate_im_.col(mode) += beta.real() * im + beta.imag() * re;
  }
}

// η(k+1) = μ η(k) + μ' ξ(k) + Σ_c β_c Σ_j γ_j' w_jc(k)
void ModalSignals::fill_slopes(Index steps, Eigen::Ref<Eigen::MatrixXd> block) {
  for (Index mode = 0; mode < layout_.modes; ++mode) {
    const RuleValues& rule = values_[static_cast<std::size_t>(mode)];
    const Complex slope = rule.mu_slope;
    const auto re = coordinate_re_.col(mode).head(steps);
    const auto im = coordinate_im_.col(mode).head(steps);
    Eigen::VectorXd sum_re = slope.real() * re - slope.imag() * im;
    Eigen::VectorXd sum_im = slope.real() * im + slope.imag() * re;
    for (Index j = 0; j < terms_; ++j) {
      for (Index input = 0; input < layout_.inputs; ++input) {
        const Complex factor =
            beta_(mode, input + (layout_.free_motion ? 1 : 0)) * rule.gamma_slope(j);
        sum_re += factor.real() * transposed_drive_.col(j * layout_.inputs + input);
        sum_im += factor.imag() * transposed_drive_.col(j * layout_.inputs + input);
      }
    }
    force_re_ = sum_re;
    force_im_ = sum_im;
    advance(rule.mu, layout_.slope(mode), steps, block);
  }
}

// x = s[λ_r, λ_s]: x(k+1) = μ_r x(k) + μ[λ_r, λ_s] s_s(k) + Σ_j γ_j[λ_r, λ_s] w_j(k)
void ModalSignals::fill_pairs(Index steps, Eigen::Ref<Eigen::MatrixXd> block) {
  for (std::size_t p = 0; p < layout_.pairs.size(); ++p) {
    const auto [r, s] = layout_.pairs[p];
    const Complex slope = pair_values_[p].mu_slope;
    for (Index channel = 0; channel < layout_.channels(); ++channel) {
      set_force(channel, pair_values_[p].gamma_slope, steps);
      const Index partner = layout_.plain(channel, s);
      const auto re = block.col(partner).head(steps);
      const auto im = block.col(layout_.signals() + partner).head(steps);
      force_re_ += slope.real() * re - slope.imag() * im;
      force_im_ += slope.real() * im + slope.imag() * re;
      advance(values_[static_cast<std::size_t>(r)].mu, layout_.pair(static_cast<Index>(p), channel),
              steps, block);
    }
  }
}

void ModalSignals::fill(Index first, Eigen::Ref<Eigen::MatrixXd> block) {
  const Index count = block.rows();
  const Index steps = std::min(count, input_.rows() - 1 - first);
  read_drive(first, steps);
  coordinate_re_.setZero(count, layout_.modes);
  coordinate_im_.setZero(count, layout_.modes);
  for (Index channel = 0; channel < layout_.channels(); ++channel) {
    fill_channel(channel, steps, block);
  }
  fill_slopes(steps, block);
  fill_pairs(steps, block);
  if (layout_.direct_input) {
    block.rightCols(layout_.inputs) = input_.middleRows(first, count);
  }
}

}  // namespace alembert::identify
