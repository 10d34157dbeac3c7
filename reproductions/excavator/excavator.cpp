#include "reproductions/excavator/excavator.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "alembert/core/parallel.hpp"
#include "reproductions/excavator/records.hpp"

namespace alembert::reproductions::excavator {
namespace {

using Eigen::Index;

const char* const kReference =
    "reference computation: an independent program, a machine of the same class and the same "
    "noises, one seed";
const char* const kOwnMachine =
    "dimensions, masses, motion and digging force are our own, those of the reference are not "
    "known; only class, noises and forces sought are the same";
const char* const kPromise = "own promise: no worse than the reference computation";

const std::vector<ObserverCase>& excavator_cases() {
  static const std::vector<ObserverCase> cases = {
      {"joint form", "excavator/alarm.toml"},
      {"two stages", "excavator/observe-two-stage.toml"},
      {"joint form, low pass of 10 Hz",
       "excavator/alarm.toml",
       {{"observe.forces", "{ model = \"low-pass\", cutoff = 10.0, density = 1e10 }"}}}};
  return cases;
}

/// The rms errors of one observer, N, in the order of kForces.
struct Reference {
  std::array<double, 3> rms;
};
constexpr std::size_t kLowPass = 2;  // of excavator_cases()
constexpr std::array<const char*, 3> kForces = {"dig_x", "dig_y", "payload"};
constexpr std::array<Reference, 3> kReferences = {
    {{{1490.0, 3330.0, 2880.0}}, {{1490.0, 3360.0, 2920.0}}, {{2300.0, 8100.0, 8700.0}}}};

using Runs = std::vector<std::vector<Errors>>;  // seeds x cases

double force_error(const Errors& errors, std::size_t force) {
  const std::array<double, 3> all = {errors.dig_x, errors.dig_y, errors.payload};
  return all[force];
}

template <typename Value>
double mean_over(const Runs& runs, const Value& value) {
  double sum = 0.0;
  for (const std::vector<Errors>& run : runs) sum += value(run);
  return sum / static_cast<double>(runs.size());
}

double mean_error(const Runs& runs, std::size_t observer, std::size_t force) {
  return mean_over(runs, [&](const auto& run) { return force_error(run[observer], force); });
}

// Of another machine the errors need not be the same: the better observers must not be worse, the
// published model of the forces is held beside its figures.
void claim_errors(const Runs& runs, std::vector<Claim>& claims) {
  for (std::size_t c = 0; c < excavator_cases().size(); ++c) {
    const bool low_pass = c == kLowPass;
    for (std::size_t f = 0; f < kForces.size(); ++f) {
      const double reference = kReferences[c].rms[f];
      Claim claim{.name = fmt::format("rms {}, {}", kForces[f], excavator_cases()[c].name),
                  .measured = mean_error(runs, c, f),
                  .unit = "N",
                  .reference = reference,
                  .target = low_pass ? within(reference, 0.1) : fmt::format("<= {}", reference),
                  .source = low_pass ? kReference : kPromise,
                  .reason = low_pass ? kOwnMachine : ""};
      claims.push_back(low_pass ? compared(std::move(claim)) : promised(std::move(claim)));
    }
  }
}

// What the reference says of the observers beside each other does not rest on the machine.
void claim_order(const Runs& runs, std::vector<Claim>& claims) {
  for (std::size_t f = 0; f < kForces.size(); ++f) {
    claims.push_back(
        compared({.name = fmt::format("rms {}, two stages over joint form", kForces[f]),
                  .measured = mean_error(runs, 1, f) / mean_error(runs, 0, f),
                  .reference = kReferences[1].rms[f] / kReferences[0].rms[f],
                  .target = within(kReferences[1].rms[f] / kReferences[0].rms[f], 0.05),
                  .source = kReference}));
    claims.push_back(
        promised({.name = fmt::format("rms {}, low pass over random walk", kForces[f]),
                  .measured = mean_error(runs, 2, f) / mean_error(runs, 0, f),
                  .reference = kReferences[2].rms[f] / kReferences[0].rms[f],
                  .target = "> 1",
                  .source = "own promise: a low pass, as published, is no better model of these "
                            "forces than a random walk"}));
  }
}

void claim_trust(const Runs& runs, std::vector<Claim>& claims) {
  const auto count = static_cast<double>(runs.size());
  claims.push_back(
      promised({.name = "NEES per state, joint form",
                .measured = mean_over(runs, [](const auto& run) { return run[0].nees; }),
                .target = "0.5 .. 1.3",
                .source = "own promise: deviations that are neither too small nor twice "
                          "too large; 1 is ideal"}));
  claims.push_back(promised(
      {.name = "records with the verdict good, joint form, part",
       .measured = mean_over(runs, [](const auto& run) { return run[0].good ? 1.0 : 0.0; }),
       .target = ">= 0.9",
       .source = "own promise: false alarms of a verdict are rare"}));
  double latest = 0.0, early = 0.0, none = 0.0;
  for (const std::vector<Errors>& run : runs) {
    none += std::isnan(run[0].alarm) ? 1.0 : 0.0;
    latest = std::max(latest, run[0].alarm);
    early += run[0].early;
  }
  claims.push_back(promised({.name = "records without the alarm on the pull, part",
                             .measured = none / count,
                             .target = "== 0",
                             .source = "own promise: the pull is 14 kN above the limit"}));
  claims.push_back(promised({.name = "alarms before the pull is there",
                             .measured = early,
                             .target = "== 0",
                             .source = "own promise: one false alarm an hour, records of 5 s"}));
  claims.push_back(promised({.name = "latest alarm after 35 kN are passed",
                             .measured = latest,
                             .unit = "s",
                             .target = "<= 0.15",
                             .source = "own promise: the pull gains 10 kN in the first 0.1 s"}));
}

Table error_table(const Runs& runs) {
  Table table{.id = "errors",
              .title = "Rms errors of the forces, means over the records",
              .header = {"observer", "dig_x [N]", "dig_x, reference [N]", "dig_y [N]",
                         "dig_y, reference [N]", "payload [N]", "payload, reference [N]",
                         "NEES per state"}};
  table.values.resize(static_cast<Index>(excavator_cases().size()), 7);
  for (std::size_t c = 0; c < excavator_cases().size(); ++c) {
    table.rows.push_back({excavator_cases()[c].name});
    const auto row = static_cast<Index>(c);
    for (std::size_t f = 0; f < kForces.size(); ++f) {
      table.values(row, 2 * static_cast<Index>(f)) = mean_error(runs, c, f);
      table.values(row, 2 * static_cast<Index>(f) + 1) = kReferences[c].rms[f];
    }
    table.values(row, 6) = mean_over(runs, [&](const auto& run) { return run[c].nees; });
  }
  return table;
}

}  // namespace

Reproduction run(const ReproduceOptions& options) {
  const std::size_t seeds = options.full ? 100 : 10;
  Reproduction result;
  result.name = "excavator";
  result.title = "Digging force and payload of an excavator";
  result.summary = fmt::format(
      "Boom, stick and bucket with its four-bar linkage, moved by three cylinders whose forces are "
      "read by load cells of 12.3 kN; encoders of 0.0063 rad, accelerometers of 0.03 m/s^2, 200 "
      "Hz. "
      "Sought: the force on the tooth in two directions and the weight in the bucket. Noises are "
      "those of the publication; dimensions, masses, motion and forces are our own, because the "
      "published machine is not described. Noise levels of the observers are those that "
      "studies/excavator/observe.toml finds from one record. {} records that differ in their "
      "noise.",
      seeds);
  result.source = "MultibodyThesis (docs/references.md), section 3.2.2";
  Runs runs(seeds);
  const std::size_t done = parallel_for(
      seeds,
      [&](std::size_t k) { runs[k] = errors_of(excavator_cases(), static_cast<long long>(k) + 1); },
      options.parallel);
  if (done < seeds) {
    result.status = Status::Stopped;
    result.message = "stopped on request; no claim is made";
    return result;
  }
  claim_errors(runs, result.claims);
  claim_order(runs, result.claims);
  claim_trust(runs, result.claims);
  result.tables = {error_table(runs)};
  return result;
}

}  // namespace alembert::reproductions::excavator
