// An element of one's own: a bar with a node in its middle, in a structure of the library.
#include <fmt/core.h>

#include <alembert/model/structure/assembly.hpp>
#include <alembert/reduce/modes.hpp>
#include <array>
#include <cmath>
#include <numbers>

/// Bar of length L with quadratic shape functions; nodes: one end, the middle, the other end.
///   K = E A/(3 L) |7 -8 1; -8 16 -8; 1 -8 7|,  M = ρ A L/30 |4 2 -1; 2 16 2; -1 2 4|
alembert::model::ElementMatrices quadratic_bar(double length,
                                               const alembert::model::Material& material,
                                               double area) {
  const Eigen::Matrix3d K{{7.0, -8.0, 1.0}, {-8.0, 16.0, -8.0}, {1.0, -8.0, 7.0}};
  const Eigen::Matrix3d M{{4.0, 2.0, -1.0}, {2.0, 16.0, 2.0}, {-1.0, 2.0, 4.0}};
  return {.mass = material.density * area * length / 30.0 * M,
          .stiffness = material.young * area / (3.0 * length) * K};
}

int main() {
  using alembert::model::Direction;
  const alembert::model::Material steel;
  const double length = 2.0, area = 1e-4;  // m, m²
  const int elements = 8;
  alembert::model::StructureBuilder builder;
  for (int k = 0; k <= 2 * elements; ++k) {
    builder.add_node({length * k / (2.0 * elements), 0.0, 0.0});
  }
  const auto element = quadratic_bar(length / elements, steel, area);
  for (Eigen::Index k = 0; k < elements; ++k) {
    builder.add(element, std::array{2 * k, 2 * k + 1, 2 * k + 2}, std::array{Direction::X});
  }
  builder.fix(0, Direction::X);
  const auto structure = builder.build();
  const auto modes = alembert::reduce::lowest_modes(structure.K, structure.M, 3);
  // Fixed at one end: f_k = (2k - 1)/(4 L) √(E/ρ). The error of quadratic elements is of fourth
  // order in (2k - 1)π h/(4 L): below 1e-3 for the third mode.
  bool good = modes.ok() && modes.proven();
  for (int k = 1; k <= 3; ++k) {
    const double exact = (2.0 * k - 1.0) / (4.0 * length) * std::sqrt(steel.young / steel.density);
    const double error = modes.frequency_hz(k - 1) / exact - 1.0;
    fmt::print("mode {}: {:9.3f} Hz, closed form {:9.3f} Hz, error {:.1e}\n", k,
               modes.frequency_hz(k - 1), exact, error);
    good = good && error > 0.0 && error < 1e-3;  // a mesh of consistent masses is too stiff
  }
  return good ? 0 : 1;
}
