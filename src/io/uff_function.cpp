#include "alembert/io/uff.hpp"
#include "io/file_content.hpp"

namespace alembert::io {

std::vector<UffFunction> read_uff_functions(const std::filesystem::path& file) {
  return parse_uff(read_content(file), file.string()).functions;
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
