#include "identify/verdict/fit_evidence.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "alembert/core/text.hpp"

namespace alembert::identify {
namespace {

constexpr std::size_t kMostNames = 6;
// Fit in per cent. A model that predicts worse than the mean is wrong, whatever the noise: least
// squares could have had the mean. Below 5 % the signal is a tenth of the noise power; what such a
// record says of a model, noise of that size says too. 20 %: signal at half the noise power.
constexpr double kNoFit = 5.0;
constexpr double kLittleFit = 20.0;
// Part of the residual power that the inputs explain beyond chance.
constexpr double kExplained = 0.1;
constexpr double kMostlyExplained = 0.3;
// Rms of a part over the rms of the output: a tenth is more than any sensor's linearity.
constexpr double kLargePart = 0.1;
// Held-back residuals over the noise of the estimation: three times is another system, if it is a
// large part too. Low noise makes any small change of a real system many times the noise.
constexpr double kOtherSystem = 3.0;

// Delays and changes of a gain: chance of one in all outputs of a sound record. The smallest delay
// that is said, in samples: sensors of one recorder that are read one after the other differ by
// less than a tenth.
constexpr double kSlipByChance = 1e-3;
constexpr double kSmallDelay = 0.1;
// A reading that leaves a quarter of the residual power is hardly chance or colour.
constexpr double kOtherReading = 4.0;
// Of the gains of two readings that cannot be told apart.
constexpr double kSameFit = 1e-4;

constexpr const char* kCheckColumns =
    "check signs, units and order of the columns, and which are forces and which responses";

void judge_one_fit(const std::string& name, double fit, Evidence& evidence) {
  if (fit < 0.0) {
    evidence.add(TrustLevel::Bad,
                 fmt::format("{} is predicted worse than by its mean: fit {:.1f} %", name, fit),
                 kCheckColumns);
  } else if (fit < kLittleFit) {
    evidence.add(fit < kNoFit ? TrustLevel::Bad : TrustLevel::Caution,
                 fmt::format("poor fit of {}: {:.1f} %", name, fit), kCheckColumns);
  }
}

void judge_share(const std::string& name, const InputShare& share, Evidence& evidence) {
  if (!share.beyond_chance() || share.excess() < kExplained) return;
  const bool large = share.excess() >= kMostlyExplained && share.size >= kLargePart;
  evidence.add(large ? TrustLevel::Bad : TrustLevel::Caution,
               fmt::format("the inputs explain {:.0f} % of the residuals of {}, {:.2g} % of its "
                           "size: the model misses a part of the response",
                           100.0 * share.excess(), name, 100.0 * share.size),
               "look for a delay between force and response, a wrong sign, unit or hold, swapped "
               "columns, or a model with too few coordinates");
}

bool delay_counts(const DelayEstimate& delay, double rate) {
  return std::abs(delay.samples) >= kSmallDelay && delay.beyond_chance(rate);
}

// @param than empty, or " than" with the output that it is held against.
void say_delay(const std::string& who, const DelayEstimate& delay, const std::string& than,
               Evidence& evidence) {
  const char* when = delay.samples > 0.0 ? "late" : "early";
  if (!than.empty()) when = delay.samples > 0.0 ? "later" : "earlier";
  evidence.add(TrustLevel::Caution,
               fmt::format("what is left looks like a delay: {} {:.2g} ± {:.1g} samples {}{}", who,
                           std::abs(delay.samples), delay.deviation, when, than),
               "shift the column by that much, or look for a filter or a clock of its own before "
               "the recorder");
}

}  // namespace

std::string listed_names(std::vector<std::string> names) {
  if (names.size() > kMostNames) {
    const std::size_t more = names.size() - kMostNames;
    names.resize(kMostNames);
    names.push_back(fmt::format("{} more", more));
  }
  return join(names, ", ");
}

void judge_fit(const std::vector<std::string>& names, const std::vector<ResidualVerdict>& outputs,
               const std::vector<InputShare>& shares, Evidence& evidence) {
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    judge_one_fit(names[i], outputs[i].fit, evidence);
    if (i < shares.size()) judge_share(names[i], shares[i], evidence);
  }
}

void judge_colour(const std::vector<std::string>& names,
                  const std::vector<ResidualVerdict>& outputs, bool allowed_for,
                  Evidence& evidence) {
  std::vector<std::string> coloured;
  for (const std::size_t i : coloured_outputs(outputs)) coloured.push_back(names[i]);
  if (coloured.empty()) return;
  evidence.add(TrustLevel::Caution,
               fmt::format("the residuals of {} are not white: {}", listed_names(coloured),
                           allowed_for ? "the standard deviations allow for coloured noise, not "
                                         "for a model that misses something"
                                       : "the true uncertainty may be larger than the standard "
                                         "deviations say"),
               "the noise is coloured, or the model misses something");
}

namespace {

// rms / noise >= 3 is bad only where the rms is a tenth of the output: fit = 100 (1 - |e|/|y|).
TrustLevel held_back_level(const ResidualVerdict& held_back, double ratio) {
  if (held_back.fit < 0.0) return TrustLevel::Bad;
  const TrustLevel level = level_above(ratio, kWorsePrediction, kOtherSystem);
  const bool large = held_back.fit < 100.0 * (1.0 - kLargePart);
  return large ? level : std::min(level, TrustLevel::Caution);
}

}  // namespace

void judge_held_back(const std::vector<std::string>& names,
                     const std::vector<ResidualVerdict>& held_back, const Eigen::VectorXd& noise,
                     Evidence& evidence, TrustLevel from, const Eigen::VectorXd& unsure) {
  for (std::size_t i = 0; i < held_back.size(); ++i) {
    const auto k = static_cast<Eigen::Index>(i);
    const double ratio = held_back[i].rms / noise(k);
    if (unsure.size() > k && !(held_back[i].rms > std::hypot(noise(k), unsure(k)))) continue;
    const TrustLevel level = held_back_level(held_back[i], ratio);
    if (level < from) continue;
    evidence.add(
        level,
        fmt::format("held-back data of {} are predicted with {:.2g} times the residuals of "
                    "the data used, fit {:.1f} %",
                    names[i], ratio, held_back[i].fit),
        "the system or the sensors changed, or the model took up noise");
  }
}

void judge_delays(const std::vector<std::string>& names, const Delays& delays, Evidence& evidence) {
  const std::size_t count = delays.outputs.size();
  if (count == 0) return;
  const double rate = kSlipByChance / static_cast<double>(count + 1);
  std::vector<std::size_t> late;
  for (std::size_t i = 0; i < count; ++i) {
    if (delay_counts(delays.outputs[i], rate)) late.push_back(i);
  }
  const auto than = [&](std::size_t i) {
    const bool held_against = std::find(delays.relative.begin(), delays.relative.end(),
                                        static_cast<int>(i)) != delays.relative.end();
    return held_against ? " than " + names[static_cast<std::size_t>(delays.reference)] : "";
  };
  // One delay of all, or none that stands out.
  if (delays.common.deviation > 0.0 && count > 1 && (late.size() == count || late.empty())) {
    if (delay_counts(delays.common, rate)) {
      say_delay("the outputs come", delays.common, "", evidence);
    }
    return;
  }
  for (const std::size_t i : late) {
    say_delay(names[i] + " comes", delays.outputs[i], than(i), evidence);
  }
}

void judge_gain_changes(const std::vector<std::string>& names,
                        const std::vector<GainChange>& changes, Evidence& evidence) {
  const double rate = kSlipByChance / static_cast<double>(std::max<std::size_t>(changes.size(), 1));
  for (std::size_t i = 0; i < changes.size(); ++i) {
    const GainChange& one = changes[i];
    if (std::abs(one.part) < kLargePart || !one.beyond_chance(rate)) continue;
    evidence.add(one.gain >= kOtherReading ? TrustLevel::Bad : TrustLevel::Caution,
                 fmt::format("{} looks {:.2g} ± {:.1g} % {} in the second half of the record: "
                             "without that change {:.3g} times less residual power",
                             names[i], 100.0 * std::abs(one.part), 100.0 * one.deviation,
                             one.part > 0.0 ? "larger" : "smaller", one.gain),
                 "look for a change of range, supply or mounting of the sensor in the record, or "
                 "of the system; use one half");
  }
}

void judge_alternatives(const std::vector<Alternative>& alternatives, Evidence& evidence) {
  if (alternatives.empty()) return;
  const Alternative& best = alternatives.front();
  // Others that fit alike, such as the force of a coordinate whose sensor has the wrong sign.
  std::string words = best.words;
  for (std::size_t i = 1; i < alternatives.size(); ++i) {
    const bool alike = alternatives[i].gain == best.gain ||
                       std::abs(alternatives[i].gain / best.gain - 1.0) < kSameFit;
    if (alike) words += " or " + alternatives[i].words;
  }
  const std::string how =
      std::isfinite(best.gain)
          ? fmt::format("{:.3g} times less residual power than the columns as given", best.gain)
          : std::string("a fit where the columns as given have none");
  evidence.add(best.gain >= kOtherReading ? TrustLevel::Bad : TrustLevel::Caution,
               fmt::format("{} would give {}", words, how),
               fmt::format("check the columns and units: try {}", words));
}

}  // namespace alembert::identify
