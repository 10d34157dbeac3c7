#include "print.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "alembert/core/text.hpp"

namespace alembert::app {
namespace {

constexpr std::size_t kLineWidth = 100;
constexpr std::size_t kColumnGap = 2;

// A column of a table, ready to print.
struct TextColumn {
  std::string heading;
  std::vector<std::string> cells;
  std::size_t width = 0;
};

std::vector<TextColumn> text_columns(const reproductions::NumberTable& table) {
  std::vector<TextColumn> columns;
  for (Eigen::Index j = 0; j < table.values.cols(); ++j) {
    TextColumn column{.heading = table.columns[static_cast<std::size_t>(j)], .cells = {}};
    column.width = column.heading.size();
    for (Eigen::Index i = 0; i < table.values.rows(); ++i) {
      const double value = table.values(i, j);
      column.cells.push_back(std::isnan(value) ? "" : fmt::format("{:.5g}", value));
      column.width = std::max(column.width, column.cells.back().size());
    }
    columns.push_back(std::move(column));
  }
  return columns;
}

// One behind the last column that fits on the lines that begin with column `first`.
std::size_t end_of_part(const std::vector<TextColumn>& columns, std::size_t first,
                        std::size_t label) {
  std::size_t width = label + kColumnGap + columns[first].width;
  std::size_t end = first + 1;
  while (end < columns.size() && width + kColumnGap + columns[end].width <= kLineWidth) {
    width += kColumnGap + columns[end].width;
    ++end;
  }
  return end;
}

}  // namespace

int print_problems(const std::vector<study::Problem>& problems, const Session& session) {
  const int code = problems.front().in_data ? kBadData : kBadUsage;
  if (!session.machines.is_first()) {
    fail(session, study::to_string(problems.front()), code);
  }
  for (const study::Problem& problem : problems) {
    fmt::print(stderr, "{}\n", study::to_string(problem));
  }
  if (session.machines.size() > 1) {
    session.machines.abort(code);
  }
  return code;
}

std::string counted(long long count, const std::string& singular) {
  return fmt::format("{} {}{}", count, singular, count == 1 ? "" : "s");
}

std::string mechanism_words(const model::planar::Mechanism& mechanism) {
  const std::size_t bodies = mechanism.bodies().size();
  const auto joints = static_cast<long long>(mechanism.description().joints.size());
  return fmt::format("{} {}, {}, {}", bodies, bodies == 1 ? "body" : "bodies",
                     counted(joints, "joint"), counted(mechanism.coordinates(), "coordinate"));
}

void print_heading(const study::SimulateStudy& study) {
  const auto n =
      study.linear() != nullptr ? study.linear()->system.degrees_of_freedom() : Eigen::Index{0};
  const auto inputs = static_cast<long long>(study.inputs.size());
  const std::string moving =
      study.mechanism() != nullptr ? mechanism_words(*study.mechanism()->mechanism)
      : study.equations() != nullptr
          ? fmt::format(
                "{}, {}",
                counted(static_cast<long long>(study.equations()->model.states().size()), "state"),
                counted(inputs, "input"))
          : fmt::format("{} degree{} of freedom, {}", n, n == 1 ? "" : "s",
                        counted(inputs, "force"));
  fmt::print("{}\n", study.title);
  fmt::print("  {:<10} {}, {}, {} samples at {:.6g} Hz\n", "study", moving,
             counted(static_cast<long long>(study.sensors.size()), "sensor"), study.samples,
             1.0 / study.step);
  std::fflush(stdout);  // What follows may take long.
}

void print_step(const std::string& name, const std::string& what, const std::string& time) {
  if (time.empty()) {
    fmt::print("  {:<10} {}\n", name, what);
  } else {
    fmt::print("  {:<10} {:<56} {:>8}\n", name, what, time);
  }
}

void print_modes(const std::vector<model::DampedMode>& modes) {
  constexpr std::size_t kMost = 12;
  fmt::print("  {:<10} {:>10} {:>12}\n", "modes", "Hz", "damping %");
  for (std::size_t i = 0; i < std::min(kMost, modes.size()); ++i) {
    fmt::print("  {:>4}       {:>10.4f} {:>12.3f}\n", i + 1, modes[i].frequency_hz,
               100.0 * modes[i].damping_ratio);
  }
  if (modes.size() > kMost) {
    fmt::print("   ...       {} more\n", modes.size() - kMost);
  }
}

std::string model_words(const model::SecondOrderCheck& check) {
  const auto word = [](const Definiteness& found) {
    if (found.positive_definite) {
      return "positive definite";
    }
    return found.positive_semidefinite ? "positive semidefinite" : "indefinite";
  };
  const std::string mass = word(check.mass);
  const std::string damping = word(check.damping);
  const std::string stiffness = word(check.stiffness);
  if (mass == damping && mass == stiffness) {
    return "M, D, K " + mass;
  }
  return fmt::format("M {}, D {}, K {}", mass, damping, stiffness);
}

std::string sensor_words(const study::SimulateResult& result) {
  double lowest = 1e300;
  double highest = -1e300;
  for (const study::Experiment& experiment : result.experiments) {
    for (const study::SensorOutcome& outcome : experiment.sensors) {
      if (!outcome.snr_db) {
        continue;
      }
      lowest = std::min(lowest, *outcome.snr_db);
      highest = std::max(highest, *outcome.snr_db);
    }
  }
  const std::string count = counted(static_cast<long long>(result.study.sensors.size()), "record");
  if (lowest > highest) {
    return count + ", noise-free";
  }
  if (highest - lowest < 0.05) {
    return fmt::format("{}, SNR {:.1f} dB", count, lowest);
  }
  return fmt::format("{}, SNR {:.1f} to {:.1f} dB", count, lowest, highest);
}

void print_table(const reproductions::NumberTable& table) {
  const std::vector<TextColumn> columns = text_columns(table);
  std::size_t label = table.row_title.size();
  for (const std::string& row : table.rows) {
    label = std::max(label, row.size());
  }
  fmt::print("{}\n", table.title);
  for (std::size_t first = 0; first < columns.size();) {
    const std::size_t end = end_of_part(columns, first, label);
    fmt::print("{:<{}}", table.row_title, label);
    for (std::size_t j = first; j < end; ++j) {
      fmt::print("  {:>{}}", columns[j].heading, columns[j].width);
    }
    for (std::size_t i = 0; i < table.rows.size(); ++i) {
      fmt::print("\n{:<{}}", table.rows[i], label);
      for (std::size_t j = first; j < end; ++j) {
        fmt::print("  {:>{}}", columns[j].cells[i], columns[j].width);
      }
    }
    fmt::print("\n\n");
    first = end;
  }
}

void print_claims(const std::vector<document::Claim>& claims) {
  fmt::print("{:>11} {:>11}  {:<16} {:<4} {}\n", "measured", "published", "target", "ok", "claim");
  for (const document::Claim& claim : claims) {
    const std::string published =
        claim.published ? fmt::format("{:.5g}", *claim.published) : std::string("-");
    const std::string target = claim.target + (claim.unit.empty() ? "" : " " + claim.unit);
    fmt::print("{:>11.5g} {:>11}  {:<16} {:<4} {}\n", claim.measured, published, target,
               claim.ok ? "yes" : "NO", claim.name);
  }
}

}  // namespace alembert::app
