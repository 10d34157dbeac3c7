#include <fmt/format.h>

#include <algorithm>

#include "alembert/core/check.hpp"
#include "alembert/core/error.hpp"
#include "alembert/core/linear_algebra.hpp"
#include "alembert/identify/variational.hpp"
#include "alembert/integrate/variational.hpp"
#include "core/algebra/decompositions.hpp"
#include "core/algebra/dense.hpp"
#include "identify/to_continuous/force_distribution.hpp"

namespace alembert::identify {

using Eigen::Index;
using Eigen::MatrixXd;

namespace {

constexpr double kSingularGain = 1e-13;

void fail(VariationalStart& result, Status status, std::string message) {
  if (!result.ok()) return;
  result.status = status;
  result.message = std::move(message);
}

// Outputs with the discrete forces as inputs; the first two samples have none.
Experiments with_discrete_forces(const Experiments& data, const MatrixXd& L) {
  Experiments result;
  for (const Experiment& experiment : data) {
    if (experiment.samples() < 3) {
      throw InvalidInput({.function = "variational_start",
                          .item = "every experiment",
                          .rule = "must have at least 3 samples",
                          .value = fmt::format("{}", experiment.samples())});
    }
    result.push_back({integrate::discrete_forces(L, experiment.input, experiment.step),
                      experiment.output.bottomRows(experiment.samples() - 2), experiment.step});
  }
  return result;
}

// y(k) = A1 y(k-1) + A2 y(k-2) + B0 f(k) + B1 f(k-1) + B2 f(k-2)
struct DifferenceEquation {
  MatrixXd A1, A2, gain;  // gain = B0 + B1 + B2
};

// Block-companion form by Ω = (H; H F) [Bruschetta2014, eqs. (4.6)-(4.10)].
DifferenceEquation difference_equation(const DiscreteModel& model, const MatrixXd& omega) {
  const Index n = model.H.rows();
  // (F21 F22) = H F² Ω⁻¹
  const MatrixXd lower =
      dense::right_solve(dense::times(dense::times(model.H, model.F), model.F), omega);
  const MatrixXd F21 = lower.leftCols(n);
  const MatrixXd F22 = lower.rightCols(n);
  const MatrixXd G12 = omega * model.G;
  const MatrixXd B0 = model.J;
  const MatrixXd B1 = G12.topRows(n) - F22 * model.J;
  const MatrixXd B2 = G12.bottomRows(n) - F22 * G12.topRows(n) - F21 * model.J;
  return {F22, F21, B0 + B1 + B2};
}

// Equal static gain and equal dynamics [Bruschetta2014, eqs. (4.11), (4.12)]: the gain of the
// discrete equation is Md⁻¹ times that of the input: I for fd, and h L for samples, because
// fd(k) = (h/4) L (u(k) + 2 u(k-1) + u(k-2)).
void set_matrices(const DifferenceEquation& equation, const MatrixXd& input_gain, double step,
                  VariationalStart& result) {
  integrate::VariationalMatrices discrete;
  discrete.step = step;
  // Md = input_gain · gain⁻¹
  const MatrixXd Md = dense::right_solve(input_gain, equation.gain);
  const MatrixXd Dd = -Md * equation.A1;
  const MatrixXd Kd = -Md * equation.A2;
  result.asymmetry =
      std::max({antisymmetric_share(Md), antisymmetric_share(Dd), antisymmetric_share(Kd)});
  discrete.Md = symmetrised(Md);
  discrete.Dd = symmetrised(Dd);
  discrete.Kd = symmetrised(Kd);
  if (!discrete.Md.allFinite() || !discrete.Dd.allFinite() || !discrete.Kd.allFinite()) {
    fail(result, Status::NotFinite, "Md, Dd, Kd left the range of numbers");
    return;
  }
  const model::SecondOrder system =
      integrate::continuous_system(discrete, MatrixXd::Identity(Md.rows(), Md.rows()));
  result.matrices = {system.M, system.D, system.K};
  const std::string indefinite = indefinite_matrices(result.matrices);
  if (!indefinite.empty()) {
    fail(result, Status::Indefinite,
         fmt::format("not positive definite: {}; clip before use as a start", indefinite));
  }
}

}  // namespace

VariationalStart variational_start(const Experiments& data, const Eigen::Ref<const MatrixXd>& L,
                                   const VariationalStartOptions& options) {
  check_experiments("variational_start", data);
  const Index n = data.front().output.cols();
  check_force_distribution("variational_start", L, n);
  check::size("variational_start", "number of inputs", data.front().input.cols(), n);
  check::size("variational_start", "stride", options.subspace.stride, 1);
  const bool forces = options.input == VariationalInput::DiscreteForce;
  SubspaceOptions subspace_options = options.subspace;
  subspace_options.order = 2 * n;
  VariationalStart result;
  result.subspace = subspace(forces ? with_discrete_forces(data, L) : data, subspace_options);
  result.status = result.subspace.status;
  result.message = result.subspace.message;
  if (result.status == Status::NotFinite) return result;
  const DiscreteModel& model = result.subspace.model;
  MatrixXd omega(2 * n, 2 * n);
  omega << model.H, model.H * model.F;
  const double reciprocal = reciprocal_condition(omega);
  result.companion_condition = 1.0 / reciprocal;
  if (reciprocal < kSingularGain) {
    fail(result, Status::NotIdentifiable,
         "(H; H F) is singular: the outputs do not show all coordinates and their velocities");
    return result;
  }
  const DifferenceEquation equation = difference_equation(model, omega);
  if (reciprocal_condition(equation.gain) < kSingularGain) {
    fail(result, Status::NotIdentifiable, "the static gain of the subspace model is singular");
    return result;
  }
  const double step = data.front().step;
  const MatrixXd input_gain = forces ? MatrixXd(MatrixXd::Identity(n, n)) : MatrixXd(step * L);
  set_matrices(equation, input_gain, step, result);
  return result;
}

}  // namespace alembert::identify
