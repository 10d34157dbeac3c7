#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <string>
#include <vector>

#include "alembert/model/equation_functions.hpp"

/// Programs in C that run a model without this library: one source and one header, with no memory
/// but that of the caller and no dependency but `math.h`. What `alembert export` writes.
namespace alembert::code {

/// A name that a program knows, with its unit ("" where nobody says it).
struct Signal {
  std::string name;
  std::string unit = {};
};

struct ProgramOptions {
  std::string name = "model";  ///< of the files and, with an underscore, of all that they define
  std::string title = {};      ///< for the first line of the files; "" for the name
  model::CNumber number = model::CNumber::Double;
};

/// What a program costs where it runs. All loops have fixed lengths.
struct ProgramCost {
  model::OperationCount step;   ///< one call of NAME_step, at most
  model::OperationCount get;    ///< one call of NAME_get, at most
  std::size_t state_bytes = 0;  ///< of a NAME_model
  /// Local variables of NAME_step or NAME_get and of what they call, if each had a place of its
  /// own; compilers need less, and some bytes for each call.
  std::size_t stack_bytes = 0;
};

/// A program: its files as texts.
struct Program {
  ProgramOptions options;
  std::string header;  ///< NAME.h
  std::string source;  ///< NAME.c
  std::string test;    ///< NAME_test.c, which replays a record
  std::vector<Signal> inputs, states, outputs, parameters;
  /// The inputs that NAME_observe corrects the state by: outputs that are measured; empty for a
  /// model that is only simulated.
  std::vector<Signal> measured;
  Eigen::VectorXd parameter_values, start_state;
  std::size_t prepared = 0;      ///< numbers that depend on parameters alone
  Eigen::Index input_rows = 1;   ///< rows of inputs that a step takes
  double step = 0.0;             ///< s
  double start_time = 0.0;       ///< s
  bool has_derivatives = false;  ///< whether there is NAME_derivatives
  ProgramCost cost;
};

/// A record that a program is to reproduce.
struct Replay {
  Eigen::MatrixXd inputs;         ///< samples x (input_rows · inputs): what each step takes
  Eigen::MatrixXd measured = {};  ///< samples x measured; without columns for a simulation
  Eigen::MatrixXd outputs = {};   ///< samples x outputs: what the library computes
};

/// The record as the text that NAME_test reads: all digits, one sample a line.
/// @throws InvalidInput if the record does not fit the program.
[[nodiscard]] std::string replay_text(const Program& program, const Replay& replay);

/// A name as C allows it: letters, digits and underscores, y' as y_dot; "model" where nothing is
/// left.
[[nodiscard]] std::string c_name(const std::string& name);

}  // namespace alembert::code
