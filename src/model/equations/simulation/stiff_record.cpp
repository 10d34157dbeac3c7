#include "model/equations/simulation/stiff_record.hpp"

#include <cvodes/cvodes.h>
#include <nvector/nvector_serial.h>
#include <sundials/sundials_context.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <new>
#include <vector>

namespace alembert::model::equations {

namespace {

struct ContextDeleter {
  void operator()(SUNContext context) const { SUNContext_Free(&context); }
};
struct SolverDeleter {
  void operator()(void* solver) const { CVodeFree(&solver); }
};
struct VectorDeleter {
  void operator()(N_Vector vector) const { N_VDestroy(vector); }
};
struct MatrixDeleter {
  void operator()(SUNMatrix matrix) const { SUNMatDestroy(matrix); }
};
struct LinearSolverDeleter {
  void operator()(SUNLinearSolver solver) const { SUNLinSolFree(solver); }
};

using Context = std::unique_ptr<_SUNContext, ContextDeleter>;
using Solver = std::unique_ptr<void, SolverDeleter>;
using Vector = std::unique_ptr<_generic_N_Vector, VectorDeleter>;
using Matrix = std::unique_ptr<_generic_SUNMatrix, MatrixDeleter>;
using LinearSolver = std::unique_ptr<_generic_SUNLinearSolver, LinearSolverDeleter>;

Context make_context() {
  SUNContext context = nullptr;
  if (SUNContext_Create(nullptr, &context) != 0) throw std::bad_alloc();
  return Context(context);
}

template <class Pointer>
Pointer owned(typename Pointer::pointer pointer) {
  if (pointer == nullptr) throw std::bad_alloc();
  return Pointer(pointer);
}

constexpr long kPortion = 500;
constexpr double kLeastStep = 1e-15;  // of the time

void stay_silent(int, const char*, const char*, char*, void*) {}

class StiffRecord {
 public:
  StiffRecord(const Program& program, PointEvaluator& point, const double* parameters,
              const RecordView& record, const AdaptiveSteps& steps, const SensitivityView* view,
              const RecordResults& results, const double* x0)
      : point_(point),
        record_(record),
        steps_(steps),
        view_(view),
        inputs_(record, program.inputs.size()),
        writer_(program, point, inputs_, view, results),
        nx_(program.states.size()),
        columns_(view == nullptr ? 0 : static_cast<std::size_t>(view->count)),
        u_(program.inputs.size()),
        context_(make_context()),
        x_(vector()),
        solver_(owned<Solver>(CVodeCreate(CV_BDF, context_.get()))) {
    std::copy_n(x0, nx_, data(x_));
    start_method();
    if (view_ != nullptr) start_sensitivities(program, parameters);
  }

  long run() {
    double t = record_.start_time;
    if (!write(t)) return 0;
    while (writer_.next() < record_.samples) {
      const double next = sample_time(writer_.next());
      if (!advance(t, next)) return writer_.next();
      t = next;
      if (!write(t)) return writer_.next();
    }
    return record_.samples;
  }

 private:
  [[nodiscard]] Vector vector() const {
    return owned<Vector>(N_VNew_Serial(static_cast<sunindextype>(nx_), context_.get()));
  }
  static double* data(const Vector& vector) { return N_VGetArrayPointer(vector.get()); }
  [[nodiscard]] double sample_time(long sample) const {
    return record_.start_time + static_cast<double>(sample) * record_.step;
  }

  const double* inputs_at(double t) {
    if (!u_.empty()) {
      const double fraction = (t - sample_time(interval_)) / record_.step;
      inputs_.at(interval_, std::clamp(fraction, 0.0, 1.0), u_.data());
    }
    return u_.data();
  }

  void start_method() {
    const Vector tolerances = vector();
    for (std::size_t i = 0; i < nx_; ++i) {
      data(tolerances)[i] =
          steps_.absolute_tolerance * (steps_.scales.empty() ? 1.0 : steps_.scales[i]);
    }
    void* solver = solver_.get();
    const auto n = static_cast<sunindextype>(nx_);
    matrix_ = owned<Matrix>(SUNDenseMatrix(n, n, context_.get()));
    linear_ = owned<LinearSolver>(SUNLinSol_Dense(x_.get(), matrix_.get(), context_.get()));
    CVodeSetErrHandlerFn(solver, stay_silent, nullptr);
    CVodeInit(solver, rate, record_.start_time, x_.get());
    CVodeSVtolerances(solver, steps_.relative_tolerance, tolerances.get());
    CVodeSetUserData(solver, this);
    CVodeSetLinearSolver(solver, linear_.get(), matrix_.get());
    CVodeSetJacFn(solver, jacobian);
    if (steps_.largest_step > 0.0) CVodeSetMaxStep(solver, steps_.largest_step);
  }

  void start_sensitivities(const Program& program, const double* parameters) {
    const auto stride = static_cast<std::size_t>(view_->stride);
    s_.assign(nx_ * stride, 0.0);
    d_.assign(nx_ * stride, 0.0);
    // The sizes of parameters set the absolute tolerances of their sensitivities.
    sizes_.assign(columns_, 1.0);
    for (std::size_t k = 0; k < program.parameters.size(); ++k) {
      const int column = view_->column_of_parameter[k];
      if (column >= 0 && parameters[k] != 0.0 && std::isfinite(parameters[k])) {
        sizes_[static_cast<std::size_t>(column)] = std::fabs(parameters[k]);
      }
    }
    for (std::size_t c = 0; c < columns_; ++c) {
      sensitivities_.push_back(vector());
      handles_.push_back(sensitivities_.back().get());
    }
    scatter(view_->work, handles_.data());
    void* solver = solver_.get();
    CVodeSensInit(solver, static_cast<int>(columns_), CV_STAGGERED, sensitivity_rate,
                  handles_.data());
    CVodeSetSensParams(solver, nullptr, sizes_.data(), nullptr);
    CVodeSensEEtolerances(solver);
    CVodeSetSensErrCon(solver, SUNTRUE);
  }

  // To a sample from the one before.
  bool advance(double t, double next) {
    void* solver = solver_.get();
    const long before = interval_;
    interval_ = writer_.next() - 1;
    const double* u = inputs_.at_sample(interval_);
    if (record_.between == 0 && !std::equal(u, u + u_.size(), inputs_.at_sample(before))) {
      CVodeReInit(solver, t, x_.get());
      if (view_ != nullptr) CVodeSensReInit(solver, CV_STAGGERED, handles_.data());
      restarts_ += count_;
      count_ = 0;
    }
    CVodeSetStopTime(solver, u_.empty() ? sample_time(record_.samples - 1) : next);
    double reached = t;
    if (!integrate_to(next, &reached)) return false;
    return view_ == nullptr || CVodeGetSens(solver, &reached, handles_.data()) == CV_SUCCESS;
  }

  // In portions, between which steps that get nowhere are noticed.
  bool integrate_to(double next, double* reached) {
    void* solver = solver_.get();
    const auto limit = static_cast<long>(steps_.max_steps) + record_.samples;
    for (;;) {
      const long left = limit - restarts_ - count_;
      if (left <= 0) return false;
      CVodeSetMaxNumSteps(solver, std::min(left, kPortion));
      const int flag = CVode(solver, next, x_.get(), reached, CV_NORMAL);
      double step = 0.0;
      CVodeGetNumSteps(solver, &count_);
      CVodeGetLastStep(solver, &step);
      if (flag >= 0) return true;
      if (flag != CV_TOO_MUCH_WORK || std::fabs(step) <= kLeastStep * std::fabs(*reached)) {
        return false;
      }
    }
  }

  bool write(double t) {
    if (view_ != nullptr) gather(handles_.data());
    return writer_.write(t, data(x_), s_.data());
  }

  void gather(N_Vector* columns) {
    const auto stride = static_cast<std::size_t>(view_->stride);
    for (std::size_t c = 0; c < columns_; ++c) {
      const double* column = N_VGetArrayPointer(columns[c]);
      for (std::size_t i = 0; i < nx_; ++i) s_[i * stride + c] = column[i];
    }
  }

  void scatter(const double* rows, N_Vector* columns) const {
    const auto stride = static_cast<std::size_t>(view_->stride);
    for (std::size_t c = 0; c < columns_; ++c) {
      double* column = N_VGetArrayPointer(columns[c]);
      for (std::size_t i = 0; i < nx_; ++i) column[i] = rows[i * stride + c];
    }
  }

  // Results that are no numbers ask for a smaller step.
  static int verdict(const double* values, std::size_t count) {
    return std::all_of(values, values + count, [](double v) { return std::isfinite(v); }) ? 0 : 1;
  }

  static int rate(double t, N_Vector x, N_Vector dx, void* self) {
    auto& record = *static_cast<StiffRecord*>(self);
    double* result = N_VGetArrayPointer(dx);
    record.point_.f(t, N_VGetArrayPointer(x), record.inputs_at(t), result);
    return verdict(result, record.nx_);
  }

  static int jacobian(double t, N_Vector x, N_Vector, SUNMatrix matrix, void* self, N_Vector,
                      N_Vector, N_Vector) {
    auto& record = *static_cast<StiffRecord*>(self);
    double* result = SUNDenseMatrix_Data(matrix);
    record.point_.state_jacobian(t, N_VGetArrayPointer(x), record.inputs_at(t), result);
    return verdict(result, record.nx_ * record.nx_);
  }

  static int sensitivity_rate(int, double t, N_Vector x, N_Vector, N_Vector* s, N_Vector* ds,
                              void* self, N_Vector scratch, N_Vector) {
    auto& record = *static_cast<StiffRecord*>(self);
    record.gather(s);
    record.point_.f(t, N_VGetArrayPointer(x), record.inputs_at(t), *record.view_, record.s_.data(),
                    N_VGetArrayPointer(scratch), record.d_.data());
    record.scatter(record.d_.data(), ds);
    return verdict(record.d_.data(), record.d_.size());
  }

  PointEvaluator& point_;
  const RecordView& record_;
  const AdaptiveSteps& steps_;
  const SensitivityView* view_;
  RecordInputs inputs_;
  RecordWriter writer_;
  std::size_t nx_, columns_;
  std::vector<double> u_;
  Context context_;
  Vector x_;
  Matrix matrix_;
  LinearSolver linear_;
  Solver solver_;
  std::vector<Vector> sensitivities_;
  std::vector<N_Vector> handles_;
  std::vector<double> s_, d_;  // S and its derivative, rows of stride numbers
  std::vector<double> sizes_;
  long interval_ = 0;
  long count_ = 0;     // steps since the last start
  long restarts_ = 0;  // steps before it
};

}  // namespace

bool has_stiff_method() { return true; }

long stiff_record(const Program& program, PointEvaluator& point, const double* parameters,
                  const RecordView& record, const AdaptiveSteps& steps, const SensitivityView* view,
                  const RecordResults& results, const double* x0) {
  return StiffRecord(program, point, parameters, record, steps, view, results, x0).run();
}

}  // namespace alembert::model::equations
