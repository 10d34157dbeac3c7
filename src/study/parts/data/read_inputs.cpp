#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "alembert/core/error.hpp"
#include "alembert/core/text.hpp"
#include "study/parts/linear/read_model.hpp"
#include "study/schema/check_keys.hpp"
#include "study/tasks/simulate/read_simulate.hpp"

namespace alembert::study {
namespace {

// Not-a-knot needs four points.
constexpr double kFewestKnotSteps = 3.0;
constexpr double kMostLines = 1e6;

void check_below_nyquist(const TableReader& input, const std::string& key, double frequency_hz,
                         double step) {
  if (frequency_hz <= 0.5 / step) {
    return;
  }
  input.fail(key, fmt::format("must be at most half the sampling rate, {} Hz, got {}",
                              shortest(0.5 / step), shortest(frequency_hz)));
}

InputSource spline_noise(const TableReader& input, const SimulateStudy& study) {
  const signal::SplineNoiseOptions options{
      .knot_step = input.optional_number("knots").value_or(0.0), .sigma = input.number("sigma")};
  const double length = static_cast<double>(study.samples - 1) * study.step;
  if (options.knot_step > 0.0 && length < kFewestKnotSteps * options.knot_step) {
    input.fail("knots", fmt::format("must leave 4 knots or more in the record of {} s, got {}",
                                    shortest(length), shortest(options.knot_step)));
  }
  return options;
}

std::vector<int> chosen_lines(const TableReader& input, Eigen::Index period) {
  const Eigen::Index last = (period - 1) / 2;
  std::vector<int> lines;
  for (const double line : input.numbers("lines")) {
    if (line != std::floor(line) || line > static_cast<double>(last)) {
      input.fail("lines", fmt::format("must hold whole numbers from 1 to {} for a period of {} "
                                      "samples, got {}",
                                      last, period, shortest(line)));
    }
    if (std::find(lines.begin(), lines.end(), static_cast<int>(line)) != lines.end()) {
      input.fail("lines", fmt::format("must be different, got {} twice", shortest(line)));
    }
    lines.push_back(static_cast<int>(line));
  }
  return lines;
}

std::vector<int> lines_of_band(const TableReader& input, const SimulateStudy& study,
                               Eigen::Index period) {
  const std::vector<double> band = input.numbers("band");
  if (band[0] > band[1]) {
    input.fail("band", "must give the lower frequency first");
  }
  check_below_nyquist(input, "band", band[1], study.step);
  if ((band[1] - band[0]) * static_cast<double>(period) * study.step > kMostLines) {
    input.fail("band", "holds more than 1e6 lines; give a shorter period");
  }
  std::vector<int> lines =
      signal::lines_in_band(period, study.step, band[0], band[1], input.boolean("odd"));
  if (lines.empty()) {
    input.fail("band", fmt::format("holds no line: the lines are {:.6g} Hz apart",
                                   1.0 / (static_cast<double>(period) * study.step)));
  }
  return lines;
}

InputSource multisine(const TableReader& input, const SimulateStudy& study) {
  signal::MultisineOptions options;
  options.period_samples =
      input.has("period") ? steps_in(input, "period", study.step) : study.samples;
  options.rms = input.number("rms");
  options.phase = input.text("phase") == "schroeder" ? signal::MultisineOptions::Phase::Schroeder
                                                     : signal::MultisineOptions::Phase::Random;
  options.lines = input.has("lines") ? chosen_lines(input, options.period_samples)
                                     : lines_of_band(input, study, options.period_samples);
  return options;
}

InputSource chirp(const TableReader& input, const SimulateStudy& study) {
  const signal::ChirpOptions options{.begin_hz = input.number("begin"),
                                     .end_hz = input.number("end"),
                                     .amplitude = input.number("amplitude"),
                                     .logarithmic = input.boolean("logarithmic")};
  for (const char* key : {"begin", "end"}) {
    check_below_nyquist(input, key, input.number(key), study.step);
    if (options.logarithmic && input.number(key) == 0.0) {
      input.fail(key, "must be above 0 Hz for a logarithmic chirp, got 0");
    }
  }
  return options;
}

InputSource prbs(const TableReader& input, const SimulateStudy& study) {
  return signal::PrbsOptions{
      .order = static_cast<int>(input.integer("order")),
      .clock_samples = input.has("clock") ? steps_in(input, "clock", study.step) : 1,
      .amplitude = input.number("amplitude")};
}

InputSource steps(const TableReader& input) {
  signal::StepsOptions options{.times = input.numbers("times"), .levels = input.numbers("levels")};
  if (options.times.size() != options.levels.size()) {
    input.fail("levels", fmt::format("must hold as many numbers as times, {}, got {}",
                                     options.times.size(), options.levels.size()));
  }
  for (std::size_t i = 1; i < options.times.size(); ++i) {
    if (options.times[i] > options.times[i - 1]) {
      continue;
    }
    input.fail("times", fmt::format("must increase, got {} after {}", shortest(options.times[i]),
                                    shortest(options.times[i - 1])));
  }
  return options;
}

InputSource pulses(const TableReader& input, const SimulateStudy& study) {
  signal::PulsesOptions options{.times = input.numbers("times"),
                                .width = input.number("width"),
                                .amplitude = input.number("amplitude")};
  if (options.width < 2.0 * study.step) {
    input.fail("width", fmt::format("must be two steps or more, {} s, or samples miss the pulse, "
                                    "got {}",
                                    shortest(2.0 * study.step), shortest(options.width)));
  }
  return options;
}

}  // namespace

Eigen::Index steps_in(const TableReader& table, const std::string& key, double step) {
  const double ratio = table.number(key) / step;
  const double whole = std::round(ratio);
  if (whole < 1.0 || std::abs(ratio - whole) > 1e-6 || whole > 1e9) {
    table.fail(key, fmt::format("must be a multiple of the step, {} s, got {}", shortest(step),
                                shortest(table.number(key))));
  }
  return static_cast<Eigen::Index>(whole);
}

InputSource read_input_source(const TableReader& input, const SimulateStudy& study) {
  const std::string kind = input.text("kind");
  if (kind == "spline-noise") {
    return spline_noise(input, study);
  }
  if (kind == "multisine") {
    return multisine(input, study);
  }
  if (kind == "chirp") {
    return chirp(input, study);
  }
  if (kind == "prbs") {
    return prbs(input, study);
  }
  if (kind == "steps") {
    return steps(input);
  }
  if (kind == "pulses") {
    return pulses(input, study);
  }
  return ZeroInput{};
}

namespace {

// Limits that the signal module sets itself are reported at the table of the input.
void read_input(const TableReader& inputs, const std::string& key, const SimulateStudy& study,
                InputDescription& input) {
  input.kind = inputs.table(key).text("kind");
  try {
    input.source = read_input_source(inputs.table(key), study);
  } catch (const InvalidInput& error) {
    inputs.fail_at_key(key, inputs.name(key) + ": " + error.what());
  }
}

}  // namespace

void read_inputs(const TableReader& simulate, std::optional<DataInputs> data, SimulateStudy& study,
                 std::vector<Problem>& problems) {
  const TableReader inputs = simulate.table("inputs");
  study.inputs.reserve(study.model.inputs.size());
  for (std::size_t i = 0; i < study.model.inputs.size(); ++i) {
    study.inputs.push_back({.name = study.model.inputs[i],
                            .unit = study.model.force_units[i],
                            .kind = "zero",
                            .source = ZeroInput{}});
    InputDescription& input = study.inputs.back();
    const bool from_file = data && data->inputs[i];
    const std::string key = inputs.has(input.name) ? input.name : "all";
    if (from_file && key != "all") {
      attempt(problems, [&] {
        inputs.fail_at_key(key, fmt::format("{}: the input \"{}\" comes from the data file already",
                                            inputs.name(key), key));
      });
    } else if (from_file) {
      input.kind = "file";
      input.source = std::move(*data->inputs[i]);
    } else if (inputs.has(key)) {
      attempt(problems, [&] { read_input(inputs, key, study, input); });
    }
  }
  for (const std::string& name : inputs.keys()) {
    if (name == "all" || index_of(study.model.inputs, name) >= 0) {
      continue;
    }
    attempt(problems, [&] {
      inputs.fail_at_key(name, fmt::format("{}: the model has no input \"{}\"{}", inputs.name(name),
                                           name, suggestion(name, study.model.inputs)));
    });
  }
}

}  // namespace alembert::study
