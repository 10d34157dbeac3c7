#include "study/tasks/mechanism_fit/template_mechanism_fit.hpp"

#include <fmt/format.h>

#include <cmath>

#include "alembert/core/error.hpp"
#include "alembert/core/random.hpp"
#include "alembert/identify/mechanism/mechanism_parameters.hpp"
#include "alembert/integrate/mechanism_simulation.hpp"
#include "alembert/study/detail/toml.hpp"
#include "alembert/study/mechanism.hpp"
#include "study/parts/mechanism/tables_mechanism.hpp"
#include "study/parts/mechanism/tables_mechanism_data.hpp"
#include "study/tasks/mechanism_fit/mechanism_fit_keys.hpp"
#include "study/tasks/model_roots.hpp"
#include "study/templates/column_guess.hpp"
#include "study/templates/writer.hpp"

namespace alembert::study {
namespace {

constexpr double kArmStep = 0.005;  // s
constexpr Eigen::Index kArmSamples = 1200;

/// Columns that the sensors read.
struct ArmColumns {
  std::string angle = "theta", torque = "torque";
};

ArmColumns arm_columns(const std::optional<TemplateData>& data,
                       const std::vector<ColumnGuess>& guesses) {
  if (!data) return {};
  const ColumnGuess* angle = first_of(guesses, {ColumnKind::Angle, ColumnKind::Unknown});
  const ColumnGuess* torque =
      first_of(guesses, {ColumnKind::Torque, ColumnKind::Force, ColumnKind::Signal});
  if (angle == nullptr || torque == nullptr) {
    throw DataError(
        {.file = data->file},
        fmt::format("must have an angle and a torque; write units (rad, N m) behind the "
                    "names ({})",
                    guess_list(guesses)));
  }
  return {angle->name, torque->name};
}

void write_arm(const ArmColumns& columns, TemplateWriter& writer) {
  writer.table(mechanism_table(), {{"joints", "[{ revolute = [\"ground\", \"arm\"] }]"},
                                   {"coordinates", "[\"angle(arm)\"]"}});
  writer.named(*mechanism_table().find("bodies", nullptr)->table,
               {{"arm", "{ mass = 1.5, inertia = 0.01, centre = [0.2, 0.0] }"}});
  writer.named(*mechanism_table().find("forces", nullptr)->table,
               {{"motor", "{ kind = \"torque\", of = \"arm\" }"}});
  writer.named(*mechanism_table().find("passive", nullptr)->table,
               {{"hinge",
                 "{ between = [\"ground\", \"arm\"], kind = \"angle\", damping = 0.05, "
                 "coulomb = 0.1, smooth-rate = 0.05 }"}});
  writer.named(*mechanism_data_table().find("sensors", nullptr)->table,
               {{"encoder", fmt::format("{{ column = {}, kind = \"angle\", of = \"arm\", sigma = "
                                        "0.001 }}",
                                        toml_string(columns.angle))},
                {"cell", fmt::format("{{ column = {}, kind = \"torque\", of = \"motor\", sigma = "
                                     "0.001 }}",
                                     toml_string(columns.torque))}});
}

}  // namespace

std::string mechanism_fit_template(const std::optional<TemplateData>& data) {
  const std::vector<ColumnGuess> guesses =
      data ? guess_columns(data->record) : std::vector<ColumnGuess>();
  TemplateWriter writer("identify");
  writer.comment(
      "A study for `alembert run`. Lines that begin with # are comments; keys written in them show "
      "the defaults. Bodies, forces and sensors below are to be replaced by your own; their "
      "numbers "
      "are the guesses.");
  writer.table(mechanism_root_table(), {{"title", "\"An arm on a motor\""}});
  writer.table(mechanism_data_table(), file_assignments(data));
  if (data) writer.comment(guess_words(guesses));
  write_arm(arm_columns(data, guesses), writer);
  writer.table(mechanism_fit_table(),
               {{"method", "\"output-error\""}, {"between", "\"linear\""}, {"held-back", "0.25"}});
  writer.named(*mechanism_fit_table().find("parameters", nullptr)->table,
               {{"\"arm.inertia\"", "{}"},
                {"\"arm.centre.x\"", "{}"},
                {"\"hinge.damping\"", "{}"},
                {"\"hinge.coulomb\"", "{}"}});
  writer.comment(
      "The mass itself is not told: only mass x centre and the inertia about the hinge "
      "act. All names: docs/mechanism-parameters.md");
  return writer.text();
}

signal::Record mechanism_fit_record() {
  const auto guessed = mechanism_of_text(mechanism_fit_template({}), "template.toml");
  Eigen::Vector4d truth(0.018, 0.24, 0.08, 0.15);
  const identify::MechanismValues real =
      with_parameters(identify::values_of(guessed->description()),
                      {"arm.inertia", "arm.centre.x", "hinge.damping", "hinge.coulomb"}, truth);
  const model::planar::Mechanism mechanism(real.description);
  const model::TimeFormula torque("3.4 + 1.6*sin(3*t) + 1.2*sin(7.3*t + 1) - 1.5*cos(1.1*t)");
  const integrate::MechanismSimulation made =
      integrate::simulate_mechanism(mechanism, {.z = Eigen::VectorXd::Constant(1, -0.3)}, {torque},
                                    {.start = 0.0, .step = kArmStep, .count = kArmSamples});
  if (!made.ok()) throw InvalidInput({.function = "mechanism_fit_record", .rule = made.message});
  RandomStream random(1);
  Eigen::MatrixXd samples(kArmSamples, 2);
  for (Eigen::Index k = 0; k < kArmSamples; ++k) {
    samples(k, 0) = std::round(1e5 * (made.path.z(k, 0) + 0.001 * random.normal())) / 1e5;
    samples(k, 1) = std::round(1e4 * (made.forces(k, 0) + 0.001 * random.normal())) / 1e4;
  }
  return {signal::TimeAxis::uniform(kArmSamples, kArmStep),
          {{.name = "theta", .unit = "rad"}, {.name = "torque", .unit = "N*m"}},
          std::move(samples),
          "Arm on a motor, simulated: noise 0.001 rad and 0.001 N m"};
}

}  // namespace alembert::study
