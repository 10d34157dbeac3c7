#include "identify/verdict/readings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>

namespace alembert::identify {
namespace {

using Eigen::Index;

constexpr double kLeastGain = 1.2;
constexpr double kLeastLikelihood = 50.0;  // of -2 log L; the best of 100 readings has 20 by chance
constexpr std::size_t kMostShown = 3;
// Readings whose gains differ by less fit alike but for rounding: a coordinate counted the other
// way changes the sign of its output and of its force.
constexpr double kSameGain = 1e-6;

// Calls change(columns) for the inputs or the outputs of each experiment.
auto in_each(Channels part, std::function<void(Eigen::MatrixXd& columns)> change) {
  return [part, change = std::move(change)](Experiments& data) {
    for (Experiment& one : data) change(one.*part);
  };
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

// The same for one period of a motion.
void turn_back(Experiment& one, Index late, Index first, Index count) {
  const Index samples = one.samples();
  const Eigen::MatrixXd before = one.output.middleCols(first, count);
  for (Index k = 0; k < samples; ++k) {
    one.output.block(k, first, 1, count) = before.row(((k + late) % samples + samples) % samples);
  }
}

Reading delayed(const std::string& who, Index late, Index first, Index count, bool cyclic) {
  const Index size = std::abs(late);
  return {.words = fmt::format("{} {} sample{} {}", who, size, size == 1 ? "" : "s",
                               late > 0 ? "late" : "early"),
          .apply = [late, first, count, cyclic](Experiments& data) {
            for (Experiment& one : data) {
              (cyclic ? turn_back : take_back)(one, late, first, count);
            }
          }};
}

}  // namespace

void add_signs_and_swaps(Channels part, const std::vector<std::string>& names, Readings& readings) {
  const auto count = static_cast<Index>(names.size());
  for (Index i = 0; i < count; ++i) {
    const std::string& name = names[static_cast<std::size_t>(i)];
    readings.push_back({.words = name + " with the opposite sign",
                        .apply = in_each(part, [i](Eigen::MatrixXd& x) { x.col(i) *= -1.0; })});
    for (Index j = i + 1; j < count; ++j) {
      readings.push_back(
          {.words = fmt::format("{} and {} exchanged", name, names[static_cast<std::size_t>(j)]),
           .apply = in_each(part, [i, j](Eigen::MatrixXd& x) { x.col(i).swap(x.col(j)); })});
    }
  }
}

void add_exchange(std::size_t inputs, std::size_t outputs, Readings& readings) {
  if (inputs != outputs) return;
  readings.push_back({.words = "inputs and outputs exchanged", .apply = [](Experiments& data) {
                        for (Experiment& one : data) std::swap(one.input, one.output);
                      }});
}

void add_units(Channels part, const std::vector<std::string>& names,
               const std::vector<double>& factors, Readings& readings) {
  for (std::size_t i = 0; i < names.size(); ++i) {
    for (const double factor : factors) {
      readings.push_back({.words = fmt::format("{} times {:.4g}", names[i], factor),
                          .apply = in_each(part, [i, factor](Eigen::MatrixXd& x) {
                            x.col(static_cast<Index>(i)) *= factor;
                          })});
    }
  }
}

void add_delays(const std::vector<std::string>& outputs, const std::vector<Index>& all,
                const std::vector<Index>& one, bool cyclic, Readings& readings) {
  const auto count = static_cast<Index>(outputs.size());
  for (const Index late : all) {
    readings.push_back(
        delayed(count > 1 ? "all outputs" : outputs.front(), late, 0, count, cyclic));
  }
  if (count < 2) return;
  for (Index i = 0; i < count; ++i) {
    for (const Index late : one) {
      readings.push_back(delayed(outputs[static_cast<std::size_t>(i)], late, i, 1, cyclic));
    }
  }
}

void add_omissions(std::size_t experiments, Readings& readings) {
  if (experiments < 3) return;
  for (std::size_t e = 0; e < experiments; ++e) {
    readings.push_back(
        {.words = fmt::format("leaving experiment {} out", e + 1),
         .apply =
             [e](Experiments& data) { data.erase(data.begin() + static_cast<std::ptrdiff_t>(e)); },
         .omits = e});
  }
}

Experiments first_samples(const Experiments& data, Index most, Index least) {
  const Index each = std::max(most / static_cast<Index>(data.size()), least);
  Experiments part;
  for (const Experiment& one : data) {
    const Index taken = std::min({each, most, one.samples()});
    if (taken < std::min(least, one.samples())) break;
    part.push_back({.input = one.input.topRows(taken),
                    .output = one.output.topRows(taken),
                    .step = one.step,
                    .start_time = one.start_time,
                    .weight = one.weight.topRows(std::min(taken, one.weight.rows()))});
    most -= taken;
  }
  return part;
}

double relative_misfit(const Experiments& data, const Eigen::VectorXd& residual) {
  double sum = 0.0;
  for (Index i = 0; i < residual.size(); ++i) {
    double count = 0.0, total = 0.0, squares = 0.0;
    for (const Experiment& one : data) {
      for (const double y : one.output.col(i)) {
        if (std::isnan(y)) continue;
        count += 1.0;
        total += y;
        squares += y * y;
      }
    }
    const double variance = squares / count - total * total / (count * count);
    sum += std::log(residual(i) * residual(i) / variance);
  }
  return std::isfinite(sum) && residual.size() > 0 ? sum / static_cast<double>(residual.size())
                                                   : HUGE_VAL;
}

namespace {

// Rms of each output, but for one experiment.
Eigen::VectorXd rms_of_others(const Experiments& data,
                              const std::vector<Eigen::MatrixXd>& residuals, std::size_t omitted) {
  Eigen::VectorXd squares = Eigen::VectorXd::Zero(residuals.front().cols()), count = squares;
  for (std::size_t e = 0; e < residuals.size(); ++e) {
    if (e == omitted) continue;
    for (Index k = 0; k < residuals[e].rows(); ++k) {
      for (Index i = 0; i < squares.size(); ++i) {
        const double value = data[e].weight_of(k, i) * residuals[e](k, i);
        if (std::isnan(value)) continue;
        squares(i) += value * value;
        count(i) += 1.0;
      }
    }
  }
  return squares.cwiseQuotient(count).cwiseSqrt();
}

}  // namespace

void count_on_the_others(const Experiments& data, const std::vector<Eigen::MatrixXd>& residuals,
                         const Readings& readings, std::vector<double>& misfits) {
  if (residuals.size() != data.size()) return;
  for (std::size_t i = 0; i < readings.size(); ++i) {
    if (!readings[i].omits) continue;
    Experiments others = data;
    readings[i].apply(others);
    misfits[i + 1] +=
        misfits[0] - relative_misfit(others, rms_of_others(data, residuals, *readings[i].omits));
  }
}

std::vector<Alternative> clearly_better(const Readings& readings,
                                        const std::vector<double>& misfits, double samples) {
  std::vector<Alternative> found;
  for (std::size_t i = 0; i < readings.size(); ++i) {
    const double gain = misfits[0] - misfits[i + 1];  // ln of the ratio
    if (!(gain >= std::log(kLeastGain)) || samples * gain < kLeastLikelihood) continue;
    found.push_back({readings[i].words, std::exp(gain)});
  }
  const auto place = [](const Alternative& one) {
    return std::round(std::log(one.gain) / kSameGain);  // infinite where the columns fit nothing
  };
  std::stable_sort(found.begin(), found.end(),
                   [&](const Alternative& a, const Alternative& b) { return place(a) > place(b); });
  if (found.size() > kMostShown) found.resize(kMostShown);
  return found;
}

}  // namespace alembert::identify
