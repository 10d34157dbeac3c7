#pragma once

#include <exception>
#include <functional>
#include <optional>

#include "alembert/core/progress.hpp"
#include "bind/arguments.hpp"

/// Long calls: on a thread of their own, while the caller looks for Ctrl-C and shows progress.
namespace alembert::python {

class Control {
 public:
  explicit Control(const Arguments& arguments);
  Control(const Control&) = delete;
  Control& operator=(const Control&) = delete;

  /// Gives options our flag and our callback where the caller has set none.
  void attach(const StopFlag*& stop) {
    if (stop == nullptr) stop = &stop_;
  }
  void attach(OnProgress& on_progress);

  /// Runs; raises KeyboardInterrupt after the run has ended where Ctrl-C was pressed.
  template <typename Call>
  py::object run(const Call& call) {
    using Result = std::remove_cvref_t<decltype(call())>;
    if constexpr (std::is_void_v<Result>) {
      wait_for([&] { call(); });
      return py::none();
    } else {
      std::optional<Result> result;
      wait_for([&] { result.emplace(call()); });
      return Convert<Result>::to(*std::move(result));
    }
  }

 private:
  void wait_for(const std::function<void()>& work);
  void show();

  StopFlag stop_;
  py::object bar_;  // called with (done, total)
  std::atomic<std::size_t> done_ = 0, total_ = 0;
  std::size_t shown_ = 0;
};

}  // namespace alembert::python
