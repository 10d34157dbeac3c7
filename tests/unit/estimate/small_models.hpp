#pragma once

/// Types and sizes of the small models that tests write down themselves.
namespace alembert::estimate::test_models {

struct NoInput {};

template <int N, int M, typename Given = NoInput>
struct SmallModel {
  using Scalar = double;
  using Input = Given;
  static constexpr int kStates = N;
  static constexpr int kOutputs = M;
};

}  // namespace alembert::estimate::test_models
