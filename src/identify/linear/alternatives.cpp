#include "alembert/identify/alternatives.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <utility>

#include "alembert/core/error.hpp"
#include "alembert/core/parallel.hpp"
#include "alembert/identify/linear.hpp"
#include "alembert/integrate/hold.hpp"
#include "identify/linear/setup.hpp"

namespace alembert::identify {
namespace {

using Eigen::Index;

constexpr Index kMostSamples = 1500;
constexpr Index kLeastSamples = 200;
constexpr double kMostWork = 2e7;  // samples x outputs x unknowns x readings
constexpr int kIterations = 10;    // of a right reading, from its start, five are enough
constexpr double kLeastGain = 1.2;
constexpr double kLeastLikelihood = 50.0;  // of -2 log L; the best of 100 readings has 20 by chance
constexpr double kUnitSlip = 1000.0;       // kN for N, mm for m
constexpr std::size_t kMostShown = 3;

// A change of records or options, and what it says of the data.
struct Reading {
  std::string words;
  std::function<void(Experiments& data, LinearOptions& options)> apply;
};

using Readings = std::vector<Reading>;
using Channels = Eigen::MatrixXd Experiment::*;

// Calls change(columns) for the inputs or the outputs of each experiment.
auto in_each(Channels part, std::function<void(Eigen::MatrixXd& columns)> change) {
  return [part, change = std::move(change)](Experiments& data, LinearOptions& /*options*/) {
    for (Experiment& one : data) change(one.*part);
  };
}

void add_signs_and_swaps(Channels part, const std::vector<std::string>& names, Readings& readings) {
  const auto count = static_cast<Index>(names.size());
  for (Index i = 0; i < count; ++i) {
    const std::string& name = names[static_cast<std::size_t>(i)];
    // All of one sign is a matter of convention: it makes M negative and is seen without a trial.
    readings.push_back({name + " with the opposite sign",
                        in_each(part, [i](Eigen::MatrixXd& x) { x.col(i) *= -1.0; })});
    for (Index j = i + 1; j < count; ++j) {
      readings.push_back(
          {fmt::format("{} and {} exchanged", name, names[static_cast<std::size_t>(j)]),
           in_each(part, [i, j](Eigen::MatrixXd& x) { x.col(i).swap(x.col(j)); })});
    }
  }
}

// A single force scales M, D and K, and no residual; one of several does not.
void add_units(const std::vector<std::string>& names, Readings& readings) {
  if (names.size() < 2) return;
  for (std::size_t i = 0; i < names.size(); ++i) {
    for (const double factor : {kUnitSlip, 1.0 / kUnitSlip}) {
      readings.push_back({fmt::format("{} times {:g}", names[i], factor),
                          in_each(&Experiment::input, [i, factor](Eigen::MatrixXd& x) {
                            x.col(static_cast<Index>(i)) *= factor;
                          })});
    }
  }
}

void add_holds(const LinearOptions& options, Readings& readings) {
  if (!uses_hold(options)) return;
  using signal::BetweenSamples;
  for (const BetweenSamples hold :
       {BetweenSamples::Held, BetweenSamples::Linear, BetweenSamples::Cubic}) {
    if (hold == options.refinement.hold) continue;
    readings.push_back({fmt::format("hold = \"{}\" between samples", integrate::hold_name(hold)),
                        [hold](Experiments& /*data*/, LinearOptions& changed) {
                          changed.refinement.hold = hold;
                        }});
  }
}

// Takes back that outputs [first, first + count) come `late` samples late; early ones are negative.
void take_back(Experiment& one, Index late, Index first, Index count) {
  const Index kept = one.samples() - std::abs(late);
  const Index from = std::max<Index>(late, 0), input_from = std::max<Index>(-late, 0);
  Eigen::MatrixXd output = one.output.middleRows(input_from, kept);
  output.middleCols(first, count) = one.output.block(from, first, kept, count);
  one.input = Eigen::MatrixXd(one.input.middleRows(input_from, kept));
  one.output = std::move(output);
}

Reading delayed(const std::string& who, Index late, Index first, Index count) {
  const Index size = std::abs(late);
  return {fmt::format("{} {} sample{} {}", who, size, size == 1 ? "" : "s",
                      late > 0 ? "late" : "early"),
          [late, first, count](Experiments& data, LinearOptions& /*options*/) {
            for (Experiment& one : data) take_back(one, late, first, count);
          }};
}

void add_delays(const std::vector<std::string>& outputs, Readings& readings) {
  const auto count = static_cast<Index>(outputs.size());
  for (const Index late : {1, 2, 3, 4, 6, 8, -1, -2, -3}) {
    readings.push_back(delayed(count > 1 ? "all outputs" : outputs.front(), late, 0, count));
  }
  if (count < 2) return;
  for (Index i = 0; i < count; ++i) {
    for (const Index late : {1, 2, 3, -1, -2}) {
      readings.push_back(delayed(outputs[static_cast<std::size_t>(i)], late, i, 1));
    }
  }
}

// With three experiments or more, one that contradicts the others can be told.
void add_omissions(std::size_t experiments, Readings& readings) {
  if (experiments < 3) return;
  for (std::size_t e = 0; e < experiments; ++e) {
    readings.push_back({fmt::format("leaving experiment {} out", e + 1),
                        [e](Experiments& data, LinearOptions& /*options*/) {
                          data.erase(data.begin() + static_cast<std::ptrdiff_t>(e));
                        }});
  }
}

Readings readings_of(const LinearOptions& options) {
  Readings readings;
  add_signs_and_swaps(&Experiment::output, options.names.outputs, readings);
  if (options.names.inputs.size() > 1) {
    add_signs_and_swaps(&Experiment::input, options.names.inputs, readings);
  }
  add_units(options.names.inputs, readings);
  add_holds(options, readings);
  add_delays(options.names.outputs, readings);
  return readings;
}

// The first samples of each experiment, as many as may be used in all; of the first experiments
// only where there are very many.
Experiments first_samples(const Experiments& data, Index most) {
  const Index each = std::max(most / static_cast<Index>(data.size()), kLeastSamples);
  Experiments part;
  for (const Experiment& one : data) {
    const Index taken = std::min({each, most, one.samples()});
    if (taken < std::min(kLeastSamples, one.samples())) break;
    part.push_back({.input = one.input.topRows(taken),
                    .output = one.output.topRows(taken),
                    .step = one.step,
                    .start_time = one.start_time});
    most -= taken;
  }
  return part;
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

// Mean of ln σ² over the outputs; infinite if nothing was found.
double misfit(const Experiments& data, const LinearOptions& options) {
  try {
    const LinearIdentification found = identify_linear(data, options);
    const Eigen::VectorXd& noise = found.refinement.noise;
    if (found.has_system() && noise.size() > 0 && noise.allFinite() && noise.minCoeff() > 0.0) {
      return 2.0 * noise.array().log().mean();
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
  parallel_for(misfits.size(),
               [&](std::size_t i) {
                 Experiments changed = data;
                 LinearOptions settings = quick(options);
                 if (i > 0) readings[i - 1].apply(changed, settings);
                 misfits[i] = misfit(changed, settings);
               },
               {.threads = options.threads, .stop = options.refinement.stop});
  return misfits;
}

}  // namespace

std::vector<Alternative> find_alternatives(const Experiments& data, const LinearOptions& asked) {
  const LinearOptions options = linear_setup(data, {}, asked).options;
  Readings readings = readings_of(options);
  const Index most = most_samples(options, readings.size());
  if (most < kLeastSamples) return {};
  const Experiments part = first_samples(data, most);
  add_omissions(part.size(), readings);
  const std::vector<double> misfits = misfits_of(part, options, readings);
  std::vector<Alternative> found;
  const auto samples = static_cast<double>(measured_samples(part));
  for (std::size_t i = 0; i < readings.size(); ++i) {
    const double gain = misfits[0] - misfits[i + 1];  // ln of the ratio
    if (!(gain >= std::log(kLeastGain)) || samples * gain < kLeastLikelihood) continue;
    found.push_back({readings[i].words, std::exp(gain)});
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const Alternative& a, const Alternative& b) { return a.gain > b.gain; });
  if (found.size() > kMostShown) found.resize(kMostShown);
  return found;
}

}  // namespace alembert::identify
