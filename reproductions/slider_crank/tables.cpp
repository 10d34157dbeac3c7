#include <fmt/format.h>

#include <limits>

#include "reproductions/slider_crank/runs.hpp"
#include "reproductions/slider_crank/tuning.hpp"

namespace alembert::reproductions::slider_crank {
namespace {

using Eigen::Index;

bool with_faults(const Run& run) { return run.choice == Choice::Wrong; }

template <typename Values>
void add_row(const std::string& name, const Values& values, Table& table) {
  const Index row = table.values.rows();
  table.rows.push_back({name});
  table.values.conservativeResize(row + 1, static_cast<Index>(values.size()));
  Index column = 0;
  for (const double value : values) table.values(row, column++) = value;
}

std::vector<double> overall(const Run& run) {
  const Numbers& here = run.score;
  const Numbers& reference = run.one.reference;
  return {here.all.velocity,
          reference.all.velocity,
          here.all.acceleration,
          reference.all.acceleration,
          here.nis,
          reference.nis,
          here.nees,
          reference.nees};
}

std::vector<std::string> overall_header(const std::string& first) {
  return {first,
          "velocity [rad/s]",
          "reference [rad/s]",
          "acceleration [rad/s^2]",
          "reference [rad/s^2]",
          "NIS",
          "reference NIS",
          "NEES (3)",
          "reference NEES"};
}

Table overall_table(const Runs& runs) {
  Table table{
      .id = "errors",
      .title = "Errors of the observers of the slider-crank",
      .header = overall_header("observer"),
      .caption =
          "rms over the scored samples, means over the noise seeds; NIS should be 1 for the "
          "input form and 2 for the output form, NEES 3. The number of a row is its place "
          "in the figure. Switch: distance from a dead centre in rad, below which the input "
          "form walks at random. NEES of the input form hangs on the noise levels in the "
          "switch and is not held; that of the output form is smaller here than in the "
          "reference"};
  for (std::size_t i = 0; i < runs.size(); ++i) {
    if (with_faults(runs[i])) continue;
    add_row(fmt::format("{}: {}", i + 1, runs[i].one.name), overall(runs[i]), table);
  }
  return table;
}

Table zone_table(const Runs& runs, double Errors::*kind, const std::string& name,
                 const std::string& unit) {
  Table table{.id = name + "-by-zone",
              .title = "Error of the " + name + " near and far from the dead centres",
              .header = {"observer"},
              .caption =
                  "At most 0.08 rad from a dead centre, 0.08 to 0.3 rad, beyond; rms "
                  "in " +
                  unit};
  for (const char* const zone : {"near", "between", "far"}) {
    table.header.push_back(fmt::format("{} [{}]", zone, unit));
    table.header.push_back(fmt::format("reference, {} [{}]", zone, unit));
  }
  for (std::size_t i = 0; i < runs.size(); ++i) {
    if (with_faults(runs[i])) continue;
    std::vector<double> values;
    for (std::size_t zone = 0; zone < kZones; ++zone) {
      values.push_back(runs[i].score.zones[zone].*kind);
      values.push_back(runs[i].one.reference.zones[zone].*kind);
    }
    add_row(fmt::format("{}: {}", i + 1, runs[i].one.name), values, table);
  }
  return table;
}

Table fault_table(const Runs& runs) {
  Table table{.id = "faults",
              .title = "Wrong lengths and a biased accelerometer",
              .header = overall_header("what is wrong: observer"),
              .caption =
                  "Crank 1 % too long and rod 2 % too short in the observer; bias of the "
                  "accelerometer. Noise levels are searched anew for each row; with "
                  "states for what is wrong they are those of the reference, and errors "
                  "count from 2 s on. The searches are local. With lengths and bias the "
                  "cost of the output form has two minima and the reference is at the "
                  "smaller density; for the switch at 0.25 rad its numbers are close to "
                  "those of the levels without fault, and larger variances do better. "
                  "A larger sigma of the accelerometer trades velocity against "
                  "acceleration at nearly the same cost"};
  for (std::size_t i = 0; i < runs.size(); ++i) {
    if (!with_faults(runs[i])) continue;
    add_row(fmt::format("{}: {}", i + 1, runs[i].one.name), overall(runs[i]), table);
  }
  return table;
}

Table level_table(const Runs& runs) {
  Table table{.id = "levels",
              .title = "Noise levels found with the truth at hand",
              .header = {"observer", "log10 q, velocity", "acceleration", "velocity, in the switch",
                         "acceleration, in the switch", "log10 density",
                         "sigma of the accelerometer [m/s^2]", "evaluations"},
              .caption =
                  "Simplex search on the record of seed 100 for the least rms velocity "
                  "error/0.05 + rms acceleration error/2; q: variances that a step "
                  "adds"};
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const Case& one = runs[i].one;
    if (one.tuning == Tuning::None) continue;
    const Eigen::VectorXd levels = levels_of(one);
    std::vector<double> values(7, kNone);
    if (one.tuning == Tuning::Levels) {
      for (Index k = 0; k < 4; ++k) values[static_cast<std::size_t>(k)] = levels(k);
    } else {
      values[4] = levels(0);
      values[5] = one.model.accelerometer_sigma;
    }
    values[6] = static_cast<double>(runs[i].evaluations);
    add_row(fmt::format("{}: {}", i + 1, one.name), values, table);
  }
  return table;
}

}  // namespace

std::vector<Table> tables_of(const Runs& runs, bool full) {
  std::vector<Table> tables = {
      overall_table(runs), zone_table(runs, &Errors::velocity, "velocity", "rad/s"),
      zone_table(runs, &Errors::acceleration, "acceleration", "rad/s^2"), fault_table(runs)};
  if (full) tables.push_back(level_table(runs));
  return tables;
}

}  // namespace alembert::reproductions::slider_crank
