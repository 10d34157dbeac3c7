// Here the declarations of the header are definitions.
#define ALEMBERT_QR template
#include "core/algebra/decompositions/qr.hpp"
