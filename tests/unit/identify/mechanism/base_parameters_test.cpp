#include "alembert/identify/mechanism/base_parameters.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "identify/mechanism/inverse_run.hpp"
#include "unit/identify/mechanism/arms.hpp"

namespace alembert::identify {
namespace base_parameters_test {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using model::planar::CoordinatePath;

// Positions on smooth curves; the rates and accelerations are numbers of any kind.
CoordinatePath any_path(Index coordinates, std::uint64_t seed) {
  constexpr Index kSamples = 200;
  RandomStream random(seed);
  CoordinatePath path{MatrixXd(kSamples, coordinates), MatrixXd(kSamples, coordinates),
                      MatrixXd(kSamples, coordinates)};
  for (Index k = 0; k < kSamples; ++k) {
    for (Index i = 0; i < coordinates; ++i) {
      path.z(k, i) = 0.02 * static_cast<double>(k * (i + 1)) + 0.3;
      path.zd(k, i) = random.normal();
      path.zdd(k, i) = random.normal();
    }
  }
  return path;
}

int term_of(const BaseParameters& base, const std::string& words) {
  for (std::size_t j = 0; j < base.terms.size(); ++j) {
    if (base.terms[j].words == words) return static_cast<int>(j);
  }
  return -1;
}

// The textbook: with frames at the hinges the mass of the lower link acts as l² on the inertia and
// as l on the mass moment of the upper one, and the mass of the upper link does not act at all.
TEST(BaseParameters, ThoseOfTwoLinksAreTheOnesOfTheTextbook) {
  const BaseParameters base = base_parameters(values_of(arms::two_link()), any_path(2, 1));
  const int mass = term_of(base, "mass of lower");
  const int inertia = term_of(base, "inertia of upper about its origin");
  const int moment = term_of(base, "mass x centre.x of upper");
  ASSERT_GE(mass, 0);
  // Columns agree to 1e-10 or so: positions are solved to rounding.
  constexpr double kRounding = 1e-8;
  for (Index i = 0; i < base.count(); ++i) {
    const int lead = base.leading[static_cast<std::size_t>(i)];
    const double wanted = lead == inertia  ? arms::kElbow * arms::kElbow
                          : lead == moment ? arms::kElbow
                                           : 0.0;
    EXPECT_NEAR(base.combinations(i, mass), wanted, kRounding)
        << base.words[static_cast<std::size_t>(i)];
  }
  EXPECT_THAT(base.without_effect, testing::Contains(term_of(base, "mass of upper")));
}

// Property of the definition: masses that keep all base parameters keep the torques.
void torques_depend_on_base_parameters_alone(const MechanismValues& values, std::uint64_t seed) {
  const auto n = static_cast<Index>(values.description.coordinates.size());
  const BaseParameters base = base_parameters(values, any_path(n, seed));
  const CoordinatePath path = any_path(n, seed + 1);
  const VectorXd before = inverse_run(values, path, {});
  RandomStream random(seed);
  const auto bodies = static_cast<Index>(values.description.bodies.size());
  // Terms of bodies come first, four each.
  VectorXd change = VectorXd::Zero(static_cast<Index>(base.terms.size()));
  for (Index j = 0; j < 4 * bodies; ++j) change(j) = 0.1 * random.normal();
  for (Index i = 0; i < base.count(); ++i) {
    const int lead = base.leading[static_cast<std::size_t>(i)];
    change(lead) = 0.0;
    change(lead) = -base.combinations.row(i).dot(change);
  }
  MechanismValues other = values;
  for (Index b = 0; b < bodies; ++b) {
    model::planar::Body& body = other.description.bodies[static_cast<std::size_t>(b)];
    const double mass = body.mass;
    const double about = body.inertia + mass * body.centre.squaredNorm() + change(4 * b);
    body.mass += change(4 * b + 3);
    ASSERT_GT(body.mass, 0.0);
    body.centre = (mass * body.centre + change.segment<2>(4 * b + 1)) / body.mass;
    body.inertia = about - body.mass * body.centre.squaredNorm();
    ASSERT_GT(body.inertia, 0.0);
  }
  const VectorXd after = inverse_run(other, path, {});
  EXPECT_LT((after - before).norm(), 1e-8 * before.norm());
}

TEST(BaseParameters, TorquesOfTwoLinksDependOnThemAlone) {
  MechanismValues values = values_of(arms::two_link());
  for (auto& body : values.description.bodies) body.inertia = 1.0;
  torques_depend_on_base_parameters_alone(values, 7);
}

TEST(BaseParameters, TorquesOfASliderCrankDependOnThemAlone) {
  MechanismValues values = values_of(arms::slider_crank());
  for (auto& body : values.description.bodies) body.inertia = 1.0;
  torques_depend_on_base_parameters_alone(values, 8);
}

TEST(BaseParameters, TheInertiaOfASliderHasNoEffect) {
  const BaseParameters base = base_parameters(values_of(arms::slider_crank()), any_path(1, 3));
  EXPECT_THAT(base.without_effect,
              testing::Contains(term_of(base, "inertia of slider about its origin")));
}

}  // namespace base_parameters_test
}  // namespace alembert::identify
