// Here the declarations of the header are definitions.
#define ALEMBERT_COMPLEX_EIGEN template
#include "core/algebra/decompositions/complex_eigen.hpp"
