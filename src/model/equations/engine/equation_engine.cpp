#include "alembert/model/equation_engine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "alembert/core/check.hpp"
#include "model/equations/engine/engine_content.hpp"
#include "model/equations/native/c_source.hpp"

namespace alembert::model {

namespace {

constexpr std::size_t kMaxNativeSize = 10000;  // takes the compiler 10 s to 20 s
constexpr std::size_t kMaxNativeTablePoints = 100000;

// Why a model is not worth compiling; "" if it is.
std::string too_large(const EquationModel& model, const equations::TapeSet& tapes) {
  std::size_t operations = tapes.prepare.code.size();
  std::size_t entries = 0;
  for (const equations::Tape* tape : {&tapes.f_jacobians, &tapes.g_jacobians}) {
    operations += tape->code.size();
    entries += tape->by_state.size() + tape->by_input.size() + tape->by_parameter.size();
  }
  if (operations + entries > kMaxNativeSize) {
    return fmt::format(
        "the model has {} operations and {} entries of Jacobians, native code is made for up to {} "
        "together",
        operations, entries, kMaxNativeSize);
  }
  std::size_t points = 0;
  for (const equations::Curve& curve : model.program().graph.curves()) {
    points += curve.x.size();
  }
  return points <= kMaxNativeTablePoints
             ? ""
             : fmt::format("the tables have {} points, native code is made for up to {}", points,
                           kMaxNativeTablePoints);
}

// A model without states has nothing to integrate, and Runge-Kutta's loop is the one it uses.
equations::CSourceParts parts_for(const EquationModel& model, NativeLoops loops) {
  if (model.states().empty()) {
    loops = NativeLoops::RungeKutta4;
  }
  return {.points = true,
          .runge_kutta = loops == NativeLoops::RungeKutta4,
          .newmark = loops == NativeLoops::Newmark};
}

void make_native(CompiledEquations::Content& content, const EngineOptions& options) {
  content.note = too_large(content.model, content.tapes);
  if (content.note.empty()) {
    try {
      const equations::CSourceParts parts = parts_for(content.model, options.loops);
      content.native = std::make_unique<equations::NativeLibrary>(
          equations::c_source(content.model.program(), content.tapes, parts), options, parts);
    } catch (const std::runtime_error& error) {
      content.note = error.what();
    }
  }
  if (!content.native && options.kind == EngineKind::Native) {
    throw InvalidInput(
        {.function = "CompiledEquations", .rule = fmt::format("no native code: {}", content.note)});
  }
}

}  // namespace

const equations::NativeFunctions* CompiledEquations::Content::native_loops(
    NativeLoops wanted) const {
  if (!native) {
    return nullptr;
  }
  const equations::NativeFunctions& own = native->functions();
  const bool is_newmark = wanted == NativeLoops::Newmark;
  if (is_newmark ? own.newmark != nullptr : own.simulate != nullptr) {
    return &own;
  }
  Loops& loops = is_newmark ? newmark_ : runge_kutta_;
  std::call_once(loops.once, [&] {
    const equations::CSourceParts parts{
        .points = false, .runge_kutta = !is_newmark, .newmark = is_newmark};
    try {
      loops.library = std::make_unique<equations::NativeLibrary>(
          equations::c_source(model.program(), tapes, parts), options, parts);
    } catch (const std::runtime_error&) {  // the interpreter gives the same numbers
    }
  });
  return loops.library ? &loops.library->functions() : nullptr;
}

CompiledEquations::CompiledEquations(EquationModel model, const EngineOptions& options) {
  auto content = std::make_shared<Content>(std::move(model));
  content->options = options;
  content->tapes = equations::make_tapes(content->model.program());
  if (options.kind != EngineKind::Interpreter) {
    make_native(*content, options);
  }
  content_ = std::move(content);
}

const EquationModel& CompiledEquations::model() const { return content_->model; }

EngineKind CompiledEquations::engine() const {
  return content_->native ? EngineKind::Native : EngineKind::Interpreter;
}

const std::string& CompiledEquations::note() const { return content_->note; }

bool CompiledEquations::from_cache() const {
  return content_->native && content_->native->from_cache();
}

}  // namespace alembert::model
