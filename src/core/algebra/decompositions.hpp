#pragma once

// Eigen's dense decompositions, compiled once. A file that factors a plain MatrixXd or MatrixXcd
// includes this header in place of <Eigen/LU>, <Eigen/Eigenvalues> and their like: the heavy
// members are then taken from decompositions/. Without it each file compiles its own copy of, say,
// the whole QR algorithm, and half of the time of a build goes into such copies.
// Factor a plain matrix: EigenSolver<MatrixXd>(a + b) is a different member and is compiled anew.

#include "core/algebra/decompositions/cholesky.hpp"
#include "core/algebra/decompositions/complex_eigen.hpp"
#include "core/algebra/decompositions/complex_svd.hpp"
#include "core/algebra/decompositions/eigen.hpp"
#include "core/algebra/decompositions/lu.hpp"
#include "core/algebra/decompositions/qr.hpp"
#include "core/algebra/decompositions/svd.hpp"
#include "core/algebra/decompositions/symmetric_eigen.hpp"
