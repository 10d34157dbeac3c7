#include "alembert/identify/mechanism/base_parameters.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "alembert/core/error.hpp"
#include "alembert/core/random.hpp"
#include "alembert/core/text.hpp"
#include "core/algebra/decompositions.hpp"
#include "core/mapped.hpp"
#include "identify/mechanism/dependent_columns.hpp"
#include "identify/mechanism/inverse_run.hpp"

namespace alembert::identify {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using model::planar::Body;
using model::planar::CoordinatePath;
using model::planar::MechanismDescription;
using model::planar::PassiveForce;
using model::planar::PassiveKind;

constexpr std::uint64_t kRatesSeed = 20210419;

// The same mechanism without masses and passive forces; gravity stays.
MechanismValues massless(const MechanismValues& values) {
  MechanismValues bare = values;
  for (Body& body : bare.description.bodies) {
    body.mass = 0.0;
    body.inertia = 0.0;
    body.centre.setZero();
  }
  for (PassiveForce& passive : bare.description.passive) {
    passive.stiffness = passive.preload = passive.damping = passive.coulomb = 0.0;
    passive.breakaway.reset();
  }
  return bare;
}

// τ of one body of mass 1 at a centre, or of inertia 1.
VectorXd body_column(const MechanismValues& bare, std::size_t body, double mass,
                     const Eigen::Vector2d& centre, double inertia, const CoordinatePath& path) {
  MechanismValues one = bare;
  one.description.bodies[body].mass = mass;
  one.description.bodies[body].centre = centre;
  one.description.bodies[body].inertia = inertia;
  return inverse_run(one, path, {});
}

// τ is affine in (m, m c, J + m |c|²), so that unit values give its columns.
void add_body_columns(const MechanismValues& bare, std::size_t body, const CoordinatePath& path,
                      std::vector<VectorXd>& columns) {
  const Eigen::Vector2d zero = Eigen::Vector2d::Zero();
  const VectorXd inertia = body_column(bare, body, 0.0, zero, 1.0, path);
  const VectorXd mass = body_column(bare, body, 1.0, zero, 0.0, path);
  columns.push_back(inertia);
  for (const Eigen::Vector2d& axis :
       {Eigen::Vector2d(Eigen::Vector2d::UnitX()), Eigen::Vector2d(Eigen::Vector2d::UnitY())}) {
    // m = 1 at the distance 1: m c = 1 and J + m |c|² = 1
    columns.push_back(body_column(bare, body, 1.0, axis, 0.0, path) - mass - inertia);
  }
  columns.push_back(mass);
}

void add_passive_columns(const MechanismValues& bare, std::size_t i, const CoordinatePath& path,
                         std::vector<VectorXd>& columns) {
  for (double PassiveForce::*const part : {&PassiveForce::stiffness, &PassiveForce::preload,
                                           &PassiveForce::damping, &PassiveForce::coulomb}) {
    MechanismValues one = bare;
    one.description.passive[i].*part = 1.0;
    columns.push_back(inverse_run(one, path, {}));
  }
}

MatrixXd term_columns(const MechanismValues& values, const CoordinatePath& path) {
  const MechanismValues bare = massless(values);
  std::vector<VectorXd> columns;
  for (std::size_t b = 0; b < bare.description.bodies.size(); ++b) {
    if (bare.description.bodies[b].name != "ground") add_body_columns(bare, b, path, columns);
  }
  for (std::size_t i = 0; i < bare.description.passive.size(); ++i) {
    add_passive_columns(bare, i, path, columns);
  }
  MatrixXd all(path.z.size(), static_cast<Index>(columns.size()));
  for (std::size_t j = 0; j < columns.size(); ++j) all.col(static_cast<Index>(j)) = columns[j];
  return all;
}

// The positions of a path with rates and accelerations of any kind, of the size that they have.
CoordinatePath with_any_rates(const CoordinatePath& path) {
  CoordinatePath any = path;
  RandomStream random(kRatesSeed);
  for (MatrixXd* part : {&any.zd, &any.zdd}) {
    for (Index j = 0; j < part->cols(); ++j) {
      const double rms = std::sqrt(part->col(j).squaredNorm() / static_cast<double>(part->rows()));
      const double size = rms > 0.0 && std::isfinite(rms) ? rms : 1.0;
      for (Index k = 0; k < part->rows(); ++k) (*part)(k, j) = size * random.normal();
    }
  }
  return any;
}

std::string factor_words(double factor) {
  const double size = std::abs(factor);
  return std::abs(size - 1.0) < 1e-9 ? "" : fmt::format("{:.4g} ", size);
}

// "inertia of rod + 0.25 mass of slider - mass of rod"
std::string combination_words(const Eigen::RowVectorXd& row, int leading,
                              const std::vector<std::string>& names) {
  std::string words = names[static_cast<std::size_t>(leading)];
  for (Index j = 0; j < row.size(); ++j) {
    if (j == leading || row(j) == 0.0) continue;
    words += fmt::format(" {} {}{}", row(j) < 0.0 ? "-" : "+", factor_words(row(j)),
                         names[static_cast<std::size_t>(j)]);
  }
  return words;
}

ParameterDependence dependence(int column, const DependentColumns& found,
                               const std::vector<std::string>& names) {
  ParameterDependence made{.name = names[static_cast<std::size_t>(column)]};
  const Eigen::VectorXd factors = found.factors.col(column);
  std::string sum;
  for (std::size_t k = 0; k < found.independent.size(); ++k) {
    const double factor = factors(static_cast<Index>(k));
    if (factor == 0.0) continue;
    made.others.push_back(names[static_cast<std::size_t>(found.independent[k])]);
    const char* const sign =
        sum.empty() ? (factor < 0.0 ? "-" : "") : (factor < 0.0 ? " - " : " + ");
    sum += fmt::format("{}{}{}", sign, factor_words(factor), made.others.back());
  }
  made.words = made.others.empty()
                   ? fmt::format("{} has no effect on the motion", made.name)
                   : fmt::format("a change of {} moves the mechanism exactly as one of {} does",
                                 made.name, sum);
  return made;
}

}  // namespace

std::vector<LinearTerm> linear_terms(const MechanismValues& values) {
  std::vector<LinearTerm> terms;
  for (const Body& body : values.description.bodies) {
    if (body.name == "ground") continue;
    const double m = body.mass;
    const Eigen::Vector2d& c = body.centre;
    terms.push_back({fmt::format("inertia of {} about its origin", body.name), "kg m^2",
                     body.inertia + m * c.squaredNorm()});
    terms.push_back({fmt::format("mass x centre.x of {}", body.name), "kg m", m * c.x()});
    terms.push_back({fmt::format("mass x centre.y of {}", body.name), "kg m", m * c.y()});
    terms.push_back({fmt::format("mass of {}", body.name), "kg", m});
  }
  for (const PassiveForce& passive : values.description.passive) {
    const bool turns = passive.kind == PassiveKind::Angle;
    terms.push_back({fmt::format("stiffness of {}", passive.name), turns ? "N m/rad" : "N/m",
                     passive.stiffness});
    // k (s − free) + preload, with free of the description in the column of k
    terms.push_back(
        {fmt::format("preload of {}", passive.name), turns ? "N m" : "N", passive.preload});
    terms.push_back({fmt::format("damping of {}", passive.name), turns ? "N m s/rad" : "N s/m",
                     passive.damping});
    terms.push_back(
        {fmt::format("coulomb of {}", passive.name), turns ? "N m" : "N", passive.coulomb});
  }
  return terms;
}

BaseParameters base_parameters(const MechanismValues& values, const CoordinatePath& path) {
  BaseParameters made{.terms = linear_terms(values)};
  const DependentColumns found = dependent_columns(term_columns(values, with_any_rates(path)));
  made.leading = found.independent;
  made.without_effect = found.zero;
  made.combinations = found.factors;
  const std::vector<std::string> names =
      mapped(made.terms, [](const LinearTerm& one) { return one.words; });
  for (Index i = 0; i < made.count(); ++i) {
    made.words.push_back(combination_words(made.combinations.row(i),
                                           made.leading[static_cast<std::size_t>(i)], names));
  }
  return made;
}

std::vector<ParameterDependence> find_dependences(const MechanismValues& given,
                                                  const std::vector<std::string>& names,
                                                  const VectorXd& values,
                                                  const CoordinatePath& path,
                                                  const MatrixXd& columns) {
  std::vector<std::string> acting;
  std::vector<double> theta;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (!acts_on_motion(given.description, names[i])) continue;
    acting.push_back(names[i]);
    theta.push_back(values(static_cast<Index>(i)));
  }
  if (acting.empty()) return {};
  const VectorXd at = Eigen::Map<const VectorXd>(theta.data(), static_cast<Index>(theta.size()));
  // With z'' of the motion, ∂z''/∂θ = −M⁻¹ ∂τ/∂θ: what moves nothing has no part in τ.
  const DependentColumns found =
      dependent_columns(inverse_slopes(given, acting, at, path, columns));
  std::vector<ParameterDependence> made;
  for (int j = 0; j < static_cast<int>(acting.size()); ++j) {
    if (std::find(found.independent.begin(), found.independent.end(), j) ==
        found.independent.end()) {
      made.push_back(dependence(j, found, acting));
    }
  }
  return made;
}

}  // namespace alembert::identify
