#include "alembert/integrate/ode/stiff.hpp"

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

namespace alembert::integrate::ode {

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

class StiffRun {
 public:
  StiffRun(System& system, Inputs* inputs, const SampleTimes& times, const AdaptiveSteps& steps,
           Samples& samples, const double* x0, const StiffSensitivities& sensitivities)
      : system_(system),
        inputs_(inputs),
        times_(times),
        steps_(steps),
        samples_(samples),
        nx_(system.states()),
        stride_(system.stride()),
        pattern_(system.jacobian_pattern()),
        entries_(pattern_.size()),
        scratch_(nx_),
        context_(make_context()),
        x_(vector()),
        solver_(owned<Solver>(CVodeCreate(CV_BDF, context_.get()))) {
    std::copy_n(x0, nx_, data(x_));
    start_method();
    if (!sensitivities.sizes.empty()) start_sensitivities(sensitivities);
  }

  long run() {
    double t = times_.start;
    if (!write(0, t)) return 0;
    for (long next = 1; next < times_.count; ++next) {
      if (!advance(t, next)) return next;
      t = times_.at(next);
      if (!write(next, t)) return next;
    }
    return times_.count;
  }

 private:
  [[nodiscard]] Vector vector() const {
    return owned<Vector>(N_VNew_Serial(static_cast<sunindextype>(nx_), context_.get()));
  }
  static double* data(const Vector& vector) { return N_VGetArrayPointer(vector.get()); }
  [[nodiscard]] const double* inputs_at(double t) const {
    return PresentInputs{inputs_, interval_}.at(t);
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
    CVodeInit(solver, rate, times_.start, x_.get());
    CVodeSVtolerances(solver, steps_.relative_tolerance.value_or(kStiffTolerance),
                      tolerances.get());
    CVodeSetUserData(solver, this);
    CVodeSetLinearSolver(solver, linear_.get(), matrix_.get());
    CVodeSetJacFn(solver, jacobian);
    if (steps_.largest_step > 0.0) CVodeSetMaxStep(solver, steps_.largest_step);
  }

  void start_sensitivities(const StiffSensitivities& given) {
    columns_ = given.sizes.size();
    s_.assign(nx_ * stride_, 0.0);
    d_.assign(nx_ * stride_, 0.0);
    sizes_.assign(given.sizes.begin(), given.sizes.end());
    for (std::size_t c = 0; c < columns_; ++c) {
      sensitivities_.push_back(vector());
      handles_.push_back(sensitivities_.back().get());
    }
    scatter(given.start, handles_.data());
    void* solver = solver_.get();
    CVodeSensInit(solver, static_cast<int>(columns_), CV_STAGGERED, sensitivity_rate,
                  handles_.data());
    CVodeSetSensParams(solver, nullptr, sizes_.data(), nullptr);
    CVodeSensEEtolerances(solver);
    CVodeSetSensErrCon(solver, SUNTRUE);
  }

  // To a sample from the one before.
  bool advance(double t, long next) {
    void* solver = solver_.get();
    interval_ = next - 1;
    if (interval_ > 0 && inputs_ != nullptr && inputs_->before_jump(interval_) != nullptr) {
      CVodeReInit(solver, t, x_.get());
      if (columns_ > 0) CVodeSensReInit(solver, CV_STAGGERED, handles_.data());
      restarts_ += count_;
      count_ = 0;
    }
    const double end = times_.at(next);
    CVodeSetStopTime(solver, inputs_ == nullptr ? times_.at(times_.count - 1) : end);
    double reached = t;
    if (!integrate_to(end, &reached)) return false;
    return columns_ == 0 || CVodeGetSens(solver, &reached, handles_.data()) == CV_SUCCESS;
  }

  // In portions, between which steps that get nowhere are noticed.
  bool integrate_to(double next, double* reached) {
    void* solver = solver_.get();
    const auto limit = static_cast<long>(steps_.max_steps) + times_.count;
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

  bool write(long sample, double t) {
    if (columns_ > 0) gather(handles_.data());
    return samples_.write(sample, t, data(x_), columns_ > 0 ? s_.data() : nullptr);
  }

  void gather(N_Vector* columns) {
    for (std::size_t c = 0; c < columns_; ++c) {
      const double* column = N_VGetArrayPointer(columns[c]);
      for (std::size_t i = 0; i < nx_; ++i) s_[i * stride_ + c] = column[i];
    }
  }

  void scatter(const double* rows, N_Vector* columns) const {
    for (std::size_t c = 0; c < columns_; ++c) {
      double* column = N_VGetArrayPointer(columns[c]);
      for (std::size_t i = 0; i < nx_; ++i) column[i] = rows[i * stride_ + c];
    }
  }

  // Results that are no numbers ask for a smaller step.
  static int verdict(const double* values, std::size_t count) {
    return std::all_of(values, values + count, [](double v) { return std::isfinite(v); }) ? 0 : 1;
  }

  static int rate(double t, N_Vector x, N_Vector dx, void* self) {
    auto& run = *static_cast<StiffRun*>(self);
    double* result = N_VGetArrayPointer(dx);
    run.system_.derivative(t, N_VGetArrayPointer(x), run.inputs_at(t), result);
    return verdict(result, run.nx_);
  }

  static int jacobian(double t, N_Vector x, N_Vector, SUNMatrix matrix, void* self, N_Vector,
                      N_Vector, N_Vector) {
    auto& run = *static_cast<StiffRun*>(self);
    double* result = SUNDenseMatrix_Data(matrix);
    run.system_.jacobian(t, N_VGetArrayPointer(x), run.inputs_at(t), run.scratch_.data(),
                         run.entries_.data());
    std::fill_n(result, run.nx_ * run.nx_, 0.0);
    for (std::size_t k = 0; k < run.pattern_.size(); ++k) {
      const auto [row, column] = run.pattern_[k];
      result[column * run.nx_ + row] = run.entries_[k];
    }
    return verdict(run.entries_.data(), run.entries_.size());
  }

  static int sensitivity_rate(int, double t, N_Vector x, N_Vector, N_Vector* s, N_Vector* ds,
                              void* self, N_Vector scratch, N_Vector) {
    auto& run = *static_cast<StiffRun*>(self);
    run.gather(s);
    run.system_.sensitive_derivative(t, N_VGetArrayPointer(x), run.inputs_at(t), run.s_.data(),
                                     N_VGetArrayPointer(scratch), run.d_.data());
    run.scatter(run.d_.data(), ds);
    return verdict(run.d_.data(), run.d_.size());
  }

  System& system_;
  Inputs* inputs_;
  SampleTimes times_;
  const AdaptiveSteps& steps_;
  Samples& samples_;
  std::size_t nx_, stride_;
  std::size_t columns_ = 0;
  std::vector<MatrixPlace> pattern_;
  std::vector<double> entries_, scratch_;
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

long stiff_run(System& system, Inputs* inputs, const SampleTimes& times, const AdaptiveSteps& steps,
               Samples& samples, const double* x0, const StiffSensitivities& sensitivities) {
  return StiffRun(system, inputs, times, steps, samples, x0, sensitivities).run();
}

}  // namespace alembert::integrate::ode
