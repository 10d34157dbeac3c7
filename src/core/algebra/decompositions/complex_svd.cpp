// Here the declarations of the header are definitions.
#define ALEMBERT_COMPLEX_SVD template
#include "core/algebra/decompositions/complex_svd.hpp"
