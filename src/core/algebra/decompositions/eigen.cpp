// Here the declarations of the header are definitions.
#define ALEMBERT_EIGEN template
#include "core/algebra/decompositions/eigen.hpp"
