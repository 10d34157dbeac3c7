#include <algorithm>

#include "core/algebra/blas.hpp"
#include "identify/subspace/hankel.hpp"

namespace alembert::identify::realisation {

using Eigen::Index;
using Eigen::MatrixXd;

namespace {

// Columns begin..begin+count-1 of the Hankel matrix of one sequence, as rows.
void fill_hankel(const Sequence& sequence, const ChannelScales& scales, Index horizon, Index begin,
                 Eigen::Ref<MatrixXd> rows) {
  const Index inputs = scales.input.size();
  const Index outputs = scales.output.size();
  const Index span = rows.rows() + 2 * horizon - 1;
  MatrixXd u(span, inputs);
  MatrixXd y(span, outputs);
  fill_rows(sequence, scales, begin, u, y);
  for (Index block = 0; block < 2 * horizon; ++block) {
    for (Index c = 0; c < inputs + outputs; ++c) {
      const Index place = hankel_row(block, c, inputs, outputs, horizon);
      rows.col(place) = c < inputs ? u.col(c).segment(block, rows.rows())
                                   : y.col(c - inputs).segment(block, rows.rows());
    }
  }
}

}  // namespace

MatrixXd hankel_triangle(const std::vector<Sequence>& data, const ChannelScales& scales,
                         Index horizon) {
  const Index size = 2 * horizon * (scales.input.size() + scales.output.size());
  const Index capacity = 4 * size;
  MatrixXd stack = MatrixXd::Zero(capacity, size);
  // Rows in use: the triangle so far, then new columns until the stack is full.
  Index used = 0;
  const auto reduce = [&] {
    const MatrixXd R = triangular_factor(stack.topRows(used));
    stack.topRows(R.rows()) = R;
    used = R.rows();
  };
  for (const Sequence& sequence : data) {
    const Index columns = std::max<Index>(0, sequence.length - 2 * horizon + 1);
    for (Index begin = 0; begin < columns;) {
      const Index count = std::min(columns - begin, capacity - used);
      fill_hankel(sequence, scales, horizon, begin, stack.middleRows(used, count));
      begin += count;
      used += count;
      if (used == capacity) reduce();
    }
  }
  reduce();
  MatrixXd L = MatrixXd::Zero(size, size);
  L.leftCols(used) = stack.topRows(used).transpose();
  return L;
}

}  // namespace alembert::identify::realisation
