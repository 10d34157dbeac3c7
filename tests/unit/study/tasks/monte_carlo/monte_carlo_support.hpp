#pragma once

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "alembert/core/error.hpp"
#include "alembert/study/monte_carlo.hpp"
#include "alembert/study/result/result_folder.hpp"
#include "alembert/study/study.hpp"
#include "support/data.hpp"
#include "unit/study/study_text.hpp"

// A small study with many runs, for the tests of [monte-carlo].
namespace alembert::study::monte_carlo_support {

inline const std::string kModel = R"(
[model]
mass = [[2.0, 0.0], [0.0, 1.0]]
stiffness = [[300.0, -100.0], [-100.0, 100.0]]
damping = { mass = 0.1, stiffness = 0.001 }
[simulate]
step = 0.02
samples = 400
inputs.all = { kind = "spline-noise", knots = 0.1 }
sensors.all = { snr = 30.0 }
)";

inline const std::string kStudy = kModel + R"(
[identify]
[monte-carlo]
runs = 4
)";

inline const std::string kSwept = kStudy + R"(
[monte-carlo.sweep]
simulate.sensors.all.snr = [20.0, 40.0]
)";

inline MonteCarloStudy study_of(const std::string& text,
                                const std::vector<std::string>& changes = {}) {
  LoadedStudy loaded = load_study_text(text, "many.toml", test::changed(changes));
  if (!loaded.problems.empty()) raise(loaded.problems.front());
  return *loaded.as<study::MonteCarloStudy>();
}

inline std::string problem_of(const std::string& text,
                              const std::vector<std::string>& changes = {}) {
  const LoadedStudy loaded = load_study_text(text, "many.toml", test::changed(changes));
  return loaded.problems.empty() ? "" : to_string(loaded.problems.front());
}

inline MonteCarloResult result_of(const MonteCarloStudy& study,
                                  const MonteCarloOptions& options = {}) {
  const Machines machines;
  return run_monte_carlo(study, machines, options);
}

inline std::string content(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

/// result.json and runs.csv as one text.
inline std::string written(const MonteCarloResult& result) {
  const test::TemporaryFolder folder;
  write_monte_carlo_result(result, folder.path());
  EXPECT_EQ(reason_to_keep(folder.path()), "");
  return content(folder.path() / "result.json") + content(folder.path() / "runs.csv");
}

}  // namespace alembert::study::monte_carlo_support
