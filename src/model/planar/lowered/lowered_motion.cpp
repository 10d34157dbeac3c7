#include "model/planar/lowered/lowered_motion.hpp"

#include <cmath>

#include "alembert/core/error.hpp"

namespace alembert::model::planar {

namespace {

using TermJet = Jet<Term>;

// Coefficients below this are zero: they come of sums of whole numbers and directions.
constexpr double kNoCoefficient = 1e-12;

/// Σ coefficient_i unknown_i = right side.
struct LinearRow {
  std::vector<double> coefficients;
  TermJet right;
};

/// Gauss-Jordan elimination with numbers as coefficients and terms on the right.
class Elimination {
 public:
  explicit Elimination(std::size_t unknowns) : pivots_(unknowns, -1) {}

  /// False if nothing is left of the row: its right side must be zero then.
  bool add(LinearRow& row) {
    for (std::size_t u = 0; u < pivots_.size(); ++u) {
      if (pivots_[u] >= 0) subtract(rows_[at(u)], row.coefficients[u], row);
    }
    std::size_t best = 0;
    for (std::size_t u = 1; u < pivots_.size(); ++u) {
      if (std::abs(row.coefficients[u]) > std::abs(row.coefficients[best])) best = u;
    }
    if (std::abs(row.coefficients[best]) < kNoCoefficient) return false;
    divide(row.coefficients[best], row);
    for (LinearRow& other : rows_) subtract(row, other.coefficients[best], other);
    pivots_[best] = static_cast<int>(rows_.size());
    rows_.push_back(row);
    return true;
  }

  [[nodiscard]] bool is_free(std::size_t unknown) const { return pivots_[unknown] < 0; }

  /// The unknown as its right side less the free ones.
  [[nodiscard]] TermJet value(std::size_t unknown, const std::vector<TermJet>& free) const {
    if (is_free(unknown)) return free[unknown];
    const LinearRow& row = rows_[at(unknown)];
    TermJet sum = row.right;
    for (std::size_t u = 0; u < pivots_.size(); ++u) {
      if (u == unknown || std::abs(row.coefficients[u]) < kNoCoefficient) continue;
      sum = sum - scaled(Term(row.coefficients[u]), free[u]);
    }
    return sum;
  }

 private:
  [[nodiscard]] std::size_t at(std::size_t unknown) const {
    return static_cast<std::size_t>(pivots_[unknown]);
  }
  static void subtract(const LinearRow& what, double factor, LinearRow& from) {
    if (std::abs(factor) < kNoCoefficient) return;
    for (std::size_t u = 0; u < from.coefficients.size(); ++u) {
      from.coefficients[u] -= factor * what.coefficients[u];
    }
    from.right = from.right - scaled(Term(factor), what.right);
  }
  static void divide(double by, LinearRow& row) {
    for (double& one : row.coefficients) one /= by;
    if (by != 1.0) row.right = scaled(Term(1.0 / by), row.right);
  }

  std::vector<int> pivots_;
  std::vector<LinearRow> rows_;
};

class MotionLowering {
 public:
  MotionLowering(const Layout& layout, const TermNumbers& numbers, MotionLeaves& leaves,
                 equations::Graph& graph)
      : layout_(layout),
        numbers_(numbers),
        leaves_(leaves),
        graph_(graph),
        bodies_(static_cast<std::size_t>(layout.ground())) {}

  LoweredMotion run() {
    made_.bodies.resize(bodies_ + 1);
    made_.bodies.back().cosine.position = 1.0;
    place_angles();
    place_positions();
    close_loops();
    if (made_.loops.size() != made_.residuals.size()) {
      throw InvalidInput({.function = "CompiledMechanism",
                          .rule = "needs a mechanism whose coordinates determine its motion"});
    }
    return std::move(made_);
  }

 private:
  // What a function is set equal to: nothing, or a coordinate.
  [[nodiscard]] TermJet target(int row) const {
    if (row < layout_.constraints) return {};
    const auto j = static_cast<std::size_t>(row - layout_.constraints);
    return {leaves_.z[j], leaves_.zd[j], leaves_.zdd[j]};
  }

  TermJet loop_unknown(int place) {
    made_.loops.push_back(place);
    leaves_.v.push_back(leaves_.next(graph_));
    leaves_.vd.push_back(leaves_.next(graph_));
    leaves_.vdd.push_back(leaves_.next(graph_));
    return {leaves_.v.back(), leaves_.vd.back(), leaves_.vdd.back()};
  }

  void add_residual(int row, const TermJet& value) {
    made_.residuals.push_back(
        scaled(Term(layout_.row_scale[static_cast<std::size_t>(row)]), value));
  }

  // Σ c φ = offset + z
  void place_angles() {
    Elimination elimination(bodies_);
    for (int i = 0; i < layout_.rows(); ++i) {
      const ScalarFunction& f = layout_.functions[static_cast<std::size_t>(i)];
      if (f.is_length()) continue;
      LinearRow row{std::vector<double>(bodies_, 0.0), target(i)};
      row.right.position = row.right.position + Term(f.offset);
      for (int k = 0; k < f.angles; ++k) {
        const auto e = static_cast<std::size_t>(k);
        if (f.angle_body[e] == layout_.ground()) continue;
        row.coefficients[static_cast<std::size_t>(f.angle_body[e])] += f.angle_factor[e];
      }
      if (!elimination.add(row)) {
        throw InvalidInput({.function = "CompiledMechanism",
                            .rule = "needs a mechanism without redundant constraints"});
      }
    }
    std::vector<TermJet> free(bodies_);
    for (std::size_t b = 0; b < bodies_; ++b) {
      if (elimination.is_free(b)) free[b] = loop_unknown(3 * static_cast<int>(b) + 2);
    }
    for (std::size_t b = 0; b < bodies_; ++b) {
      BodyMotion<Term>& body = made_.bodies[b];
      body.angle = elimination.value(b, free);
      body.cosine.position = cos(body.angle.position);
      body.sine.position = sin(body.angle.position);
      turn_in_time(body);
    }
  }

  // A row whose direction rests: n·(P_b − P_a) + Σ c φ − offset = target, linear in x and y with
  // constant factors.
  [[nodiscard]] static bool rests(const ScalarFunction& f, int ground) {
    return f.shape == ScalarFunction::Shape::Projected && f.direction_body == ground;
  }

  LinearRow resting_row(int i) const {
    const ScalarFunction& f = layout_.functions[static_cast<std::size_t>(i)];
    LinearRow row{std::vector<double>(2 * bodies_, 0.0), {}};
    // The bodies stand at zero still, so that all but the unknowns is in f.
    row.right = target(i) - evaluate(f, numbers_.points, made_.bodies.data());
    const auto add = [&](int point, double sign) {
      const int body = layout_.points[static_cast<std::size_t>(point)].body;
      if (body == layout_.ground()) return;
      const auto first = 2 * static_cast<std::size_t>(body);
      row.coefficients[first] += sign * f.direction.x();
      row.coefficients[first + 1] += sign * f.direction.y();
    };
    add(f.b_point, 1.0);
    add(f.a_point, -1.0);
    return row;
  }

  void place_positions() {
    Elimination elimination(2 * bodies_);
    for (int i = 0; i < layout_.rows(); ++i) {
      if (!rests(layout_.functions[static_cast<std::size_t>(i)], layout_.ground())) continue;
      LinearRow row = resting_row(i);
      if (!elimination.add(row)) add_residual(i, row.right);
    }
    std::vector<TermJet> free(2 * bodies_);
    for (std::size_t u = 0; u < free.size(); ++u) {
      const int place = 3 * static_cast<int>(u / 2) + static_cast<int>(u % 2);
      if (elimination.is_free(u)) free[u] = loop_unknown(place);
    }
    for (std::size_t b = 0; b < bodies_; ++b) {
      made_.bodies[b].x = elimination.value(2 * b, free);
      made_.bodies[b].y = elimination.value(2 * b + 1, free);
    }
  }

  // Rows along turning directions, and lengths.
  void close_loops() {
    for (int i = 0; i < layout_.rows(); ++i) {
      const ScalarFunction& f = layout_.functions[static_cast<std::size_t>(i)];
      if (!f.is_length() || rests(f, layout_.ground())) continue;
      add_residual(i, evaluate(f, numbers_.points, made_.bodies.data()) - target(i));
    }
  }

  const Layout& layout_;
  const TermNumbers& numbers_;
  MotionLeaves& leaves_;
  equations::Graph& graph_;
  std::size_t bodies_;
  LoweredMotion made_;
};

}  // namespace

LoweredMotion lower_motion(const Layout& layout, const TermNumbers& numbers, MotionLeaves& leaves,
                           equations::Graph& graph) {
  return MotionLowering(layout, numbers, leaves, graph).run();
}

}  // namespace alembert::model::planar
