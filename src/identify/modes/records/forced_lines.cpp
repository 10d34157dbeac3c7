#include "identify/modes/records/forced_lines.hpp"

#include <cmath>
#include <numbers>
#include <utility>

namespace alembert::identify::modes {
namespace {

using Complex = std::complex<double>;
using Eigen::ArrayXcd;
using Eigen::Index;
using Eigen::MatrixXcd;
using Eigen::MatrixXd;
using Eigen::VectorXcd;
using Eigen::VectorXd;

constexpr Complex kImaginaryUnit(0.0, 1.0);

// The transform of a complex signal, and that of its conjugate.
struct LinesOfBoth {
  ArrayXcd own, conjugate;

  [[nodiscard]] LinesOfBoth times(Complex factor) const {
    return {factor * own, std::conj(factor) * conjugate};
  }
  void add(Complex factor, const LinesOfBoth& other) {
    own += factor * other.own;
    conjugate += std::conj(factor) * other.conjugate;
  }
};

// The states after the last sample of f(k+1) = z f(k) + u(k) and g(k+1) = z g(k) + f(k), both 0
// before the first.
struct LastStates {
  Complex f = 0.0, g = 0.0;
};

LastStates last_states(Complex z, const Eigen::Ref<const VectorXd>& u) {
  LastStates last;
  for (Index k = 0; k < u.size(); ++k) {
    last.g = z * last.g + last.f;
    last.f = z * last.f + u(k);
  }
  return last;
}

// What the lines of one experiment and one pole share.
class PoleLines {
 public:
  PoleLines(const BandRows::Part& part, Complex z) : turns_(part.lines) {
    const double line = 2.0 * std::numbers::pi / static_cast<double>(part.samples);
    for (Index k = 0; k < part.lines; ++k) {
      turns_(k) = std::polar(1.0, line * static_cast<double>(part.first + k));
    }
    over_ = (turns_ - z).inverse();
    over_conjugate_ = (turns_ - std::conj(z)).inverse();
  }

  // (U - W change)/(W - z), where `change` is the last state less the first.
  [[nodiscard]] LinesOfBoth filtered(const LinesOfBoth& U, Complex change) const {
    return {(U.own - turns_ * change) * over_,
            (U.conjugate - turns_ * std::conj(change)) * over_conjugate_};
  }

  [[nodiscard]] LinesOfBoth none() const {
    return {ArrayXcd::Zero(turns_.size()), ArrayXcd::Zero(turns_.size())};
  }

 private:
  ArrayXcd turns_, over_, over_conjugate_;
};

// Re φx = a Re x - b Im x: the pair is (Re x, -Im x), whose transforms are the half sum of X and
// that of conj x, and i times their half difference. Real parts above imaginary ones.
void put_line_pair(const LinesOfBoth& x, double scale, Index row, Index column, MatrixXd& all) {
  const Index n = x.own.size();
  const ArrayXcd real = (0.5 * scale) * (x.own + x.conjugate);
  const ArrayXcd imaginary = (0.5 * scale) * kImaginaryUnit * (x.own - x.conjugate);
  all.block(row, column, n, 1) = real.real();
  all.block(row + n, column, n, 1) = real.imag();
  all.block(row, column + 1, n, 1) = imaginary.real();
  all.block(row + n, column + 1, n, 1) = imaginary.imag();
}

}  // namespace

BandSpectra band_spectra(const std::vector<signal::InputOutput>& experiments, double step,
                         BandRows band, StartStates starts) {
  BandSpectra all{.band = std::move(band), .inputs = {}, .fixed = {}};
  for (std::size_t e = 0; e < experiments.size(); ++e) {
    const BandRows::Part& part = all.band.parts()[e];
    signal::FftPlan plan(part.samples);
    const MatrixXd& inputs = experiments[e].inputs;
    MatrixXcd lines(part.lines, inputs.cols());
    for (Index j = 0; j < inputs.cols(); ++j) {
      lines.col(j) = plan.forward_real(inputs.col(j)).segment(part.first, part.lines);
    }
    all.inputs.push_back(std::move(lines));
  }
  const VectorXd weights = VectorXd::Ones(experiments.front().outputs.cols());
  const ForcedSignals none(experiments, step, {}, weights, starts);
  all.fixed = all.band.of(none.signals({}));
  return all;
}

void ForcedSignals::add_mode_lines(const BandSpectra& spectra, const LinePlace& place,
                                   const VectorXcd& own, MatrixXd& all) const {
  const auto e = static_cast<std::size_t>(place.experiment);
  const BandRows::Part& part = spectra.band.parts()[e];
  const MatrixXd& inputs = experiments_[e].inputs;
  const double scale = std::sqrt(2.0 / static_cast<double>(part.samples));
  const double n = static_cast<double>(part.samples);
  const Complex z = std::exp(own(0) * step_);
  const Index held = held_[static_cast<std::size_t>(place.mode)];
  const Index moved = regressors() + 2 * place.mode * unknowns_of_mode();
  const PoleLines pole(part, z);
  LinesOfBoth x = pole.none();
  LastStates last;
  Index column = moved + 2;
  Index next = 1;
  for (Index j = 0; j < inputs_; ++j) {
    const LastStates ends = last_states(z, inputs.col(j));
    const ArrayXcd U = spectra.inputs[e].col(j).array();
    const LinesOfBoth f = pole.filtered({U, U}, ends.f);
    const Complex b = j == held ? 1.0 : own(next++);
    x.add(b, f);
    last.f += b * ends.f;
    last.g += b * ends.g;
    if (j == held) continue;
    put_line_pair(f, scale, place.row, column, all);
    column += 2;
  }
  if (starts_ == StartStates::Free) {
    // 1, z, z², .. , z^n - 1 from the first to the last state.
    const Complex end = std::exp(own(0) * step_ * n);
    const LinesOfBoth start = pole.filtered(pole.none(), end - 1.0);
    put_line_pair(start, scale, place.row, column + 2 * place.experiment, all);
    const Complex state = own(inputs_ + place.experiment);
    x.add(state, start);
    last.g += state * n * end / z;
  }
  put_line_pair(x, scale, place.row, 2 * place.mode, all);
  // dx/dλ = step z dx/dz, and dx/dz is x filtered once more.
  put_line_pair(pole.filtered(x, last.g).times(step_ * z), scale, place.row, moved, all);
}

MatrixXd ForcedSignals::lines(const VectorXcd& unknowns, const BandSpectra& spectra) const {
  const Index size = unknowns_of_mode();
  const Index outputs = outputs_;
  const Index fixed = spectra.fixed.cols() - outputs;
  MatrixXd all = MatrixXd::Zero(spectra.band.rows(), regressors() + 2 * count_ * size + outputs);
  Index row = 0;
  for (Index e = 0; e < experiments_count_; ++e) {
    for (Index r = 0; r < count_; ++r) {
      add_mode_lines(spectra, {.experiment = e, .row = row, .mode = r},
                     unknowns.segment(r * size, size), all);
    }
    row += 2 * spectra.band.parts()[static_cast<std::size_t>(e)].lines;
  }
  all.middleCols(2 * count_, fixed) = spectra.fixed.leftCols(fixed);
  all.rightCols(outputs) = spectra.fixed.rightCols(outputs) * weights_.asDiagonal();
  return all;
}

}  // namespace alembert::identify::modes
