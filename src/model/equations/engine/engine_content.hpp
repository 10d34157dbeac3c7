#pragma once

#include <memory>
#include <mutex>
#include <string>

#include "alembert/model/equation_engine.hpp"
#include "model/equations/interpreter/tape.hpp"
#include "model/equations/native/native_library.hpp"

namespace alembert::model {

struct CompiledEquations::Content {
  explicit Content(EquationModel given) : model(std::move(given)) {}

  EquationModel model;
  equations::TapeSet tapes;
  EngineOptions options;
  std::unique_ptr<const equations::NativeLibrary> native;  ///< null: interpreter
  std::string note;

  /// The wanted loops in native code, compiled at the first call unless they
  /// were with the model; null: interpreter.
  [[nodiscard]] const equations::NativeFunctions* native_loops(NativeLoops wanted) const;

 private:
  struct Loops {
    std::once_flag once;
    std::unique_ptr<const equations::NativeLibrary> library;
  };
  mutable Loops runge_kutta_, newmark_;
};

}  // namespace alembert::model
