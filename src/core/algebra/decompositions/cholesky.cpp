// Here the declarations of the header are definitions.
#define ALEMBERT_CHOLESKY template
#include "core/algebra/decompositions/cholesky.hpp"
