#include "alembert/update/pairing.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "alembert/core/check.hpp"

namespace alembert::update {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kNoPair = 1e6;

// One row more by the shortest augmenting path; potentials u, v keep reduced costs non-negative.
// Rows and columns count from 1, column 0 is the way in.
struct Assignment {
  const Eigen::Ref<const MatrixXd>& cost;
  std::vector<double> u, v;
  std::vector<Index> row_of;

  explicit Assignment(const Eigen::Ref<const MatrixXd>& costs)
      : cost(costs),
        u(static_cast<std::size_t>(costs.rows() + 1), 0.0),
        v(static_cast<std::size_t>(costs.cols() + 1), 0.0),
        row_of(static_cast<std::size_t>(costs.cols() + 1), 0) {}

  void add(Index row) {
    const auto columns = static_cast<std::size_t>(cost.cols());
    std::vector<double> least(columns + 1, std::numeric_limits<double>::infinity());
    std::vector<std::size_t> from(columns + 1, 0);
    std::vector<bool> done(columns + 1, false);
    row_of[0] = row;
    std::size_t at = 0;
    while (row_of[at] != 0) {
      done[at] = true;
      const std::size_t next = nearest(at, least, from, done);
      shift(least, done, least[next]);
      at = next;
    }
    while (at != 0) {
      row_of[at] = row_of[from[at]];
      at = from[at];
    }
  }

 private:
  std::size_t nearest(std::size_t at, std::vector<double>& least, std::vector<std::size_t>& from,
                      const std::vector<bool>& done) const {
    std::size_t next = 0;
    double best = std::numeric_limits<double>::infinity();
    const Index row = row_of[at];
    for (std::size_t j = 1; j < least.size(); ++j) {
      if (done[j]) continue;
      const double reduced =
          cost(row - 1, static_cast<Index>(j) - 1) - u[static_cast<std::size_t>(row)] - v[j];
      if (reduced < least[j]) {
        least[j] = reduced;
        from[j] = at;
      }
      if (least[j] < best) {
        best = least[j];
        next = j;
      }
    }
    return next;
  }

  void shift(std::vector<double>& least, const std::vector<bool>& done, double delta) {
    for (std::size_t j = 0; j < least.size(); ++j) {
      if (done[j]) {
        u[static_cast<std::size_t>(row_of[j])] += delta;
        v[j] -= delta;
      } else {
        least[j] -= delta;
      }
    }
  }
};

struct Costs {
  const Eigen::Ref<const VectorXd>& measured_hz;
  const Eigen::Ref<const VectorXd>& model_hz;
  const Eigen::Ref<const MatrixXd>& mac;
  const PairingOptions& options;

  double gap(Index i, Index j) const {
    return model_hz(j) > 0.0 ? std::abs(std::log(model_hz(j) / measured_hz(i))) : kNoPair;
  }
  bool allowed(Index i, Index j) const {
    return gap(i, j) <= options.most_frequency_gap &&
           (std::isnan(mac(i, j)) || mac(i, j) >= options.least_mac);
  }
  double operator()(Index i, Index j) const {
    if (!allowed(i, j)) return kNoPair;
    // Squares keep the order of frequencies where there is nothing else.
    return std::isnan(mac(i, j)) ? gap(i, j) * gap(i, j) : gap(i, j) + 1.0 - mac(i, j);
  }
};

std::string alone_words(const Costs& costs, Index i) {
  const double hz = costs.measured_hz(i);
  Index near = -1;
  for (Index j = 0; j < costs.model_hz.size(); ++j) {
    if (costs.gap(i, j) > costs.options.most_frequency_gap) continue;
    const bool better =
        near < 0 || (std::isnan(costs.mac(i, j)) ? costs.gap(i, j) < costs.gap(i, near)
                                                 : costs.mac(i, j) > costs.mac(i, near));
    if (better) near = j;
  }
  if (near < 0) {
    return fmt::format("measured mode {} ({:.4g} Hz): the model has no mode within {:.0f} % of it",
                       i + 1, hz, 100.0 * std::expm1(costs.options.most_frequency_gap));
  }
  if (std::isnan(costs.mac(i, near)) || costs.mac(i, near) >= costs.options.least_mac) {
    return fmt::format(
        "measured mode {} ({:.4g} Hz): the modes of the model near it are paired "
        "with others",
        i + 1, hz);
  }
  return fmt::format(
      "measured mode {} ({:.4g} Hz): the most similar mode of the model, {} ({:.4g} Hz), has a MAC "
      "of {:.2f}, below {:g}",
      i + 1, hz, near + 1, costs.model_hz(near), costs.mac(i, near), costs.options.least_mac);
}

}  // namespace

MatrixXd weighted_mac(const Eigen::Ref<const MatrixXd>& A, const Eigen::Ref<const MatrixXd>& B,
                      const Eigen::Ref<const MatrixXd>& W) {
  check::size("weighted_mac", "rows of B", B.rows(), A.rows());
  check::shape("weighted_mac", "W", W, A.rows(), A.rows());
  MatrixXd mac(A.cols(), B.cols());
  for (Index i = 0; i < A.cols(); ++i) {
    std::vector<Index> there;
    for (Index s = 0; s < A.rows(); ++s) {
      if (std::isfinite(A(s, i))) there.push_back(s);
    }
    if (there.size() < 2) {
      mac.row(i).setConstant(std::nan(""));
      continue;
    }
    const VectorXd a = A(there, i);
    const MatrixXd weight = W(there, there);
    const VectorXd Wa = weight * a;
    for (Index j = 0; j < B.cols(); ++j) {
      const VectorXd b = B(there, j);
      const double size = a.dot(Wa) * b.dot(weight * b);
      const double product = b.dot(Wa);
      mac(i, j) = size > 0.0 ? product * product / size : 0.0;
    }
  }
  return mac;
}

std::vector<Index> cheapest_assignment(const Eigen::Ref<const MatrixXd>& cost) {
  check::at_least("cheapest_assignment", "columns of cost", cost.cols(), cost.rows());
  Assignment assignment(cost);
  for (Index row = 1; row <= cost.rows(); ++row) assignment.add(row);
  std::vector<Index> columns(static_cast<std::size_t>(cost.rows()), -1);
  for (std::size_t j = 1; j < assignment.row_of.size(); ++j) {
    const Index row = assignment.row_of[j];
    if (row > 0) columns[static_cast<std::size_t>(row - 1)] = static_cast<Index>(j) - 1;
  }
  return columns;
}

Pairing pair_modes(const Eigen::Ref<const VectorXd>& measured_hz,
                   const Eigen::Ref<const VectorXd>& model_hz,
                   const Eigen::Ref<const MatrixXd>& mac, const PairingOptions& options) {
  check::shape("pair_modes", "mac", mac, measured_hz.size(), model_hz.size());
  const Costs costs{measured_hz, model_hz, mac, options};
  const Index rows = measured_hz.size();
  // A measured mode may stay alone: each has a column of its own for that.
  MatrixXd table = MatrixXd::Constant(rows, model_hz.size() + rows, 2.0 * kNoPair);
  for (Index i = 0; i < rows; ++i) {
    for (Index j = 0; j < model_hz.size(); ++j) table(i, j) = costs(i, j);
    table(i, model_hz.size() + i) = 0.9 * kNoPair;
  }
  const std::vector<Index> columns = cheapest_assignment(table);
  Pairing found;
  for (Index i = 0; i < rows; ++i) {
    const Index j = columns[static_cast<std::size_t>(i)];
    if (j < model_hz.size() && costs.allowed(i, j)) {
      found.pairs.push_back({i, j, mac(i, j)});
    } else {
      found.alone.push_back(i);
      found.words.push_back(alone_words(costs, i));
    }
  }
  return found;
}

}  // namespace alembert::update
