#include "identify/subspace/equations.hpp"

namespace alembert::identify::realisation {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

// State α (0 real, 1 imaginary part) of the block of parameter l; a real pole has only the first,
// and its second vector is zero, so any valid column will do.
Index state(const ModalShapes& shapes, Index l, int part) {
  const Index first = shapes.block[static_cast<std::size_t>(l)];
  return part == 0 || first + 1 >= shapes.first.cols() ? first : first + 1;
}

// Σ over parts of dot · product of the columns of two groups: an n x n block of the normal matrix.
MatrixXd modal_block(const ModalShapes& shapes, const MatrixXd& gram, Index left, Index right) {
  const Index n = shapes.first.cols();
  MatrixXd result(n, n);
  for (Index k = 0; k < n; ++k) {
    for (Index l = 0; l < n; ++l) {
      double sum = 0.0;
      for (int a = 0; a < 2; ++a) {
        for (int b = 0; b < 2; ++b) {
          sum += shapes.dot[a][b](l, k) *
                 gram(left + state(shapes, l, a), right + state(shapes, k, b));
        }
      }
      result(l, k) = sum;
    }
  }
  return result;
}

// n x p: how the parameters of a group meet a direct input in each output.
MatrixXd direct_block(const ModalShapes& shapes, const MatrixXd& gram, Index group, Index input) {
  MatrixXd result(shapes.first.cols(), shapes.first.rows());
  for (Index l = 0; l < result.rows(); ++l) {
    result.row(l) = (shapes.first.col(l) * gram(group + state(shapes, l, 0), input) +
                     shapes.second.col(l) * gram(group + state(shapes, l, 1), input))
                        .transpose();
  }
  return result;
}

VectorXd modal_side(const ModalShapes& shapes, const MatrixXd& with, Index group) {
  VectorXd result(shapes.first.cols());
  for (Index l = 0; l < result.size(); ++l) {
    result(l) = with.row(group + state(shapes, l, 0)).dot(shapes.first.col(l)) +
                with.row(group + state(shapes, l, 1)).dot(shapes.second.col(l));
  }
  return result;
}

}  // namespace

ModalShapes modal_shapes(const RealModes& modes, const MatrixXd& H) {
  const MatrixXd h = H * modes.V;
  ModalShapes shapes{h, MatrixXd::Zero(h.rows(), h.cols()), modes.block, {}};
  for (Index i = 0; i + 1 < h.cols(); ++i) {
    if (modes.block[static_cast<std::size_t>(i) + 1] != i) continue;
    shapes.second.col(i) = -h.col(i + 1);
    shapes.second.col(i + 1) = h.col(i);
  }
  const MatrixXd* parts[2] = {&shapes.first, &shapes.second};
  for (int a = 0; a < 2; ++a) {
    for (int b = 0; b < 2; ++b) shapes.dot[a][b] = parts[a]->transpose() * *parts[b];
  }
  return shapes;
}

MatrixXd common_matrix(const ModalShapes& shapes, const FilterColumns& columns,
                       const Unknowns& unknowns, const MatrixXd& gram) {
  const Index n = unknowns.order;
  const Index m = unknowns.inputs;
  const Index p = unknowns.outputs;
  MatrixXd normal = MatrixXd::Zero(unknowns.count(), unknowns.count());
  for (Index j = 0; j < m; ++j) {
    for (Index i = 0; i < m; ++i) {
      normal.block(i * n, j * n, n, n) =
          modal_block(shapes, gram, columns.filtered(i), columns.filtered(j));
      if (!unknowns.feedthrough) continue;
      const Index at = unknowns.gains() + j * p;
      const MatrixXd mixed = direct_block(shapes, gram, columns.filtered(i), columns.direct() + j);
      normal.block(i * n, at, n, p) = mixed;
      normal.block(at, i * n, p, n) = mixed.transpose();
      normal.block(unknowns.gains() + i * p, at, p, p)
          .diagonal()
          .setConstant(gram(columns.direct() + i, columns.direct() + j));
    }
  }
  return normal;
}

MatrixXd start_coupling(const ModalShapes& shapes, const FilterColumns& columns,
                        const Unknowns& unknowns, const MatrixXd& gram) {
  const Index n = unknowns.order;
  MatrixXd coupling(unknowns.count(), n);
  for (Index j = 0; j < unknowns.inputs; ++j) {
    coupling.middleRows(j * n, n) =
        modal_block(shapes, gram, columns.filtered(j), columns.free_motion());
    if (!unknowns.feedthrough) continue;
    coupling.middleRows(unknowns.gains() + j * unknowns.outputs, unknowns.outputs) =
        direct_block(shapes, gram, columns.free_motion(), columns.direct() + j).transpose();
  }
  return coupling;
}

MatrixXd start_matrix(const ModalShapes& shapes, const FilterColumns& columns,
                      const MatrixXd& gram) {
  return modal_block(shapes, gram, columns.free_motion(), columns.free_motion());
}

VectorXd common_side(const ModalShapes& shapes, const FilterColumns& columns,
                     const Unknowns& unknowns, const MatrixXd& with) {
  VectorXd side(unknowns.count());
  const Index p = unknowns.outputs;
  for (Index j = 0; j < unknowns.inputs; ++j) {
    side.segment(j * unknowns.order, unknowns.order) =
        modal_side(shapes, with, columns.filtered(j));
    if (!unknowns.feedthrough) continue;
    side.segment(unknowns.gains() + j * p, p) = with.row(columns.direct() + j).transpose();
  }
  return side;
}

VectorXd start_side(const ModalShapes& shapes, const FilterColumns& columns, const MatrixXd& with) {
  return modal_side(shapes, with, columns.free_motion());
}

MatrixXd output_weights(const ModalShapes& shapes, const FilterColumns& columns,
                        const Unknowns& unknowns, const VectorXd& common, const VectorXd& start) {
  MatrixXd weights = MatrixXd::Zero(columns.count(), unknowns.outputs);
  const auto add = [&](Index group, const auto& parameters) {
    for (Index l = 0; l < unknowns.order; ++l) {
      weights.row(group + state(shapes, l, 0)) += parameters(l) * shapes.first.col(l).transpose();
      weights.row(group + state(shapes, l, 1)) += parameters(l) * shapes.second.col(l).transpose();
    }
  };
  for (Index j = 0; j < unknowns.inputs; ++j) {
    add(columns.filtered(j), common.segment(j * unknowns.order, unknowns.order));
    if (!unknowns.feedthrough) continue;
    weights.row(columns.direct() + j) =
        common.segment(unknowns.gains() + j * unknowns.outputs, unknowns.outputs).transpose();
  }
  add(columns.free_motion(), start);
  return weights;
}

}  // namespace alembert::identify::realisation
