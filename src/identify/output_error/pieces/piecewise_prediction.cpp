#include "identify/output_error/pieces/piecewise_prediction.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "alembert/core/not_a_number.hpp"
#include "identify/output_error/equation_residuals.hpp"

namespace alembert::identify {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;

// A window of an experiment.
struct Piece {
  std::size_t experiment = 0;
  Index first = 0, samples = 0;
};

Index count_in(const Experiment& experiment, double length) {
  const double whole = static_cast<double>(experiment.samples()) * experiment.step / length;
  // Two samples at least, so that there is a step.
  return std::clamp<Index>(std::lround(whole), 1, std::max<Index>(experiment.samples() / 2, 1));
}

std::vector<Piece> cut_pieces(const Experiments& data, double length) {
  std::vector<Piece> pieces;
  for (std::size_t e = 0; e < data.size(); ++e) {
    const Index count = count_in(data[e], length);
    const Index samples = data[e].samples();
    for (Index w = 0; w < count; ++w) {
      const Index first = samples * w / count;
      pieces.push_back({e, first, samples * (w + 1) / count - first});
    }
  }
  return pieces;
}

Experiment piece_of(const Experiment& whole, Index first, Index samples) {
  Experiment part{.input = whole.input.middleRows(first, samples),
                  .output = whole.output.middleRows(first, samples),
                  .step = whole.step,
                  .start_time = whole.start_time + static_cast<double>(first) * whole.step};
  if (whole.weight.size() > 0) part.weight = whole.weight.middleRows(first, samples);
  return part;
}

bool has_data(const Experiment& piece) { return !piece.output.array().isNaN().all(); }

EquationPrediction empty_prediction(const Experiments& data) {
  EquationPrediction all;
  for (const Experiment& one : data) {
    all.outputs.push_back(MatrixXd::Constant(one.output.rows(), one.output.cols(), kNaN));
  }
  return all;
}

void complete_prediction(const Experiments& data, EquationPrediction& all) {
  for (std::size_t e = 0; e < data.size(); ++e) {
    all.residuals.push_back(data[e].output - all.outputs[e]);
  }
  all.rms.resize(data.front().output.cols());
  for (Index i = 0; i < all.rms.size(); ++i) all.rms(i) = rms_of(all.residuals, i, false);
}

}  // namespace

EquationPrediction predict_in_pieces(const model::CompiledEquations& model,
                                     const Eigen::VectorXd& parameters, const Experiments& data,
                                     const SimulationOptions& options, const Pieces& pieces) {
  EquationPrediction all = empty_prediction(data);
  SimulationOptions free = options;
  free.start = StartState::Free;
  free.start_values.resize(0, 0);
  for (const Piece& piece : cut_pieces(data, pieces.length)) {
    const Experiment& whole = data[piece.experiment];
    const Experiment own = piece_of(whole, piece.first, piece.samples);
    if (!has_data(own)) continue;
    const EquationPrediction fitted = simulate_equations(model, parameters, {own}, free);
    if (!fitted.ok()) {
      static_cast<Outcome&>(all) = fitted;
      return all;
    }
    all.starts_seen = all.starts_seen && fitted.starts_seen;
    MatrixXd& outputs = all.outputs[piece.experiment];
    if (!pieces.ahead) {
      outputs.middleRows(piece.first, piece.samples) = fitted.outputs.front();
      continue;
    }
    const Index next = piece.first + piece.samples;
    const Index further = std::min(piece.samples, whole.samples() - next);
    if (further <= 0) continue;
    SimulationOptions on = options;
    on.start = StartState::Model;
    on.start_values = fitted.starts;
    const EquationPrediction both = simulate_equations(
        model, parameters, {piece_of(whole, piece.first, piece.samples + further)}, on);
    if (!both.ok()) {
      static_cast<Outcome&>(all) = both;
      return all;
    }
    outputs.middleRows(next, further) = both.outputs.front().bottomRows(further);
  }
  complete_prediction(data, all);
  return all;
}

Index pieces_in(const Experiments& data, double length) {
  Index count = 0;
  for (const Experiment& one : data) count += count_in(one, length);
  return count;
}

}  // namespace alembert::identify
