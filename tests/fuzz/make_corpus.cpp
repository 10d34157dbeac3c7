// Makes the files of the corpora mat and hdf5, with the writers of this project and with the C
// libraries alone: make_corpus FOLDER.
#include <hdf5.h>
#include <matio.h>

#include <array>
#include <cmath>
#include <filesystem>
#include <vector>

#include "alembert/io/hdf5.hpp"
#include "alembert/io/mat.hpp"

namespace {

using namespace alembert;
namespace fs = std::filesystem;

constexpr std::size_t kSamples = 48;

signal::Record own_record(bool uniform) {
  Eigen::MatrixXd samples(kSamples, 2);
  Eigen::VectorXd times(kSamples);
  for (std::size_t k = 0; k < kSamples; ++k) {
    const auto row = static_cast<Eigen::Index>(k);
    times(row) = 0.01 * static_cast<double>(k * k + k);
    samples(row, 0) = std::sin(0.3 * static_cast<double>(k));
    samples(row, 1) = std::cos(0.1 * static_cast<double>(k));
  }
  return {uniform ? signal::TimeAxis::uniform(kSamples, 0.01) : signal::TimeAxis::given(times),
          {{"u", "N"}, {"y", "m"}},
          samples,
          "corpus"};
}

std::vector<double> wave(double frequency) {
  std::vector<double> values(kSamples);
  for (std::size_t k = 0; k < kSamples; ++k) {
    values[k] = std::sin(frequency * static_cast<double>(k + 1));
  }
  return values;
}

matvar_t* doubles(const char* name, std::size_t rows, std::size_t columns,
                  std::vector<double>& values) {
  std::array<std::size_t, 2> size{rows, columns};
  return Mat_VarCreate(name, MAT_C_DOUBLE, MAT_T_DOUBLE, 2, size.data(), values.data(), 0);
}

void write(mat_t* file, matvar_t* variable, matio_compression compression) {
  Mat_VarWrite(file, variable, compression);
  Mat_VarFree(variable);
}

// Numbers of several types, a structure, text, a complex and a sparse matrix.
void write_foreign_mat(const fs::path& path, matio_compression compression) {
  fs::remove(path);
  mat_t* file = Mat_CreateVer(path.c_str(), "MATLAB 5.0 MAT-file", MAT_FT_MAT5);
  std::vector<double> u = wave(0.3);
  std::vector<double> y = wave(0.1);
  std::vector<double> rate = {100.0};
  std::vector<short> counts(kSamples, 7);
  std::array<std::size_t, 2> column{kSamples, 1};
  write(file, doubles("u", kSamples, 1, u), compression);
  write(file, doubles("y", 1, kSamples, y), compression);
  write(file, doubles("fs", 1, 1, rate), compression);
  write(file, Mat_VarCreate("n", MAT_C_INT16, MAT_T_INT16, 2, column.data(), counts.data(), 0),
        compression);
  mat_complex_split_t parts{u.data(), y.data()};
  write(file,
        Mat_VarCreate("z", MAT_C_DOUBLE, MAT_T_DOUBLE, 2, column.data(), &parts, MAT_F_COMPLEX),
        compression);
  std::array<const char*, 2> fields{"a", "text"};
  std::array<std::size_t, 2> one{1, 1};
  matvar_t* structure = Mat_VarCreateStruct("s", 2, one.data(), fields.data(), 2);
  Mat_VarSetStructFieldByName(structure, "a", 0, doubles(nullptr, kSamples, 1, u));
  std::array<std::size_t, 2> letters{1, 5};
  std::string text = "words";
  Mat_VarSetStructFieldByName(
      structure, "text", 0,
      Mat_VarCreate(nullptr, MAT_C_CHAR, MAT_T_UTF8, 2, letters.data(), text.data(), 0));
  write(file, structure, compression);
  Mat_Close(file);
}

void write_data_set(hid_t file, const char* name, bool chunked) {
  const hsize_t size = kSamples;
  const hsize_t chunk = 16;
  const std::vector<double> values = wave(name[0] == 'u' ? 0.3 : 0.1);
  const hid_t space = H5Screate_simple(1, &size, nullptr);
  const hid_t list = H5Pcreate(H5P_DATASET_CREATE);
  if (chunked) {
    H5Pset_chunk(list, 1, &chunk);
    H5Pset_shuffle(list);
    H5Pset_deflate(list, 6);
    H5Pset_fletcher32(list);
  }
  const hid_t set =
      H5Dcreate2(file, name, H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, list, H5P_DEFAULT);
  H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
  H5Dclose(set);
  H5Pclose(list);
  H5Sclose(space);
}

// Two channels and a rate. The newest form of the file has checksums of all its structure.
void write_foreign_hdf5(const fs::path& path, bool newest) {
  const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
  if (newest) H5Pset_libver_bounds(access, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST);
  const hid_t file = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access);
  write_data_set(file, "u", true);
  write_data_set(file, "y", newest);
  const hid_t scalar = H5Screate(H5S_SCALAR);
  const hid_t rate = H5Acreate2(file, "fs", H5T_NATIVE_DOUBLE, scalar, H5P_DEFAULT, H5P_DEFAULT);
  const double hertz = 100.0;
  H5Awrite(rate, H5T_NATIVE_DOUBLE, &hertz);
  H5Aclose(rate);
  H5Sclose(scalar);
  H5Fclose(file);
  H5Pclose(access);
}

}  // namespace

int main(int argc, char** argv) {
  const fs::path folder = argc > 1 ? argv[1] : ".";
  const fs::path mat = folder / "mat";
  const fs::path hdf5 = folder / "hdf5";
  fs::create_directories(mat);
  fs::create_directories(hdf5);
  io::write_mat(mat / "own_uniform", own_record(true));
  io::write_mat(mat / "own_times", own_record(false));
  write_foreign_mat(mat / "foreign", MAT_COMPRESSION_NONE);
  write_foreign_mat(mat / "foreign_compressed", MAT_COMPRESSION_ZLIB);
  io::write_hdf5(hdf5 / "own", {own_record(true)});
  io::write_hdf5(hdf5 / "own_compressed", {own_record(false)}, {.deflate = 6});
  io::write_mat(hdf5 / "matlab_73", own_record(true), io::MatVersion::V73);
  write_foreign_hdf5(hdf5 / "foreign", false);
  write_foreign_hdf5(hdf5 / "foreign_checksums", true);
  return 0;
}
