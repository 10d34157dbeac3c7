#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "alembert/core/text.hpp"
#include "alembert/identify/linear.hpp"
#include "identify/linear/output_motion.hpp"

namespace alembert::identify {
namespace {

constexpr std::size_t kMostModesShown = 12;
constexpr Eigen::Index kMostCoordinatesShown = 4;  // of matrices entry by entry

/// Lines of text, each with a name before it.
class Lines {
 public:
  void add(std::string_view name, const std::string& what) {
    text_ += fmt::format("{}{:<10} {}", text_.empty() ? "" : "\n", name, what);
    text_.erase(text_.find_last_not_of(' ') + 1);
  }
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  std::string text_;
};

std::string number_of(long long count, std::string_view singular) {
  const bool velocities = singular == "velocity" && count != 1;
  return velocities ? fmt::format("{} velocities", count)
                    : fmt::format("{} {}{}", count, singular, count == 1 ? "" : "s");
}

// "8 displacements", "2 displacements and 1 acceleration"
std::string sensor_words(const model::OutputMap& map) {
  std::vector<std::string> parts;
  long long others = map.outputs();
  for (const model::Motion motion : kMotions) {
    long long count = 0;
    for (Eigen::Index i = 0; i < map.outputs(); ++i) count += motion_of_output(map, i) == motion;
    if (count > 0) parts.push_back(number_of(count, name_of(motion)));
    others -= count;
  }
  if (others > 0) parts.push_back(number_of(others, "mixed output"));
  return join(parts, " and ");
}

std::string size_words(const LinearIdentification& fit) {
  const Eigen::Index n = fit.problem.L.rows();
  const RecordSizes& records = fit.records;
  const auto experiments = static_cast<long long>(records.experiments);
  return fmt::format("{} degree{} of freedom, {}, {}, {} samples at {:.6g} Hz{}", n,
                     n == 1 ? "" : "s", number_of(fit.problem.L.cols(), "force"),
                     sensor_words(fit.problem.outputs), records.samples, 1.0 / records.step,
                     experiments == 1 ? "" : " in " + number_of(experiments, "experiment"));
}

std::string percent_words(const Eigen::Vector3d& shares) {
  return fmt::format("M {:.2g} %  D {:.2g} %  K {:.2g} %", 100.0 * shares(0), 100.0 * shares(1),
                     100.0 * shares(2));
}

std::string definiteness_words(const model::SecondOrderCheck& check) {
  const auto word = [](const Definiteness& found) -> std::string {
    return found.positive_definite       ? "positive definite"
           : found.positive_semidefinite ? "positive semidefinite"
                                         : "indefinite";
  };
  const std::string mass = word(check.mass);
  const std::string damping = word(check.damping);
  const std::string stiffness = word(check.stiffness);
  if (mass == damping && mass == stiffness) return "M, D, K " + mass;
  return fmt::format("M {}, D {}, K {}", mass, damping, stiffness);
}

std::string result_words(const LinearIdentification& fit) {
  std::string words = definiteness_words(fit.definiteness);
  if (fit.refined) words += fmt::format(", condition {:.1e}", fit.refinement.condition);
  if (fit.expected_error) words += "; std " + percent_words(*fit.expected_error);
  return words;
}

// The lower triangle; the upper one repeats it.
void add_matrix(const std::string& name, const Eigen::MatrixXd& values,
                const Eigen::MatrixXd& deviations, Lines& lines) {
  for (Eigen::Index i = 0; i < values.rows(); ++i) {
    std::string row;
    for (Eigen::Index j = 0; j <= i; ++j) {
      row += fmt::format("{:>12.5g}", values(i, j));
      if (deviations.size() > 0) row += fmt::format(" +- {:<8.2g}", deviations(i, j));
    }
    lines.add(i == 0 ? name : "", row);
  }
}

void add_matrices(const LinearIdentification& fit, Lines& lines) {
  const model::SecondOrder& system = fit.refinement.system;
  if (system.degrees_of_freedom() > kMostCoordinatesShown) return;
  add_matrix("M", system.M, fit.deviations.M, lines);
  add_matrix("D", system.D, fit.deviations.D, lines);
  add_matrix("K", system.K, fit.deviations.K, lines);
}

// Without refinement there are no deviations.
std::string deviation_words(double deviation) {
  return std::isfinite(deviation) ? fmt::format("{:.2g}", deviation) : "-";
}

void add_modes(const std::vector<ModeVerdict>& modes, Lines& lines) {
  if (modes.empty()) return;
  lines.add("modes", fmt::format("{:>10} {:>10} {:>12} {:>8}", "Hz", "+-", "damping %", "+-"));
  for (std::size_t i = 0; i < std::min(kMostModesShown, modes.size()); ++i) {
    const ModeVerdict& mode = modes[i];
    lines.add(fmt::format("{:>4}", i + 1),
              fmt::format("{:>10.4f} {:>10} {:>12.3f} {:>8}", mode.frequency_hz,
                          deviation_words(mode.frequency_deviation), 100.0 * mode.damping,
                          deviation_words(100.0 * mode.damping_deviation)));
  }
  if (modes.size() <= kMostModesShown) return;
  lines.add(" ...", fmt::format("{} more", modes.size() - kMostModesShown));
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

void add_verdict(const LinearIdentification& fit, Lines& lines) {
  if (fit.error) lines.add("error", percent_words(*fit.error) + " against the truth");
  if (!fit.outputs.empty()) lines.add("data", fit_range_words(fit.outputs, ""));
  if (!fit.validation) return;
  lines.add("validation",
            fit_range_words(fit.validation->outputs,
                            fmt::format(" on {} held-back samples", fit.records.held_back)));
}

void add_comparison(const LinearIdentification& fit, Lines& lines) {
  if (fit.comparison.empty()) return;
  lines.add("compare", fmt::format("{:<20} {:>8} {:>8} {:>8} {:>9}  {}",
                                   fit.error ? "error against truth" : "difference to first", "M %",
                                   "D %", "K %", "residual", "status"));
  for (const ComparedMethod& row : fit.comparison) {
    const Eigen::Vector3d shares =
        100.0 * row.error.value_or(Eigen::Vector3d(row.mass, row.damping, row.stiffness));
    lines.add("", fmt::format("{:<20} {:>8.3g} {:>8.3g} {:>8.3g} {:>9.4g}  {}", row.name, shares(0),
                              shares(1), shares(2), row.residual, to_string(row.status)));
  }
}

void add_words(const LinearIdentification& fit, Lines& lines) {
  for (const DataRemark& remark : fit.remarks) {
    lines.add("remark", remark.channel.empty() ? remark.text : remark.channel + " " + remark.text);
  }
  for (const std::string& warning : fit.warnings) lines.add("warning", warning);
}

}  // namespace

std::string LinearIdentification::summary() const {
  Lines lines;
  lines.add("records", size_words(*this));
  if (!start.words.empty()) lines.add("start", start.words);
  if (has_system()) {
    if (refined) lines.add("refine", number_of(refinement.iterations, "iteration"));
    lines.add("result", result_words(*this));
    add_matrices(*this, lines);
    add_modes(modes, lines);
    add_verdict(*this, lines);
    add_comparison(*this, lines);
  }
  add_words(*this, lines);
  if (!ok()) lines.add("failed", fmt::format("{}: {}", to_string(status), message));
  return lines.text();
}

std::string refine_words(const RefineOptions& options) {
  switch (options.method) {
    case integrate::Method::Variational:
      return "midpoint";
    case integrate::Method::Gauss:
      return fmt::format("gauss, {} stages, {} hold", options.gauss_stages,
                         integrate::hold_name(options.hold));
    default:
      return fmt::format("exact, {} hold", integrate::hold_name(options.hold));
  }
}

}  // namespace alembert::identify
