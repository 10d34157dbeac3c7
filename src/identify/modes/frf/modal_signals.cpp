#include "identify/modes/frf/modal_signals.hpp"

#include <numbers>

namespace alembert::identify::modes {
namespace {

using Complex = std::complex<double>;
using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXcd;
using Eigen::VectorXd;

constexpr Complex kI(0.0, 1.0);

}  // namespace

ModalSignals::ModalSignals(const FrfData& data, const std::vector<FrfPole>& start)
    : data_(data), count_(static_cast<Index>(start.size())) {
  for (const FrfPole& one : start) {
    held_.push_back(0);
    one.participation.cwiseAbs().maxCoeff(&held_.back());
  }
  weight_ = VectorXd::Ones(data.lines());
  if (data.line_deviation.size() > 0) weight_ = data.line_deviation.cwiseInverse();
  s_ = kI * (2.0 * std::numbers::pi * data.frequencies_hz);
}

PairedModel ModalSignals::model() const {
  PairedModel model;
  model.modes = count_;
  model.regressors = regressors();
  model.outputs = data_.outputs;
  for (Index r = 0; r < count_; ++r) {
    for (Index j = 0; j < data_.inputs; ++j) model.mode_of_unknown.push_back(r);
  }
  model.signals = [this](const VectorXcd& unknowns) { return signals(unknowns); };
  model.allowed = [this](const VectorXcd& unknowns) {
    for (Index r = 0; r < count_; ++r) {
      const Complex pole = unknowns(r * data_.inputs);
      if (pole.real() >= 0.0 || pole.imag() <= 0.0) return false;
    }
    return true;
  };
  return model;
}

VectorXcd ModalSignals::unknowns(const std::vector<FrfPole>& poles) const {
  VectorXcd all(count_ * data_.inputs);
  for (Index r = 0; r < count_; ++r) {
    const FrfPole& one = poles[static_cast<std::size_t>(r)];
    const Index held = held_[static_cast<std::size_t>(r)];
    Index next = r * data_.inputs;
    all(next++) = one.pole;
    for (Index j = 0; j < data_.inputs; ++j) {
      if (j != held) all(next++) = one.participation(j) / one.participation(held);
    }
  }
  return all;
}

std::vector<FrfPole> ModalSignals::modes(const VectorXcd& unknowns) const {
  std::vector<FrfPole> list;
  for (Index r = 0; r < count_; ++r) {
    Index next = r * data_.inputs;
    FrfPole one{.pole = unknowns(next++), .participation = VectorXcd::Ones(data_.inputs)};
    for (Index j = 0; j < data_.inputs; ++j) {
      if (j != held_[static_cast<std::size_t>(r)]) one.participation(j) = unknowns(next++);
    }
    list.push_back(std::move(one));
  }
  return list;
}

// s1 = l P + conj(l) Q, s2 = i (l P - conj(l) Q), real parts above imaginary ones.
void ModalSignals::set_pair(const VectorXcd& first, const VectorXcd& second,
                            const VectorXcd& participation, Index column, MatrixXd& all) const {
  const Index n = data_.lines();
  for (Index j = 0; j < data_.inputs; ++j) {
    const Complex l = participation(j);
    const VectorXcd s1 = l * first + std::conj(l) * second;
    const VectorXcd s2 = kI * (l * first - std::conj(l) * second);
    const Index row = 2 * n * j;
    all.block(row, column, n, 1) = s1.real();
    all.block(row + n, column, n, 1) = s1.imag();
    all.block(row, column + 1, n, 1) = s2.real();
    all.block(row + n, column + 1, n, 1) = s2.imag();
  }
}

MatrixXd ModalSignals::signals(const VectorXcd& unknowns) const {
  const Index n = data_.lines();
  const Index m = data_.inputs;
  const Index nx = regressors();
  const Index ns = 2 * count_ * m;
  MatrixXd all = MatrixXd::Zero(rows(), nx + ns + data_.outputs);
  const std::vector<FrfPole> list = modes(unknowns);
  for (Index r = 0; r < count_; ++r) {
    const FrfPole& one = list[static_cast<std::size_t>(r)];
    // P = g/(iω - λ), Q = g/(iω - conj λ); d/dλ squares the denominator.
    const VectorXcd p = (s_.array() - one.pole).inverse();
    const VectorXcd q = (s_.array() - std::conj(one.pole)).inverse();
    const VectorXcd P = p.array() * weight_.array();
    const VectorXcd Q = q.array() * weight_.array();
    set_pair(P, Q, one.participation, 2 * r, all);
    Index column = nx + 2 * r * m;
    set_pair(P.cwiseProduct(p), Q.cwiseProduct(q), one.participation, column, all);
    for (Index j = 0; j < m; ++j) {
      if (j == held_[static_cast<std::size_t>(r)]) continue;
      column += 2;
      set_pair(P, Q, VectorXcd::Unit(m, j), column, all);
    }
  }
  const VectorXd square = (data_.frequencies_hz / data_.frequencies_hz(n - 1)).array().square();
  // (ω0/ω)² with the first line that is not at zero.
  const double first =
      data_.frequencies_hz(0) > 0.0 ? data_.frequencies_hz(0) : data_.frequencies_hz(1);
  const VectorXd inverse = (first / data_.frequencies_hz.array().max(first)).square();
  for (Index j = 0; j < m; ++j) {
    all.block(2 * n * j, 2 * count_ + 3 * j, n, 1) = weight_;
    all.block(2 * n * j, 2 * count_ + 3 * j + 1, n, 1) = weight_.cwiseProduct(square);
    all.block(2 * n * j, 2 * count_ + 3 * j + 2, n, 1) = weight_.cwiseProduct(inverse);
    for (Index o = 0; o < data_.outputs; ++o) {
      const double scale = data_.output_deviation.size() > 0 ? data_.output_deviation(o) : 1.0;
      const auto H = data_.values.col(j * data_.outputs + o);
      all.block(2 * n * j, nx + ns + o, n, 1) = weight_.cwiseProduct(H.real()) / scale;
      all.block(2 * n * j + n, nx + ns + o, n, 1) = weight_.cwiseProduct(H.imag()) / scale;
    }
  }
  return all;
}

}  // namespace alembert::identify::modes
