#include "model/planar/lowered/motion_slopes.hpp"

#include "alembert/core/error.hpp"

namespace alembert::model::planar {

namespace {

Terms joined(std::initializer_list<const Terms*> parts) {
  Terms all;
  for (const Terms* part : parts) all.insert(all.end(), part->begin(), part->end());
  return all;
}

Terms flat(const TermRows& rows) {
  Terms all;
  for (const Terms& row : rows) all.insert(all.end(), row.begin(), row.end());
  return all;
}

Term dot(const Terms& row, std::size_t first, const Terms& values) {
  Term sum;
  for (std::size_t i = 0; i < values.size(); ++i) sum = sum + row[first + i] * values[i];
  return sum;
}

}  // namespace

MotionSlopes::MotionSlopes(const LoweredMotion& motion, MotionLeaves& leaves, Terms p,
                           equations::Graph& graph)
    : leaves_(leaves), p_(std::move(p)), graph_(graph), n_(leaves.z.size()), k_(leaves.v.size()) {
  for (const Jet<Term>& gap : motion.residuals) {
    gaps_.push_back(gap.position);
    gap_rates_.push_back(gap.velocity);
    gap_accelerations_.push_back(gap.acceleration);
  }
  J_ = slopes_of(gaps_, leaves_.v, graph_);
  G_z_ = slopes_of(gaps_, leaves_.z, graph_);
  G_p_ = slopes_of(gaps_, p_, graph_);
  rate_slopes_ = slopes_of(gap_rates_, joined({&leaves_.z, &p_, &leaves_.v}), graph_);
  acceleration_slopes_ =
      slopes_of(gap_accelerations_, joined({&leaves_.z, &p_, &leaves_.v, &leaves_.vd}), graph_);
  leaves_.v_z.assign(k_, Terms(n_));
  for (Terms& row : leaves_.v_z) {
    for (Term& one : row) one = leaves_.next(graph_);
  }
  order_blocks();
  find_rates();
  find_directions();
}

void MotionSlopes::order_blocks() {
  std::vector<std::vector<bool>> pattern(k_, std::vector<bool>(k_, false));
  for (std::size_t i = 0; i < k_; ++i) {
    for (std::size_t j = 0; j < k_; ++j) pattern[i][j] = !J_[i][j].is(0.0);
  }
  blocks_ = block_order(pattern);
  if (k_ > 0 && blocks_.empty()) {
    throw InvalidInput({.function = "CompiledMechanism",
                        .rule = "needs a mechanism whose coordinates determine its motion"});
  }
  for (const SolveBlock& block : blocks_) {
    first_inverse_.push_back(leaves_.inverses.size());
    for (int i = 0; i < block.size() * block.size(); ++i) {
      leaves_.inverses.push_back(leaves_.next(graph_));
    }
  }
}

// J x = right, block after block.
Terms MotionSlopes::solve(const Terms& right) const {
  Terms x(k_);
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    const SolveBlock& block = blocks_[b];
    const auto size = static_cast<std::size_t>(block.size());
    Terms rest;
    for (const int row : block.rows) {
      const auto r = static_cast<std::size_t>(row);
      Term sum = right[r];
      for (std::size_t c = 0; c < k_; ++c) sum = sum - J_[r][c] * x[c];  // not yet solved: zero
      rest.push_back(sum);
    }
    Terms found(size);
    for (std::size_t i = 0; i < size; ++i) {
      for (std::size_t j = 0; j < size; ++j) {
        found[i] = found[i] + leaves_.inverses[first_inverse_[b] + i * size + j] * rest[j];
      }
    }
    for (std::size_t i = 0; i < size; ++i) x[static_cast<std::size_t>(block.columns[i])] = found[i];
  }
  return x;
}

// v' = ∂v/∂z z' and v'' = ∂v/∂z z'' + c, J c = −G'' at z'' = v'' = 0.
void MotionSlopes::find_rates() {
  for (std::size_t i = 0; i < k_; ++i) vd_.push_back(dot(leaves_.v_z[i], 0, leaves_.zd));
  const Terms still(n_ + k_);
  Terms right =
      substituted(gap_accelerations_, joined({&leaves_.zdd, &leaves_.vdd}), still, graph_);
  for (Term& one : right) one = -one;
  vdd_ = solve(right);
  for (std::size_t i = 0; i < k_; ++i) {
    vdd_[i] = vdd_[i] + dot(leaves_.v_z[i], 0, leaves_.zdd);
  }
  vdd_ = substituted(vdd_, leaves_.vd, vd_, graph_);
}

// @param column of the slopes of G' and G'': z first, then p.
MotionSlopes::Direction MotionSlopes::direction(const Terms& v, std::size_t column) const {
  const std::size_t first_v = n_ + p_.size();
  Direction made{.v = v, .vd = {}, .vdd = {}, .v_z = TermRows(k_, Terms(n_))};
  Terms right(k_);
  for (std::size_t i = 0; i < k_; ++i) {
    right[i] = -(rate_slopes_[i][column] + dot(rate_slopes_[i], first_v, v));
  }
  made.vd = solve(right);
  for (std::size_t i = 0; i < k_; ++i) {
    const Terms& row = acceleration_slopes_[i];
    right[i] = -(row[column] + dot(row, first_v, v) + dot(row, first_v + k_, made.vd));
  }
  made.vdd = solve(right);
  // ∂v/∂z_j is v' at z' = e_j, and so are its slopes.
  for (std::size_t j = 0; j < n_; ++j) {
    Terms unit(n_);
    unit[j] = 1.0;
    for (std::size_t i = 0; i < k_; ++i) unit.push_back(leaves_.v_z[i][j]);
    const Terms moved = substituted(made.vd, joined({&leaves_.zd, &leaves_.vd}), unit, graph_);
    for (std::size_t i = 0; i < k_; ++i) made.v_z[i][j] = moved[i];
  }
  return made;
}

void MotionSlopes::find_directions() {
  for (std::size_t j = 0; j < n_; ++j) {
    Terms v;
    for (std::size_t i = 0; i < k_; ++i) v.push_back(leaves_.v_z[i][j]);
    by_z_.push_back(direction(v, j));
  }
  for (std::size_t m = 0; m < p_.size(); ++m) {
    Terms right;
    for (std::size_t i = 0; i < k_; ++i) right.push_back(-G_p_[i][m]);
    by_p_.push_back(direction(solve(right), n_ + m));
  }
}

TotalSlopes MotionSlopes::total(const Terms& roots) const {
  const Terms v_z = flat(leaves_.v_z);
  const TermRows D = slopes_of(roots,
                               joined({&leaves_.z, &leaves_.zd, &leaves_.zdd, &p_, &leaves_.v,
                                       &leaves_.vd, &leaves_.vdd, &v_z}),
                               graph_);
  const std::size_t first_p = 3 * n_;
  const std::size_t first_v = first_p + p_.size();
  const auto along = [&](const Terms& row, std::size_t column, const Direction& moved) {
    return row[column] + dot(row, first_v, moved.v) + dot(row, first_v + k_, moved.vd) +
           dot(row, first_v + 2 * k_, moved.vdd) + dot(row, first_v + 3 * k_, flat(moved.v_z));
  };
  TotalSlopes made;
  for (const Terms& row : D) {
    Terms by_z, by_zd, by_zdd, by_p;
    for (std::size_t j = 0; j < n_; ++j) {
      const Direction& moved = by_z_[j];
      by_z.push_back(along(row, j, moved));
      // ∂v''/∂z' = 2 ∂v'/∂z
      by_zd.push_back(row[n_ + j] + dot(row, first_v + k_, moved.v) +
                      Term(2.0) * dot(row, first_v + 2 * k_, moved.vd));
      by_zdd.push_back(row[2 * n_ + j] + dot(row, first_v + 2 * k_, moved.v));
    }
    for (std::size_t m = 0; m < p_.size(); ++m) {
      by_p.push_back(along(row, first_p + m, by_p_[m]));
    }
    made.by_z.push_back(by_z);
    made.by_zd.push_back(by_zd);
    made.by_zdd.push_back(by_zdd);
    made.by_p.push_back(by_p);
  }
  return made;
}

TermRows MotionSlopes::by_rate(const Terms& roots) const {
  const TermRows D = slopes_of(roots, joined({&leaves_.zd, &leaves_.vd}), graph_);
  TermRows made;
  for (const Terms& row : D) {
    Terms by;
    for (std::size_t j = 0; j < n_; ++j) by.push_back(row[j] + dot(row, n_, by_z_[j].v));
    made.push_back(by);
  }
  return made;
}

Terms MotionSlopes::resolved(const Terms& roots) const {
  return substituted(roots, joined({&leaves_.vd, &leaves_.vdd}), joined({&vd_, &vdd_}), graph_);
}

}  // namespace alembert::model::planar
