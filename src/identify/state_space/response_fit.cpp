#include "identify/state_space/response_fit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/algebra/blas.hpp"
#include "core/algebra/decompositions.hpp"

namespace alembert::identify::state_space {
namespace {

using Complex = std::complex<double>;
using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXcd;
using Eigen::VectorXd;

constexpr double kFirstDamping = 1e-3;
constexpr double kLargestDamping = 1e10;
constexpr double kLeastAngle = 1e-7;  // rad a sample: below, a pair is no pair

// A real unknown moves the outputs by Σ sign S.col(column) coefficients.row(row).
struct Term {
  Index column, row;
  double sign;
};
using Terms = std::vector<Term>;

Index complex_unknowns(const Pole& pole) { return pole.drive.size() + pole.start.size(); }

// With y = a Re x - b Im x a real step adds S1 a + S2 b, an imaginary one S2 a - S1 b.
std::vector<Terms> terms_of(const Poles& poles) {
  std::vector<Terms> list;
  Index column = 0;
  Index row = 0;
  for (const Pole& pole : poles) {
    for (Index i = 0; i < complex_unknowns(pole); ++i) {
      if (pole.is_real()) {
        list.push_back({{column, row, 1.0}});
      } else {
        list.push_back({{column, row, 1.0}, {column + 1, row + 1, 1.0}});
        list.push_back({{column, row + 1, -1.0}, {column + 1, row, 1.0}});
      }
      column += pole.states();
    }
    row += pole.states();
  }
  return list;
}

double contracted(const Terms& left, const Terms& right, const MatrixXd& gram,
                  const MatrixXd& shapes) {
  double sum = 0.0;
  for (const Term& a : left) {
    for (const Term& b : right) {
      sum += a.sign * b.sign * gram(a.column, b.column) * shapes(a.row, b.row);
    }
  }
  return sum;
}

double contracted(const Terms& terms, const MatrixXd& columns_by_rows) {
  double sum = 0.0;
  for (const Term& one : terms) sum += one.sign * columns_by_rows(one.column, one.row);
  return sum;
}

// (Re x, -Im x), or Re x alone.
void put(const VectorXcd& x, bool real, Index row, Index column, MatrixXd& all) {
  all.block(row, column, x.size(), 1) = x.real();
  if (!real) all.block(row, column + 1, x.size(), 1) = -x.imag();
}

Index signal_columns(const Poles& poles) {
  Index sum = 0;
  for (const Pole& pole : poles) sum += pole.states() * complex_unknowns(pole);
  return sum;
}

VectorXd solved(const MatrixXd& normal, const VectorXd& side, double damping) {
  MatrixXd damped = normal;
  damped.diagonal() += damping * normal.diagonal();
  damped.diagonal().array() += 1e-300;
  const Eigen::LDLT<MatrixXd> factor(damped);
  return factor.solve(side);
}

}  // namespace

Poles ResponseProblem::driven(const std::vector<Complex>& list) const {
  const Index m = samples_.input_count();
  const auto experiments = static_cast<Index>(samples_.inputs.size());
  Index columns = 0;
  for (const Complex& z : list) columns += (z.imag() == 0.0 ? 1 : 2) * (m + experiments);
  const Index direct = columns;
  if (rules_.feedthrough) columns += m;
  const Index l = samples_.output_count();
  MatrixXd all = MatrixXd::Zero(samples_.count(), columns + l);
  Index row = 0;
  for (Index e = 0; e < experiments; ++e) {
    const MatrixXd& u = samples_.inputs[static_cast<std::size_t>(e)];
    Index column = 0;
    for (const Complex& z : list) {
      const Index width = z.imag() == 0.0 ? 1 : 2;
      for (Index j = 0; j < m; ++j) {
        put(filtered(z, 0.0, u.col(j).cast<Complex>()), width == 1, row, column + j * width, all);
      }
      put(filtered(z, 1.0, VectorXcd::Zero(u.rows())), width == 1, row, column + (m + e) * width,
          all);
      column += width * (m + experiments);
    }
    if (rules_.feedthrough) all.block(row, direct, u.rows(), m) = u;
    row += u.rows();
  }
  all.rightCols(l) = samples_.stacked_outputs();
  // A little of each column keeps poles that nearly coincide apart from rounding.
  const VectorXd size = all.leftCols(columns).colwise().norm();
  MatrixXd ridged = MatrixXd::Zero(all.rows() + columns, columns + l);
  ridged.topRows(all.rows()) = all;
  for (Index c = 0; c < columns; ++c) ridged(all.rows() + c, c) = 1e-9 * std::max(size(c), 1e-30);
  const MatrixXd R = triangular_factor(ridged);
  const MatrixXd c = R.topLeftCorner(columns, columns)
                         .triangularView<Eigen::Upper>()
                         .solve(R.topRightCorner(columns, l));
  Poles poles;
  Index place = 0;
  for (const Complex& z : list) {
    const Index width = z.imag() == 0.0 ? 1 : 2;
    // y = a Re x - b Im x = Re (a + i b) x: residues l x m, then those of the starts.
    Eigen::MatrixXcd residues(l, m + experiments);
    for (Index j = 0; j < m + experiments; ++j) {
      residues.col(j) = c.row(place + j * width).transpose().cast<Complex>();
      if (width == 2) {
        residues.col(j) += Complex(0.0, 1.0) * c.row(place + j * width + 1).transpose();
      }
    }
    place += width * (m + experiments);
    Pole pole{.z = z, .drive = VectorXcd::Ones(m), .start = VectorXcd::Zero(experiments)};
    const Eigen::MatrixXcd forced = residues.leftCols(m);
    const Eigen::JacobiSVD<Eigen::MatrixXcd> svd(forced, Eigen::ComputeThinU | Eigen::ComputeThinV);
    VectorXcd shape = forced.col(0);
    if (m > 0 && svd.singularValues()(0) > 0.0) {
      // σ u vᴴ = φ bᵀ
      pole.drive = svd.matrixV().col(0).conjugate();
      shape = svd.singularValues()(0) * svd.matrixU().col(0);
      const Complex largest = pole.drive(pole.held());
      pole.drive /= largest;
      shape *= largest;
    }
    const double power = shape.squaredNorm();
    if (power > 0.0) {
      pole.start = (shape.adjoint() * residues.rightCols(experiments)).transpose() / power;
    }
    poles.push_back(std::move(pole));
  }
  return poles;
}

MatrixXd ResponseProblem::joint(const Poles& poles) const {
  const Index m = samples_.input_count();
  const Index l = samples_.output_count();
  const Index states = states_of(poles);
  const Index nx = states + (rules_.feedthrough ? m : 0);
  MatrixXd all = MatrixXd::Zero(samples_.count(), nx + signal_columns(poles) + l);
  Index row = 0;
  for (std::size_t e = 0; e < samples_.inputs.size(); ++e) {
    const MatrixXd& u = samples_.inputs[e];
    Index x_column = 0;
    Index column = nx;
    for (const Pole& pole : poles) {
      const bool real = pole.is_real();
      const VectorXcd force = u * pole.drive;
      const VectorXcd x = filtered(pole.z, pole.start(static_cast<Index>(e)), force);
      put(x, real, row, x_column, all);
      put(filtered(pole.z, 0.0, x), real, row, column, all);
      column += pole.states();
      const Index held = pole.held();
      for (Index j = 0; j < m; ++j) {
        if (j == held) continue;
        put(filtered(pole.z, 0.0, u.col(j).cast<Complex>()), real, row, column, all);
        column += pole.states();
      }
      put(filtered(pole.z, 1.0, VectorXcd::Zero(u.rows())), real, row,
          column + static_cast<Index>(e) * pole.states(), all);
      column += pole.states() * pole.start.size();
      x_column += pole.states();
    }
    if (rules_.feedthrough) all.block(row, states, u.rows(), m) = u;
    row += u.rows();
  }
  all.rightCols(l) = samples_.stacked_outputs();
  return all;
}

Projected ResponseProblem::project(const Poles& poles) const {
  MatrixXd all = joint(poles);
  const Index l = samples_.output_count();
  const Index ns = signal_columns(poles);
  const Index nx = all.cols() - ns - l;
  const MatrixXd R = triangular_factor(all);
  Projected at;
  at.factor = R.topLeftCorner(nx, nx);
  const auto solve = at.factor.triangularView<Eigen::Upper>();
  at.coefficients = solve.solve(R.block(0, nx + ns, nx, l));
  at.carried = solve.solve(R.block(0, nx, nx, ns));
  at.cost = R.block(nx, nx + ns, R.rows() - nx, l).squaredNorm();
  const MatrixXd R_s = R.block(nx, nx, ns, ns);
  const MatrixXd gram = product(R_s.transpose(), R_s);
  const MatrixXd shapes = product(at.coefficients, at.coefficients.transpose());
  const MatrixXd with_error =
      product(product(R_s.transpose(), R.block(nx, nx + ns, ns, l)), at.coefficients.transpose());
  const std::vector<Terms> terms = terms_of(poles);
  const auto unknowns = static_cast<Index>(terms.size());
  at.normal.resize(unknowns, unknowns);
  at.gradient.resize(unknowns);
  for (Index i = 0; i < unknowns; ++i) {
    const Terms& own = terms[static_cast<std::size_t>(i)];
    at.gradient(i) = contracted(own, with_error);
    for (Index k = 0; k <= i; ++k) {
      at.normal(i, k) = at.normal(k, i) =
          contracted(own, terms[static_cast<std::size_t>(k)], gram, shapes);
    }
  }
  return at;
}

Poles ResponseProblem::moved(const Poles& poles, const VectorXd& step) const {
  Poles next = poles;
  Index i = 0;
  const auto add = [&](bool real, Complex& value) {
    value += real ? Complex(step(i), 0.0) : Complex(step(i), step(i + 1));
    i += real ? 1 : 2;
  };
  for (Pole& pole : next) {
    const bool real = pole.is_real();
    const Index held = pole.held();
    add(real, pole.z);
    for (Index j = 0; j < pole.drive.size(); ++j) {
      if (j != held) add(real, pole.drive(j));
    }
    for (Index e = 0; e < pole.start.size(); ++e) add(real, pole.start(e));
  }
  return next;
}

bool ResponseProblem::allowed(const Poles& poles) const {
  return std::all_of(poles.begin(), poles.end(), [&](const Pole& pole) {
    const bool is_pair = pole.is_real() || std::arg(pole.z) > kLeastAngle;
    return is_pair && std::abs(pole.z) <= rules_.largest_radius && pole.drive.allFinite() &&
           pole.start.allFinite();
  });
}

ResponseFit fit_responses(const ResponseProblem& problem, Poles start) {
  ResponseFit fit;
  fit.poles = std::move(start);
  fit.at = problem.project(fit.poles);
  double damping = kFirstDamping;
  const FitRules& rules = problem.rules();
  while (fit.iterations < rules.iterations && damping < kLargestDamping && !fit.poles.empty()) {
    ++fit.iterations;
    const Poles next = problem.moved(fit.poles, solved(fit.at.normal, fit.at.gradient, damping));
    if (!problem.allowed(next)) {
      damping *= 6.0;
      continue;
    }
    Projected trial = problem.project(next);
    const double fall = fit.at.cost - trial.cost;
    const bool small = std::abs(fall) <= rules.tolerance * fit.at.cost;
    if (fall > 0.0) {
      fit.poles = next;
      fit.at = std::move(trial);
      damping = std::max(damping / 8.0, 1e-12);
    } else {
      damping *= 6.0;
    }
    if (small) return fit;
  }
  if (fit.iterations >= rules.iterations && rules.iterations > 0) {
    fit.status = Status::NotConverged;
    fit.message =
        fmt::format("the search over poles did not settle in {} iterations", rules.iterations);
  }
  return fit;
}

BlockScores block_scores(const ResponseProblem& problem, const ResponseFit& fit, int count) {
  const MatrixXd all = problem.joint(fit.poles);
  const Index l = problem.samples().output_count();
  const Index ns = signal_columns(fit.poles);
  const Index nx = all.cols() - ns - l;
  const MatrixXd S = all.middleCols(nx, ns) - product(all.leftCols(nx), fit.at.carried);
  const MatrixXd E = all.rightCols(l) - product(all.leftCols(nx), fit.at.coefficients);
  const std::vector<Terms> terms = terms_of(fit.poles);
  const auto unknowns = static_cast<Index>(terms.size());
  const auto solve = fit.at.factor.triangularView<Eigen::Upper>();
  BlockScores scores{MatrixXd(unknowns, count), {}};
  for (int b = 0; b < count; ++b) {
    const Index first = all.rows() * b / count;
    const Index rows = all.rows() * (b + 1) / count - first;
    const MatrixXd error = E.middleRows(first, rows);
    const MatrixXd with_error = product(product(S.middleRows(first, rows).transpose(), error),
                                        fit.at.coefficients.transpose());
    VectorXd g(unknowns);
    for (Index i = 0; i < unknowns; ++i) {
      g(i) = contracted(terms[static_cast<std::size_t>(i)], with_error);
    }
    const VectorXd step = solved(fit.at.normal, g, 0.0);
    scores.unknowns.col(b) = step;
    // dc = (XᵀX)⁻¹ X_bᵀ e_b - X⁺ dX c
    MatrixXd weights = MatrixXd::Zero(ns, l);
    for (Index i = 0; i < unknowns; ++i) {
      for (const Term& one : terms[static_cast<std::size_t>(i)]) {
        weights.row(one.column) += step(i) * one.sign * fit.at.coefficients.row(one.row);
      }
    }
    const MatrixXd side = product(all.block(first, 0, rows, nx).transpose(), error);
    const MatrixXd half = fit.at.factor.transpose().triangularView<Eigen::Lower>().solve(side);
    scores.coefficients.push_back(solve.solve(half) - product(fit.at.carried, weights));
  }
  return scores;
}

}  // namespace alembert::identify::state_space
