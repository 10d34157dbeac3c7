#include <gmock/gmock.h>

#include "alembert/core/prepare_blas.hpp"

// The tests run with OpenBLAS set up as the tool does.
int main(int argc, char** argv) {
  alembert::prepare_blas();
  testing::InitGoogleMock(&argc, argv);
  return RUN_ALL_TESTS();
}
