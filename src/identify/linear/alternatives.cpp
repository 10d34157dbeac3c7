#include "alembert/identify/alternatives.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "alembert/core/error.hpp"
#include "alembert/core/parallel.hpp"
#include "alembert/identify/linear.hpp"
#include "alembert/integrate/hold.hpp"
#include "identify/linear/setup.hpp"
#include "identify/verdict/readings.hpp"

namespace alembert::identify {
namespace {

using Eigen::Index;

constexpr Index kMostSamples = 1500;
constexpr Index kLeastSamples = 200;
constexpr double kMostWork = 2e7;     // samples x outputs x unknowns x readings
constexpr int kIterations = 10;       // of a right reading, from its start, five are enough
constexpr double kUnitSlip = 1000.0;  // kN for N

void add_holds(const LinearOptions& options, Readings& readings) {
  if (!uses_hold(options)) return;
  using signal::BetweenSamples;
  for (const BetweenSamples hold :
       {BetweenSamples::Held, BetweenSamples::Linear, BetweenSamples::Cubic}) {
    if (hold == options.refinement.hold) continue;
    readings.push_back(
        {.words = fmt::format("hold = \"{}\" between samples", integrate::hold_name(hold)),
         .between = hold});
  }
}

Readings readings_of(const LinearOptions& options) {
  Readings readings;
  const LinearNames& names = options.names;
  // All of one sign is a matter of convention: it makes M negative and is seen without a trial.
  add_signs_and_swaps(&Experiment::output, names.outputs, readings);
  add_exchange(names.inputs.size(), names.outputs.size(), readings);
  // A single force scales M, D and K, and no residual; one of several does not.
  if (names.inputs.size() > 1) {
    add_signs_and_swaps(&Experiment::input, names.inputs, readings);
    add_units(&Experiment::input, names.inputs, {kUnitSlip, 1.0 / kUnitSlip}, readings);
  }
  add_holds(options, readings);
  add_delays(names.outputs, {1, 2, 3, 4, 6, 8, -1, -2, -3}, {1, 2, 3, -1, -2}, false, readings);
  return readings;
}

LinearOptions quick(LinearOptions options) {
  options.alternatives = false;
  options.threads = 1;
  options.examine_records = false;
  options.compare.clear();
  options.truth.reset();
  options.refinement.coloured = false;  // nobody looks at the deviations
  options.refinement.max_iterations = std::min(options.refinement.max_iterations, kIterations);
  options.refinement.on_progress = {};
  return options;
}

// Infinite if nothing was found.
double misfit(const Experiments& data, const LinearOptions& options,
              std::vector<Eigen::MatrixXd>* residuals) {
  try {
    const LinearIdentification found = identify_linear(data, options);
    if (found.has_system()) {
      if (residuals != nullptr) *residuals = found.refinement.residuals;
      return relative_misfit(data, found.refinement.noise);
    }
  } catch (const InvalidInput&) {
    // A reading that cannot be identified at all explains nothing.
  }
  return HUGE_VAL;
}

// How many samples the work allows.
Index most_samples(const LinearOptions& options, std::size_t readings) {
  const auto outputs = static_cast<double>(options.names.outputs.size());
  const double work =
      outputs * static_cast<double>(options.unknowns.size()) * static_cast<double>(readings);
  return std::min(kMostSamples, static_cast<Index>(kMostWork / work));
}

// Of the columns as given, then of each reading.
std::vector<double> misfits_of(const Experiments& data, const LinearOptions& options,
                               const Readings& readings) {
  std::vector<double> misfits(readings.size() + 1, HUGE_VAL);
  std::vector<Eigen::MatrixXd> as_given;
  parallel_for(misfits.size(),
               [&](std::size_t i) {
                 Experiments changed = data;
                 LinearOptions settings = quick(options);
                 if (i > 0 && readings[i - 1].apply) readings[i - 1].apply(changed);
                 if (i > 0 && readings[i - 1].between) {
                   settings.refinement.hold = *readings[i - 1].between;
                 }
                 misfits[i] = misfit(changed, settings, i == 0 ? &as_given : nullptr);
               },
               {.threads = options.threads, .stop = options.refinement.stop});
  count_on_the_others(data, as_given, readings, misfits);
  return misfits;
}

}  // namespace

std::vector<Alternative> find_alternatives(const Experiments& data, const LinearOptions& asked) {
  const LinearOptions options = linear_setup(data, {}, asked).options;
  Readings readings = readings_of(options);
  const Index most = most_samples(options, readings.size());
  if (most < kLeastSamples) return {};
  const Experiments part = first_samples(data, most, kLeastSamples);
  add_omissions(part.size(), readings);
  return clearly_better(readings, misfits_of(part, options, readings),
                        static_cast<double>(measured_samples(part)));
}

}  // namespace alembert::identify
