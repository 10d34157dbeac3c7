#include "model/equations/native/native_library.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <sys/utsname.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <stdexcept>

#include "alembert/core/text.hpp"
#include "core/sha256.hpp"
#include "model/equations/native/cache.hpp"
#include "model/equations/native/compiler.hpp"

namespace alembert::model::equations {

namespace {

// All that the machine code depends on.
std::string cache_key(const std::string& source, const std::string& compiler) {
  struct utsname machine {};
  ::uname(&machine);
  return sha256(fmt::format("1\n{}\n{}\n{}\n{}", machine.machine, compiler_identity(compiler),
                            join(compiler_options(source.size()), " "), source));
}

std::string temporary_parent() {
  const char* folder = std::getenv("TMPDIR");
  return folder != nullptr && folder[0] == '/' ? folder : "/tmp";
}

// Compiles the source into a sealed library inside a private folder.
std::string compile_in(const PrivateFolder& folder, const std::string& source,
                       const std::string& compiler, double timeout) {
  const std::string c_file = folder.file("model.c");
  std::ofstream stream(c_file, std::ios::binary);
  stream << source;
  stream.close();
  if (!stream) {
    throw std::runtime_error(fmt::format("{} cannot be written", c_file));
  }
  const std::string library = folder.file("model.so");
  compile(compiler, c_file, library, folder.file("log"), timeout);
  seal_library(library);
  return library;
}

template <class Function>
void find(void* handle, const char* name, Function& function) {
  function = reinterpret_cast<Function>(::dlsym(handle, name));
  if (function == nullptr) {
    throw std::runtime_error(fmt::format("the compiled model has no {}", name));
  }
}

}  // namespace

NativeLibrary::NativeLibrary(const std::string& source, const EngineOptions& options,
                             CSourceParts parts)
    : parts_(parts) {
  const std::string compiler = options.compiler.empty() ? find_compiler() : options.compiler;
  if (compiler.empty()) {
    throw std::runtime_error("there is no C compiler (cc, gcc, clang) on the PATH");
  }
  const std::string cache = usable_cache(options.cache_folder);
  const std::string entry = cache + "/" + cache_key(source, compiler);
  const std::string kept = entry + ".so";
  if (!cache.empty() && load_sealed(kept)) {
    return;
  }
  if (!cache.empty() && timed_out_before(entry + ".timeout", options.timeout)) {
    throw std::runtime_error(
        fmt::format("the compiler took longer than {} s before", options.timeout));
  }
  const PrivateFolder folder(cache.empty() ? temporary_parent() : cache);
  std::string library;
  try {
    library = compile_in(folder, source, compiler, options.timeout);
  } catch (const CompilerTimeout&) {
    if (!cache.empty()) {
      note_timeout(entry + ".timeout", options.timeout);
    }
    throw;
  }
  // Renaming is atomic: other processes see the old file, none, or the new one, never a part.
  if (!cache.empty() && std::rename(library.c_str(), kept.c_str()) == 0) {
    trim_cache(cache);
    load(kept);
  } else {
    load(library);
  }
}

// False if there is no such file, it is damaged, or another process is just removing it.
bool NativeLibrary::load_sealed(const std::string& file) {
  if (!is_sealed(file)) {
    return false;
  }
  try {
    load(file);
  } catch (const std::runtime_error&) {
    return false;
  }
  from_cache_ = true;
  return true;
}

NativeLibrary::~NativeLibrary() {
  if (handle_ != nullptr) {
    ::dlclose(handle_);
  }
}

void NativeLibrary::load(const std::string& file) {
  handle_ = ::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle_ == nullptr) {
    const char* reason = ::dlerror();
    throw std::runtime_error(
        fmt::format("the compiled model cannot be loaded: {}", reason == nullptr ? "" : reason));
  }
  try {
    find_functions();
  } catch (...) {
    ::dlclose(handle_);
    handle_ = nullptr;
    throw;
  }
}

void* NativeLibrary::symbol(const std::string& name) const {
  void* found = nullptr;
  find(handle_, name.c_str(), found);
  return found;
}

void NativeLibrary::find_functions() {
  if (parts_.newmark) {
    find(handle_, "alembert_newmark", functions_.newmark);
  }
  if (parts_.runge_kutta) {
    find(handle_, "alembert_simulate", functions_.simulate);
    find(handle_, "alembert_simulate_sensitivities", functions_.simulate_sensitivities);
  }
  if (!parts_.points) {
    return;
  }
  find(handle_, "alembert_prepare", functions_.prepare);
  find(handle_, "alembert_f", functions_.f);
  find(handle_, "alembert_g", functions_.g);
  find(handle_, "alembert_f_jacobians", functions_.f_jacobians);
  find(handle_, "alembert_g_jacobians", functions_.g_jacobians);
  find(handle_, "alembert_f_sensitive", functions_.f_sensitive);
  find(handle_, "alembert_g_sensitive", functions_.g_sensitive);
}

}  // namespace alembert::model::equations
