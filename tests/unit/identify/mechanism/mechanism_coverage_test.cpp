// Slow: base parameters of simulated mechanisms within three reported deviations, over many
// records.

#include <gtest/gtest.h>

#include "alembert/identify/mechanism/mechanism_fit.hpp"
#include "unit/identify/mechanism/arms.hpp"

namespace alembert::identify {
namespace mechanism_coverage_test {

using Eigen::Index;
using Eigen::VectorXd;
using model::planar::MechanismDescription;

constexpr int kRecords = 20;

// β of the true description, by the combinations that a fit has found.
VectorXd true_base(const MechanismFit& fit, const MechanismDescription& truth) {
  const std::vector<LinearTerm> terms = linear_terms(values_of(truth));
  VectorXd pi(static_cast<Index>(terms.size()));
  for (std::size_t j = 0; j < terms.size(); ++j) pi(static_cast<Index>(j)) = terms[j].value;
  return fit.base.combinations * pi;
}

// Records in which all base parameters that were sought lie within three deviations, and the share
// of single ones within 1.96.
struct Coverage {
  int whole = 0;
  double single = 0.0;
};

Coverage coverage_of(const MechanismDescription& truth, const std::vector<std::string>& names,
                     const std::vector<std::string>& torques, const VectorXd& start) {
  Coverage found;
  int all = 0, near = 0;
  for (int run = 0; run < kRecords; ++run) {
    const Experiment record =
        arms::recorded(truth, torques, start, 200, 0.02, 1000 + static_cast<std::uint64_t>(run));
    const MechanismFit fit = fit_mechanism(
        truth, arms::unknowns(truth, names, 0.1), {record},
        {.between = signal::BetweenSamples::Linear, .substeps = 2, .inverse_dynamics = false});
    if (!fit.ok()) continue;
    const VectorXd beta = true_base(fit, truth);
    bool whole = !fit.base_estimates.empty();
    for (std::size_t i = 0; i < fit.base_estimates.size(); ++i) {
      const BaseEstimate& one = fit.base_estimates[i];
      const double gap = std::abs(one.value - beta(static_cast<Index>(i)));
      if (!(one.deviation > 0.0)) continue;
      whole = whole && gap < 3.0 * one.deviation;
      near += gap < 1.96 * one.deviation ? 1 : 0;
      ++all;
    }
    found.whole += whole ? 1 : 0;
  }
  found.single = static_cast<double>(near) / std::max(all, 1);
  ::testing::Test::RecordProperty("whole", found.whole);
  return found;
}

// 95 % of the records, and 80 % within 1.96 deviations: three standard errors of a share of 95 %,
// if the parameters of a record go together.
void holds(const Coverage& found) {
  EXPECT_GE(found.whole, 19);
  EXPECT_GT(found.single, 0.80);
}

TEST(MechanismCoverageSlow, BaseParametersOfTwoLinks) {
  holds(coverage_of(arms::two_link(),
                    {"upper.inertia", "upper.centre.x", "lower.inertia", "lower.centre.x",
                     "lower.centre.y", "s.damping", "e.damping", "s.coulomb", "e.coulomb"},
                    arms::kArmTorques, Eigen::Vector2d(-0.6, 0.4)));
}

TEST(MechanismCoverageSlow, BaseParametersOfASliderCrankWithFriction) {
  holds(
      coverage_of(arms::slider_crank(),
                  {"crank.inertia", "rod.inertia", "slider.mass", "guide.damping", "guide.coulomb"},
                  arms::kCrankTorques, VectorXd::Constant(1, 0.4)));
}

}  // namespace mechanism_coverage_test
}  // namespace alembert::identify
