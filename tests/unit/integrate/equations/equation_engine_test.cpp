#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <thread>

#include "alembert/core/error.hpp"
#include "support/allocations.hpp"
#include "support/data.hpp"
#include "support/message_of.hpp"
#include "unit/integrate/equations/equation_runs.hpp"

namespace alembert::integrate {
namespace equation_engine_test {

using namespace model;

using test::interpreted;
using test::native;
using test::rich_model;
using test::same_bits;
using testing::HasSubstr;

struct Record {
  std::vector<double> inputs, x0, y, x, dy, dx;
  std::size_t done = 0;
};

Record simulated(const CompiledEquations& compiled, signal::BetweenSamples between,
                 const std::vector<double>& p, bool sensitive) {
  const EquationModel& model = compiled.model();
  const std::size_t samples = 40, substeps = 3;
  const std::size_t rows =
      between == signal::BetweenSamples::Cubic ? 2 * substeps * (samples - 1) + 1 : samples;
  Record record;
  for (std::size_t k = 0; k < rows * model.inputs().size(); ++k) {
    record.inputs.push_back(std::sin(0.37 * static_cast<double>(k)));
  }
  EquationSimulator evaluator(compiled);
  evaluator.set_parameters(p);
  auto start = evaluator.start_jacobians();
  evaluator.start(start);
  record.x0 = start.values;
  const std::size_t nx = model.states().size();
  record.y.resize(samples * model.outputs().size());
  record.x.resize(samples * nx);
  const RecordTask task{.samples = samples,
                        .start_time = 0.2,
                        .step = 0.1,
                        .substeps = substeps,
                        .between = between,
                        .inputs = record.inputs};
  if (!sensitive) {
    record.done = evaluator.simulate(task, record.x0, record.y, record.x);
    return record;
  }
  // All parameters in reverse, then a free start of the last state.
  std::vector<int> columns;
  for (int k = static_cast<int>(p.size()) - 1; k >= 0; --k) columns.push_back(k);
  columns.push_back(-1);
  const std::size_t count = columns.size();
  std::vector<double> s0(nx * count);
  for (std::size_t i = 0; i < nx; ++i) {
    for (std::size_t k = 0; k < p.size(); ++k) {
      s0[i * count + k] = start.by_parameter[static_cast<std::size_t>(columns[k]) * nx + i];
    }
  }
  s0[nx * count - 1] = 1.0;
  record.dy.resize(record.y.size() * count);
  record.dx.resize(record.x.size() * count);
  record.done = evaluator.simulate(
      task, record.x0, record.y, record.x,
      {.columns = columns, .start = s0, .outputs = record.dy, .states = record.dx});
  return record;
}

const std::vector<double> kParameters{0.4, 0.7, 0.3, 1.3};

TEST(EquationEngine, BothGiveTheSameBits) {
  const EquationModel model = rich_model();
  EquationSimulator one(interpreted(model)), two(native(model));
  for (const double scale : {0.0, 0.3, 1.0, -2.0, 40.0}) {
    const std::vector<double> x{0.9 * scale, -0.4 * scale, 0.8 * scale}, u{scale, 0.2};
    const std::vector<double> p{0.4 * scale, 0.7, 0.3, 1.0 + 0.1 * scale};
    one.set_parameters(p);
    two.set_parameters(p);
    auto f1 = one.derivative_jacobians(), f2 = f1, s1 = one.start_jacobians(), s2 = s1;
    auto g1 = one.output_jacobians(), g2 = g1;
    one.derivatives(0.3, x.data(), u.data(), f1);
    two.derivatives(0.3, x.data(), u.data(), f2);
    one.outputs(0.3, x.data(), u.data(), g1);
    two.outputs(0.3, x.data(), u.data(), g2);
    one.start(s1);
    two.start(s2);
    for (const auto& [a, b] : {std::pair{&f1, &f2}, std::pair{&g1, &g2}, std::pair{&s1, &s2}}) {
      EXPECT_TRUE(same_bits(a->values, b->values)) << scale;
      EXPECT_TRUE(same_bits(a->by_state, b->by_state)) << scale;
      EXPECT_TRUE(same_bits(a->by_input, b->by_input)) << scale;
      EXPECT_TRUE(same_bits(a->by_parameter, b->by_parameter)) << scale;
    }
    std::vector<double> dx(3), y(3);
    two.derivatives(0.3, x.data(), u.data(), dx.data());
    two.outputs(0.3, x.data(), u.data(), y.data());
    EXPECT_TRUE(same_bits(dx, f1.values));
    EXPECT_TRUE(same_bits(y, g1.values));
  }
}

TEST(EquationEngine, BothSimulateTheSameBits) {
  const EquationModel model = rich_model();
  for (const auto between : {signal::BetweenSamples::Held, signal::BetweenSamples::Linear,
                             signal::BetweenSamples::Cubic}) {
    const Record one = simulated(interpreted(model), between, kParameters, true);
    const Record two = simulated(native(model), between, kParameters, true);
    const Record three = simulated(native(model), between, kParameters, false);
    const Record four = simulated(interpreted(model), between, kParameters, false);
    EXPECT_EQ(one.done, 40u);
    EXPECT_TRUE(same_bits(one.y, two.y) && same_bits(one.x, two.x));
    EXPECT_TRUE(same_bits(one.dy, two.dy) && same_bits(one.dx, two.dx));
    EXPECT_TRUE(same_bits(one.y, three.y) && same_bits(one.x, three.x));
    EXPECT_TRUE(same_bits(one.y, four.y) && same_bits(one.x, four.x));
  }
}

// The steps of the sine, x'' = -x, x(0) = 0, x'(0) = 1: halving the step divides the error by 16.
TEST(EquationEngine, RungeKuttaIsOfOrderFour) {
  EquationSetup setup;
  setup.outputs = {{"x", ""}};
  setup.starts = {{"x'", "1"}};
  const EquationModel model = parse_equations("x'' = -x", setup);
  for (const CompiledEquations& compiled : {interpreted(model), native(model)}) {
    EquationSimulator evaluator(compiled);
    evaluator.set_parameters({});
    std::vector<double> errors;
    for (const std::size_t substeps : {16u, 32u, 64u}) {
      std::vector<double> x0(2), y(11);
      evaluator.start(x0);
      ASSERT_EQ(evaluator.simulate({.samples = 11, .step = 0.5, .substeps = substeps}, x0, y), 11u);
      errors.push_back(std::fabs(y[10] - std::sin(5.0)));
    }
    EXPECT_NEAR(errors[0] / errors[1], 16.0, 1.6);
    EXPECT_NEAR(errors[1] / errors[2], 16.0, 1.6);
  }
}

// x' = u: the rule is exact for held and linear inputs, whose integrals are known.
TEST(EquationEngine, InputsAreHeldOrInterpolated) {
  EquationSetup setup;
  setup.inputs = {{"u", ""}};
  setup.outputs = {{"x", ""}};
  const EquationModel model = parse_equations("x' = u", setup);
  for (const CompiledEquations& compiled : {interpreted(model), native(model)}) {
    EquationSimulator evaluator(compiled);
    evaluator.set_parameters({});
    const std::vector<double> u{1.0, 3.0, -2.0}, x0{0.0};
    std::vector<double> y(3);
    const double eps = 1e-15;  // a few roundings of numbers below 4
    RecordTask task{.samples = 3, .step = 0.5, .substeps = 3, .inputs = u};
    evaluator.simulate(task, x0, y);
    EXPECT_NEAR(y[1], 0.5, eps);
    EXPECT_NEAR(y[2], 2.0, eps);
    task.between = signal::BetweenSamples::Linear;
    evaluator.simulate(task, x0, y);
    EXPECT_NEAR(y[1], 1.0, eps);
    EXPECT_NEAR(y[2], 1.25, eps);
    // u = t³ at half steps of 0.25: the rule of order 4 integrates it exactly, to t⁴/4.
    std::vector<double> cube;
    for (int k = 0; k <= 4; ++k) cube.push_back(std::pow(0.25 * k, 3));
    evaluator.simulate(
        {.samples = 3, .step = 0.5, .between = signal::BetweenSamples::Cubic, .inputs = cube}, x0,
        y);
    EXPECT_NEAR(y[1], std::pow(0.5, 4) / 4, eps);
    EXPECT_NEAR(y[2], 0.25, eps);
  }
}

// The sensitivities are the derivatives of the very numbers that the simulation gives. The model
// has no jumps that depend on the parameters: next to one a difference says nothing.
TEST(EquationEngine, SensitivitiesAgreeWithDifferences) {
  const CompiledEquations compiled = interpreted(rich_model(test::Jumps::OfInputsOnly));
  const Record record = simulated(compiled, signal::BetweenSamples::Linear, kParameters, true);
  const std::size_t count = kParameters.size() + 1;
  for (std::size_t k = 0; k < kParameters.size(); ++k) {
    const auto differences = [&](double h) {
      std::vector<double> up = kParameters, down = kParameters;
      up[k] += h;
      down[k] -= h;
      const Record plus = simulated(compiled, signal::BetweenSamples::Linear, up, false);
      const Record minus = simulated(compiled, signal::BetweenSamples::Linear, down, false);
      std::vector<double> result(record.x.size());
      for (std::size_t i = 0; i < result.size(); ++i) {
        result[i] = (plus.x[i] - minus.x[i]) / (2 * h);
      }
      return result;
    };
    const double h = 1e-5;
    const std::vector<double> coarse = differences(2 * h), fine = differences(h);
    const std::size_t column = kParameters.size() - 1 - k;
    for (std::size_t i = 0; i < record.x.size(); ++i) {
      // Truncation: three quarters of `coarse` beyond `fine` is that of h², and as much again is
      // left for h⁴. Rounding: 117 steps of some ten operations on numbers below 2, over 2 h.
      const double bound = 2 * std::fabs(coarse[i] - fine[i]) + 117 * 10 * 2 * 2.3e-16 / (2 * h);
      EXPECT_NEAR(record.dx[i * count + column], fine[i], bound) << k << " " << i;
    }
  }
  EXPECT_EQ(record.dx[3 * count - 1], 1.0);
}

TEST(EquationEngine, StopsWhereStatesAreNotFinite) {
  EquationSetup setup;
  setup.outputs = {{"x", ""}};
  setup.starts = {{"x", "1"}};
  const EquationModel model = parse_equations("x' = x^2", setup);  // infinite at t = 1
  for (const CompiledEquations& compiled : {interpreted(model), native(model)}) {
    EquationSimulator evaluator(compiled);
    evaluator.set_parameters({});
    std::vector<double> x0{1.0}, y(100);
    const std::size_t done = evaluator.simulate({.samples = 100, .step = 0.1}, x0, y);
    EXPECT_GT(done, 9u);
    EXPECT_LT(done, 25u);
    EXPECT_TRUE(std::isfinite(y[done - 1]));
  }
}

TEST(EquationEngine, ChecksSizes) {
  EquationSimulator evaluator(interpreted(rich_model()));
  const std::vector<double> few(2);
  EXPECT_THAT(test::message_of([&] { evaluator.set_parameters(few); }), HasSubstr("parameters"));
  evaluator.set_parameters(kParameters);
  std::vector<double> x0(3), y(6), u(4);
  const auto message = [&](const RecordTask& task) {
    return test::message_of([&] { evaluator.simulate(task, x0, y); });
  };
  EXPECT_THAT(message({.samples = 0}), HasSubstr("samples"));
  EXPECT_THAT(message({.samples = 2, .substeps = 0, .inputs = u}), HasSubstr("substeps"));
  EXPECT_THAT(message({.samples = 2, .step = 0.0, .inputs = u}), HasSubstr("step"));
  EXPECT_THAT(message({.samples = 3, .inputs = u}), HasSubstr("inputs"));
  y.resize(5);
  EXPECT_THAT(message({.samples = 2, .inputs = u}), HasSubstr("y must"));
  y.resize(6);
  const std::vector<int> columns{1, 1};
  std::vector<double> s0(6), dy(12);
  EXPECT_THAT(test::message_of([&] {
                evaluator.simulate({.samples = 2, .inputs = u}, x0, y, {},
                                   {.columns = columns, .start = s0, .outputs = dy, .states = {}});
              }),
              HasSubstr("got 1 twice"));
}

// Results of the wrong size would be written beyond their end.
TEST(EquationEngine, ChecksRoomForJacobians) {
  const EquationModel model = rich_model();
  for (const CompiledEquations& compiled : {interpreted(model), native(model)}) {
    EquationSimulator evaluator(compiled);
    evaluator.set_parameters(kParameters);
    const std::vector<double> x(3, 0.1), u(2, 0.2);
    const EquationJacobians room = evaluator.derivative_jacobians();
    for (const auto& [member, name] :
         {std::pair{&EquationJacobians::values, "result.values"},
          std::pair{&EquationJacobians::by_state, "result.by_state"},
          std::pair{&EquationJacobians::by_input, "result.by_input"},
          std::pair{&EquationJacobians::by_parameter, "result.by_parameter"}}) {
      EquationJacobians small = room;
      (small.*member).pop_back();
      EXPECT_THAT(test::message_of([&] { evaluator.start(small); }), HasSubstr(name));
      EXPECT_THAT(test::message_of([&] { evaluator.outputs(0, x.data(), u.data(), small); }),
                  HasSubstr(name));
      EXPECT_THAT(test::message_of([&] { evaluator.derivatives(0, x.data(), u.data(), small); }),
                  HasSubstr(name));
    }
  }
}

TEST(EquationEngine, AsksForParametersFirst) {
  const EquationModel model = rich_model();
  for (const CompiledEquations& compiled : {interpreted(model), native(model)}) {
    EquationSimulator evaluator(compiled);
    std::vector<double> x(3), u(2), y(3), s0(3), dy(3);
    const std::vector<int> columns{0};
    EquationJacobians f = evaluator.derivative_jacobians();
    const std::vector<std::function<void()>> calls{
        [&] { evaluator.start(x); },
        [&] { evaluator.start(f); },
        [&] { evaluator.derivatives(0, x.data(), u.data(), y.data()); },
        [&] { evaluator.derivatives(0, x.data(), u.data(), f); },
        [&] { evaluator.outputs(0, x.data(), u.data(), y.data()); },
        [&] { evaluator.outputs(0, x.data(), u.data(), f); },
        [&] { evaluator.simulate({.samples = 1, .inputs = u}, x, y); },
        [&] {
          evaluator.simulate({.samples = 1, .inputs = u}, x, y, {},
                             {.columns = columns, .start = s0, .outputs = dy, .states = {}});
        }};
    for (const auto& call : calls) {
      EXPECT_THAT(test::message_of(call), HasSubstr("set_parameters must come first"));
    }
    evaluator.set_parameters(kParameters);
    for (const auto& call : calls) {
      EXPECT_EQ(test::message_of(call), "no InvalidInput");
    }
  }
}

// Sensitivities need room for their columns the first time, and when there are more of them.
TEST(EquationEngine, DoesNotAllocate) {
  if (!test::counts_allocations()) {
    GTEST_SKIP() << "allocations are not counted in this build";
  }
  const EquationModel model = rich_model();
  for (const CompiledEquations& compiled : {interpreted(model), native(model)}) {
    EquationSimulator evaluator(compiled);
    auto f = evaluator.derivative_jacobians();
    const std::vector<double> x(3, 0.1), u(8, 0.2);
    std::vector<double> dx(3), y(12);
    std::size_t before = test::allocation_count();
    evaluator.set_parameters(kParameters);
    evaluator.derivatives(0.0, x.data(), u.data(), dx.data());
    evaluator.derivatives(0.0, x.data(), u.data(), f);
    evaluator.simulate({.samples = 4, .inputs = u}, x, y);
    EXPECT_EQ(test::allocation_count(), before);
    const std::vector<double> s0(15, 0.0);
    std::vector<double> dy(60);
    const std::vector<int> columns{0, 1, 2, 3, -1};
    const auto sensitive = [&](std::size_t count) {
      evaluator.simulate({.samples = 4, .inputs = u}, x, y, {},
                         {.columns = {columns.data(), count},
                          .start = {s0.data(), 3 * count},
                          .outputs = {dy.data(), 12 * count},
                          .states = {}});
    };
    sensitive(5);
    before = test::allocation_count();
    for (const std::size_t count : {5u, 1u, 4u, 5u}) {
      sensitive(count);
    }
    EXPECT_EQ(test::allocation_count(), before);
  }
}

TEST(EquationEngine, ThreadsShareAModel) {
  const CompiledEquations compiled = native(rich_model());
  const Record expected = simulated(compiled, signal::BetweenSamples::Held, kParameters, true);
  std::vector<Record> records(4);
  std::vector<std::thread> threads;
  for (Record& record : records) {
    threads.emplace_back(
        [&] { record = simulated(compiled, signal::BetweenSamples::Held, kParameters, true); });
  }
  for (std::thread& thread : threads) thread.join();
  for (const Record& record : records) {
    EXPECT_TRUE(same_bits(record.dy, expected.dy));
  }
}

}  // namespace equation_engine_test
}  // namespace alembert::integrate
