#include "reproductions/variational/partial_sensing_cases.hpp"

#include <fmt/format.h>

#include <array>

#include "reproductions/published_systems.hpp"

namespace alembert::reproductions::variational {

namespace {

using Indices = std::vector<Eigen::Index>;
using model::Motion;

constexpr Eigen::Index kCoordinates = 8;

/// Where the frame is driven and sensed; coordinates count from 0.
struct Places {
  std::string name;
  Indices driven;
  Indices sensed;
};

const Indices kAll{0, 1, 2, 3, 4, 5, 6, 7};

const std::vector<Places> kMainPlaces{
    {"sensors 1-4", kAll, {0, 1, 2, 3}},
    {"sensors 1, 4", kAll, {0, 3}},
    {"sensors 2, 4, 6, 8", kAll, {1, 3, 5, 7}},
    {"forces 1-5, sensors 1, 2, 5-8", {0, 1, 2, 3, 4}, {0, 1, 4, 5, 6, 7}}};

const std::vector<Places> kMorePlaces{{"forces 1-4, sensors 4-8", {0, 1, 2, 3}, {3, 4, 5, 6, 7}},
                                      {"sensors 1, 3, 5", kAll, {0, 2, 4}},
                                      {"sensors 1, 3, 5, 7", kAll, {0, 2, 4, 6}}};

const Places kEverywhere{"all sensors", kAll, kAll};

/// What is the same for all places of a group of rows.
struct Setting {
  std::string words;  ///< after the name of the places
  double snr_db = 20.0;
  double step = 5e-3;
  Motion motion = Motion::Displacement;
  double spacing = 0.05;  ///< of the knots of the forces; 0: one in each sample
  bool proportional = true;
};

// Coupled, unequal masses and dampers of 40 to 80 N s/m at single coordinates and between
// neighbours: modes that are complex.
model::SecondOrder uneven_frame() {
  model::SecondOrder system = frame_8dof();
  const std::array<double, kCoordinates> dampers{40.0, 65.0, 50.0, 80.0, 45.0, 70.0, 55.0, 60.0};
  system.D.setZero();
  for (Eigen::Index i = 0; i < kCoordinates; ++i) {
    system.M(i, i) = 80.0 + 20.0 * static_cast<double>(i % 3);
    const double damper = dampers[static_cast<std::size_t>(i)];
    if (i % 2 == 0) system.D(i, i) += damper;
    if (i + 1 == kCoordinates) break;
    system.M(i, i + 1) = system.M(i + 1, i) = 8.0;
    if (i % 2 == 1) continue;
    system.D(i, i) += damper;
    system.D(i + 1, i + 1) += damper;
    system.D(i, i + 1) -= damper;
    system.D(i + 1, i) -= damper;
  }
  return system;
}

SensingCase sensing_case(const Places& places, const Setting& setting) {
  SensingCase result;
  result.name = fmt::format("{}, {}", places.name, setting.words);
  result.motion = setting.motion;
  LinearCase& linear = result.linear;
  linear.system = setting.proportional ? frame_8dof() : uneven_frame();
  const auto inputs = static_cast<Eigen::Index>(places.driven.size());
  linear.system.L = Eigen::MatrixXd::Zero(kCoordinates, inputs);
  for (Eigen::Index c = 0; c < inputs; ++c) {
    linear.system.L(places.driven[static_cast<std::size_t>(c)], c) = 1.0;
  }
  std::vector<model::OutputChoice> choices;
  for (const Eigen::Index i : places.sensed) choices.push_back({setting.motion, i});
  linear.outputs = model::output_map(kCoordinates, choices);
  linear.step = setting.step;
  linear.samples = 3300;
  linear.spacing = setting.spacing;
  linear.snr_db = setting.snr_db;
  return result;
}

void add(const std::vector<Places>& places, const Setting& setting,
         std::vector<SensingCase>& cases) {
  for (const Places& where : places) cases.push_back(sensing_case(where, setting));
}

// Rows that are shown and not claimed.
void add_shown(const std::vector<Places>& places, const Setting& setting,
               std::vector<SensingCase>& cases) {
  const std::size_t before = cases.size();
  add(places, setting, cases);
  for (std::size_t i = before; i < cases.size(); ++i) cases[i].claimed = false;
}

void add_other_displacements(std::vector<SensingCase>& cases) {
  add(kMorePlaces, {.words = "20 dB"}, cases);
  add(kMainPlaces, {.words = "20 dB, a knot in each sample", .spacing = 0.0}, cases);
  add(kMainPlaces, {.words = "20 dB, complex modes", .proportional = false}, cases);
  add(kMainPlaces, {.words = "20 dB, 10 ms", .step = 1e-2}, cases);
  add_shown(kMainPlaces, {.words = "20 dB, 2 ms", .step = 2e-3}, cases);
  add_shown(kMainPlaces, {.words = "10 dB", .snr_db = 10.0}, cases);
}

void add_other_motions(std::vector<SensingCase>& cases) {
  const std::vector<Places> velocity{kMainPlaces[0], kEverywhere};
  for (const double step : {5e-3, 1e-2}) {
    const std::string rate = step < 6e-3 ? "" : ", 10 ms";
    const Setting speed{
        .words = "velocity, 20 dB" + rate, .step = step, .motion = Motion::Velocity};
    const Setting push{
        .words = "acceleration, 20 dB" + rate, .step = step, .motion = Motion::Acceleration};
    add(velocity, speed, cases);
    add({kEverywhere}, push, cases);
    if (step > 6e-3) add(kMainPlaces, push, cases);
  }
}

}  // namespace

std::vector<SensingCase> sensing_cases(bool full) {
  std::vector<SensingCase> cases;
  add(kMainPlaces, {.words = "20 dB"}, cases);
  add(kMainPlaces, {.words = "30 dB", .snr_db = 30.0}, cases);
  add(kMainPlaces, {.words = "acceleration, 20 dB", .motion = Motion::Acceleration}, cases);
  if (full) {
    add_other_displacements(cases);
    add_other_motions(cases);
  }
  return cases;
}

}  // namespace alembert::reproductions::variational
