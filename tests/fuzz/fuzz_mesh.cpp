#include <cstddef>
#include <cstdint>
#include <string_view>

#include "alembert/core/error.hpp"
#include "alembert/io/mesh.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  for (const auto read : {alembert::io::parse_gmsh, alembert::io::parse_abaqus_mesh}) {
    try {
      (void)read(text, "fuzz");
    } catch (const alembert::DataError&) {
      // A broken file.
    }
  }
  return 0;
}
