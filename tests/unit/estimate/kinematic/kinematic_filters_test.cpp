// Every filter of the kinematic observer, in both forms of the model.
#include <gtest/gtest.h>

#include <limits>

#include "slider_crank_record.hpp"
#include "support/allocations.hpp"
#include "support/matrices_near.hpp"
#include "support/message_of.hpp"

namespace alembert::test::kinematic_filters_test {

using estimate::FilterRule;
using estimate::KinematicEstimate;
using estimate::KinematicObserver;
using estimate::KinematicObserverOptions;
using estimate::observe_record;
using estimate::ObserverFilter;

struct Forms {
  ObserverFilter plain, root;
};

constexpr Forms kFilters[] = {{FilterRule::Ekf, square_root(FilterRule::Ekf)},
                              {FilterRule::IteratedEkf, square_root(FilterRule::IteratedEkf)},
                              {FilterRule::Simplex, square_root(FilterRule::Simplex)},
                              {FilterRule::Unscented, square_root(FilterRule::Unscented)},
                              {FilterRule::Cubature, square_root(FilterRule::Cubature)},
                              {FilterRule::GaussHermite, square_root(FilterRule::GaussHermite)}};

// On this problem all filters agree to a few percent, square-root forms to rounding.
TEST(KinematicFilters, AgreeWithEachOther) {
  const SliderCrankRecord record = slider_crank_record(1.5, 5);
  const auto mechanism = slider_crank_mechanism();
  const auto run = [&](KinematicObserverOptions options, ObserverFilter filter) {
    options.filter = filter;
    return observe_record(mechanism, record.time, record.readings, options, {.smooth = true});
  };
  for (const KinematicObserverOptions& options :
       {output_form(FilterRule::Ekf), input_form(FilterRule::Ekf, 0.35, kWideSwitch)}) {
    const KinematicEstimate ekf = run(options, FilterRule::Ekf);
    const double reference = motion_errors(record, ekf.mean, 0.5).acceleration;
    for (const Forms& forms : kFilters) {
      const KinematicEstimate plain = run(options, forms.plain);
      const KinematicEstimate root = run(options, forms.root);
      ASSERT_TRUE(plain.ok()) << plain.message;
      EXPECT_NEAR(motion_errors(record, plain.mean, 0.5).acceleration, reference, 0.03 * reference);
      // 1500 steps of a stable filter, each with relative rounding n·eps times the condition of P
      // (1e8): 1e-6 is 100 times less than what the sets differ by.
      EXPECT_TRUE(matrices_near(root.mean, plain.mean, {.rel = 1e-6}));
      EXPECT_TRUE(matrices_near(root.smoothed_mean, plain.smoothed_mean, {.rel = 1e-6}));
    }
  }
}

// The last step of a record that was cut at an odd place is as good as any: one prediction over
// 0.3 ms and 0.7 ms is that over 1 ms where nothing is read in between.
TEST(KinematicFilters, TimeBetweenSamplesIsFree) {
  const SliderCrankRecord record = slider_crank_record(0.05, 5);
  const double nothing[] = {std::nan(""), std::nan("")};
  for (const Forms& forms : kFilters) {
    KinematicObserver whole(slider_crank_mechanism(), output_form(forms.plain));
    KinematicObserver parted(slider_crank_mechanism(), output_form(forms.root));
    for (Eigen::Index k = 0; k < record.time.size(); ++k) {
      const double row[] = {record.readings(k, 0), record.readings(k, 1)};
      ASSERT_EQ(whole.step(k == 0 ? 0.0 : 1e-3, row).status, Status::Success);
      if (k > 0) {
        ASSERT_EQ(parted.step(3e-4, nothing).status, Status::Success);
      }
      ASSERT_EQ(parted.step(k == 0 ? 0.0 : 7e-4, row).status, Status::Success);
    }
    // 50 steps with rounding times the condition of P, as above.
    EXPECT_TRUE(matrices_near(parted.mean(), whole.mean(), {.rel = 1e-7}));
    EXPECT_TRUE(matrices_near(parted.covariance(), whole.covariance(), {.rel = 1e-6}));
  }
}

// All filters, both forms, with the switch, late readings and adaptation, no two steps alike.
TEST(KinematicFilters, StepsAllocateAndThrowNothing) {
  if (!counts_allocations()) GTEST_SKIP();
  const SliderCrankRecord record = jittering_slider_crank_record(300, 6);
  const double missing = std::nan("");
  KinematicObserverOptions output = output_form(FilterRule::Ekf);
  output.adapt = {.window = 50};
  output.late_steps = 4;
  KinematicObserverOptions sensors = output;
  sensors.adapt = {.window = 50, .process = false, .outputs = true};
  KinematicObserverOptions input = input_form(FilterRule::Ekf, 0.35, kWideSwitch);
  input.adapt = {.window = 50, .process = false, .outputs = true};
  input.late_steps = 4;
  for (KinematicObserverOptions options :
       {output_form(FilterRule::Ekf, estimate::MotionModel::WhiteSnap), output, sensors,
        input_form(FilterRule::Ekf, 0.35, kWideSwitch), input}) {
    for (const Forms& forms : kFilters) {
      for (const ObserverFilter filter : {forms.plain, forms.root}) {
        options.filter = filter;
        KinematicObserver observer(slider_crank_mechanism(), options);
        KinematicObserver::Kernel kernel(observer.states());
        static_assert(noexcept(observer.step(0.0, {}))&& noexcept(
            observer.step(0.0, {}, kernel))&& noexcept(observer.step_late(0, {})));
        int failures = 0, walks = 0;
        const std::size_t before = allocation_count();
        for (Eigen::Index k = 0; k < record.time.size(); ++k) {
          const double row[] = {k % 7 == 3 ? missing : record.readings(k, 0),
                                record.readings(k, 1)};
          const double late[] = {record.readings(k, 0), missing};
          const double time = k == 0 ? 0.0 : record.time(k) - record.time(k - 1);
          const auto step =
              k % 2 == 0 ? observer.step(time, row) : observer.step(time, row, kernel);
          if (step.status != Status::Success) ++failures;
          if (step.random_walk) ++walks;
          const Status expected = options.late_steps > 0 ? Status::Success : Status::Stopped;
          const double ago = k % 2 == 0 ? 0.0 : 0.4 * time;  // between steps too
          if (k % 7 == 3 && observer.step_late(ago, late).status != expected) ++failures;
          if (observer.step(time, {row, 1}).status != Status::Stopped) ++failures;
        }
        EXPECT_EQ(allocation_count(), before) << name_of(filter);
        EXPECT_EQ(failures, 0) << name_of(filter);
        EXPECT_EQ(walks > 0, options.form == estimate::ObserverForm::Input);
      }
    }
  }
}

TEST(KinematicFilters, GaussHermiteIsForFewStates) {
  KinematicObserverOptions options = output_form(square_root(FilterRule::GaussHermite));
  options.output.geometry = true;
  options.output.biases = {kAccelerometer};
  EXPECT_NO_THROW(KinematicObserver(slider_crank_mechanism(kCrank, kRod, true), options));
  options.output.motion = estimate::MotionModel::WhiteSnap;
  EXPECT_EQ(
      message_of([&] { KinematicObserver(slider_crank_mechanism(kCrank, kRod, true), options); }),
      "Observer: filter must not be gauss-hermite with more than 6 states (3^6 = "
      "729 points), got 7; take cubature");
}

}  // namespace alembert::test::kinematic_filters_test
