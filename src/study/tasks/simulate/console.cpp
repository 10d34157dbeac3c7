#include "study/tasks/simulate/console.hpp"

#include <algorithm>

#include "study/result/console.hpp"
#include "study/result/words.hpp"

namespace alembert::study {
namespace {

using document::ResultTree;

constexpr std::size_t kMostSimulatedModes = 12;

std::string integration_words(const SimulateStudy& study) {
  if (const MovedMechanism* moved = study.mechanism()) {
    return moved->released ? "motion by masses and forces" : "prescribed motion";
  }
  if (const MovedFlexible* flexible = study.flexible()) {
    return fmt::format("motion by masses and forces, {}", name_of(flexible->integration.method));
  }
  if (study.equations() != nullptr) {
    const identify::SimulationOptions& simulation = study.equations()->simulation;
    return fmt::format("{}, inputs {}", integrator_words(simulation), name_of(simulation.between));
  }
  const bool uses_hold = integrate::uses_hold(study.integration.method);
  return std::string(name_of(study.integration.method)) +
         (uses_hold ? fmt::format(", {} hold", integrate::hold_name(study.integration.hold)) : "");
}

std::string experiment_words(const SimulateStudy& study) {
  return study.experiments == 1
             ? ""
             : ", " + counted(static_cast<long long>(study.experiments), "experiment");
}

std::string moving_words(const SimulateStudy& study) {
  const auto inputs = static_cast<long long>(study.inputs.size());
  if (study.mechanism() != nullptr) return mechanism_words(*study.mechanism()->mechanism);
  if (study.flexible() != nullptr) {
    const model::flexible::FlexibleMechanism& mechanism = *study.flexible()->mechanism;
    return fmt::format("{}, {}", mechanism_words(mechanism.rigid()),
                       counted(mechanism.elastic(), "elastic displacement"));
  }
  if (study.equations() != nullptr) {
    const auto states = static_cast<long long>(study.equations()->model.states().size());
    return counted(states, "state") + ", " + counted(inputs, "input");
  }
  return freedom_words(study.linear()->system.degrees_of_freedom()) + ", " +
         counted(inputs, "force");
}

void print_simulated_modes(const ResultTree& tree, Console& console) {
  const std::vector<ResultTree>& modes = tree.entries();
  console.print("  {:<10} {:>10} {:>12}\n", "modes", "Hz", "damping %");
  for (std::size_t i = 0; i < std::min(kMostSimulatedModes, modes.size()); ++i) {
    console.print("  {:>4}       {:>10.4f} {:>12.3f}\n", i + 1, modes[i].number("frequency_hz"),
                  100.0 * modes[i].number("damping_ratio"));
  }
  if (modes.size() > kMostSimulatedModes) {
    console.print("   ...       {} more\n", modes.size() - kMostSimulatedModes);
  }
}

// What the sensors give.
std::string noise_words(const ResultTree& tree) {
  double lowest = 1e300;
  double highest = -1e300;
  for (const ResultTree& experiment : tree.at("experiments").entries()) {
    for (const ResultTree& outcome : experiment.at("sensors").entries()) {
      const ResultTree& snr = outcome.at("snr_db");
      if (snr.kind() == ResultTree::Kind::Null) continue;
      lowest = std::min(lowest, snr.number());
      highest = std::max(highest, snr.number());
    }
  }
  const auto sensors = static_cast<long long>(tree.at("sensors").entries().size());
  const std::string count = counted(sensors, "record");
  if (lowest > highest) return count + ", noise-free";
  if (highest - lowest < 0.05) return fmt::format("{}, SNR {:.1f} dB", count, lowest);
  return fmt::format("{}, SNR {:.1f} to {:.1f} dB", count, lowest, highest);
}

}  // namespace

std::string simulate_heading(const SimulateStudy& study) {
  Console console;
  console.print("{}\n", study.title);
  console.print("  {:<10} {}, {}, {} samples at {:.6g} Hz\n", "study", moving_words(study),
                counted(static_cast<long long>(study.sensors.size()), "sensor"), study.samples,
                1.0 / study.step);
  return console.text();
}

std::string simulate_console(const SimulateResult& result, double seconds) {
  Console console;
  const ResultTree tree = describe(result);
  if (result.study.linear() != nullptr) {
    console.step("model", definiteness_words(result.definiteness));
    print_simulated_modes(tree.at("model/modes"), console);
  }
  if (result.flexible) {
    const FlexibleOutcome& found = *result.flexible;
    console.step("rest", found.held ? "links bent, coordinates held" : "equilibrium found");
    print_simulated_modes(tree.at("model/modes"), console);
    console.step("steps", fmt::format("{} a sample, energy drift {:.2g} %", found.run.substeps,
                                      100.0 * found.run.energy_drift));
  }
  console.step("simulate", integration_words(result.study) + experiment_words(result.study),
               seconds_text(seconds));
  console.step("sensors", noise_words(tree));
  console.steps("note", result.study.notes);
  console.steps("warning", result.warnings);
  return console.text();
}

}  // namespace alembert::study
