#pragma once

#include <memory>
#include <string>

#include "alembert/model/detail/equation_record.hpp"
#include "alembert/model/equation_engine.hpp"
#include "model/equations/native/c_source.hpp"

namespace alembert::model::equations {

/// The functions of a compiled model.
struct NativeFunctions {
  using Prepare = void (*)(const double* p, double* w);
  using Values = void (*)(double t, const double* x, const double* u, const double* p,
                          const double* w, double* r);
  using Jacobians = void (*)(double t, const double* x, const double* u, const double* p,
                             const double* w, double* r, double* jx, double* ju, double* jp);
  using Simulate = long (*)(const RecordView* record, const double* p, const double* w,
                            const double* x0, double* y, double* xs);
  using SimulateSensitivities = long (*)(const RecordView* record, const double* p, const double* w,
                                         const double* x0, double* y, double* xs, long ns, long m,
                                         const int* c, double* work, double* dy, double* dxs);
  using Newmark = long (*)(const RecordView* record, const double* p, const double* w,
                           const double* x0, double* y, double* xs, long ns, long m, const int* c,
                           double* work, double* dy, double* dxs, double* matrix);

  using StateSensitivities = void (*)(double t, const double* x, const double* u, const double* p,
                                      const double* w, const int* c, long m, const double* S,
                                      double* r, double* D);
  using OutputSensitivities = void (*)(double t, const double* x, const double* u, const double* p,
                                       const double* w, const int* c, long ns, long m,
                                       const double* S, double* r, double* D);

  Prepare prepare = nullptr;
  Values f = nullptr;
  Values g = nullptr;
  Jacobians f_jacobians = nullptr;
  Jacobians g_jacobians = nullptr;
  StateSensitivities f_sensitive = nullptr;
  OutputSensitivities g_sensitive = nullptr;
  Simulate simulate = nullptr;
  SimulateSensitivities simulate_sensitivities = nullptr;
  Newmark newmark = nullptr;
};

/// A shared library made from C source and loaded; unloaded in the end.
class NativeLibrary {
 public:
  /// Takes the library from the cache, or compiles it and puts it there. A time-out is remembered
  /// there too, so that not every run waits for it.
  /// @param parts what the source has.
  /// @throws std::runtime_error saying why there is none.
  NativeLibrary(const std::string& source, const EngineOptions& options, CSourceParts parts);
  ~NativeLibrary();
  NativeLibrary(const NativeLibrary&) = delete;
  NativeLibrary& operator=(const NativeLibrary&) = delete;

  [[nodiscard]] const NativeFunctions& functions() const { return functions_; }
  [[nodiscard]] bool from_cache() const { return from_cache_; }
  /// The address of a function by name. @throws std::runtime_error if there is none.
  [[nodiscard]] void* symbol(const std::string& name) const;

 private:
  void load(const std::string& file);
  bool load_sealed(const std::string& file);
  void find_functions();

  CSourceParts parts_;
  void* handle_ = nullptr;
  NativeFunctions functions_;
  bool from_cache_ = false;
};

}  // namespace alembert::model::equations
