#include "identify/acceleration/fit/missing_terms.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "alembert/optimize/student.hpp"
#include "core/algebra/decompositions.hpp"
#include "identify/acceleration/fit/refined_motion.hpp"
#include "identify/acceleration/sensed_model.hpp"
#include "identify/experiment/noise_options.hpp"

namespace alembert::identify {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// A term φ(x, x'), as text with {0} for the coordinate, and its largest size in a motion.
struct PossibleTerm {
  const char* text;
  double (*size)(double x, double v);
};

constexpr std::array<PossibleTerm, 4> kPossible = {
    {{"sign({0}')", [](double, double) { return 1.0; }},
     {"{0}'*abs({0}')", [](double, double v) { return v * v; }},
     {"{0}^2", [](double x, double) { return x * x; }},
     {"{0}^3", [](double x, double) { return x * x * x; }}}};

constexpr double kTermRate = 1e-3;  // of sound records that show one, all terms together
// The term is tried with this part of the largest acceleration: small, so that its response is in
// proportion to it, and far above the tolerance 1e-11 of the simulation.
constexpr double kTrial = 1e-4;
// A column that is left with less than this of its length by those of the unknowns is one of them.
constexpr double kOwnPart = 1e-3;

// x'' = f - q φ, where q is the last parameter.
EquationOfMotion with_term(const EquationOfMotion& equation, const std::string& term) {
  const std::string& text = equation.explicit_text;
  const std::string begin = equation.coordinate + "'' =";
  const std::size_t place = text.rfind(begin) + begin.size();
  EquationOfMotionSetup setup = equation.setup;
  std::string name = "missing";
  while (text.find(name) != std::string::npos) name += '_';
  setup.parameters.push_back(name);
  const std::string right = text.substr(place, text.find('\n', place) - place);
  return read_equation_of_motion(
      fmt::format("{}({}) - {}*{}\n", text.substr(0, place), right, name, term), setup);
}

// Change of the acceleration for one unit of the coefficient of a term; empty if it cannot be had.
VectorXd term_response(const EquationOfMotion& equation, const AccelerationRecord& record,
                       const RecordFit& fit, const VectorXd& theta, const VectorXd& before,
                       const PossibleTerm& term) {
  const double size = term.size(fit.motion.displacement.cwiseAbs().maxCoeff(),
                                fit.motion.velocity.cwiseAbs().maxCoeff());
  const double trial = kTrial * fit.motion.acceleration.cwiseAbs().maxCoeff() / size;
  if (!std::isfinite(trial) || trial == 0.0) return {};
  const EquationOfMotion wider =
      with_term(equation, fmt::format(fmt::runtime(term.text), equation.coordinate));
  const Index count = theta.size() - 3;
  VectorXd more(theta.size() + 1);
  more << theta.head(count), trial, theta.tail(3);
  const VectorXd after = acceleration_for(wider, record, more);
  return after.size() == 0 ? VectorXd() : VectorXd((after - before) / trial);
}

// Changes of the acceleration along the directions that are open; empty if one cannot be simulated.
MatrixXd unknown_columns(const EquationOfMotion& equation, const AccelerationRecord& record,
                         const VectorXd& theta, const VectorXd& before,
                         const MatrixXd& directions) {
  MatrixXd columns(record.samples(), directions.cols());
  for (Index i = 0; i < directions.cols(); ++i) {
    const VectorXd after = acceleration_for(equation, record, theta + directions.col(i));
    if (after.size() == 0) return {};
    columns.col(i) = after - before;
  }
  return columns;
}

// Least squares of the residuals by the columns and z: r = D g + q z, with the deviation of q for
// coloured residuals. The largest shift of a parameter is that of D g, in its deviations.
MissingTerm fitted_term(const MatrixXd& columns, const VectorXd& z, const VectorXd& residual,
                        const MatrixXd& directions, Index parameters) {
  MatrixXd J(columns.rows(), columns.cols() + 1);
  J << columns, z;
  const VectorXd size = J.colwise().norm();
  J.array().rowwise() /= size.transpose().array();
  const Eigen::ColPivHouseholderQR<MatrixXd> factor(J);
  const VectorXd scaled = factor.solve(residual);
  const optimize::ColouredBlock block{.jacobian = J, .residual = residual - J * scaled};
  const optimize::ColouredCovariance found =
      optimize::coloured_covariance({block}, noise_options());
  const Index last = columns.cols();
  if (found.deviations.size() == 0) return {};
  MissingTerm term;
  term.coefficient = scaled(last) / size(last);
  term.deviation = found.deviations(last) / size(last);
  term.freedom = found.freedom(last);
  const VectorXd moved = directions * scaled.head(last).cwiseQuotient(size.head(last));
  const VectorXd deviations = directions.rowwise().norm();
  for (Index k = 0; k < parameters; ++k) {
    if (deviations(k) > 0.0) {
      term.shift = std::max(term.shift, std::abs(moved(k)) / deviations(k));
    }
  }
  return term;
}

bool is_own(const MatrixXd& columns, const VectorXd& z) {
  const VectorXd left = z - columns * Eigen::ColPivHouseholderQR<MatrixXd>(columns).solve(z);
  return !(left.norm() > kOwnPart * z.norm());
}

bool is_beyond_chance(const MissingTerm& term) {
  if (!(term.deviation > 0.0) || !std::isfinite(term.deviation)) return false;
  const double rate = kTermRate / static_cast<double>(kPossible.size());
  return std::abs(term.coefficient) >
         optimize::student_quantile(1.0 - 0.5 * rate, term.freedom) * term.deviation;
}

}  // namespace

std::vector<MissingTerm> missing_terms(const EquationOfMotion& equation,
                                       const AccelerationRecord& record, const RecordFit& fit) {
  // Beside jumps samples were left out of the fit, and their residuals say nothing.
  if (!fit.refined || !fit.refined->ok() || !fit.motion.ok() || has_jumps(equation)) return {};
  const VectorXd theta = stacked_unknowns(*fit.refined);
  const MatrixXd directions = open_directions(*fit.refined);
  const VectorXd before = acceleration_for(equation, record, theta);
  if (directions.cols() == 0 || before.size() < 4 * (directions.cols() + 1)) return {};
  const MatrixXd columns = unknown_columns(equation, record, theta, before, directions);
  if (columns.size() == 0 || !columns.allFinite()) return {};
  std::vector<MissingTerm> found;
  for (const PossibleTerm& possible : kPossible) {
    const VectorXd z = term_response(equation, record, fit, theta, before, possible);
    if (z.size() == 0 || !z.allFinite() || is_own(columns, z)) continue;
    MissingTerm term =
        fitted_term(columns, z, record.acceleration - before, directions, theta.size() - 3);
    term.text = fmt::format(fmt::runtime(possible.text), equation.coordinate);
    if (is_beyond_chance(term)) found.push_back(term);
  }
  return found;
}

}  // namespace alembert::identify
