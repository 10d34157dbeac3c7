#include "bind/control.hpp"

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

namespace alembert::python {
namespace {

constexpr std::chrono::milliseconds kLook{50};

}  // namespace

Control::Control(const Arguments& arguments) {
  const py::handle wanted = arguments.progress;
  if (!wanted || wanted.is_none() || wanted.ptr() == Py_False) return;
  bar_ = wanted.ptr() == Py_True
             ? py::module_::import("alembert._progress").attr("bar")(arguments.function->name)
             : py::reinterpret_borrow<py::object>(wanted);
}

void Control::attach(OnProgress& on_progress) {
  if (on_progress || !bar_) return;
  on_progress = [this](std::size_t done, std::size_t total) {
    total_.store(total);
    done_.store(done);
  };
}

void Control::show() {
  const std::size_t done = done_.load();
  if (!bar_ || done == shown_) return;
  shown_ = done;
  bar_(done, total_.load());
}

void Control::wait_for(const std::function<void()>& work) {
  std::mutex mutex;
  std::condition_variable changed;
  bool ended = false;
  std::exception_ptr failure;
  std::thread worker([&] {
    try {
      work();
    } catch (...) {
      failure = std::current_exception();
    }
    const std::lock_guard lock(mutex);
    ended = true;
    changed.notify_one();
  });
  // An exception of ours (Ctrl-C, the progress callback) waits until the work has ended.
  std::optional<py::error_already_set> interrupt;
  const auto look = [&] {
    if (interrupt) return;
    try {
      if (PyErr_CheckSignals() != 0) throw py::error_already_set();
      show();
    } catch (py::error_already_set& error) {
      interrupt.emplace(std::move(error));
      stop_.request();
    }
  };
  for (bool done = false; !done;) {
    {
      const py::gil_scoped_release unlocked;
      std::unique_lock lock(mutex);
      done = changed.wait_for(lock, kLook, [&] { return ended; });
    }
    look();
  }
  {
    const py::gil_scoped_release unlocked;
    worker.join();
  }
  if (interrupt) throw *std::move(interrupt);
  if (failure) std::rethrow_exception(failure);
}

}  // namespace alembert::python
