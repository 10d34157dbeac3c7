#include "alembert/identify/modes/modal_scaling.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "alembert/core/error.hpp"
#include "alembert/core/random.hpp"
#include "alembert/identify/modes/frf_modes.hpp"
#include "alembert/identify/modes/record_modes.hpp"
#include "alembert/model/modes.hpp"
#include "unit/identify/modes/modal_systems.hpp"

namespace alembert::identify::modal_scaling_test {
namespace {

using Complex = std::complex<double>;
using Eigen::Index;
using Eigen::MatrixXcd;
using test::KnownMode;

// Three modes; the second force acts where the third sensor is.
std::vector<KnownMode> driven_modes() {
  std::vector<KnownMode> modes =
      test::random_modes({11.0, 24.0, 52.0}, {0.01, 0.004, 0.02}, 4, 2, 41);
  for (KnownMode& mode : modes) mode.inputs(1) = mode.outputs(2);
  return modes;
}
constexpr DrivingPoint kDriven{.output = 2, .input = 1};

// (iω)^n times receptance.
FrfData responses(const std::vector<KnownMode>& modes, model::Motion motion) {
  FrfData data = test::frf_of(modes, 1200, 2.0, 70.0);
  for (Index k = 0; k < data.lines(); ++k) {
    const Complex s(0.0, 2.0 * std::numbers::pi * data.frequencies_hz(k));
    if (motion == model::Motion::Velocity) data.values.row(k) *= s;
    if (motion == model::Motion::Acceleration) data.values.row(k) *= s * s;
  }
  return data;
}

// The truth has unit modal mass, so shapes come out as they are, up to a sign. The noise is 1e-5 of
// the rms response; residues of modes far above it are known to some 1e-5: 1e-3 is 100 times that.
TEST(ScaleModes, GivesBackShapesOfUnitModalMass) {
  const std::vector<KnownMode> truth = driven_modes();
  for (const model::Motion motion :
       {model::Motion::Displacement, model::Motion::Velocity, model::Motion::Acceleration}) {
    FrfData data = responses(truth, motion);
    const double rms =
        std::sqrt(data.values.squaredNorm() / static_cast<double>(data.values.size()));
    test::add_noise(data, 1e-5 * rms, 3);
    const FrfModes found = identify_frf_modes(data);
    ASSERT_EQ(found.modes.size(), truth.size());
    const std::vector<ScaledMode> scaled = scale_modes(found.modes, kDriven, motion);
    for (std::size_t r = 0; r < truth.size(); ++r) {
      EXPECT_TRUE(scaled[r].trusted) << scaled[r].remark;
      EXPECT_NEAR(scaled[r].phase, 0.0, 1e-2);
      const double sign = scaled[r].shape(2).real() * truth[r].outputs(2) > 0.0 ? 1.0 : -1.0;
      const double size = truth[r].outputs.norm();
      EXPECT_LT((sign * scaled[r].shape - truth[r].outputs.cast<Complex>()).norm(), 1e-3 * size);
      EXPECT_LT((sign * scaled[r].drive - truth[r].inputs.cast<Complex>()).norm(), 1e-3 * size);
      EXPECT_NEAR(scaled[r].modal_mass * truth[r].outputs.cwiseAbs2().maxCoeff(), 1.0, 1e-3);
    }
  }
}

// The model of the modes against the sum over modes that made the data: two ways to a response.
TEST(ModalSystem, HasTheResponsesThatWereMeasured) {
  const std::vector<KnownMode> truth = driven_modes();
  FrfData data = responses(truth, model::Motion::Acceleration);
  const double rms = std::sqrt(data.values.squaredNorm() / static_cast<double>(data.values.size()));
  const MatrixXcd clean = data.values;
  test::add_noise(data, 1e-5 * rms, 4);
  const FrfModes found = identify_frf_modes(data);
  const ModalSystem modal =
      modal_system(found.modes, scale_modes(found.modes, kDriven, model::Motion::Acceleration),
                   model::Motion::Acceleration);
  EXPECT_NO_THROW((void)model::check_second_order(modal.system));
  const std::vector<MatrixXcd> made =
      model::frequency_response(modal.system, modal.outputs, data.frequencies_hz);
  double error = 0.0;
  for (std::size_t k = 0; k < made.size(); ++k) {
    error += (made[k].reshaped().transpose() - clean.row(static_cast<Index>(k))).squaredNorm();
  }
  // As above: 1e-3 of each shape.
  EXPECT_LT(std::sqrt(error), 2e-3 * clean.norm());
}

// Records instead of responses: forces that are constant between samples lag half a step, which is
// a turn of the residue by ω step/2, 4.7 degrees at 52 Hz and 500 Hz.
TEST(ScaleModes, WorksOnRefinedModes) {
  constexpr double kStep = 0.0005;
  const std::vector<KnownMode> truth = driven_modes();
  RandomStream random(9);
  signal::InputOutput data{Eigen::MatrixXd(16000, 2), Eigen::MatrixXd::Zero(16000, 4)};
  for (Index j = 0; j < 2; ++j) data.inputs.col(j) = random.normal_vector(16000);
  for (const KnownMode& mode : truth) {
    const Complex z = std::exp(mode.pole() * kStep);
    const Complex gain = (z - 1.0) / mode.pole();
    Complex x = 0.0;
    for (Index k = 0; k < 16000; ++k) {
      data.outputs.row(k) +=
          (x / Complex(0.0, mode.pole().imag())).real() * mode.outputs.transpose();
      x = z * x + gain * data.inputs.row(k).dot(mode.inputs);
    }
  }
  const double rms =
      std::sqrt(data.outputs.squaredNorm() / static_cast<double>(data.outputs.size()));
  for (Index o = 0; o < 4; ++o) data.outputs.col(o) += 1e-4 * rms * random.normal_vector(16000);
  const RecordModes found = identify_record_modes({data}, kStep, {.to_hz = 90.0});
  ASSERT_TRUE(found.refined);
  ASSERT_EQ(found.modes.size(), truth.size());
  const std::vector<ScaledMode> scaled =
      scale_modes(found.modes, kDriven, model::Motion::Displacement);
  for (std::size_t r = 0; r < truth.size(); ++r) {
    EXPECT_TRUE(scaled[r].trusted) << scaled[r].remark;
    // The half step is a phase of the residue alone: at most 0.082 rad, half of it in a shape.
    EXPECT_NEAR(scaled[r].phase, -0.5 * kStep * truth[r].pole().imag(), 0.01);
    EXPECT_NEAR(scaled[r].modal_mass * truth[r].outputs.cwiseAbs2().maxCoeff(), 1.0, 0.01);
  }
}

TEST(ScaleModes, ASensorAgainstTheForceIsNamed) {
  const std::vector<KnownMode> truth = driven_modes();
  FrfData data = responses(truth, model::Motion::Acceleration);
  data.values = -data.values;
  test::add_noise(data, 1e-9, 5);
  const FrfModes found = identify_frf_modes(data);
  for (const ScaledMode& one : scale_modes(found.modes, kDriven, model::Motion::Acceleration)) {
    EXPECT_FALSE(one.trusted);
    EXPECT_THAT(one.remark, testing::HasSubstr("opposite signs"));
  }
}

// Velocities taken for accelerations: the phase is off by 90 degrees.
TEST(ScaleModes, AWrongKindOfResponseIsNamed) {
  const std::vector<KnownMode> truth = driven_modes();
  FrfData data = responses(truth, model::Motion::Velocity);
  test::add_noise(data, 1e-9, 6);
  const FrfModes found = identify_frf_modes(data);
  for (const ScaledMode& one : scale_modes(found.modes, kDriven, model::Motion::Acceleration)) {
    EXPECT_FALSE(one.trusted);
    EXPECT_THAT(one.remark, testing::HasSubstr("not at one place"));
  }
  EXPECT_THROW((void)modal_system(found.modes,
                                  scale_modes(found.modes, kDriven, model::Motion::Acceleration),
                                  model::Motion::Acceleration),
               InvalidInput);
}

TEST(ScaleModes, APlaceThatIsNotThereIsRefused) {
  Mode mode;
  mode.pole = Complex(-1.0, 60.0);
  mode.shape = Eigen::VectorXcd::Ones(4);
  mode.participation = Eigen::VectorXcd::Ones(2);
  EXPECT_THROW((void)scale_modes({mode}, {.output = 4, .input = 0}, model::Motion::Velocity),
               InvalidInput);
  EXPECT_THROW((void)scale_modes({mode}, {.output = 0, .input = 2}, model::Motion::Velocity),
               InvalidInput);
  // A decay has no residue.
  const ScaledMode none = scale_modes({mode}, {}, model::Motion::Velocity).front();
  EXPECT_FALSE(none.trusted);
}

}  // namespace
}  // namespace alembert::identify::modal_scaling_test
