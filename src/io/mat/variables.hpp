#pragma once

#include <matio.h>

#include <Eigen/Core>
#include <memory>
#include <string>
#include <vector>

/// Variables on their way into a MATLAB file.
namespace alembert::io::mat {

struct FreeNewVariable {
  void operator()(matvar_t* variable) const { Mat_VarFree(variable); }
};
using NewVariable = std::unique_ptr<matvar_t, FreeNewVariable>;

/// A matrix of doubles, column after column; the numbers are copied. A name may be null: a field.
[[nodiscard]] NewVariable new_numbers(const char* name, Eigen::Index rows, Eigen::Index columns,
                                      const double* values);
/// A line of text, from UTF-8.
[[nodiscard]] NewVariable new_text(const char* name, const std::string& text);

/// Whether MATLAB takes it as the name of a variable or a field.
[[nodiscard]] bool is_valid_name(const std::string& name);
/// Such a name made from another one.
[[nodiscard]] std::string valid_name(std::string name);

}  // namespace alembert::io::mat
