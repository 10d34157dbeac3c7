#pragma once

#include <pybind11/numpy.h>

#include <Eigen/Core>
#include <Eigen/SparseCore>
#include <span>

#include "convert/convert.hpp"

/// NumPy arrays and Eigen's matrices: rows are samples, columns are channels in both.
namespace alembert::python {

/// An array of `dtype` ("d", "D" complex, "l") with one or two dimensions from anything that NumPy
/// makes one of. Objects, texts and complex numbers where real ones are wanted are refused.
struct ArrayRequest {
  char type = 'd';
  int dimensions = 2;  ///< 1 or 2
  long rows = -1;      ///< -1: any
  long columns = -1;
  bool by_columns = true;  ///< contiguous columns (Fortran), or any strides
};
[[nodiscard]] py::array array_from(py::handle object, const ArrayRequest& request);
/// The array itself, to be written to: no conversion. @throws ConversionError.
[[nodiscard]] py::array writable_array(py::handle object, const ArrayRequest& request);
/// A new array of so many rows and columns; columns < 0: of one dimension.
[[nodiscard]] py::array new_array(char type, long rows, long columns);
/// A view of memory that `parent` keeps alive.
[[nodiscard]] py::array view_array(char type, const void* data, long rows, long columns,
                                   py::handle parent);

template <typename T>
inline constexpr char kArrayType = 0;
template <>
inline constexpr char kArrayType<double> = 'd';
template <>
inline constexpr char kArrayType<std::complex<double>> = 'D';
template <>
inline constexpr char kArrayType<int> = 'i';
template <>
inline constexpr char kArrayType<long> = 'l';

template <typename T, int R, int C>
constexpr ArrayRequest request_for() {
  return {.type = kArrayType<T>,
          .dimensions = C == 1 ? 1 : 2,
          .rows = R == Eigen::Dynamic ? -1 : R,
          .columns = C == Eigen::Dynamic ? -1 : C};
}

template <typename T, int R, int C, int O, int MR, int MC>
struct Convert<Eigen::Matrix<T, R, C, O, MR, MC>> {
  using Matrix = Eigen::Matrix<T, R, C, O, MR, MC>;
  using ByColumns = Eigen::Matrix<T, R, C, Eigen::ColMajor, MR, MC>;
  static_assert(kArrayType<T> != 0);

  static Matrix from(py::handle object) {
    const py::array array = array_from(object, request_for<T, R, C>());
    return Eigen::Map<const Eigen::Matrix<T, R, C>>(static_cast<const T*>(array.data()),
                                                    array.shape(0), C == 1 ? 1 : array.shape(1));
  }
  static py::object to(const Matrix& matrix) {
    py::array array = new_array(kArrayType<T>, matrix.rows(), C == 1 ? -1 : matrix.cols());
    Eigen::Map<Eigen::Matrix<T, R, C>>(static_cast<T*>(array.mutable_data()), matrix.rows(),
                                       matrix.cols()) = matrix;
    return array;
  }
  static py::object view(Matrix& matrix, py::handle parent) {
    return view_array(kArrayType<T>, matrix.data(), matrix.rows(), C == 1 ? -1 : matrix.cols(),
                      parent);
  }
};

template <>
struct Convert<Eigen::SparseMatrix<double>> {
  static Eigen::SparseMatrix<double> from(py::handle object) {
    return Convert<Eigen::MatrixXd>::from(object).sparseView(0.0, 0.0);
  }
  static py::object to(const Eigen::SparseMatrix<double>& matrix) {
    return Convert<Eigen::MatrixXd>::to(Eigen::MatrixXd(matrix));
  }
};

template <typename T, int R, int C, int O, typename Stride>
struct Convert<Eigen::Ref<const Eigen::Matrix<T, R, C>, O, Stride>> {
  static py::object to(const Eigen::Ref<const Eigen::Matrix<T, R, C>, O, Stride>& matrix) {
    return Convert<Eigen::Matrix<T, R, C>>::to(matrix);
  }
};

/// A matrix that is read where it is: columns must be contiguous, else NumPy copies.
template <typename T, int R, int C, int O, typename Stride>
struct Held<Eigen::Ref<const Eigen::Matrix<T, R, C>, O, Stride>> {
  using Matrix = Eigen::Matrix<T, R, C>;
  explicit Held(py::handle object)
      : array(array_from(object, request_for<T, R, C>())),
        map(static_cast<const T*>(array.data()), array.shape(0), C == 1 ? 1 : array.shape(1)),
        ref(map) {}
  Held(const Held&) = delete;
  operator const Eigen::Ref<const Matrix, O, Stride>&() const { return ref; }  // NOLINT
  py::array array;
  Eigen::Map<const Matrix> map;
  Eigen::Ref<const Matrix, O, Stride> ref;
};

/// A matrix that the call writes into.
template <typename T, int R, int C, int O, typename Stride>
struct Held<Eigen::Ref<Eigen::Matrix<T, R, C>, O, Stride>> {
  using Matrix = Eigen::Matrix<T, R, C>;
  explicit Held(py::handle object)
      : array(writable_array(object, request_for<T, R, C>())),
        map(static_cast<T*>(array.mutable_data()), array.shape(0), C == 1 ? 1 : array.shape(1)),
        ref(map) {}
  Held(const Held&) = delete;
  operator Eigen::Ref<Matrix, O, Stride>() { return ref; }  // NOLINT
  py::array array;
  Eigen::Map<Matrix> map;
  Eigen::Ref<Matrix, O, Stride> ref;
};

template <typename T>
struct Held<std::span<const T>> {
  explicit Held(py::handle object)
      : array(array_from(object, {.type = kArrayType<T>, .dimensions = 1})) {}
  operator std::span<const T>() const {  // NOLINT
    return {static_cast<const T*>(array.data()), static_cast<std::size_t>(array.shape(0))};
  }
  py::array array;
};

template <typename T>
requires(!std::is_const_v<T>) struct Held<std::span<T>> {
  explicit Held(py::handle object)
      : array(writable_array(object, {.type = kArrayType<T>, .dimensions = 1})) {}
  operator std::span<T>() {  // NOLINT
    return {static_cast<T*>(array.mutable_data()), static_cast<std::size_t>(array.shape(0))};
  }
  py::array array;
};

}  // namespace alembert::python
