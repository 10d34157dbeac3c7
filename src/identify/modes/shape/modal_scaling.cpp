#include "alembert/identify/modes/modal_scaling.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "alembert/core/check.hpp"
#include "alembert/core/error.hpp"

namespace alembert::identify {
namespace {

using Complex = std::complex<double>;
using Eigen::Index;
using Eigen::MatrixXd;

constexpr const char* kScaleModes = "scale_modes";
constexpr const char* kModalSystem = "modal_system";
constexpr double kLargestPhase = 20.0 * std::numbers::pi / 180.0;

// Receptance is 1, mobility λ, accelerance λ².
Complex motion_factor(Complex pole, model::Motion motion) {
  switch (motion) {
    case model::Motion::Displacement:
      return 1.0;
    case model::Motion::Velocity:
      return pole;
    case model::Motion::Acceleration:
      return pole * pole;
  }
  return 1.0;
}

void judge_phase(ScaledMode& scaled) {
  const double degrees = scaled.phase * 180.0 / std::numbers::pi;
  const double away = std::abs(scaled.phase);
  scaled.trusted = away <= kLargestPhase;
  if (scaled.trusted) return;
  scaled.remark =
      std::numbers::pi - away <= kLargestPhase
          ? fmt::format(
                "phase {:.0f} deg at the driving point: force and response have opposite signs",
                degrees)
          : fmt::format(
                "phase {:.0f} deg at the driving point: force and response are not at one place "
                "in one direction",
                degrees);
}

ScaledMode scaled_mode(const Mode& mode, DrivingPoint point, model::Motion motion) {
  ScaledMode scaled;
  const Complex shared =
      Complex(0.0, 2.0 * mode.pole.imag()) * mode.residue / motion_factor(mode.pole, motion);
  // 2i ω_d R_dd
  const Complex square = shared * mode.shape(point.output) * mode.participation(point.input);
  scaled.phase = std::arg(square);
  judge_phase(scaled);
  if (!(std::abs(square) > 0.0)) {
    scaled.trusted = false;
    scaled.remark = mode.residue == 0.0 ? "the size of its response is not known"
                                        : "the mode does not move at the driving point";
    return scaled;
  }
  // A sign that is known to be wrong is not taken over into the scale.
  const Complex at_point = std::sqrt(square);
  scaled.shape = (shared * mode.participation(point.input) / at_point) * mode.shape;
  scaled.drive = (shared * mode.shape(point.output) / at_point) * mode.participation;
  scaled.modal_mass = 1.0 / scaled.shape.cwiseAbs2().maxCoeff();
  return scaled;
}

void check_mode(const Mode& mode, DrivingPoint point) {
  check::in_range(kScaleModes, "output of the driving point", static_cast<double>(point.output),
                  0.0, static_cast<double>(mode.shape.size()) - 1.0);
  check::in_range(kScaleModes, "input of the driving point", static_cast<double>(point.input), 0.0,
                  static_cast<double>(mode.participation.size()) - 1.0);
}

MatrixXd& map_of(model::OutputMap& outputs, model::Motion motion) {
  switch (motion) {
    case model::Motion::Displacement:
      return outputs.displacement;
    case model::Motion::Velocity:
      return outputs.velocity;
    case model::Motion::Acceleration:
      break;
  }
  return outputs.acceleration;
}

ModalSystem empty_system(Index count, Index inputs, Index outputs) {
  const MatrixXd none = MatrixXd::Zero(outputs, count);
  return {.system = {.M = MatrixXd::Identity(count, count),
                     .D = MatrixXd::Zero(count, count),
                     .K = MatrixXd::Zero(count, count),
                     .L = MatrixXd::Zero(count, inputs)},
          .outputs = {.displacement = none, .velocity = none, .acceleration = none}};
}

}  // namespace

std::vector<ScaledMode> scale_modes(const std::vector<Mode>& modes, DrivingPoint point,
                                    model::Motion motion) {
  std::vector<ScaledMode> list;
  for (const Mode& mode : modes) {
    check_mode(mode, point);
    list.push_back(scaled_mode(mode, point, motion));
  }
  return list;
}

ModalSystem modal_system(const std::vector<Mode>& modes, const std::vector<ScaledMode>& scales,
                         model::Motion motion) {
  check::size(kModalSystem, "scales", static_cast<Index>(scales.size()),
              static_cast<Index>(modes.size()));
  std::vector<std::size_t> trusted;
  for (std::size_t r = 0; r < scales.size(); ++r) {
    if (scales[r].trusted) trusted.push_back(r);
  }
  if (trusted.empty()) {
    throw InvalidInput({.function = kModalSystem,
                        .argument = "scales",
                        .rule = "must hold a mode whose scale is trusted"});
  }
  const ScaledMode& first = scales[trusted.front()];
  const auto count = static_cast<Index>(trusted.size());
  ModalSystem modal = empty_system(count, first.drive.size(), first.shape.size());
  MatrixXd& seen = map_of(modal.outputs, motion);
  for (Index i = 0; i < count; ++i) {
    const std::size_t r = trusted[static_cast<std::size_t>(i)];
    const double omega = std::abs(modes[r].pole);
    modal.system.K(i, i) = omega * omega;
    modal.system.D(i, i) = -2.0 * modes[r].pole.real();
    modal.system.L.row(i) = scales[r].drive.real().transpose();
    seen.col(i) = scales[r].shape.real();
  }
  return modal;
}

}  // namespace alembert::identify
