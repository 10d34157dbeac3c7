#include "model/equations/interpreter/sensitivity_product.hpp"

#include <algorithm>

namespace alembert::model::equations {

void sensitivity_product(const Tape& tape, const double* registers, const int* column_of_parameter,
                         const double* s, std::size_t stride, std::size_t count, double* d) {
  std::size_t row_done = 0;  // rows that have got their first term
  for (const EntrySlot& entry : tape.by_state) {
    for (; row_done < entry.row; ++row_done) {
      std::fill_n(d + row_done * count, count, 0.0);
    }
    const double factor = registers[entry.slot];
    const double* source = s + entry.column * stride;
    double* target = d + entry.row * count;
    if (row_done == entry.row) {
      for (std::size_t j = 0; j < count; ++j) target[j] = factor * source[j];
      ++row_done;
    } else {
      for (std::size_t j = 0; j < count; ++j) target[j] = target[j] + factor * source[j];
    }
  }
  for (; row_done < tape.values.size(); ++row_done) {
    std::fill_n(d + row_done * count, count, 0.0);
  }
  for (const EntrySlot& entry : tape.by_parameter) {
    const int column = column_of_parameter[entry.column];
    if (column >= 0) {
      d[entry.row * count + static_cast<std::size_t>(column)] += registers[entry.slot];
    }
  }
}

}  // namespace alembert::model::equations
