#include <cstring>
#include <fstream>

#include "alembert/io/hdf5.hpp"
#include "unit/io/hdf5_support.hpp"

// Damage to files whose structure has no checksums, where the library itself sees nothing odd.
namespace alembert::io {
namespace hdf5_damage_test {

using namespace hdf5_test;
using test::data_error_of;
using testing::HasSubstr;

using Hdf5Damage = Hdf5;

const std::vector<double> kValues = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};

std::string reason_of(const std::filesystem::path& file) {
  return data_error_of([&] { (void)read_hdf5(file, {.step = 0.1}); });
}

// The bytes of an address as files hold them.
std::string address_bytes(haddr_t address) {
  std::string bytes(sizeof(std::uint64_t), '\0');
  const auto word = static_cast<std::uint64_t>(address);
  std::memcpy(bytes.data(), &word, sizeof(word));
  return bytes;
}

// Puts bytes where a pattern stands, or so many before it.
void patch(const std::filesystem::path& file, const std::string& pattern, std::size_t before,
           const std::string& bytes) {
  std::string content = test::read_text(file);
  const std::size_t at = content.find(pattern);
  ASSERT_NE(at, std::string::npos);
  content.replace(at - before, bytes.size(), bytes);
  std::ofstream(file, std::ios::binary) << content;
}

// One bit of the exponent's bias would double or halve all numbers; the library takes any.
TEST_F(Hdf5Damage, NumbersThatNoMachineHasAreRefused) {
  const hid_t real = H5Tcopy(H5T_IEEE_F64LE);
  H5Tset_ebias(real, 1022);
  const hid_t whole = H5Tcopy(H5T_STD_I32LE);
  H5Tset_precision(whole, 20);
  for (const hid_t type : {real, whole}) {
    ForeignFile(path("f.h5")).array("u", {12}, type, kValues);
    EXPECT_THAT(reason_of(path("f.h5")),
                HasSubstr("f.h5: 'u': holds numbers of an unknown form (broken file?)"));
    H5Tclose(type);
  }
}

TEST_F(Hdf5Damage, BothByteOrdersAndHalfPrecisionAreUsual) {
  const hid_t half = H5Tcopy(H5T_IEEE_F32LE);
  H5Tset_fields(half, 15, 10, 5, 0, 10);
  H5Tset_size(half, 2);
  H5Tset_ebias(half, 15);
  ForeignFile(path("f.h5"))
      .array("a", {12}, H5T_IEEE_F64BE, kValues)
      .array("b", {12}, H5T_STD_I16BE, std::vector<short>(12, 3))
      .array("c", {12}, half, std::vector<short>(12, 0x3c00));
  const signal::Record record = read_hdf5(path("f.h5"), {.step = 0.1}).at(0);
  ASSERT_EQ(record.channel_count(), 3);
  EXPECT_EQ(record.values("c")(5), 1.0);  // 0x3c00 is 1 in half precision
  H5Tclose(half);
}

// A damaged address leads to other bytes of the file, which are numbers all the same.
TEST_F(Hdf5Damage, DataSetsInTheSameBytesAreRefused) {
  const std::filesystem::path file = path("f.h5");
  ForeignFile(file)
      .array("u", {12}, H5T_NATIVE_DOUBLE, kValues)
      .array("y", {12}, H5T_NATIVE_DOUBLE, kValues);
  EXPECT_EQ(read_hdf5(file, {.step = 0.1}).at(0).channel_count(), 2);
  const hid_t handle = H5Fopen(file.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  const hid_t u = H5Dopen2(handle, "u", H5P_DEFAULT);
  const hid_t y = H5Dopen2(handle, "y", H5P_DEFAULT);
  const haddr_t of_u = H5Dget_offset(u);
  const haddr_t of_y = H5Dget_offset(y);
  H5Dclose(u);
  H5Dclose(y);
  H5Fclose(handle);
  patch(file, address_bytes(of_y), 0, address_bytes(of_u + 8));
  EXPECT_THAT(reason_of(file), HasSubstr("f.h5: 'u' and 'y' share bytes"));
}

// u of twelve numbers in three chunks. Returns the address of the last one.
haddr_t write_chunks(const std::filesystem::path& file) {
  const hsize_t size = 12;
  const hsize_t chunk = 4;
  const hid_t handle = H5Fcreate(file.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  const hid_t space = H5Screate_simple(1, &size, nullptr);
  const hid_t list = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_chunk(list, 1, &chunk);
  const hid_t set =
      H5Dcreate2(handle, "u", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, list, H5P_DEFAULT);
  H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, kValues.data());
  H5Fflush(handle, H5F_SCOPE_LOCAL);
  const hsize_t last = 8;
  unsigned mask = 0;
  haddr_t address = 0;
  hsize_t bytes = 0;
  EXPECT_GE(H5Dget_chunk_info_by_coord(set, &last, &mask, &address, &bytes), 0);
  H5Dclose(set);
  H5Pclose(list);
  H5Sclose(space);
  H5Fclose(handle);
  EXPECT_EQ(read_hdf5(file, {.step = 0.1}).at(0).size(), 12);
  return address;
}

// The place of a chunk stands 16 bytes before its address: another one leaves zeros behind.
TEST_F(Hdf5Damage, ChunksOutOfPlaceAreRefused) {
  const std::filesystem::path file = path("f.h5");
  const haddr_t address = write_chunks(file);
  patch(file, address_bytes(address), 16, address_bytes(haddr_t{1} << 32U));
  EXPECT_THAT(reason_of(file), HasSubstr("f.h5: 'u': 1 of 3 chunks are out of place"));
}

// Behind it its place among the bytes of a number, which is 0: listed, but not found by reading.
TEST_F(Hdf5Damage, ChunksThatReadingMissesAreRefused) {
  const std::filesystem::path file = path("f.h5");
  const haddr_t address = write_chunks(file);
  patch(file, address_bytes(address), 8, address_bytes(8));
  EXPECT_THAT(reason_of(file), HasSubstr("f.h5: 'u': 1 of 3 chunks are out of place"));
}

// Flips a bit so many bytes before or behind the place where a pattern stands.
void flip(const std::filesystem::path& file, const std::string& pattern, std::ptrdiff_t offset,
          unsigned bit) {
  std::string content = test::read_text(file);
  const std::size_t at = content.find(pattern);
  ASSERT_NE(at, std::string::npos);
  content[at + static_cast<std::size_t>(offset)] ^= static_cast<char>(1U << bit);
  std::ofstream(file, std::ios::binary) << content;
}

const std::string kDouble = "\x11\x20\x3f";  // class, version and flags of a double

class DamagedForeign : public Hdf5 {
 protected:
  // u and y of twelve numbers, whose last bytes are the last of the file.
  void SetUp() override {
    ForeignFile(file_)
        .array("u", {12}, H5T_NATIVE_DOUBLE, kValues)
        .array("y", {12}, H5T_NATIVE_DOUBLE, kValues);
    ASSERT_EQ(read_hdf5(file_, {.step = 0.1}).at(0).channel_count(), 2);
  }
  std::filesystem::path file_ = path("f.h5");
};

// The library reads zeros behind the end that the file states.
TEST_F(DamagedForeign, NumbersBehindTheEndAreRefused) {
  const auto size = static_cast<std::uint64_t>(std::filesystem::file_size(file_));
  patch(file_, address_bytes(size), 0, address_bytes(size - 64));
  EXPECT_THAT(reason_of(file_), HasSubstr("f.h5: 'y': reaches beyond the end of the file"));
}

TEST_F(DamagedForeign, NumbersInTheListOfAGroupOrAtTheBeginningAreRefused) {
  const hid_t handle = H5Fopen(file_.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  const hid_t y = H5Dopen2(handle, "y", H5P_DEFAULT);
  const std::string address = address_bytes(H5Dget_offset(y));
  H5Dclose(y);
  H5Fclose(handle);
  const std::string content = test::read_text(file_);
  for (const std::size_t place : {std::size_t{0}, content.find("TREE") + 64,
                                  content.find("SNOD") + 64, content.find("HEAP")}) {
    std::ofstream(file_, std::ios::binary) << content;
    patch(file_, address, 0, address_bytes(place));
    EXPECT_THAT(reason_of(file_), HasSubstr("share bytes")) << place;
  }
}

// One bit makes integers of doubles, text of numbers, or a named type of a data set.
TEST_F(DamagedForeign, DescriptionsThatContradictThemselvesAreRefused) {
  const std::string content = test::read_text(file_);
  struct Case {
    std::string pattern;
    std::ptrdiff_t offset;
    unsigned bit;
  };
  const std::string space("\x01\x00\x18\x00\x00\x00\x00\x00\x01\x01\x01", 11);
  for (const Case& one : std::vector<Case>{
           {kDouble, 0, 0}, {kDouble, 0, 1}, {kDouble, 0, 2}, {space, 0, 7}, {space, 8 + 1, 0}}) {
    std::ofstream(file_, std::ios::binary) << content;
    flip(file_, one.pattern, one.offset, one.bit);
    EXPECT_THAT(reason_of(file_), HasSubstr("its description contradicts itself"))
        << one.offset << " " << one.bit;
  }
}

// The second entry of the list of a group: a link that leads nowhere in place of an object.
TEST_F(DamagedForeign, LinksToNothingAreRefused) {
  flip(file_, "SNOD", 8 + 40 + 16, 1);
  EXPECT_THAT(reason_of(file_), HasSubstr("f.h5: 'y': is a link to nothing"));
}

TEST_F(Hdf5Damage, LengthsInsideAttributesMustAgree) {
  const std::filesystem::path file = path("own.h5");
  const signal::Record record(signal::TimeAxis::uniform(3, 0.5, 2.0), {{"a"}, {"b"}},
                              Eigen::MatrixXd{{1, 2}, {3, 4}, {5, 6}});
  for (const unsigned bit : {3U, 5U, 6U}) {
    write_hdf5(file, {record});
    EXPECT_EQ(read_hdf5(file).at(0).time().start(), 2.0);
    flip(file, std::string("start\0\0\0", 8), -2, bit);  // the length of its size
    EXPECT_THAT(reason_of(file), HasSubstr("its description contradicts itself")) << bit;
  }
  for (const unsigned bit : {2U, 5U}) {  // the number behind the name "column" and its type
    write_hdf5(file, {record});
    flip(file, std::string("column\0\0", 8), 8 + 16 + 8, bit);
    EXPECT_THAT(reason_of(file), HasSubstr("columns of its channels are not counted from 1"))
        << bit;
  }
  write_hdf5(file, {record});
  flip(file, std::string("records\0", 8), 8 + 16 + 8, 0);
  EXPECT_THAT(reason_of(file), HasSubstr("'record_1': is not counted: the file states 0 records"));
}

// A start of 0 is a common number, and one bit away from 5e-324 s.
TEST_F(Hdf5Damage, StartsThatNoClockGivesAreRefused) {
  const std::filesystem::path file = path("own.h5");
  const auto write = [&](double start) {
    const signal::TimeAxis axis = signal::TimeAxis::uniform(3, 0.5, start);
    write_hdf5(file, {signal::Record(axis, {{"a"}}, Eigen::MatrixXd{{1}, {3}, {5}})});
  };
  constexpr std::ptrdiff_t kValue = 8 + 24 + 8;  // behind name, type and size
  for (const unsigned bit : {0U, 7U}) {
    write(0.0);
    flip(file, std::string("start\0\0\0", 8), kValue, bit);
    EXPECT_THAT(reason_of(file), HasSubstr("are no measurement (damaged file?)")) << bit;
  }
  for (const double start : {0.9e-60, -0.9e-60}) {
    write(start);
    EXPECT_THAT(reason_of(file), HasSubstr("are no measurement (damaged file?)")) << start;
  }
  for (const double start : {0.0, -0.0, 1.1e-60, -1.1e-60}) {
    write(start);
    EXPECT_EQ(read_hdf5(file).at(0).time().start(), start);
  }
}

// Texts of any length stand in a collection of their own. One whose length leads into zeros let the
// library search for ever: free space of length 0.
TEST_F(Hdf5Damage, LengthsInsideCollectionsMustAgree) {
  const std::filesystem::path file = path("f.h5");
  ForeignFile(file).array("u", {12}, H5T_NATIVE_DOUBLE, kValues).long_text("u", "note", "abcd");
  EXPECT_EQ(read_hdf5(file, {.step = 0.1}).at(0).size(), 12);
  flip(file, "GCOL", 16 + 8, 7);  // the length of the first text
  EXPECT_THAT(reason_of(file), HasSubstr("f.h5: byte"));
  EXPECT_THAT(reason_of(file), HasSubstr("'u': its description contradicts itself"));
}

}  // namespace hdf5_damage_test
}  // namespace alembert::io
