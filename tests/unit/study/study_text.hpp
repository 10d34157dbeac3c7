#pragma once

#include <string>

#include "alembert/study/simulate.hpp"
#include "alembert/study/study.hpp"
#include "support/study_changes.hpp"

namespace alembert::test {

/// A study with two degrees of freedom that passes every check; tests add or change keys.
inline const std::string kTwoMasses = R"(
title = "Two masses"
[model]
mass = [[2.0, 0.0], [0.0, 1.0]]
stiffness = [[300.0, -100.0], [-100.0, 100.0]]
damping = { mass = 0.1, stiffness = 0.001 }
[simulate]
step = 0.01
samples = 400
[simulate.inputs]
u1 = { kind = "spline-noise", knots = 0.1 }
[simulate.sensors]
all = { snr = 20.0 }
)";

/// The study with changes; throws if it has a problem.
inline study::SimulateStudy two_masses(const std::vector<std::string>& changes = {}) {
  study::LoadedStudy loaded = study::load_study_text(kTwoMasses, "two.toml", changed(changes));
  if (!loaded.problems.empty()) study::raise(loaded.problems.front());
  return *loaded.as<study::SimulateStudy>();
}

/// The first problem of the study with changes, "" if it has none.
inline std::string first_problem(const std::vector<std::string>& changes,
                                 const std::string& text = kTwoMasses) {
  const study::LoadedStudy loaded = study::load_study_text(text, "two.toml", changed(changes));
  return loaded.problems.empty() ? "" : study::to_string(loaded.problems.front());
}

}  // namespace alembert::test
