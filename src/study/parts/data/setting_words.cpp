#include "study/parts/data/setting_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "alembert/core/text.hpp"
#include "alembert/document/words.hpp"

namespace alembert::study {
namespace {

std::string number_list(const std::vector<double>& values) {
  constexpr std::size_t kMost = 6;
  std::string text;
  for (std::size_t i = 0; i < std::min(values.size(), kMost); ++i) {
    text += fmt::format("{}{:.4g}", i == 0 ? "" : ", ", values[i]);
  }
  return values.size() > kMost ? fmt::format("{}, \u2026 ({})", text, values.size()) : text;
}

// Each kind of input in a few words.
struct InputSettingWords {
  double step;

  std::string operator()(const ZeroInput&) const { return ""; }
  std::string operator()(const FileInput& input) const {
    const std::string factor =
        input.factor == 1.0 ? "" : fmt::format(", times {}", document::significant(input.factor));
    return fmt::format("column {}{}", document::with_unit(input.column, input.unit), factor);
  }
  std::string operator()(const signal::SplineNoiseOptions& options) const {
    const std::string knots = options.knot_step > 0.0
                                  ? fmt::format("a knot every {:.4g} s", options.knot_step)
                                  : std::string("a knot on every sample");
    return fmt::format("sigma {:.4g}, {}", options.sigma, knots);
  }
  std::string operator()(const signal::MultisineOptions& options) const {
    if (options.lines.empty()) return fmt::format("rms {:.4g}", options.rms);
    const auto [low, high] = std::minmax_element(options.lines.begin(), options.lines.end());
    const double period = step * static_cast<double>(options.period_samples);
    const std::string band = options.period_samples > 0 ? fmt::format(", {:.4g} to {:.4g} Hz",
                                                                      *low / period, *high / period)
                                                        : std::string();
    return fmt::format(
        "{}{}, rms {:.4g}, {} phases",
        document::count_of(static_cast<long long>(options.lines.size()), "line"), band, options.rms,
        options.phase == signal::MultisineOptions::Phase::Random ? "random" : "Schroeder");
  }
  std::string operator()(const signal::ChirpOptions& options) const {
    return fmt::format("{:.4g} to {:.4g} Hz, {}, amplitude {:.4g}", options.begin_hz,
                       options.end_hz, options.logarithmic ? "logarithmic" : "linear",
                       options.amplitude);
  }
  std::string operator()(const signal::PrbsOptions& options) const {
    return fmt::format("order {}, clock {:.4g} s, amplitude {:.4g}", options.order,
                       step * static_cast<double>(options.clock_samples), options.amplitude);
  }
  std::string operator()(const signal::StepsOptions& options) const {
    return fmt::format("to {} at {} s", number_list(options.levels), number_list(options.times));
  }
  std::string operator()(const signal::PulsesOptions& options) const {
    return fmt::format("at {} s, {:.4g} s wide, amplitude {:.4g}", number_list(options.times),
                       options.width, options.amplitude);
  }
};

}  // namespace

std::string input_setting_words(const InputSource& source, double step) {
  return std::visit(InputSettingWords{step}, source);
}

std::string sensor_setting_words(const signal::SensorOptions& options) {
  std::vector<std::string> parts;
  if (options.bias != 0.0) parts.push_back(fmt::format("bias {:.4g}", options.bias));
  if (options.bits) {
    parts.push_back(fmt::format("{} bits on [{:.4g}, {:.4g}]", *options.bits, options.range_lower,
                                options.range_upper));
  }
  if (options.counts_per_turn) {
    parts.push_back(fmt::format("{:.6g} counts a turn", *options.counts_per_turn));
  }
  if (options.whole_counts) parts.push_back("whole counts");
  if (options.turn) parts.push_back(fmt::format("starts again after {:.6g}", *options.turn));
  if (options.rate_hz) parts.push_back(fmt::format("{:.4g} Hz", *options.rate_hz));
  if (options.delay > 0.0) parts.push_back(fmt::format("delay {:.4g} s", options.delay));
  return join(parts, ", ");
}

}  // namespace alembert::study
