#include "study/parts/data/read_inputs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "alembert/core/error.hpp"
#include "alembert/core/text.hpp"
#include "study/parts/data/tables_inputs.hpp"
#include "study/parts/names.hpp"
#include "study/schema/check_keys.hpp"

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

InputSource spline_noise(const TableReader& input, const SampleGrid& grid) {
  const signal::SplineNoiseOptions options = spline_noise_keys().read(input);
  const double length = static_cast<double>(grid.samples - 1) * grid.step;
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

std::vector<int> lines_of_band(const TableReader& input, const SampleGrid& grid,
                               Eigen::Index period) {
  const std::vector<double> band = input.numbers("band");
  if (band[0] > band[1]) {
    input.fail("band", "must give the lower frequency first");
  }
  check_below_nyquist(input, "band", band[1], grid.step);
  if ((band[1] - band[0]) * static_cast<double>(period) * grid.step > kMostLines) {
    input.fail("band", "holds more than 1e6 lines; give a shorter period");
  }
  std::vector<int> lines =
      signal::lines_in_band(period, grid.step, band[0], band[1], input.boolean("odd"));
  if (lines.empty()) {
    input.fail("band", fmt::format("holds no line: the lines are {:.6g} Hz apart",
                                   1.0 / (static_cast<double>(period) * grid.step)));
  }
  return lines;
}

InputSource multisine(const TableReader& input, const SampleGrid& grid) {
  signal::MultisineOptions options = multisine_keys().read(input);
  options.period_samples =
      input.has("period") ? steps_in(input, "period", grid.step) : grid.samples;
  options.lines = input.has("lines") ? chosen_lines(input, options.period_samples)
                                     : lines_of_band(input, grid, options.period_samples);
  return options;
}

InputSource chirp(const TableReader& input, const SampleGrid& grid) {
  const signal::ChirpOptions options = chirp_keys().read(input);
  for (const char* key : {"begin", "end"}) {
    check_below_nyquist(input, key, input.number(key), grid.step);
    if (options.logarithmic && input.number(key) == 0.0) {
      input.fail(key, "must be above 0 Hz for a logarithmic chirp, got 0");
    }
  }
  return options;
}

InputSource prbs(const TableReader& input, const SampleGrid& grid) {
  signal::PrbsOptions options = prbs_keys().read(input);
  if (input.has("clock")) options.clock_samples = steps_in(input, "clock", grid.step);
  return options;
}

InputSource steps(const TableReader& input) {
  signal::StepsOptions options = steps_keys().read(input);
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

InputSource pulses(const TableReader& input, const SampleGrid& grid) {
  signal::PulsesOptions options = pulses_keys().read(input);
  if (options.width < 2.0 * grid.step) {
    input.fail("width", fmt::format("must be two steps or more, {} s, or samples miss the pulse, "
                                    "got {}",
                                    shortest(2.0 * grid.step), shortest(options.width)));
  }
  return options;
}

InputSource read_input_source(const TableReader& input, const SampleGrid& grid) {
  const std::string kind = input.text("kind");
  if (kind == "spline-noise") {
    return spline_noise(input, grid);
  }
  if (kind == "multisine") {
    return multisine(input, grid);
  }
  if (kind == "chirp") {
    return chirp(input, grid);
  }
  if (kind == "prbs") {
    return prbs(input, grid);
  }
  if (kind == "steps") {
    return steps(input);
  }
  if (kind == "pulses") {
    return pulses(input, grid);
  }
  return ZeroInput{};
}

// Limits that the signal module sets itself are reported at the table of the input.
void read_input(const TableReader& inputs, const std::string& key, const SampleGrid& grid,
                InputDescription& input) {
  input.kind = inputs.table(key).text("kind");
  try {
    input.source = read_input_source(inputs.table(key), grid);
  } catch (const InvalidInput& error) {
    inputs.fail_at_key(key, inputs.name(key) + ": " + error.reason());
  }
}

void refuse_unknown(const TableReader& inputs, const std::vector<std::string>& known,
                    std::vector<Problem>& problems) {
  for (const std::string& name : inputs.keys()) {
    if (name == "all" || index_of(known, name) >= 0) continue;
    attempt(problems, [&] {
      inputs.fail_at_key(name, fmt::format("{}: the model has no input \"{}\"{}", inputs.name(name),
                                           name, suggestion(name, known)));
    });
  }
}

}  // namespace

std::vector<InputDescription> read_inputs(const TableReader& inputs, const ModelInputs& model,
                                          std::optional<DataInputs> data, const SampleGrid& grid,
                                          std::vector<Problem>& problems) {
  std::vector<InputDescription> list;
  list.reserve(model.names.size());
  for (std::size_t i = 0; i < model.names.size(); ++i) {
    list.push_back(
        {.name = model.names[i], .unit = model.units[i], .kind = "zero", .source = ZeroInput{}});
    InputDescription& input = list.back();
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
      attempt(problems, [&] { read_input(inputs, key, grid, input); });
    }
  }
  refuse_unknown(inputs, model.names, problems);
  return list;
}

}  // namespace alembert::study
