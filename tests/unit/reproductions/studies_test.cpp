#include "reproductions/studies.hpp"

#include <gtest/gtest.h>

#include "alembert/core/error.hpp"
#include "reproductions/acceleration/motion_cases.hpp"
#include "reproductions/bouc_wen/model.hpp"
#include "reproductions/published_systems.hpp"
#include "support/published_systems.hpp"

namespace alembert::reproductions {
namespace studies_test {

void expect_same(const model::SecondOrder& one, const model::SecondOrder& other) {
  EXPECT_EQ(one.M, other.M);
  EXPECT_EQ(one.D, other.D);
  EXPECT_EQ(one.K, other.K);
  EXPECT_EQ(one.L, other.L);
}

// To the last bit: the published tables rest on it.
TEST(PublishedSystems, AreThoseOfTheStudies) {
  expect_same(frame_8dof(), test::frame_8dof());
  expect_same(coupled_3dof(), test::coupled_3dof());
}

TEST(PublishedSystems, TheOscillatorHasThePublishedParameters) {
  EXPECT_EQ(acceleration::duffing_case().equation, "x'' + a*x' + b*x + c*x^3 = 0");
  EXPECT_EQ(acceleration::duffing_case().parameters, Eigen::Vector3d(0.01067, 36.78, -444.7));
  EXPECT_EQ(acceleration::duffing_case().x0, 0.1);
}

// m, c, k, alpha, beta, gamma, delta, nu as the benchmark was simulated.
TEST(PublishedSystems, TheHysteresisHasTheParametersOfTheBenchmark) {
  Eigen::VectorXd published(8);
  published << 2.0, 10.0, 5e4, 5e4, 1e3, 0.8, -1.1, 1.0;
  EXPECT_EQ(bouc_wen::truth(), published);
  EXPECT_EQ(bouc_wen::equations().model().states().size(), 3U);
}

TEST(StudyText, WhatIsNotThereIsRefused) {
  EXPECT_THROW((void)study_text("no/such.toml"), InvalidInput);
  EXPECT_THROW((void)study_number("duffing/identify.toml", "truth.z"), InvalidInput);
  EXPECT_THROW((void)study_number("duffing/identify.toml", "model.equations"), InvalidInput);
  EXPECT_THROW((void)study_word("duffing/identify.toml", "truth.a"), InvalidInput);
  EXPECT_THROW((void)study_system("duffing/identify.toml"), InvalidInput);
}

}  // namespace studies_test
}  // namespace alembert::reproductions
