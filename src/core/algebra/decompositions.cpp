#define ALEMBERT_DECOMPOSITION template
#include "core/algebra/decompositions.hpp"
