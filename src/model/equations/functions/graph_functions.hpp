#pragma once

// Straight-line functions of one expression graph, in native code or by the interpreter.

#include <memory>
#include <string>
#include <vector>

#include "alembert/model/detail/graph_memory.hpp"
#include "alembert/model/equation_engine.hpp"
#include "model/equations/interpreter/tape.hpp"
#include "model/equations/native/native_library.hpp"

namespace alembert::model::equations {

/// The leaves of the graph by name: x are its State leaves, u its Input leaves, p its Parameters.
struct GraphArguments {
  std::vector<std::string> x, u, p;
};

/// A function to be made of a graph.
struct GraphFunction {
  std::string name;  ///< of a C function
  std::vector<NodeId> roots;
};

/// Functions r(x, u, p) of a graph. Constant; threads share them, each with a memory of its own.
class GraphFunctions {
 public:
  using Memory = GraphMemory;

  /// @throws InvalidInput if options.kind is Native and no native code can be made.
  GraphFunctions(const Graph& graph, const GraphArguments& arguments,
                 const std::vector<GraphFunction>& functions, const EngineOptions& options);

  [[nodiscard]] EngineKind engine() const {
    return library_ ? EngineKind::Native : EngineKind::Interpreter;
  }
  /// Why the interpreter is used; "" otherwise.
  [[nodiscard]] const std::string& note() const { return note_; }
  [[nodiscard]] bool from_cache() const { return library_ && library_->from_cache(); }
  /// All functions as C.
  [[nodiscard]] const std::string& source() const { return source_; }
  /// Operations of a function.
  [[nodiscard]] std::size_t operations(std::size_t function) const;

  [[nodiscard]] Memory make_memory() const;
  /// Must be called before the first evaluation and whenever p changes. Allocates nothing.
  void set_parameters(const double* p, Memory& memory) const noexcept;
  /// r, as many numbers as the function has roots. Allocates nothing.
  void run(std::size_t function, const double* x, const double* u, Memory& memory,
           double* r) const noexcept;

 private:
  struct Compiled {
    TapeSet tapes;
    NativeFunctions::Prepare prepare = nullptr;
    NativeFunctions::Values values = nullptr;
  };

  void make_native(const std::vector<GraphFunction>& functions, const EngineOptions& options);

  std::vector<Curve> curves_;
  std::size_t parameters_ = 0;
  std::vector<Compiled> functions_;
  std::unique_ptr<const NativeLibrary> library_;
  std::string source_;
  std::string note_;
};

}  // namespace alembert::model::equations
