#include "alembert/identify/modes/modal_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "alembert/core/check.hpp"
#include "alembert/core/error.hpp"
#include "identify/modes/frf/modal_signals.hpp"
#include "identify/modes/projection/pole_deviation.hpp"

namespace alembert::identify {
namespace {

using Complex = std::complex<double>;
using Eigen::Index;
using Eigen::MatrixXcd;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using modes::ModalSignals;
using modes::PairedModel;
using modes::Projected;

constexpr const char* kFit = "fit_modal_model";

void check_start(const FrfData& data, const std::vector<FrfPole>& start) {
  for (const FrfPole& one : start) {
    if (one.participation.size() == data.inputs && one.pole.real() < 0.0 && one.pole.imag() > 0.0) {
      continue;
    }
    throw InvalidInput({.function = kFit,
                        .argument = "each start pole",
                        .rule = "must be stable, with a participation for each input",
                        .value = fmt::format("{:.4g} + {:.4g}i, {} participations", one.pole.real(),
                                             one.pole.imag(), one.participation.size())});
  }
  const auto modes = static_cast<Index>(start.size());
  const Index unknown = 2 * modes + 3 * data.inputs + 2 * modes * data.inputs;
  if (unknown + data.outputs < 2 * data.lines() * data.inputs) return;
  throw InvalidInput(
      {.function = kFit,
       .argument = "start",
       .rule = fmt::format("must be fewer modes than {} lines can carry", data.lines()),
       .value = std::to_string(modes)});
}

double output_scale(const FrfData& data, Index o) {
  return data.output_deviation.size() > 0 ? data.output_deviation(o) : 1.0;
}

// Shapes and E from the coefficients of the regressor, in the unit of the data.
void take_coefficients(const FrfData& data, const Projected& at, ModalFit& fit) {
  const auto count = static_cast<Index>(fit.modes.size());
  fit.shapes.resize(data.outputs, count);
  fit.constant.resize(data.outputs, data.inputs);
  fit.above = fit.below = fit.constant;
  for (Index o = 0; o < data.outputs; ++o) {
    const VectorXd own = output_scale(data, o) * at.coefficients.col(o);
    for (Index r = 0; r < count; ++r) fit.shapes(o, r) = Complex(own(2 * r), own(2 * r + 1));
    for (Index j = 0; j < data.inputs; ++j) {
      fit.constant(o, j) = own(2 * count + 3 * j);
      fit.above(o, j) = own(2 * count + 3 * j + 1);
      fit.below(o, j) = own(2 * count + 3 * j + 2);
    }
  }
}

// The larger of two deviations: that of lines whose noise has the size that the data say, and that
// by the scores of single lines, for noise that is larger near a peak than the data say.
void take_deviations(const FrfData& data, const PairedModel& model, const modes::PairedFit& found,
                     ModalFit& fit) {
  const Projected& at = found.at;
  const MatrixXd covariance = modes::inverse_normal(at);
  const MatrixXd scores = modes::score_covariance(model, at, model.signals(found.unknowns));
  const auto count = static_cast<Index>(fit.modes.size());
  fit.frequency_deviation.resize(count);
  fit.damping_deviation.resize(count);
  fit.shape_deviation.resize(data.outputs, count);
  const MatrixXd variances = modes::coefficient_variances(model, at, covariance);
  for (Index r = 0; r < count; ++r) {
    const Index place = 2 * r * data.inputs;
    const Complex pole = fit.modes[static_cast<std::size_t>(r)].pole;
    const modes::PoleDeviation own =
        modes::pole_deviation(pole, fit.variance * covariance.block<2, 2>(place, place));
    const modes::PoleDeviation seen = modes::pole_deviation(pole, scores.block<2, 2>(place, place));
    fit.frequency_deviation(r) = std::max(own.frequency_hz, seen.frequency_hz);
    fit.damping_deviation(r) = std::max(own.damping_ratio, seen.damping_ratio);
    for (Index o = 0; o < data.outputs; ++o) {
      const double both = variances(o, 2 * r) + variances(o, 2 * r + 1);
      fit.shape_deviation(o, r) = output_scale(data, o) * std::sqrt(0.5 * fit.variance * both);
    }
  }
}

MatrixXcd weighted_residual(const FrfData& data, const ModalFit& fit) {
  MatrixXcd residual = data.values - synthesised(fit, data, data.frequencies_hz);
  for (Index c = 0; c < residual.cols(); ++c) {
    residual.col(c) /= output_scale(data, c % data.outputs);
  }
  if (data.line_deviation.size() > 0) {
    residual = (data.line_deviation.cwiseInverse().asDiagonal() * residual).eval();
  }
  return residual;
}

// What the modes of a fit must have for a sum over them.
void require_whole(const ModalFit& fit, const FrfData& band) {
  const Index outputs = fit.shapes.rows();
  const Index inputs = fit.constant.cols();
  const bool from_zero = band.lines() > 0 && !(band.frequencies_hz(0) > 0.0);
  check::at_least("synthesised", "number of lines of the band", band.lines(), from_zero ? 2 : 1);
  check::size("synthesised", "number of shapes", fit.shapes.cols(),
              static_cast<long long>(fit.modes.size()));
  for (const MatrixXd* term : {&fit.constant, &fit.above, &fit.below}) {
    check::size("synthesised", "rows of the terms outside the band", term->rows(), outputs);
    check::size("synthesised", "columns of the terms outside the band", term->cols(), inputs);
  }
  for (const FrfPole& mode : fit.modes) {
    check::size("synthesised", "size of a participation", mode.participation.size(), inputs);
  }
}

}  // namespace

ModalFit fit_modal_model(const FrfData& data, const std::vector<FrfPole>& start,
                         const ModalFitOptions& options) {
  check_frf_data(kFit, data);
  check_start(data, start);
  const ModalSignals signals(data, start);
  const PairedModel model = signals.model();
  const modes::PairedFit found =
      modes::fit_paired(model, signals.unknowns(start), options.iterations, options.tolerance);
  ModalFit fit;
  fit.status = found.status;
  fit.message = found.message;
  fit.iterations = found.iterations;
  fit.modes = signals.modes(found.unknowns);
  fit.cost = found.at.cost;
  fit.freedom = static_cast<double>((signals.rows() - signals.regressors()) * data.outputs -
                                    found.at.gradient.size());
  fit.variance = fit.cost / fit.freedom;
  take_coefficients(data, found.at, fit);
  take_deviations(data, model, found, fit);
  fit.drop = modes::drop_of_modes(model, found.at) / fit.variance;
  fit.residual = weighted_residual(data, fit);
  return fit;
}

MatrixXcd synthesised(const ModalFit& fit, const FrfData& band, const VectorXd& frequencies_hz) {
  require_whole(fit, band);
  const Index outputs = fit.shapes.rows();
  const Index inputs = fit.constant.cols();
  const double last = band.frequencies_hz(band.lines() - 1);
  const double first =
      band.frequencies_hz(0) > 0.0 ? band.frequencies_hz(0) : band.frequencies_hz(1);
  MatrixXcd values(frequencies_hz.size(), outputs * inputs);
  for (Index k = 0; k < frequencies_hz.size(); ++k) {
    const double f = frequencies_hz(k);
    const Complex s(0.0, 2.0 * std::numbers::pi * f);
    const double above = (f / last) * (f / last);
    const double below = std::pow(first / std::max(f, first), 2);
    MatrixXcd H = (fit.constant + above * fit.above + below * fit.below).cast<Complex>();
    for (std::size_t r = 0; r < fit.modes.size(); ++r) {
      const FrfPole& mode = fit.modes[r];
      const MatrixXcd residue =
          fit.shapes.col(static_cast<Index>(r)) * mode.participation.transpose();
      H += residue / (s - mode.pole) + residue.conjugate() / (s - std::conj(mode.pole));
    }
    values.row(k) = H.reshaped().transpose();
  }
  return values;
}

}  // namespace alembert::identify
