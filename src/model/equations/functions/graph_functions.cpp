#include "model/equations/functions/graph_functions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "alembert/core/error.hpp"
#include "model/equations/native/c_source.hpp"

namespace alembert::model::equations {

namespace {

constexpr std::size_t kMostCompiledOperations = 20000;  // take the compiler 10 s to 20 s

Program program_of(const Graph& graph, const GraphArguments& arguments,
                   const GraphFunction& function) {
  Program program;
  program.graph = graph;
  program.states = arguments.x;
  program.inputs = arguments.u;
  program.parameters = arguments.p;
  program.g.values = function.roots;
  return program;
}

std::string argument_names(const GraphArguments& arguments) {
  std::string text;
  const auto list = [&text](char array, const std::vector<std::string>& names) {
    for (std::size_t k = 0; k < names.size(); ++k) {
      text += fmt::format("   {}[{}] = {}\n", array, k, names[k]);
    }
  };
  list('x', arguments.x);
  list('u', arguments.u);
  list('p', arguments.p);
  return text;
}

}  // namespace

GraphFunctions::GraphFunctions(const Graph& graph, const GraphArguments& arguments,
                               const std::vector<GraphFunction>& functions,
                               const EngineOptions& options)
    : curves_(graph.curves()), parameters_(arguments.p.size()) {
  source_ = "/* Functions of a mechanism as C99.\n" + argument_names(arguments) + "*/\n";
  source_ += c_preamble();
  for (const GraphFunction& function : functions) {
    functions_.push_back({.tapes = make_tapes(program_of(graph, arguments, function))});
    source_ += c_values_function(functions_.back().tapes, function.name);
  }
  if (options.kind != EngineKind::Interpreter) make_native(functions, options);
}

void GraphFunctions::make_native(const std::vector<GraphFunction>& functions,
                                 const EngineOptions& options) {
  std::size_t all = 0;
  for (std::size_t i = 0; i < functions_.size(); ++i) all += operations(i);
  if (all > kMostCompiledOperations) {
    note_ = fmt::format("there are {} operations, native code is made for up to {}", all,
                        kMostCompiledOperations);
  } else {
    try {
      const CSourceParts none{.points = false, .runge_kutta = false, .newmark = false};
      auto library = std::make_unique<const NativeLibrary>(source_, options, none);
      for (std::size_t i = 0; i < functions.size(); ++i) {
        functions_[i].prepare = reinterpret_cast<NativeFunctions::Prepare>(
            library->symbol(functions[i].name + "_prepare"));
        functions_[i].values =
            reinterpret_cast<NativeFunctions::Values>(library->symbol(functions[i].name));
      }
      library_ = std::move(library);
    } catch (const std::runtime_error& error) {
      note_ = error.what();
    }
  }
  if (!library_ && options.kind == EngineKind::Native) {
    throw InvalidInput(
        {.function = "GraphFunctions", .rule = fmt::format("no native code: {}", note_)});
  }
}

std::size_t GraphFunctions::operations(std::size_t function) const {
  const TapeSet& tapes = functions_[function].tapes;
  return tapes.prepare.code.size() + tapes.g.code.size();
}

GraphFunctions::Memory GraphFunctions::make_memory() const {
  Memory memory;
  memory.p.assign(std::max<std::size_t>(1, parameters_), 0.0);
  for (const Compiled& one : functions_) {
    memory.prepared.emplace_back(
        std::max<std::uint32_t>(1, one.tapes.time_slot - one.tapes.prepared_slot), 0.0);
    std::vector<double> registers(library_ ? 0 : one.tapes.size, 0.0);
    if (!library_) {
      std::copy(one.tapes.constants.begin(), one.tapes.constants.end(), registers.begin());
    }
    memory.registers.push_back(std::move(registers));
  }
  return memory;
}

void GraphFunctions::set_parameters(const double* p, Memory& memory) const noexcept {
  std::copy_n(p, parameters_, memory.p.data());
  for (std::size_t i = 0; i < functions_.size(); ++i) {
    if (library_) {
      functions_[i].prepare(memory.p.data(), memory.prepared[i].data());
    } else {
      double* const r = memory.registers[i].data();
      std::copy_n(p, parameters_, r + functions_[i].tapes.parameter_slot);
      equations::run(functions_[i].tapes.prepare, curves_, r);
    }
  }
}

void GraphFunctions::run(std::size_t function, const double* x, const double* u, Memory& memory,
                         double* r) const noexcept {
  const Compiled& one = functions_[function];
  if (library_) {
    one.values(0.0, x, u, memory.p.data(), memory.prepared[function].data(), r);
    return;
  }
  double* const registers = memory.registers[function].data();
  const TapeSet& tapes = one.tapes;
  std::copy_n(x, tapes.input_slot - tapes.state_slot, registers + tapes.state_slot);
  std::copy_n(u, tapes.temporary_slot - tapes.input_slot, registers + tapes.input_slot);
  equations::run(tapes.g, curves_, registers);
  for (std::size_t k = 0; k < tapes.g.values.size(); ++k) r[k] = registers[tapes.g.values[k]];
}

}  // namespace alembert::model::equations
