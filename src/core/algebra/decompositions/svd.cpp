// Here the declarations of the header are definitions.
#define ALEMBERT_SVD template
#include "core/algebra/decompositions/svd.hpp"
