#include "alembert/reduce/components.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "alembert/core/error.hpp"
#include "core/algebra/blas.hpp"
#include "reduce/modes/dense_modes.hpp"

namespace alembert::reduce {
namespace {

[[noreturn]] void refuse_components(const char* function, const char* argument, std::string rule,
                                    std::string value = {}) {
  throw InvalidInput({.function = function,
                      .argument = argument,
                      .rule = std::move(rule),
                      .value = std::move(value)});
}

// How many coordinates the interface has.
Eigen::Index interface_size(const std::vector<Component>& components) {
  std::set<Eigen::Index> all;
  for (const Component& one : components) {
    const std::set<Eigen::Index> own(one.places.begin(), one.places.end());
    if (static_cast<Eigen::Index>(one.places.size()) != one.basis.masters) {
      refuse_components("assemble", "places",
                        fmt::format("must have one for each of the {} masters", one.basis.masters),
                        std::to_string(one.places.size()));
    }
    if (own.size() != one.places.size()) {
      refuse_components("assemble", "places", "must name each coordinate once in a component");
    }
    all.insert(own.begin(), own.end());
  }
  if (all.empty()) refuse_components("assemble", "components", "must hold at least one");
  if (*all.begin() != 0 || *all.rbegin() + 1 != static_cast<Eigen::Index>(all.size())) {
    refuse_components("assemble", "places", "must be all numbers from 0 to the highest");
  }
  return static_cast<Eigen::Index>(all.size());
}

// Tᵀ A T
Eigen::MatrixXd turned(const Eigen::MatrixXd& A, const Eigen::MatrixXd& T) {
  Eigen::MatrixXd result = Eigen::MatrixXd::Zero(T.cols(), T.cols());
  add_transposed_product(T, product(A, T), result);
  return 0.5 * (result + result.transpose());
}

}  // namespace

ComponentAssembly assemble(const std::vector<Component>& components) {
  ComponentAssembly whole;
  whole.interface = interface_size(components);
  Eigen::Index size = whole.interface;
  for (const Component& one : components) size += one.basis.interior();
  whole.M = Eigen::MatrixXd::Zero(size, size);
  whole.K = Eigen::MatrixXd::Zero(size, size);
  const bool damped = std::any_of(components.begin(), components.end(),
                                  [](const Component& one) { return one.basis.D.size() > 0; });
  if (damped) whole.D = Eigen::MatrixXd::Zero(size, size);
  Eigen::Index next = whole.interface;
  for (const Component& one : components) {
    std::vector<Eigen::Index> places = one.places;
    for (Eigen::Index i = 0; i < one.basis.interior(); ++i) places.push_back(next + i);
    next += one.basis.interior();
    Eigen::MatrixXd T = Eigen::MatrixXd::Zero(one.basis.size(), size);
    for (std::size_t i = 0; i < places.size(); ++i) {
      T(static_cast<Eigen::Index>(i), places[i]) = 1.0;
    }
    whole.M(places, places) += one.basis.M;
    whole.K(places, places) += one.basis.K;
    if (one.basis.D.size() > 0) whole.D(places, places) += one.basis.D;
    whole.transformations.push_back(std::move(T));
  }
  return whole;
}

ComponentAssembly reduce_interface(const ComponentAssembly& assembly, Eigen::Index modes) {
  const Eigen::Index b = assembly.interface;
  if (modes < 1 || modes > b) {
    refuse_components("reduce_interface", "modes",
                      fmt::format("must be from 1 to {}, the interface", b), std::to_string(modes));
  }
  const Eigen::MatrixXd K = assembly.K.topLeftCorner(b, b);
  const Eigen::MatrixXd M = assembly.M.topLeftCorner(b, b);
  // The size of the largest eigenvalue: rows without mass have none.
  const double scale = K.trace() / std::max(M.trace(), 1e-300);
  const EigenPairs pairs = dense_modes(K, M, -1e-4 * scale);
  if (pairs.values.size() < modes) {
    refuse_components(
        "reduce_interface", "modes",
        fmt::format("must be at most {}, the modes that the interface has", pairs.values.size()),
        std::to_string(modes));
  }
  const Eigen::Index interior = assembly.size() - b;
  Eigen::MatrixXd T = Eigen::MatrixXd::Zero(assembly.size(), modes + interior);
  T.topLeftCorner(b, modes) = pairs.vectors.leftCols(modes);
  T.bottomRightCorner(interior, interior).setIdentity();
  ComponentAssembly small;
  small.interface = modes;
  small.M = turned(assembly.M, T);
  small.K = turned(assembly.K, T);
  if (assembly.D.size() > 0) small.D = turned(assembly.D, T);
  for (const Eigen::MatrixXd& one : assembly.transformations) {
    small.transformations.push_back(product(one, T));
  }
  return small;
}

}  // namespace alembert::reduce
