#include "alembert/update/published.hpp"

#include <cmath>
#include <numbers>

#include "alembert/core/check.hpp"
#include "alembert/optimize/box_program.hpp"
#include "core/algebra/decompositions.hpp"

namespace alembert::update {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr const char* kPublishedUpdate = "published_update";

VectorXd reference_sizes(const ParametricModel& model) {
  VectorXd sizes(model.count());
  for (Index j = 0; j < model.count(); ++j) {
    const ModelParameter& one = model.parameters[static_cast<std::size_t>(j)];
    const double range = one.upper - one.lower;
    sizes(j) = one.nominal != 0.0         ? std::abs(one.nominal)
               : std::isfinite(one.sigma) ? one.sigma
               : std::isfinite(range)     ? range
                                          : 1.0;
  }
  return sizes;
}

/// A χ = b.
struct PublishedEquations {
  MatrixXd A;
  VectorXd b;
};

// Rows of one measured pair: those of eq. (4.30), or their product with φ, eq. (4.31).
void add_mode(const ParametricModel& model, const VectorXd& sizes, double frequency_hz,
              const VectorXd& phi, double weight, const PublishedOptions& options, Index first,
              PublishedEquations& made) {
  const double omega2 = std::pow(2.0 * std::numbers::pi * frequency_hz, 2);
  const VectorXd Mphi = model.M * phi;
  const double size =
      options.normalised ? omega2 * (options.whole_equations ? Mphi.norm() : phi.dot(Mphi)) : 1.0;
  const Index rows = options.whole_equations ? phi.size() : 1;
  const auto put = [&](const VectorXd& r, auto target) {
    if (options.whole_equations) {
      target = weight / size * r;
    } else {
      target(0) = weight / size * phi.dot(r);
    }
  };
  put(model.K * phi - omega2 * Mphi, made.b.segment(first, rows));
  for (Index j = 0; j < model.count(); ++j) {
    const auto k = static_cast<std::size_t>(j);
    const VectorXd change = omega2 * (model.dM[k] * phi) - model.dK[k] * phi;
    put(sizes(j) * change, made.A.col(j).segment(first, rows));
  }
}

// A⁺ b without the directions below rounding.
VectorXd least_norm(const MatrixXd& A, const VectorXd& b) {
  Eigen::BDCSVD<MatrixXd> parts(A, Eigen::ComputeThinU | Eigen::ComputeThinV);
  parts.setThreshold(1e-10);
  return parts.solve(b);
}

}  // namespace

PublishedUpdate published_update(const ParametricModel& model,
                                 const Eigen::Ref<const VectorXd>& frequency_hz,
                                 const Eigen::Ref<const MatrixXd>& shapes,
                                 const PublishedOptions& options) {
  check_model(model);
  const Index modes = frequency_hz.size();
  const Index count = model.count();
  check::at_least(kPublishedUpdate, "number of modes", modes, 1);
  check::shape(kPublishedUpdate, "shapes", shapes, model.size(), modes);
  check::all_finite(kPublishedUpdate, "shapes", shapes);
  check::non_negative(kPublishedUpdate, "regularisation", options.regularisation);
  const VectorXd weights =
      options.mode_weights.size() > 0 ? options.mode_weights : VectorXd::Ones(modes);
  const VectorXd penalties =
      options.penalties.size() > 0 ? options.penalties : VectorXd::Ones(count);
  check::size(kPublishedUpdate, "size of mode_weights", weights.size(), modes);
  check::size(kPublishedUpdate, "size of penalties", penalties.size(), count);
  const VectorXd sizes = reference_sizes(model);
  const Index rows = options.whole_equations ? model.size() : 1;
  PublishedEquations equations{MatrixXd(rows * modes, count), VectorXd(rows * modes)};
  for (Index i = 0; i < modes; ++i) {
    add_mode(model, sizes, frequency_hz(i), shapes.col(i), weights(i), options, i * rows,
             equations);
  }
  // |√λ Ω χ|² = λ |Ωχ|²
  MatrixXd H = options.regularisation * penalties.cwiseAbs2().asDiagonal().toDenseMatrix();
  VectorXd g;
  if (options.preconditioned) {
    H += MatrixXd::Identity(count, count);
    g = -least_norm(equations.A, equations.b);
  } else {
    H += equations.A.transpose() * equations.A;
    g = -equations.A.transpose() * equations.b;
  }
  VectorXd lower(count);
  VectorXd upper(count);
  const VectorXd nominal = model.nominal();
  for (Index j = 0; j < count; ++j) {
    const ModelParameter& one = model.parameters[static_cast<std::size_t>(j)];
    lower(j) = (one.lower - nominal(j)) / sizes(j);
    upper(j) = (one.upper - nominal(j)) / sizes(j);
  }
  const optimize::BoxProgram program = optimize::minimise_in_box(H, g, lower, upper);
  PublishedUpdate found;
  static_cast<Outcome&>(found) = program;
  if (program.status == Status::Indefinite) {
    found.status = Status::NotIdentifiable;
    found.message = "the modes do not determine all parameters; give a regularisation above 0";
  }
  found.correction = program.x;
  found.parameters = nominal + sizes.cwiseProduct(program.x);
  found.gap = program.gap;
  return found;
}

}  // namespace alembert::update
