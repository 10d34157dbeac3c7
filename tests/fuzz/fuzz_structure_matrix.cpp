#include <cstddef>
#include <cstdint>
#include <string_view>

#include "alembert/core/error.hpp"
#include "alembert/io/structure_matrix.hpp"

namespace {

template <typename Read>
void try_to(const Read& read) {
  try {
    (void)read();
  } catch (const alembert::DataError&) {
    // A broken file.
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try_to([&] { return alembert::io::parse_harwell_boeing(text, "fuzz"); });
  try_to([&] { return alembert::io::parse_triplets(text, "fuzz"); });
  try_to([&] { return alembert::io::parse_dmig(text, "fuzz"); });
  try_to([&] { return alembert::io::parse_op4(text, "fuzz"); });
  try_to([&] { return alembert::io::parse_calculix_rows(text, "fuzz"); });
  return 0;
}
