#include "identify/verdict/residual_evidence.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/median.hpp"

namespace alembert::identify {
namespace {

using Eigen::Index;

constexpr Index kFewestSamples = 20;  // the rms of 20 has a deviation of 16 %
// Residuals over those of the median experiment. Noise that follows the range of a sensor may well
// double from one experiment to another; three times is nine times the power.
constexpr double kWorseThanOthers = 3.0;
constexpr double kGoodFit = 20.0;  // per cent
constexpr Index kFirstShare = 50;
constexpr Index kFewestFirst = 10;
constexpr double kFirstRatio = 2.0;  // rms of the first residuals over the noise
// Of normal residuals one in two millions is beyond five deviations. A tenth of the power that they
// hold is what the inputs may explain elsewhere.
constexpr double kBeyond = 5.0;
constexpr double kOutlierPower = 0.1;
constexpr double kFollowedFit = 99.99;    // per cent
constexpr double kNormalMedian = 0.6745;  // of |z|, z normal with variance 1

// Sum of squares and count of what is measured.
struct Power {
  double sum = 0.0;
  Index count = 0;

  void add(double value) {
    if (std::isnan(value)) return;
    sum += value * value;
    ++count;
  }
  [[nodiscard]] double rms() const { return std::sqrt(sum / static_cast<double>(count)); }
};

struct ExperimentFit {
  Power residual;
  double fit = 0.0;  // per cent
};

// Of output i, each sample with its weight:
//   fit = 100 (1 - |w r|/|w (y - m)|),   m = Σ w² y/Σ w²
ExperimentFit fit_of(const Experiment& one, const Eigen::MatrixXd& residuals, Index i) {
  ExperimentFit found;
  double mean = 0.0;
  double weights = 0.0;
  for (Index k = 0; k < residuals.rows(); ++k) {
    if (std::isnan(residuals(k, i))) continue;
    const double weight = one.weight_of(k, i);
    found.residual.add(weight * residuals(k, i));
    mean += weight * weight * one.output(k, i);
    weights += weight * weight;
  }
  if (!(weights > 0.0)) return found;
  mean /= weights;
  Power motion;
  for (Index k = 0; k < residuals.rows(); ++k) {
    if (!std::isnan(residuals(k, i))) motion.add(one.weight_of(k, i) * (one.output(k, i) - mean));
  }
  found.fit = 100.0 * (1.0 - std::sqrt(found.residual.sum / motion.sum));
  return found;
}

void judge_output(const std::string& name, const std::vector<ExperimentFit>& fits,
                  Evidence& evidence) {
  std::vector<double> rms;
  double best = -HUGE_VAL;
  for (const ExperimentFit& one : fits) {
    if (one.residual.count >= kFewestSamples) rms.push_back(one.residual.rms());
    best = std::max(best, one.fit);
  }
  if (rms.size() < 2) return;
  const double usual = lower_median(rms);
  for (std::size_t e = 0; e < fits.size(); ++e) {
    if (fits[e].residual.count < kFewestSamples) continue;
    const double ratio = fits[e].residual.rms() / usual;
    if (ratio < kWorseThanOthers) continue;
    const bool contradicts = fits[e].fit < 0.0 && best > kGoodFit;
    evidence.add(contradicts ? TrustLevel::Bad : TrustLevel::Caution,
                 fmt::format("{} of experiment {} is missed by {:.2g} times the usual residuals, "
                             "fit {:.1f} %",
                             name, e + 1, ratio, fits[e].fit),
                 contradicts ? "leave that experiment out, or find what was different in it"
                             : "find what was different in it; if it is only noisier, give it less "
                               "weight");
  }
}

struct OutlierCount {
  Power all, beyond;
};

OutlierCount count_outliers(const std::vector<double>& residuals) {
  std::vector<double> sizes;
  for (const double value : residuals) sizes.push_back(std::abs(value));
  const double sigma = lower_median(sizes) / kNormalMedian;
  OutlierCount found;
  for (const double value : residuals) {
    found.all.add(value);
    if (std::abs(value) > kBeyond * sigma) found.beyond.add(value);
  }
  return found;
}

}  // namespace

void judge_experiments(const std::vector<std::string>& names, const Experiments& data,
                       const std::vector<Eigen::MatrixXd>& residuals, Evidence& evidence) {
  if (residuals.size() < 2 || residuals.size() != data.size()) return;
  for (std::size_t i = 0; i < names.size(); ++i) {
    std::vector<ExperimentFit> fits;
    for (std::size_t e = 0; e < data.size(); ++e) {
      const auto column = static_cast<Index>(i);
      fits.push_back(fit_of(data[e], residuals[e], column));
    }
    judge_output(names[i], fits, evidence);
  }
}

void judge_beginnings(const std::vector<Eigen::MatrixXd>& residuals, const Eigen::VectorXd& noise,
                      Evidence& evidence, bool free_start) {
  for (std::size_t e = 0; e < residuals.size(); ++e) {
    const Index first = std::max(kFewestFirst, residuals[e].rows() / kFirstShare);
    if (residuals[e].rows() < 2 * first || residuals[e].cols() != noise.size()) continue;
    Power scaled;
    for (Index i = 0; i < noise.size(); ++i) {
      for (Index k = 0; k < first; ++k) scaled.add(residuals[e](k, i) / noise(i));
    }
    if (scaled.count < kFewestFirst || scaled.rms() < kFirstRatio) continue;
    evidence.add(TrustLevel::Caution,
                 fmt::format("the first {} samples of experiment {} are missed by {:.2g} times the "
                             "usual residuals: {}",
                             first, e + 1, scaled.rms(),
                             free_start ? "something else acts there than later"
                                        : "it does not begin as the model assumes"),
                 free_start ? "cut the beginning off"
                            : "let the start be estimated, or cut the beginning off");
    return;
  }
}

void judge_outliers(const std::vector<std::string>& names, const Experiments& data,
                    const std::vector<Eigen::MatrixXd>& residuals, Evidence& evidence,
                    const std::string& further_advice) {
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto column = static_cast<Index>(i);
    std::vector<double> measured;
    bool followed = true;
    for (std::size_t e = 0; e < residuals.size(); ++e) {
      followed = followed && fit_of(data[e], residuals[e], column).fit > kFollowedFit;
      for (Index k = 0; k < residuals[e].rows(); ++k) {
        const double value = data[e].weight_of(k, column) * residuals[e](k, column);
        if (!std::isnan(value)) measured.push_back(value);
      }
    }
    if (followed || static_cast<Index>(measured.size()) < kFewestSamples) continue;
    const OutlierCount found = count_outliers(measured);
    if (!(found.beyond.sum >= kOutlierPower * found.all.sum)) continue;
    evidence.add(TrustLevel::Caution,
                 fmt::format("{} of {} residuals of {} are outliers, beyond five standard "
                             "deviations of the others, and hold {:.0f} % of their power",
                             found.beyond.count, found.all.count, names[i],
                             100.0 * found.beyond.sum / found.all.sum),
                 "look for spikes, dropouts or a burst in the record; leave such samples empty" +
                     further_advice);
  }
}

}  // namespace alembert::identify
