// Here the declarations of the header are definitions.
#define ALEMBERT_SYMMETRIC_EIGEN template
#include "core/algebra/decompositions/symmetric_eigen.hpp"
