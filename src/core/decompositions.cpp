#define ALEMBERT_DECOMPOSITION template
#include "core/decompositions.hpp"
