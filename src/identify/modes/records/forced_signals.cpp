#include "identify/modes/records/forced_signals.hpp"

#include <algorithm>
#include <cmath>

namespace alembert::identify::modes {
namespace {

using Complex = std::complex<double>;
using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXcd;
using Eigen::VectorXd;

constexpr double kLeastDecay = 0.001;  // neper over a record at rest before its first sample

// f(k+1) = z f(k) + u(k), f(0) = 0.
template <typename Values>
VectorXcd filtered(Complex z, const Values& values) {
  VectorXcd states(values.size());
  Complex state = 0.0;
  for (Index k = 0; k < values.size(); ++k) {
    states(k) = state;
    state = z * state + values(k);
  }
  return states;
}

// 1, z, z², ...
VectorXcd powers(Complex z, Index count) {
  VectorXcd values(count);
  Complex power = 1.0;
  for (Index k = 0; k < count; ++k) {
    values(k) = power;
    power *= z;
  }
  return values;
}

// Re φx = a Re x - b Im x: the pair is (Re x, -Im x).
void put_pair(const VectorXcd& x, Index row, Index column, MatrixXd& all) {
  all.block(row, column, x.size(), 1) = x.real();
  all.block(row, column + 1, x.size(), 1) = -x.imag();
}

}  // namespace

ForcedSignals::ForcedSignals(const std::vector<signal::InputOutput>& experiments, double step,
                             const std::vector<FrfPole>& start, const VectorXd& weights,
                             StartStates starts)
    : experiments_(experiments),
      step_(step),
      weights_(weights),
      count_(static_cast<Index>(start.size())),
      inputs_(experiments.front().inputs.cols()),
      outputs_(experiments.front().outputs.cols()),
      experiments_count_(static_cast<Index>(experiments.size())),
      starts_(starts) {
  for (const signal::InputOutput& one : experiments) {
    rows_ += one.outputs.rows();
    longest_ = std::max(longest_, one.outputs.rows());
  }
  for (const FrfPole& one : start) {
    held_.push_back(0);
    one.participation.cwiseAbs().maxCoeff(&held_.back());
  }
}

PairedModel ForcedSignals::model() const {
  PairedModel model;
  model.modes = count_;
  model.regressors = regressors();
  model.outputs = outputs_;
  for (Index r = 0; r < count_; ++r) {
    model.mode_of_unknown.insert(model.mode_of_unknown.end(),
                                 static_cast<std::size_t>(unknowns_of_mode()), r);
  }
  model.signals = [this](const VectorXcd& unknowns) { return signals(unknowns); };
  // A decay slower than the longest record cannot be told from none, unless nothing but decays is
  // there.
  const double least = starts_ == StartStates::Free ? 1.0 : kLeastDecay;
  const double slowest = least / (step_ * static_cast<double>(longest_));
  const double fastest = std::acos(-1.0) / step_;
  model.allowed = [this, slowest, fastest](const VectorXcd& unknowns) {
    for (Index r = 0; r < count_; ++r) {
      const Complex pole = unknowns(r * unknowns_of_mode());
      if (pole.real() > -slowest || pole.imag() <= 0.0 || pole.imag() >= fastest) return false;
    }
    return true;
  };
  return model;
}

VectorXcd ForcedSignals::unknowns(const std::vector<FrfPole>& poles) const {
  VectorXcd all = VectorXcd::Zero(count_ * unknowns_of_mode());
  for (Index r = 0; r < count_; ++r) {
    const FrfPole& one = poles[static_cast<std::size_t>(r)];
    const Index held = held_[static_cast<std::size_t>(r)];
    Index next = r * unknowns_of_mode();
    all(next++) = one.pole;
    for (Index j = 0; j < inputs_; ++j) {
      if (j != held) all(next++) = one.participation(j) / one.participation(held);
    }
  }
  return all;
}

std::vector<FrfPole> ForcedSignals::modes(const VectorXcd& unknowns) const {
  std::vector<FrfPole> list;
  for (Index r = 0; r < count_; ++r) {
    Index next = r * unknowns_of_mode();
    FrfPole one{.pole = unknowns(next++), .participation = VectorXcd::Ones(inputs_)};
    for (Index j = 0; j < inputs_; ++j) {
      if (j != held_[static_cast<std::size_t>(r)]) one.participation(j) = unknowns(next++);
    }
    list.push_back(std::move(one));
  }
  return list;
}

void ForcedSignals::add_mode(const signal::InputOutput& experiment, Index e, Index row, Index r,
                             const VectorXcd& own, MatrixXd& all) const {
  const Complex z = std::exp(own(0) * step_);
  const Index held = held_[static_cast<std::size_t>(r)];
  const VectorXcd start = powers(z, experiment.outputs.rows());
  const bool free = starts_ == StartStates::Free;
  VectorXcd x = VectorXcd::Zero(start.size());
  if (free) x = own(inputs_ + e) * start;
  Index column = regressors() + 2 * r * unknowns_of_mode() + 2;
  Index next = 1;
  for (Index j = 0; j < inputs_; ++j) {
    const VectorXcd f = filtered(z, experiment.inputs.col(j));
    if (j == held) {
      x += f;
      continue;
    }
    x += own(next++) * f;
    put_pair(f, row, column, all);
    column += 2;
  }
  put_pair(x, row, 2 * r, all);
  if (free) put_pair(start, row, column + 2 * e, all);
  // dx/dλ = step z dx/dz, and dx/dz is x filtered once more.
  const VectorXcd moved = (step_ * z) * filtered(z, x);
  put_pair(moved, row, regressors() + 2 * r * unknowns_of_mode(), all);
}

// A force that is smooth between samples drives a mode by Σ_j β_j u(k + j). Since q^j/(q - z) is
// z^j/(q - z) and a polynomial in q, that is the mode under u(k) and direct terms in u(k + j).
void ForcedSignals::add_direct(const MatrixXd& inputs, Index row, MatrixXd& all) const {
  const Index n = inputs.rows();
  Index column = 2 * count_;
  for (Index j = -reach(); j <= reach(); ++j, column += inputs_) {
    const Index kept = n - std::abs(j);
    if (kept <= 0) continue;
    const Index from = std::max<Index>(0, j);
    all.block(row + from - j, column, kept, inputs_) = inputs.middleRows(from, kept);
  }
}

// The first two and the last two samples; an experiment at rest has its first one in its input.
void ForcedSignals::add_edges(Index e, Index row, Index samples, MatrixXd& all) const {
  Index column = regressors() - edges() * (experiments_count_ - e);
  for (Index k = starts_ == StartStates::Free ? 0 : 1; k < 2; ++k) all(row + k, column++) = 1.0;
  for (Index k = samples - 2; k < samples; ++k) all(row + k, column++) = 1.0;
}

void ForcedSignals::add_experiment(const signal::InputOutput& experiment, Index e, Index row,
                                   const VectorXcd& unknowns, MatrixXd& all) const {
  const Index size = unknowns_of_mode();
  const Index n = experiment.outputs.rows();
  for (Index r = 0; r < count_; ++r) {
    add_mode(experiment, e, row, r, unknowns.segment(r * size, size), all);
  }
  add_direct(experiment.inputs, row, all);
  add_edges(e, row, n, all);
  all.block(row, regressors() + 2 * count_ * size, n, outputs_) =
      experiment.outputs * weights_.asDiagonal();
}

MatrixXd ForcedSignals::signals(const VectorXcd& unknowns) const {
  MatrixXd all = MatrixXd::Zero(rows_, regressors() + 2 * count_ * unknowns_of_mode() + outputs_);
  Index row = 0;
  for (Index e = 0; e < experiments_count_; ++e) {
    const signal::InputOutput& one = experiments_[static_cast<std::size_t>(e)];
    add_experiment(one, e, row, unknowns, all);
    row += one.outputs.rows();
  }
  return all;
}

}  // namespace alembert::identify::modes
