#pragma once

#include <Eigen/Core>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "alembert/model/detail/graph_memory.hpp"
#include "alembert/model/equation_engine.hpp"
#include "alembert/model/planar/mechanism.hpp"

/// Mechanisms as straight-line code: kinematics, sensors and dynamics of one mechanism with exact
/// derivatives, in native code where there is a C compiler. See docs/theory/compiled-mechanisms.md.
namespace alembert::model::planar {

/// What is compiled. All of it takes the compiler time: ask for what is used.
struct CompileOptions {
  /// Numbers that change while it is used, and by which there are derivatives: "arm.mass",
  /// "hinge.damping", "motor.gain", names of geometry parameters, ...; all others are constants.
  std::vector<std::string> parameters = {};
  /// p of the geometry parameters that are not among them, m; empty: 0.
  Eigen::VectorXd lengths = {};
  bool readings = true;  ///< sensors
  bool forward = false;  ///< z'' from forces
  bool inverse = false;  ///< τ from z''
  bool slopes = true;    ///< derivatives of what is asked for
  EngineOptions engine = {};
};

/// Where a compiled mechanism is. Made by CompiledMechanism::make_state(), owned by the caller,
/// copied freely. Results stand in tables whose first column has the values.
struct CompiledState {
  bool positioned = false;  ///< z, loops and p belong together
  /// Sensors x (value, ∂z, ∂z', ∂z'', ∂p): set by read() and read_slopes(). Force cells read 0.
  Eigen::MatrixXd readings;
  /// Coordinates x (z'', pivots of M, ∂z, ∂z', ∂F, ∂p): set by forward() and forward_slopes().
  Eigen::MatrixXd forward;
  /// Coordinates x (τ, ∂z, ∂z', ∂z'', ∂F, ∂p): set by inverse() and inverse_slopes().
  Eigen::MatrixXd inverse;
  /// Rates along which the forces work, then the power that dampers and friction take.
  Eigen::VectorXd powers;

  // Memory of the solver.
  Eigen::VectorXd x, before;  // all leaves of the graph
  Eigen::VectorXd forces, p, p_before;
  Eigen::VectorXd closure, step, step_before, work, angles;
  Eigen::MatrixXd map_before;  // ∂v/∂z at the position before
  std::vector<int> pivots;
  int branch = 0;
  MechanismState anchor;
  equations::GraphMemory memory;
};

/// A mechanism in the form that code is made of.
///
/// The unknowns q of the mechanism are eliminated once: angles by the joints that tie angles,
/// positions by pins and guides; what is left over, v, closes the loops,
///
///   G(z, v, p) = 0,   J = ∂G/∂v,   ∂v/∂z = −J⁻¹ ∂G/∂z
///
/// by Newton's method in the smallest blocks that can be solved one after the other. All else is an
/// explicit function of z, z', z'', v, ∂v/∂z and J⁻¹. Constant; the methods that take a state are
/// safe to call from several threads with a state each, and allocate nothing.
class CompiledMechanism {
 public:
  /// @throws InvalidInput for a name that is no number of the mechanism, redundant constraints, or
  ///   if options.engine asks for native code and none can be made.
  explicit CompiledMechanism(std::shared_ptr<const Mechanism> mechanism,
                             const CompileOptions& options = {});

  [[nodiscard]] const Mechanism& mechanism() const noexcept { return *mechanism_; }
  /// Interpreter or Native.
  [[nodiscard]] EngineKind engine() const noexcept;
  /// Why the interpreter is used in place of native code; "" otherwise.
  [[nodiscard]] const std::string& note() const noexcept;
  [[nodiscard]] bool from_cache() const noexcept;
  /// Names of v, as "rod.angle" or "slider.x".
  [[nodiscard]] const std::vector<std::string>& loop_unknowns() const noexcept;
  /// Sizes of the blocks in which the loops are closed, in their order.
  [[nodiscard]] std::vector<int> loop_blocks() const;
  [[nodiscard]] const std::vector<std::string>& parameters() const noexcept;
  /// The functions as C99, with the names of their arguments in a comment.
  [[nodiscard]] const std::string& c_source() const noexcept;
  /// Operations of all functions.
  [[nodiscard]] std::size_t operations() const;

  /// At the position of an assembled state, with the numbers of the description.
  /// @throws InvalidInput if it is not assembled.
  [[nodiscard]] CompiledState make_state(const MechanismState& assembled) const;
  /// The numbers of the parameters, in their order; the position is solved again after it.
  void set_parameters(std::span<const double> p, CompiledState& state) const noexcept;

  /// Position at z on the same branch, as Mechanism::solve_position(), which takes over where a
  /// step is too long for Newton's method or near a singular configuration.
  StepStatus solve_position(std::span<const double> z, CompiledState& state) const noexcept;
  void set_rates(std::span<const double> zd, CompiledState& state) const noexcept;
  void set_accelerations(std::span<const double> zdd, CompiledState& state) const noexcept;

  void read(CompiledState& state) const noexcept;
  void read_slopes(CompiledState& state) const noexcept;
  /// z'' under forces, which becomes that of the state. @param forces in the order of the
  /// description.
  /// @return false if M is singular.
  bool forward(std::span<const double> forces, CompiledState& state) const noexcept;
  bool forward_slopes(std::span<const double> forces, CompiledState& state) const noexcept;
  void inverse(std::span<const double> forces, CompiledState& state) const noexcept;
  void inverse_slopes(std::span<const double> forces, CompiledState& state) const noexcept;
  /// With `forward`.
  void powers(CompiledState& state) const noexcept;

  /// (x, y, φ) of every body, 3 a body.
  void poses(CompiledState& state, std::span<double> q) const noexcept;

  struct Content;

 private:
  [[nodiscard]] bool follow(std::span<const double> z, CompiledState& state) const noexcept;
  StepStatus take_over(std::span<const double> z, CompiledState& state) const noexcept;
  void run(int function, CompiledState& state, double* result) const noexcept;
  bool run_forward(int function, std::span<const double> forces,
                   CompiledState& state) const noexcept;

  std::shared_ptr<const Mechanism> mechanism_;  // constant, shared by copies
  std::shared_ptr<const Content> content_;      // likewise
};

}  // namespace alembert::model::planar
