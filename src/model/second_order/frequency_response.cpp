#include <cmath>
#include <complex>
#include <limits>
#include <memory>
#include <numbers>
#include <optional>

#include "alembert/core/check.hpp"
#include "alembert/core/not_a_number.hpp"
#include "alembert/model/modes.hpp"
#include "core/algebra/decompositions.hpp"
#include "core/algebra/dense.hpp"
#include "model/second_order/modal_form.hpp"

namespace alembert::model {

namespace {

using Complex = std::complex<double>;
using Eigen::Index;

constexpr double kEps = std::numeric_limits<double>::epsilon();
// One eigendecomposition of size 2n costs about as much as this many factorisations of size n.
constexpr Index kFewFrequencies = 256;
// Largest ‖X‖ ‖X⁻¹‖/N of eigenvectors that may be used instead of a factorisation.
constexpr double kLargestCondition = 100.0;

// Response of the modal coordinates, η(iω) = (diag(κ - ω²) + iω Δ)⁻¹ Φᵀ L.
class ModalResponse {
 public:
  virtual ~ModalResponse() = default;
  // Returns nullopt where the dynamic stiffness is singular to working precision.
  [[nodiscard]] virtual std::optional<Eigen::MatrixXcd> at(double omega) const = 0;
};

// The undamped modes diagonalise D: every coordinate on its own.
class DecoupledResponse final : public ModalResponse {
 public:
  DecoupledResponse(const ModalForm& modal, const Eigen::MatrixXd& force)
      : stiffness_(modal.stiffness),
        damping_(modal.damping.diagonal()),
        force_(force.cast<Complex>()) {}

  std::optional<Eigen::MatrixXcd> at(double omega) const override {
    const Eigen::ArrayXcd dynamic = (stiffness_.array() - omega * omega).cast<Complex>() +
                                    Complex(0, omega) * damping_.array().cast<Complex>();
    const Eigen::ArrayXd scale = stiffness_.array().abs() + omega * omega;
    if ((dynamic.abs() <= 2.0 * kEps * scale).any()) {
      return std::nullopt;
    }
    return dynamic.inverse().matrix().asDiagonal() * force_;
  }

 private:
  Eigen::VectorXd stiffness_, damping_;
  Eigen::MatrixXcd force_;
};

// Any system: one factorisation for each frequency. Rows and columns are scaled by
// (|κ| + ω²)^-1/2: pivots far below 1 then mean a resonance without damping, whatever the spread
// of the frequencies.
class FactorisedResponse final : public ModalResponse {
 public:
  FactorisedResponse(const ModalForm& modal, const Eigen::MatrixXd& force)
      : modal_(modal), force_(force) {}

  std::optional<Eigen::MatrixXcd> at(double omega) const override {
    if (omega == 0.0 && (modal_.stiffness.array() == 0.0).any()) {
      return std::nullopt;
    }
    const Eigen::VectorXd scale = (modal_.stiffness.array().abs() + omega * omega).sqrt().inverse();
    Eigen::MatrixXcd dynamic = Complex(0, omega) * modal_.damping.cast<Complex>();
    dynamic.diagonal().array() += (modal_.stiffness.array() - omega * omega).cast<Complex>();
    const Eigen::PartialPivLU<Eigen::MatrixXcd> lu(scale.asDiagonal() * dynamic *
                                                   scale.asDiagonal());
    const Eigen::VectorXd pivots = lu.matrixLU().diagonal().cwiseAbs();
    if (!(pivots.minCoeff() > 2.0 * kEps * pivots.maxCoeff())) {
      return std::nullopt;
    }
    return scale.asDiagonal() * lu.solve((scale.asDiagonal() * force_).cast<Complex>());
  }

 private:
  ModalForm modal_;
  Eigen::MatrixXd force_;
};

// A sum over poles, A = X diag(λ) X⁻¹ in the balanced coordinates (|ω| η, η'):
//   η(s) = (diag(1/|ω|) 0) X diag(1/(s - λ)) X⁻¹ B
class PoleResponse final : public ModalResponse {
 public:
  // Returns nullptr where eigenvectors are too dependent, or rigid-body modes are present, whose
  // position the balanced form leaves out.
  static std::unique_ptr<PoleResponse> make(const ModalForm& modal, const Eigen::MatrixXd& force) {
    const BalancedForm form = balanced_form(modal);
    const Index n = modal.stiffness.size();
    if (form.omega.size() < n) {
      return nullptr;
    }
    const Eigen::EigenSolver<Eigen::MatrixXd> eigen(form.A);
    const Eigen::MatrixXcd X = eigen.eigenvectors();
    const Eigen::MatrixXcd inverse = dense::inverse(X);
    const double condition = X.norm() * inverse.norm() / static_cast<double>(2 * n);
    if (eigen.info() != Eigen::Success || !(condition <= kLargestCondition)) {
      return nullptr;
    }
    auto response = std::make_unique<PoleResponse>();
    response->poles_ = eigen.eigenvalues();
    response->shapes_ = form.omega.cwiseInverse().asDiagonal() * X.topRows(n);
    response->force_ = inverse.rightCols(n) * force.cast<Complex>();
    return response;
  }

  std::optional<Eigen::MatrixXcd> at(double omega) const override {
    const Eigen::ArrayXcd distance = Complex(0, omega) - poles_.array();
    if ((distance.abs() <= 2.0 * kEps * (std::abs(omega) + poles_.array().abs())).any()) {
      return std::nullopt;
    }
    return shapes_ * (distance.inverse().matrix().asDiagonal() * force_);
  }

 private:
  Eigen::VectorXcd poles_;
  Eigen::MatrixXcd shapes_, force_;
};

bool is_diagonal(const Eigen::MatrixXd& damping) {
  const Eigen::MatrixXd off_diagonal = damping - Eigen::MatrixXd(damping.diagonal().asDiagonal());
  const double n = static_cast<double>(damping.rows());
  return off_diagonal.cwiseAbs().maxCoeff() <= 8.0 * n * kEps * damping.cwiseAbs().maxCoeff();
}

std::unique_ptr<ModalResponse> make_response(const ModalForm& modal, const Eigen::MatrixXd& L,
                                             Index frequencies) {
  const Eigen::MatrixXd force = modal.shapes.transpose() * L;
  if (is_diagonal(modal.damping)) {
    return std::make_unique<DecoupledResponse>(modal, force);
  }
  if (frequencies > kFewFrequencies) {
    if (auto response = PoleResponse::make(modal, force)) {
      return response;
    }
  }
  return std::make_unique<FactorisedResponse>(modal, force);
}

// An output matrix times Φ, remembered only if it is not zero.
std::optional<Eigen::MatrixXcd> modal_output(const Eigen::MatrixXd& C,
                                             const Eigen::MatrixXd& shapes) {
  if ((C.array() == 0.0).all()) {
    return std::nullopt;
  }
  return (C * shapes).cast<Complex>();
}

}  // namespace

std::vector<Eigen::MatrixXcd> frequency_response(
    const SecondOrder& system, const OutputMap& outputs,
    const Eigen::Ref<const Eigen::VectorXd>& frequency_hz) {
  check_matrices("frequency_response", system);
  check_outputs("frequency_response", outputs, system.degrees_of_freedom());
  check::all_finite("frequency_response", "frequency_hz", frequency_hz);
  if (outputs.outputs() == 0 || system.inputs() == 0) {
    return std::vector<Eigen::MatrixXcd>(static_cast<std::size_t>(frequency_hz.size()),
                                         Eigen::MatrixXcd(outputs.outputs(), system.inputs()));
  }
  const ModalForm modal = modal_form("frequency_response", system);
  const auto response = make_response(modal, system.L, frequency_hz.size());
  const auto displacement = modal_output(outputs.displacement, modal.shapes);
  const auto velocity = modal_output(outputs.velocity, modal.shapes);
  const auto acceleration = modal_output(outputs.acceleration, modal.shapes);

  std::vector<Eigen::MatrixXcd> result;
  result.reserve(static_cast<std::size_t>(frequency_hz.size()));
  for (const double frequency : frequency_hz) {
    const double omega = 2.0 * std::numbers::pi * frequency;
    Eigen::MatrixXcd H = Eigen::MatrixXcd::Zero(outputs.outputs(), system.inputs());
    const std::optional<Eigen::MatrixXcd> eta = response->at(omega);
    if (!eta) {
      H.setConstant(Complex(kNaN, kNaN));
    } else {
      // H = (Cq + iω Cv - ω² Ca) Φ η
      if (displacement) {
        H += *displacement * *eta;
      }
      if (velocity) {
        H += Complex(0, omega) * (*velocity * *eta);
      }
      if (acceleration) {
        H -= omega * omega * (*acceleration * *eta);
      }
    }
    result.push_back(std::move(H));
  }
  return result;
}

}  // namespace alembert::model
