#include "identify/modes/choice/frf_choice.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

#include "alembert/core/chi_square.hpp"
#include "alembert/model/modes.hpp"
#include "core/algebra/decompositions.hpp"
#include "identify/modes/choice/neighbours.hpp"
#include "identify/modes/frf/modal_signals.hpp"

namespace alembert::identify::modes {
namespace {

using Complex = std::complex<double>;
using Eigen::Index;
using Eigen::MatrixXcd;
using Eigen::VectorXd;

constexpr int kMostAdded = 4;
constexpr double kScanAlarm = 0.001;
constexpr double kUnresolvedLines = 1.5;  // between two terms
constexpr double kLikeDamping = 3.0;      // ratio of the widths of two terms that may be one mode
constexpr double kSameResidue = 0.95;     // MAC
constexpr int kLinesOfAPeak = 2;
constexpr double kWellSupported = 1.0 / 3.0;  // of the bar over what a mode brings
constexpr int kRefitIterations = 15;          // of a fit without a term
constexpr double kRefitTolerance = 1e-6;

// A pole at a frequency with a damping ratio.
Complex pole_at(double frequency_hz, double ratio) {
  const double omega = 2.0 * std::numbers::pi * frequency_hz;
  return {-ratio * omega, omega * std::sqrt(1.0 - ratio * ratio)};
}

class FrfChoice {
 public:
  FrfChoice(const FrfData& data, const FrfModesOptions& options) : data_(data), options_(options) {
    const auto lines = static_cast<double>(data.lines());
    const auto unknowns = static_cast<double>(2 * data.outputs + 2 * data.inputs);
    bar_ = chi_square_quantile(1.0 - options.false_alarm / lines, unknowns);
    const auto scanned = static_cast<double>(6 * data.outputs * data.inputs);
    scan_bar_ = chi_square_quantile(1.0 - kScanAlarm / lines, scanned);
    line_hz_ = (data.frequencies_hz(data.lines() - 1) - data.frequencies_hz(0)) / (lines - 1.0);
  }

  ChosenModel run(std::vector<FrfPole> candidates) {
    limit(candidates);
    prune(std::move(candidates));
    for (int added = 0; added < kMostAdded && add_missed(); ++added) prune(fit_.modes);
    add_beyond();
    prune(fit_.modes);
    return ordered();
  }

 private:
  // No more unknowns than a third of the numbers.
  void limit(std::vector<FrfPole>& candidates) const {
    const auto most = static_cast<std::size_t>(std::max<Index>(1, data_.lines() / 6));
    if (candidates.size() > most) candidates.resize(most);
  }

  [[nodiscard]] bool in_band(const FrfPole& mode) const {
    const double f = mode.frequency_hz();
    return f >= data_.frequencies_hz(0) && f <= data_.frequencies_hz(data_.lines() - 1);
  }

  // How far a mode is below what is asked of it; at most 1 if it passes all tests.
  [[nodiscard]] double doubt(Index r) const {
    const FrfPole& mode = fit_.modes[static_cast<std::size_t>(r)];
    if (!in_band(mode)) return bar_ / std::max(fit_.drop(r), 1e-300);
    const double unsupported = bar_ / std::max(fit_.drop(r) * share_of_tails(mode), 1e-300);
    const double frequency =
        fit_.frequency_deviation(r) / (options_.largest_frequency_share * mode.frequency_hz());
    // A mode far above the noise may be too narrow for its damping to be known.
    const double damping =
        unsupported < kWellSupported
            ? 0.0
            : fit_.damping_deviation(r) / (options_.largest_damping_share * mode.damping_ratio());
    const double worst = std::max({unsupported, frequency, damping});
    // Without a covariance the term that matters least goes.
    return std::isfinite(worst) ? worst
                                : 1e100 * bar_ / (fit_.drop(r) > 0.0 ? fit_.drop(r) : 1e-100);
  }

  // The part of what a term adds, in units of the noise, that does not stand on its two largest
  // lines: one line that is off makes a narrow term, but has no tails.
  [[nodiscard]] double share_of_tails(const FrfPole& mode) const {
    const Eigen::ArrayXcd s = Complex(0.0, 2.0 * std::numbers::pi) * data_.frequencies_hz.array();
    Eigen::ArrayXd power = (s - mode.pole).abs2().inverse();
    if (data_.line_deviation.size() > 0) power /= data_.line_deviation.array().square();
    const double all = power.sum();
    for (int k = 0; k < kLinesOfAPeak; ++k) {
      Index largest = 0;
      power.maxCoeff(&largest);
      power(largest) = 0.0;
    }
    return power.sum() / all;
  }

  // Takes out the worst mode and fits again until each passes, also with all others fitted again
  // without it: two terms that share one mode both seem indispensable while the other is held.
  void prune(std::vector<FrfPole> terms) {
    do {
      prune_held(std::move(terms));
      terms = fit_.modes;
    } while (take_out_split(terms) || take_out_compensated(terms));
  }

  // Takes the smaller of two terms out that are one mode.
  [[nodiscard]] bool take_out_split(std::vector<FrfPole>& terms) const {
    for (std::size_t i = 0; i < terms.size(); ++i) {
      for (std::size_t k = 0; k < i; ++k) {
        if (!are_split(i, k)) continue;
        const auto at = static_cast<Index>(i);
        const auto other = static_cast<Index>(k);
        terms.erase(terms.begin() + (fit_.drop(at) < fit_.drop(other) ? at : other));
        return true;
      }
    }
    return false;
  }

  // Two terms that the lines do not resolve, or that are closer than their half-power widths with
  // like damping, and move alike: what leakage or a frequency that depends on the amplitude makes
  // of one mode.
  [[nodiscard]] bool are_split(std::size_t i, std::size_t k) const {
    const FrfPole& a = fit_.modes[i];
    const FrfPole& b = fit_.modes[k];
    if (!in_band(a) || !in_band(b)) return false;
    const double apart = std::abs(a.frequency_hz() - b.frequency_hz());
    const double width_a = a.damping_ratio() * a.frequency_hz();
    const double width_b = b.damping_ratio() * b.frequency_hz();
    const bool alike = std::max(width_a, width_b) < kLikeDamping * std::min(width_a, width_b);
    if (apart > kUnresolvedLines * line_hz_ && !(alike && apart < width_a + width_b)) return false;
    return data_.outputs * data_.inputs == 1 || model::mac(residue(i), residue(k)) > kSameResidue;
  }

  [[nodiscard]] Eigen::VectorXcd residue(std::size_t r) const {
    const MatrixXcd own =
        fit_.shapes.col(static_cast<Index>(r)) * fit_.modes[r].participation.transpose();
    return own.reshaped();
  }

  // Takes the first term out whose loss the others make up for, that of least drop first.
  [[nodiscard]] bool take_out_compensated(std::vector<FrfPole>& terms) const {
    if (terms.size() < 2) return false;
    std::vector<Index> order;
    for (std::size_t r = 0; r < terms.size(); ++r) {
      if (has_neighbour(r, terms)) order.push_back(static_cast<Index>(r));
    }
    std::sort(order.begin(), order.end(),
              [&](Index a, Index b) { return fit_.drop(a) < fit_.drop(b); });
    const double enough = fit_.cost + bar_ * fit_.variance;
    for (const Index r : order) {
      std::vector<FrfPole> others = terms;
      others.erase(others.begin() + r);
      const ModalSignals signals(data_, others);
      const PairedFit without = fit_paired(signals.model(), signals.unknowns(others),
                                           kRefitIterations, kRefitTolerance, enough);
      if (without.at.cost > enough) continue;
      terms = signals.modes(without.unknowns);
      return true;
    }
    return false;
  }

  void prune_held(std::vector<FrfPole> terms) {
    while (true) {
      fit_ = fit_modal_model(data_, terms, options_.fit);
      if (fit_.modes.empty()) return;
      Index worst = 0;
      double most = 0.0;
      for (Index r = 0; r < fit_.drop.size(); ++r) {
        const double own = doubt(r);
        if (own > most) {
          most = own;
          worst = r;
        }
      }
      if (most <= 1.0) return;
      terms = fit_.modes;
      terms.erase(terms.begin() + worst);
    }
  }

  // A mode where three lines of the residual hold more than noise.
  bool add_missed() {
    const VectorXd power = fit_.residual.rowwise().squaredNorm() / fit_.variance;
    Index place = 0;
    double most = 0.0;
    for (Index k = 1; k + 1 < power.size(); ++k) {
      const double sum = power.segment<3>(k - 1).sum();
      if (sum > most) {
        most = sum;
        place = k;
      }
    }
    if (most < scan_bar_) return false;
    std::vector<FrfPole> terms = fit_.modes;
    const double f = std::max(data_.frequencies_hz(place), 1e-9);
    terms.push_back({.pole = pole_at(f, 0.005), .participation = residual_row(place)});
    return improves(std::move(terms));
  }

  // The first right singular vector of the residual, outputs x inputs.
  [[nodiscard]] Eigen::VectorXcd residual_row(Index line) const {
    const MatrixXcd own = fit_.residual.row(line).reshaped(data_.outputs, data_.inputs);
    if (data_.inputs == 1) return Eigen::VectorXcd::Ones(1);
    const Eigen::JacobiSVD<MatrixXcd> parts(own, Eigen::ComputeThinU | Eigen::ComputeThinV);
    const Eigen::VectorXcd row = parts.matrixV().col(0).conjugate();
    Index largest = 0;
    row.cwiseAbs().maxCoeff(&largest);
    return row / row(largest);
  }

  // Takes terms over if the cost falls by more than the bar.
  bool improves(std::vector<FrfPole> terms) {
    ModalFit trial = fit_modal_model(data_, terms, options_.fit);
    if (!((fit_.cost - trial.cost) / trial.variance > bar_)) return false;
    fit_ = std::move(trial);
    return true;
  }

  // Up to three modes that are not reported, for what lies beyond the band.
  void add_beyond() {
    const double first = data_.frequencies_hz(0);
    const double last = data_.frequencies_hz(data_.lines() - 1);
    for (const double f : {1.4 * last, 0.6 * first, 1.4 * last}) {
      if (!(f > 0.0)) continue;
      std::vector<FrfPole> terms = fit_.modes;
      terms.push_back(
          {.pole = pole_at(f, 0.02), .participation = Eigen::VectorXcd::Ones(data_.inputs)});
      (void)improves(std::move(terms));
    }
  }

  // Modes of the band first, by frequency.
  [[nodiscard]] ChosenModel ordered() const {
    std::vector<FrfPole> terms = fit_.modes;
    std::sort(terms.begin(), terms.end(), [&](const FrfPole& a, const FrfPole& b) {
      if (in_band(a) != in_band(b)) return in_band(a);
      return a.frequency_hz() < b.frequency_hz();
    });
    ChosenModel chosen;
    chosen.reported = static_cast<std::size_t>(std::count_if(
        terms.begin(), terms.end(), [&](const FrfPole& one) { return in_band(one); }));
    chosen.fit = fit_modal_model(data_, terms, options_.fit);
    return chosen;
  }

  const FrfData& data_;
  const FrfModesOptions& options_;
  double bar_ = 0.0;
  double scan_bar_ = 0.0;
  double line_hz_ = 0.0;
  ModalFit fit_;
};

}  // namespace

ChosenModel choose_frf_modes(const FrfData& data, std::vector<FrfPole> candidates,
                             const FrfModesOptions& options) {
  return FrfChoice(data, options).run(std::move(candidates));
}

}  // namespace alembert::identify::modes
