#include "alembert/update/parametric_model.hpp"

#include <fmt/format.h>

#include <cmath>
#include <set>

#include "alembert/core/check.hpp"
#include "alembert/core/error.hpp"

namespace alembert::update {
namespace {

using Eigen::Index;
using model::SparseMatrix;

[[noreturn]] void refuse_parameter(const ModelParameter& one, const std::string& argument,
                                   const std::string& rule, double value) {
  throw InvalidInput({.function = "check_model",
                      .item = "parameter '" + one.name + "'",
                      .argument = argument,
                      .rule = rule,
                      .value = fmt::format("{:g}", value)});
}

void check_parameter(const ModelParameter& one) {
  if (!std::isfinite(one.nominal)) refuse_parameter(one, "nominal", "must be finite", one.nominal);
  if (!(one.lower < one.upper)) {
    refuse_parameter(one, "lower", fmt::format("must be below upper = {:g}", one.upper), one.lower);
  }
  if (!(one.lower <= one.nominal && one.nominal <= one.upper)) {
    refuse_parameter(one, "nominal",
                     fmt::format("must lie between the bounds {:g} and {:g}", one.lower, one.upper),
                     one.nominal);
  }
  if (!(one.sigma > 0.0)) refuse_parameter(one, "sigma", "must be above 0", one.sigma);
}

SparseMatrix diagonal_of_ones(Index size, const std::vector<Index>& rows) {
  std::vector<Eigen::Triplet<double>> entries;
  for (const Index row : rows) {
    check::in_range("unit_masses", "row", static_cast<double>(row), 0.0,
                    static_cast<double>(size - 1));
    entries.emplace_back(row, row, 1.0);
  }
  SparseMatrix made(size, size);
  made.setFromTriplets(entries.begin(), entries.end());
  return made;
}

SparseMatrix sum_at(const SparseMatrix& nominal, const std::vector<SparseMatrix>& slopes,
                    const ParametricModel& model, const Eigen::Ref<const Eigen::VectorXd>& p) {
  check::size("mass_at", "size of p", p.size(), model.count());
  SparseMatrix sum = nominal;
  const Eigen::VectorXd point = model.point.size() > 0 ? model.point : model.nominal();
  for (Index j = 0; j < p.size(); ++j) {
    const auto k = static_cast<std::size_t>(j);
    const double change = p(j) - point(j);
    if (change != 0.0 && slopes[k].nonZeros() > 0) sum += change * slopes[k];
  }
  return sum;
}

}  // namespace

Eigen::VectorXd ParametricModel::nominal() const {
  Eigen::VectorXd values(count());
  for (Index j = 0; j < count(); ++j) {
    values(j) = parameters[static_cast<std::size_t>(j)].nominal;
  }
  return values;
}

void add_parameter(ParametricModel& model, ModelParameter parameter, SparseMatrix dK,
                   SparseMatrix dM) {
  const Index n = model.size();
  if (dK.size() == 0) dK.resize(n, n);
  if (dM.size() == 0) dM.resize(n, n);
  model.parameters.push_back(std::move(parameter));
  model.dK.push_back(std::move(dK));
  model.dM.push_back(std::move(dM));
}

SparseMatrix unit_masses(Index size, const std::vector<Index>& rows) {
  return diagonal_of_ones(size, rows);
}

SparseMatrix unit_ground_springs(Index size, const std::vector<Index>& rows) {
  return diagonal_of_ones(size, rows);
}

SparseMatrix unit_spring(Index size, Index a, Index b) {
  SparseMatrix made = diagonal_of_ones(size, {a, b});
  made.coeffRef(a, b) -= 1.0;
  made.coeffRef(b, a) -= 1.0;
  made.makeCompressed();
  return made;
}

SparseMatrix mass_at(const ParametricModel& model, const Eigen::Ref<const Eigen::VectorXd>& p) {
  return sum_at(model.M, model.dM, model, p);
}

SparseMatrix stiffness_at(const ParametricModel& model,
                          const Eigen::Ref<const Eigen::VectorXd>& p) {
  return sum_at(model.K, model.dK, model, p);
}

void check_model(const ParametricModel& model) {
  const Index n = model.size();
  check::at_least("check_model", "rows of K", n, 1);
  check::at_least("check_model", "number of parameters", model.count(), 1);
  check::size("check_model", "columns of K", model.K.cols(), n);
  check::size("check_model", "rows of M", model.M.rows(), n);
  check::size("check_model", "columns of M", model.M.cols(), n);
  check::size("check_model", "number of dK", static_cast<long long>(model.dK.size()),
              model.count());
  check::size("check_model", "number of dM", static_cast<long long>(model.dM.size()),
              model.count());
  if (model.point.size() > 0) {
    check::size("check_model", "size of point", model.point.size(), model.count());
  }
  std::set<std::string> names;
  for (std::size_t j = 0; j < model.parameters.size(); ++j) {
    const ModelParameter& one = model.parameters[j];
    check_parameter(one);
    if (!names.insert(one.name).second) {
      throw InvalidInput({.function = "check_model",
                          .argument = "parameters",
                          .rule = "must have each name once",
                          .value = "'" + one.name + "' twice"});
    }
    check::size("check_model", "rows of dK of '" + one.name + "'", model.dK[j].rows(), n);
    check::size("check_model", "rows of dM of '" + one.name + "'", model.dM[j].rows(), n);
    if (model.dK[j].norm() == 0.0 && model.dM[j].norm() == 0.0) {
      throw InvalidInput({.function = "check_model",
                          .item = "parameter '" + one.name + "'",
                          .rule = "changes neither M nor K"});
    }
  }
}

}  // namespace alembert::update
