#include "alembert/io/uff.hpp"
#include "io/file/file_content.hpp"
#include "io/uff/parse.hpp"

namespace alembert::io {

UffContent parse_uff_file(const std::filesystem::path& file, const ReadLimits& limits) {
  std::string content = read_content(file, limits);
  std::size_t released = 0;
  return parse_uff(content, file.string(),
                   [&](std::size_t count) { release_front(content, count, released); });
}

std::vector<UffFunction> read_uff_functions(const std::filesystem::path& file) {
  return parse_uff_file(file, {}).functions;
}

Eigen::VectorXd UffFunction::abscissae() const {
  if (!is_even()) {
    return x;
  }
  Eigen::VectorXd result(real.size());
  for (Eigen::Index k = 0; k < result.size(); ++k) {
    result(k) = start + static_cast<double>(k) * step;
  }
  return result;
}

Eigen::VectorXcd UffFunction::complex_values() const {
  Eigen::VectorXcd values = real.cast<std::complex<double>>();
  if (is_complex()) {
    values.imag() = imaginary;
  }
  return values;
}

}  // namespace alembert::io
