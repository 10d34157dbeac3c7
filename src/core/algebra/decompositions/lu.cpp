// Here the declarations of the header are definitions.
#define ALEMBERT_LU template
#include "core/algebra/decompositions/lu.hpp"
