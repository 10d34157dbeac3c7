#include "alembert/identify/detail/linear_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "alembert/core/text.hpp"
#include "alembert/model/detail/second_order_words.hpp"
#include "identify/linear/output_motion.hpp"

namespace alembert::identify {
namespace {

std::string counted_motions(long long count, model::Motion motion) {
  if (count == 1) return fmt::format("1 {}", name_of(motion));
  return motion == model::Motion::Velocity ? fmt::format("{} velocities", count)
                                           : fmt::format("{} {}s", count, name_of(motion));
}

}  // namespace

std::string sensor_words(const model::OutputMap& map) {
  std::vector<std::string> parts;
  long long others = map.outputs();
  for (const model::Motion motion : kMotions) {
    long long count = 0;
    for (Eigen::Index i = 0; i < map.outputs(); ++i) count += motion_of_output(map, i) == motion;
    if (count > 0) parts.push_back(counted_motions(count, motion));
    others -= count;
  }
  if (others > 0) parts.push_back(fmt::format("{} mixed output{}", others, others == 1 ? "" : "s"));
  return join(parts, " and ");
}

std::string percent_words(const Eigen::Vector3d& shares) {
  return fmt::format("M {:.2g} %  D {:.2g} %  K {:.2g} %", 100.0 * shares(0), 100.0 * shares(1),
                     100.0 * shares(2));
}

std::string result_words(const LinearIdentification& fit) {
  std::string words = model::definiteness_words(fit.definiteness);
  if (fit.refined) words += fmt::format(", condition {:.1e}", fit.refinement.condition);
  if (fit.expected_error) words += "; std " + percent_words(*fit.expected_error);
  return words;
}

std::string deviation_words(double deviation) {
  return std::isfinite(deviation) ? fmt::format("{:.2g}", deviation) : "-";
}

std::string fit_range_words(const std::vector<ResidualVerdict>& outputs, const std::string& where) {
  double lowest = 100.0;
  double highest = -1e300;
  for (const ResidualVerdict& one : outputs) {
    lowest = std::min(lowest, one.fit);
    highest = std::max(highest, one.fit);
  }
  const std::string fit = highest - lowest < 0.1
                              ? fmt::format("fit {:.1f} %", lowest)
                              : fmt::format("fit {:.1f} to {:.1f} %", lowest, highest);
  return fmt::format("{}{}, residuals {}", fit, where, to_string(whiteness_of(outputs)));
}

std::string remark_words(const DataRemark& remark) {
  return remark.channel.empty() ? remark.text : remark.channel + " " + remark.text;
}

}  // namespace alembert::identify
