#include "study/tasks/modes/modal_model_study.hpp"

#include <fmt/format.h>

#include <cmath>
#include <fstream>
#include <numbers>

#include "alembert/core/error.hpp"

namespace alembert::study {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kSamplesOfPeriod = 20.0;  // of the highest mode
constexpr double kPeriodsShown = 100.0;    // of the lowest one

std::string quoted_name(const std::string& name) {
  std::string text = "\"";
  for (const char c : name) {
    if (c == '"' || c == '\\') text.push_back('\\');
    text.push_back(c);
  }
  return text + "\"";
}

std::string number_list(const VectorXd& values) {
  std::string text = "[";
  for (Index i = 0; i < values.size(); ++i) {
    text += fmt::format("{}{:.17g}", i > 0 ? ", " : "", values(i));
  }
  return text + "]";
}

std::string coordinate_names(Index count) {
  std::string text;
  for (Index r = 0; r < count; ++r) text += fmt::format("{}\"mode{}\"", r > 0 ? ", " : "", r + 1);
  return text;
}

const MatrixXd& measured_map(const identify::ModalSystem& modal, model::Motion motion) {
  if (motion == model::Motion::Displacement) return modal.outputs.displacement;
  if (motion == model::Motion::Velocity) return modal.outputs.velocity;
  return modal.outputs.acceleration;
}

void add_model(const ModesOutcome& result, const identify::ModalSystem& modal, std::string& text) {
  std::string inputs;
  for (const ColumnUse& one : result.study.inputs) {
    inputs += (inputs.empty() ? "" : ", ") + quoted_name(one.name);
  }
  const model::SecondOrder& system = modal.system;
  text += fmt::format(
      "[model]\ncoordinates = [{}]\ninputs = [{}]\nmass = {{ diagonal = {} }}\nstiffness = {{ "
      "diagonal = {} }}\ndamping = {{ diagonal = {} }}\nforces = [\n",
      coordinate_names(system.M.rows()), inputs, number_list(system.M.diagonal()),
      number_list(system.K.diagonal()), number_list(system.D.diagonal()));
  for (Index r = 0; r < system.L.rows(); ++r) {
    text += "  " + number_list(system.L.row(r).transpose()) + ",\n";
  }
  text += "]\n\n";
}

// A pulse that excites all modes: shorter than the period of the highest one.
void add_run(const ModesOutcome& result, const identify::ModalSystem& modal, std::string& text) {
  const VectorXd omega = modal.system.K.diagonal().cwiseSqrt();
  const double shortest = 2.0 * std::numbers::pi / omega.maxCoeff();
  const double step = shortest / kSamplesOfPeriod;
  const double length = kPeriodsShown * 2.0 * std::numbers::pi / omega.minCoeff();
  text += fmt::format("[simulate]\nstep = {:.6g}\nsamples = {}\n\n[simulate.inputs]\n", step,
                      static_cast<long long>(std::ceil(length / step)));
  for (const ColumnUse& one : result.study.inputs) {
    text += fmt::format(
        "{} = {{ kind = \"pulses\", times = [{:.6g}], width = {:.6g}, amplitude = 1.0 }}\n",
        quoted_name(one.name), 10.0 * step, 0.5 * shortest);
  }
}

void add_sensors(const ModesOutcome& result, const identify::ModalSystem& modal,
                 std::string& text) {
  const model::Motion motion = result.study.scale->motion;
  const MatrixXd& shapes = measured_map(modal, motion);
  text += "\n[simulate.sensors]\n";
  for (std::size_t o = 0; o < result.study.outputs.size(); ++o) {
    std::string at;
    for (Index r = 0; r < shapes.cols(); ++r) {
      at += fmt::format("{}mode{} = {:.17g}", r > 0 ? ", " : "", r + 1,
                        shapes(static_cast<Index>(o), r));
    }
    text += fmt::format("{} = {{ measures = \"{}\", at = {{ {} }} }}\n",
                        quoted_name(result.study.outputs[o].name), name_of(motion), at);
  }
}

}  // namespace

void write_modal_model(const ModesOutcome& result, const std::filesystem::path& file) {
  const identify::ModalSystem modal =
      identify::modal_system(result.modes, result.scaled, result.study.scale->motion);
  std::string text =
      "# Modes of unit modal mass: each coordinate is one mode. Units are those of "
      "the record.\ntitle = " +
      quoted_name("Modal model: " + result.study.title) + "\n\n";
  add_model(result, modal, text);
  add_run(result, modal, text);
  add_sensors(result, modal, text);
  std::ofstream stream(file, std::ios::binary);
  stream << text;
  stream.close();
  if (!stream) throw DataError({.file = file.string()}, "cannot be written");
}

}  // namespace alembert::study
