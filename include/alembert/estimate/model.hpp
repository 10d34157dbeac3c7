#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <span>
#include <type_traits>
#include <vector>

#include "alembert/estimate/detail/kernels.hpp"
#include "alembert/estimate/dual.hpp"

/// State estimation: filters and smoothers over one model interface.
///
/// A model is any type with (concept FilterModel)
///
///   using Scalar = double;               // or float
///   using Input = ...;                   // handed through: input samples, step, time, geometry
///   static constexpr int kStates = 3;    // n, or Eigen::Dynamic
///   static constexpr int kOutputs = 2;   // m, or Eigen::Dynamic
///   int states() const;                  // only where the size is dynamic
///   int outputs() const;                 // only where the size is dynamic
///
///   // x⁺ = f(u, x) and y = h(u, x)
///   template <typename T>
///   void process(const Input& u, std::span<const T> x, std::span<T> next) const;
///   template <typename T>
///   void output(const Input& u, std::span<const T> x, std::span<T> y) const;
///
/// and optionally
///
///   // value and exact Jacobian together; F is n x n, H is m x n, column-major
///   void process_jacobian(const Input& u, std::span<const Scalar> x, std::span<Scalar> next,
///                         StateMatrix& F) const;
///   void output_jacobian(const Input& u, std::span<const Scalar> x, std::span<Scalar> y,
///                        OutputJacobian& H) const;
///   bool state_is_angle(int i) const;    // on the circle, kept in [-π, π]
///   bool output_is_angle(int i) const;   // innovations in [-π, π]
///
/// Without the Jacobians the extended filters differentiate the templates with dual numbers; with
/// them, and for sigma points, process() and output() need not be templates. A model does not
/// throw: where it has no value it writes NaN; an output without a value counts as not measured,
/// and a step without any returns Status::NotFinite.
namespace alembert::estimate {

/// The types and sizes of a model.
template <typename Model>
concept SizedModel = requires {
  typename Model::Input;
  requires std::floating_point<typename Model::Scalar>;
  requires Model::kStates == Eigen::Dynamic || Model::kStates >= 1;
  requires Model::kOutputs == Eigen::Dynamic || Model::kOutputs >= 1;
}
&&(Model::kStates != Eigen::Dynamic ||
   requires(const Model& model) {
     { model.states() } -> std::convertible_to<int>;
   }) &&
    (Model::kOutputs != Eigen::Dynamic || requires(const Model& model) {
      { model.outputs() } -> std::convertible_to<int>;
    });

/// A model for the filters: types, sizes, process() and output() as above.
template <typename Model>
concept FilterModel = SizedModel<Model> &&
    requires(const Model& model, const typename Model::Input& u,
             std::span<const typename Model::Scalar> x, std::span<typename Model::Scalar> next) {
  model.process(u, x, next);
  model.output(u, x, next);
};

/// The sizes and types that follow from a model.
template <typename Model>
struct ModelTypes {
  using Scalar = typename Model::Scalar;
  using Input = typename Model::Input;
  static constexpr int kN = Model::kStates;
  static constexpr int kM = Model::kOutputs;
  using State = Eigen::Matrix<Scalar, kN, 1>;
  using Output = Eigen::Matrix<Scalar, kM, 1>;
  using StateMatrix = Eigen::Matrix<Scalar, kN, kN>;
  using OutputMatrix = Eigen::Matrix<Scalar, kM, kM>;
  using OutputJacobian = Eigen::Matrix<Scalar, kM, kN>;
  using Cross = Eigen::Matrix<Scalar, kN, kM>;
};

/// Number of states n, as a constant where it is one.
template <typename Model>
constexpr auto states_of(const Model& model) {
  if constexpr (Model::kStates == Eigen::Dynamic) {
    return static_cast<int>(model.states());
  } else {
    return kernels::Fixed<Model::kStates>{};
  }
}

/// Number of outputs m, as a constant where it is one.
template <typename Model>
constexpr auto outputs_of(const Model& model) {
  if constexpr (Model::kOutputs == Eigen::Dynamic) {
    return static_cast<int>(model.outputs());
  } else {
    return kernels::Fixed<Model::kOutputs>{};
  }
}

template <typename Model>
bool state_is_angle(const Model& model, int i) {
  if constexpr (requires { model.state_is_angle(i); }) {
    return model.state_is_angle(i);
  } else {
    return false;
  }
}

template <typename Model>
bool output_is_angle(const Model& model, int i) {
  if constexpr (requires { model.output_is_angle(i); }) {
    return model.output_is_angle(i);
  } else {
    return false;
  }
}

/// Whether the model says itself that it has angles, so that others pay nothing for them.
template <typename Model>
inline constexpr bool kHasStateAngles = requires(const Model& model) {
  model.state_is_angle(0);
};
template <typename Model>
inline constexpr bool kHasOutputAngles = requires(const Model& model) {
  model.output_is_angle(0);
};

/// Whether the model counts, in unreached(), how often outputs were asked for where it has none.
template <typename Model>
inline constexpr bool kCountsUnreached = requires(const Model& model) {
  model.unreached();
};

/// A model for the extended filters: it brings its Jacobians, or its functions take dual numbers.
template <typename Model>
concept LinearisableModel =
    SizedModel<Model> &&(
        requires(const Model& model, const typename Model::Input& u,
                 std::span<const typename Model::Scalar> x, std::span<typename Model::Scalar> next,
                 typename ModelTypes<Model>::StateMatrix& F) {
          model.process_jacobian(u, x, next, F);
        } ||
        requires(const Model& model, const typename Model::Input& u,
                 std::span<const Dual<typename Model::Scalar, 1>> x,
                 std::span<Dual<typename Model::Scalar, 1>> next) { model.process(u, x, next); }) &&
    (
        requires(const Model& model, const typename Model::Input& u,
                 std::span<const typename Model::Scalar> x, std::span<typename Model::Scalar> y,
                 typename ModelTypes<Model>::OutputJacobian& H) {
          model.output_jacobian(u, x, y, H);
        } ||
        requires(const Model& model, const typename Model::Input& u,
                 std::span<const Dual<typename Model::Scalar, 1>> x,
                 std::span<Dual<typename Model::Scalar, 1>> y) { model.output(u, x, y); });

/// Values and Jacobians of a model, by its own or by dual numbers; owns the workspace for the
/// latter.
template <typename Model>
class Linearisation {
  using Types = ModelTypes<Model>;
  using T = typename Types::Scalar;
  static constexpr int kN = Types::kN;
  static constexpr int kM = Types::kM;
  static constexpr int kWidth = kN != Eigen::Dynamic && kN <= 8 ? kN : 4;
  using D = Dual<T, kWidth>;
  template <int Size>
  using Duals = std::conditional_t<
      Size == Eigen::Dynamic, std::vector<D>,
      std::array<D, static_cast<std::size_t>(Size == Eigen::Dynamic ? 1 : Size)>>;

 public:
  explicit Linearisation(const Model& model) {
    const auto n = static_cast<std::size_t>(int{states_of(model)});
    const auto m = static_cast<std::size_t>(int{outputs_of(model)});
    if constexpr (kN == Eigen::Dynamic) x_.resize(n), next_.resize(n);
    if constexpr (kM == Eigen::Dynamic) y_.resize(m);
  }

  /// next = f(u, x), F = ∂f/∂x.
  void process(const Model& model, const typename Types::Input& u, const typename Types::State& x,
               typename Types::State& next, typename Types::StateMatrix& F) {
    const auto n = states_of(model);
    const std::span<const T> at(x.data(), static_cast<std::size_t>(int{n}));
    if constexpr (requires { model.process_jacobian(u, at, span_of(next, n), F); }) {
      model.process_jacobian(u, at, span_of(next, n), F);
    } else {
      differentiate(x, n, n, next_, next, F,
                    [&](std::span<const D> a, std::span<D> b) { model.process(u, a, b); });
    }
  }

  /// y = h(u, x), H = ∂h/∂x.
  void output(const Model& model, const typename Types::Input& u, const typename Types::State& x,
              typename Types::Output& y, typename Types::OutputJacobian& H) {
    const auto n = states_of(model);
    const auto m = outputs_of(model);
    const std::span<const T> at(x.data(), static_cast<std::size_t>(int{n}));
    if constexpr (requires { model.output_jacobian(u, at, span_of(y, m), H); }) {
      model.output_jacobian(u, at, span_of(y, m), H);
    } else {
      differentiate(x, n, m, y_, y, H,
                    [&](std::span<const D> a, std::span<D> b) { model.output(u, a, b); });
    }
  }

 private:
  template <typename Vector>
  static std::span<T> span_of(Vector& v, int size) {
    return {v.data(), static_cast<std::size_t>(size)};
  }

  /// Seeds kWidth directions at a time.
  template <typename N, typename M, typename Values, typename Out, typename Jacobian,
            typename Function>
  void differentiate(const typename Types::State& x, N n, M m, Values& values, Out& out,
                     Jacobian& jacobian, const Function& function) {
    const auto size = [](int count) { return static_cast<std::size_t>(count); };
    for (int first = 0; first < n; first += kWidth) {
      for (int i = 0; i < n; ++i) {
        x_[size(i)] = D(x(i));
        if (i >= first && i < first + kWidth) x_[size(i)].slope[i - first] = T(1);
      }
      function(std::span<const D>(x_.data(), size(n)), std::span<D>(values.data(), size(m)));
      const int last = std::min<int>(n, first + kWidth);
      for (int j = first; j < last; ++j) {
        for (int i = 0; i < m; ++i) jacobian(i, j) = values[size(i)].slope[j - first];
      }
    }
    for (int i = 0; i < m; ++i) out(i) = values[size(i)].value;
  }

  Duals<kN> x_;
  Duals<kN> next_;
  Duals<kM> y_;
};

}  // namespace alembert::estimate
