#include "alembert/io/mat.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <matio.h>

#include <random>

#include "support/data.hpp"
#include "support/matrices_near.hpp"
#include "support/message_of.hpp"
#include "support/records.hpp"

namespace alembert::io {
namespace mat_test {

using test::data_error_of;
using test::kEps;
using test::message_of;
using test::random_record;
using test::same_record;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr std::array kVersions = {MatVersion::V5, MatVersion::V73};

template <typename Number>
matvar_t* array(const char* name, std::size_t rows, std::size_t columns, matio_classes kind,
                matio_types type, const std::vector<Number>& values, int flags = 0) {
  std::size_t size[2] = {rows, columns};
  return Mat_VarCreate(name, kind, type, 2, size, const_cast<Number*>(values.data()), flags);
}

matvar_t* doubles(const char* name, std::size_t rows, std::size_t columns,
                  const std::vector<double>& values) {
  return array(name, rows, columns, MAT_C_DOUBLE, MAT_T_DOUBLE, values);
}

matvar_t* structure(const char* name, std::size_t count, const std::vector<const char*>& fields,
                    const std::vector<matvar_t*>& values) {
  std::size_t size[2] = {1, count};
  matvar_t* made = Mat_VarCreateStruct(name, 2, size, const_cast<const char**>(fields.data()),
                                       static_cast<unsigned>(fields.size()));
  for (std::size_t i = 0; i < values.size(); ++i) {
    Mat_VarSetStructFieldByName(made, fields[i % fields.size()], i / fields.size(), values[i]);
  }
  return made;
}

class Mat : public testing::Test {
 protected:
  [[nodiscard]] std::filesystem::path path(const std::string& name = "f.mat") const {
    return folder_.path() / name;
  }

  // A file of another program, made with the C library alone.
  std::filesystem::path foreign(const std::vector<matvar_t*>& variables,
                                MatVersion version = MatVersion::V5,
                                matio_compression compression = MAT_COMPRESSION_NONE) const {
    std::filesystem::remove(path());
    mat_t* file = Mat_CreateVer(path().c_str(), nullptr,
                                version == MatVersion::V5 ? MAT_FT_MAT5 : MAT_FT_MAT73);
    for (matvar_t* variable : variables) {
      EXPECT_EQ(Mat_VarWrite(file, variable, compression), 0);
      Mat_VarFree(variable);
    }
    Mat_Close(file);
    return path();
  }

  test::TemporaryFolder folder_;
};

TEST_F(Mat, WriteThenReadGivesTheSameBits) {
  std::mt19937_64 engine(55);
  for (std::size_t trial = 0; trial < 40; ++trial) {
    const signal::Record record =
        random_record(engine, {.samples = 1 + static_cast<long>(engine() % 1000),
                               .channels = 1 + engine() % 6,
                               .uniform = engine() % 2 == 0,
                               .odd_names = trial % 4 > 1});
    write_mat(path(), record, kVersions[trial % 2]);
    const signal::Records back = read_mat(path());
    ASSERT_EQ(back.size(), 1U);
    EXPECT_TRUE(same_record(back[0], record)) << "trial " << trial;
  }
}

TEST_F(Mat, WrittenVariablesHaveValidNames) {
  const signal::Record record(
      signal::TimeAxis::uniform(2, 0.5, 1.0),
      {{"t"}, {"acc x"}, {"acc_x"}, {"for"}, {"1st"}, {"Ä"}, {std::string(80, 'y')}},
      Eigen::MatrixXd::Ones(2, 7));
  for (const MatVersion version : kVersions) {
    write_mat(path(), record, version);
    std::vector<std::string> names;
    for (const StoredArray& variable : list_mat(path())) {
      names.push_back(variable.name);
    }
    for (const char* name : {"t", "t_2", "acc_x", "acc_x_2", "x_for", "x_1st", "x___",
                             "alembert_record", "alembert_record.step"}) {
      EXPECT_THAT(names, Contains(name));
    }
    EXPECT_THAT(names, Contains(std::string(57, 'y')));
    EXPECT_EQ(read_mat_matrix(path(), "t"), Eigen::Vector2d(1.0, 1.5));
    EXPECT_THAT(list_mat(path()), Contains(StoredArray{"acc_x", {2, 1}, "double"}));
  }
}

TEST_F(Mat, ConvertsEveryNumberType) {
  for (const MatVersion version : kVersions) {
    foreign({doubles("time", 1, 2, {0.0, 0.5}),
             array<float>("f", 2, 1, MAT_C_SINGLE, MAT_T_SINGLE, {0.5F, -0.25F}),
             array<std::int8_t>("i8", 2, 1, MAT_C_INT8, MAT_T_INT8, {-1, 2}),
             array<std::uint8_t>("u8", 2, 1, MAT_C_UINT8, MAT_T_UINT8, {1, 255}),
             array<std::int16_t>("i16", 2, 1, MAT_C_INT16, MAT_T_INT16, {-300, 2}),
             array<std::uint16_t>("u16", 2, 1, MAT_C_UINT16, MAT_T_UINT16, {1, 65535}),
             array<std::int32_t>("i32", 1, 2, MAT_C_INT32, MAT_T_INT32, {-70000, 2}),
             array<std::uint32_t>("u32", 1, 2, MAT_C_UINT32, MAT_T_UINT32, {1, 4000000000U}),
             array<std::int64_t>("i64", 1, 2, MAT_C_INT64, MAT_T_INT64, {-5000000000, 2}),
             array<std::uint64_t>("u64", 1, 2, MAT_C_UINT64, MAT_T_UINT64, {1, 2}),
             array<std::uint8_t>("on", 2, 1, MAT_C_UINT8, MAT_T_UINT8, {1, 0}, MAT_F_LOGICAL)},
            version);
    const std::vector<std::string> names = {"f",   "i8",  "u8",  "i16", "u16",
                                            "i32", "u32", "i64", "u64", "on"};
    const signal::Record record = read_mat(path(), {.channels = names}).at(0);
    const Eigen::MatrixXd expected{{0.5, -1, 1, -300, 1, -70000, 1, -5000000000, 1, 1},
                                   {-0.25, 2, 255, 2, 65535, 2, 4000000000, 2, 2, 0}};
    EXPECT_EQ(record.samples(), expected);
    EXPECT_EQ(record.time().step(), 0.5);
    EXPECT_THAT(list_mat(path()), Contains(StoredArray{"on", {2, 1}, "logical"}));
    EXPECT_THAT(list_mat(path()), Contains(StoredArray{"i32", {1, 2}, "int32"}));
  }
}

TEST_F(Mat, ColumnsOfMatricesAndComplexNumbers) {
  std::vector<double> re = {1, 2, 3};
  std::vector<double> im = {4, 5, 6};
  mat_complex_split_t parts{re.data(), im.data()};
  for (const MatVersion version : kVersions) {
    std::size_t size[2] = {3, 1};
    foreign({doubles("X", 3, 2, {1, 2, 3, 10, 20, 30}), doubles("W", 2, 3, {1, 10, 2, 20, 3, 30}),
             Mat_VarCreate("z", MAT_C_DOUBLE, MAT_T_DOUBLE, 2, size, &parts, MAT_F_COMPLEX),
             doubles("Fs", 1, 1, {4.0})},
            version, MAT_COMPRESSION_ZLIB);
    const signal::Record record =
        read_mat(path(), {.channels = {"z.im", "X_2", "W", "z.re"}}).at(0);
    EXPECT_EQ(record.samples(),
              (Eigen::MatrixXd{{4, 10, 1, 10, 1}, {5, 20, 2, 20, 2}, {6, 30, 3, 30, 3}}));
    EXPECT_EQ(record.channels()[3].name, "W_2");
    EXPECT_EQ(record.time().step(), 0.25);
    EXPECT_EQ(read_mat(path()).at(0).channel_count(), 6);
    // A column as time: the others remain.
    const signal::Record timed = read_mat(path(), {.time = "X_1", .dataset = "X"}).at(0);
    EXPECT_EQ(timed.time().start(), 1.0);
    ASSERT_EQ(timed.channel_count(), 1);
    EXPECT_EQ(timed.channels()[0].name, "X_2");
  }
}

TEST_F(Mat, StructuresAndTheirFields) {
  for (const MatVersion version : kVersions) {
    foreign({structure("run", 1, {"u", "y", "dt"},
                       {doubles("u", 2, 1, {1, 2}), doubles("y", 2, 1, {3, 4}),
                        doubles("dt", 1, 1, {0.1})})},
            version);
    const signal::Record record = read_mat(path()).at(0);
    EXPECT_EQ(record.title(), "run");
    EXPECT_EQ(record.time().step(), 0.1);
    EXPECT_EQ(record.samples().sum(), 10.0);
    EXPECT_EQ(read_mat_matrix(path(), "run.y"), Eigen::Vector2d(3.0, 4.0));
    EXPECT_THAT(list_mat(path()), Contains(StoredArray{"run.u", {2, 1}, "double"}));
    EXPECT_THAT(data_error_of([&] { (void)read_mat(path(), {.dataset = "run.v"}); }),
                HasSubstr("variable 'run': no field 'v'; there are 'u', 'y', 'dt'"));
    EXPECT_THAT(data_error_of([&] { (void)read_mat(path(), {.dataset = "runs"}); }),
                HasSubstr("f.mat: no variable 'runs'; did you mean 'run'?"));
    foreign(
        {structure("runs", 2, {"u"}, {doubles("u", 2, 1, {1, 2}), doubles("u", 3, 1, {3, 4, 5})}),
         doubles("Ts", 1, 1, {0.5}), doubles("k", 2, 2, {1, 2, 3, 4})},
        version);
    const signal::Records records = read_mat(path(), {.dataset = "runs"});
    ASSERT_EQ(records.size(), 2U);
    EXPECT_EQ(records[1].title(), "runs(2)");
    EXPECT_EQ(records[1].size(), 3);
    EXPECT_EQ(records[1].time().step(), 0.5);
  }
}

TEST_F(Mat, TimeIsFoundOrAskedFor) {
  foreign({doubles("y", 3, 1, {1, 2, 3})});
  EXPECT_THAT(data_error_of([&] { (void)read_mat(path()); }),
              HasSubstr("f.mat: no time found: no array t or time, no scalar fs, Fs, dt, Ts or h"));
  EXPECT_EQ(read_mat(path(), {.step = 0.2}).at(0).time().step(), 0.2);
  EXPECT_THAT(message_of([&] { (void)read_mat(path(), {.step = -1.0}); }), HasSubstr("step"));
  EXPECT_THAT(data_error_of([&] { (void)read_mat(path(), {.time = "tt"}); }),
              HasSubstr("no time channel 'tt'"));
  foreign({doubles("y", 3, 1, {1, 2, 3}), doubles("h", 1, 1, {-0.1})});
  EXPECT_THAT(data_error_of([&] { (void)read_mat(path()); }),
              HasSubstr("h must give a positive step in s"));
  foreign({doubles("y", 3, 1, {1, 2, 3}), doubles("fs", 1, 1, {10}), doubles("dt", 1, 1, {0.1})});
  EXPECT_EQ(read_mat(path()).at(0).time().step(), 0.1);
  foreign({doubles("y", 3, 1, {1, 2, 3}), doubles("t", 3, 1, {0, 1, 5})});
  EXPECT_FALSE(read_mat(path()).at(0).time().is_uniform());
  EXPECT_EQ(read_mat(path()).at(0).time()[2], 5.0);
}

// Times k/1000 rounded to single precision are off by up to 2^-24 of 1 s, far above 1e-6 of a step.
TEST_F(Mat, TimeInSinglePrecisionIsStillUniform) {
  std::vector<float> times;
  for (int k = 0; k < 1000; ++k) {
    times.push_back(static_cast<float>(k) / 1000.0F);
  }
  foreign({array("t", 1000, 1, MAT_C_SINGLE, MAT_T_SINGLE, times),
           doubles("y", 1, 1000, std::vector<double>(1000, 1.0))});
  const signal::Record record = read_mat(path()).at(0);
  ASSERT_TRUE(record.time().is_uniform());
  EXPECT_NEAR(record.time().step(), 1e-3, std::ldexp(1e-3, -23));
}

TEST_F(Mat, ProblemsAreNamed) {
  foreign(
      {doubles("a", 3, 1, {1, 2, 3}), doubles("b", 4, 1, {1, 2, 3, 4}), doubles("dt", 1, 1, {1})});
  EXPECT_THAT(data_error_of([&] { (void)read_mat(path()); }),
              HasSubstr("'b' is 4 x 1, but others have 3 samples: give the channels to read"));
  EXPECT_THAT(data_error_of([&] {
                (void)read_mat(path(), {.channels = {"a", "b"}});
              }),
              HasSubstr("channel 'b' is 4 x 1, expected 3 samples"));
  EXPECT_THAT(data_error_of([&] { (void)read_mat(path(), {.channels = {"cc"}}); }),
              HasSubstr("f.mat: no channel 'cc'"));
  EXPECT_EQ(read_mat(path(), {.channels = {"b"}}).at(0).size(), 4);
  EXPECT_THAT(data_error_of([&] { (void)read_mat_matrix(path()); }),
              HasSubstr("holds several variables, give one: a, b, dt"));
  foreign({doubles("dt", 1, 1, {1})});
  EXPECT_THAT(data_error_of([&] { (void)read_mat(path()); }), HasSubstr("holds no channels"));
  std::size_t size[2] = {1, 3};
  foreign({Mat_VarCreate("s", MAT_C_CHAR, MAT_T_UINT8, 2, size, const_cast<char*>("abc"), 0)});
  EXPECT_THAT(data_error_of([&] { (void)read_mat(path(), {.dataset = "s"}); }),
              HasSubstr("variable 's': is text, neither a numeric matrix nor a structure"));
}

TEST_F(Mat, MatrixWriteThenRead) {
  std::mt19937_64 engine(4);
  for (const MatVersion version : kVersions) {
    for (const auto& [rows, columns] : {std::pair{1, 1}, {1, 7}, {7, 1}, {20, 30}}) {
      Eigen::MatrixXd matrix(rows, columns);
      for (double& value : matrix.reshaped()) {
        value = std::uniform_real_distribution<double>(-1.0, 1.0)(engine);
      }
      write_mat_matrix(path(), matrix, "K", version);
      EXPECT_EQ(read_mat_matrix(path()), matrix);
      EXPECT_EQ(Eigen::MatrixXd(read_mat_sparse(path(), "K")), matrix);
    }
  }
  EXPECT_THAT(message_of([&] { write_mat_matrix(path(), Eigen::MatrixXd(1, 1), "2K"); }),
              HasSubstr("write_mat_matrix: dataset must be a valid MATLAB name, got '2K'"));
}

// | 0 0 |
// | 5 0 |   by columns: rows (1, 2), values (5, -1), columns begin at 0, 2 and end at 2
// |-1 0 |
TEST_F(Mat, ReadsSparseMatrices) {
  for (const MatVersion version : kVersions) {
    std::vector<std::uint32_t> rows = {1, 2};
    std::vector<std::uint32_t> begins = {0, 2, 2};
    std::vector<double> values = {5.0, -1.0};
    mat_sparse_t sparse{2, rows.data(), 2, begins.data(), 3, 2, values.data()};
    std::size_t size[2] = {3, 2};
    foreign(
        {Mat_VarCreate("S", MAT_C_SPARSE, MAT_T_DOUBLE, 2, size, &sparse, MAT_F_DONT_COPY_DATA)},
        version);
    const Eigen::MatrixXd expected{{0, 0}, {5, 0}, {-1, 0}};
    EXPECT_EQ(read_mat_matrix(path()), expected);
    EXPECT_EQ(read_mat_sparse(path(), "S").nonZeros(), 2);
    EXPECT_THAT(list_mat(path()), ElementsAre(StoredArray{"S", {3, 2}, "sparse double"}));
  }
}

// Indices of a sparse matrix are int: 3e9 rows must not be cut to what fits.
TEST_F(Mat, SparseMatricesBeyondTheRangeOfIntAreRefused) {
  std::vector<std::uint32_t> rows = {1, 2'900'000'000U};
  std::vector<std::uint32_t> begins = {0, 2, 2};
  std::vector<double> values = {5.0, -1.0};
  mat_sparse_t sparse{2, rows.data(), 2, begins.data(), 3, 2, values.data()};
  std::size_t size[2] = {3'000'000'000U, 2};
  foreign({Mat_VarCreate("S", MAT_C_SPARSE, MAT_T_DOUBLE, 2, size, &sparse, MAT_F_DONT_COPY_DATA)},
          MatVersion::V73);
  EXPECT_THAT(data_error_of([&] { (void)read_mat_sparse(path()); }),
              HasSubstr("f.mat: variable 'S': a sparse matrix of 3000000000 x 2 is too large"));
}

TEST_F(Mat, TimesAreConvertedToSeconds) {
  for (const MatVersion version : kVersions) {
    foreign({doubles("Time [ms]", 3, 1, {0, 5, 10}), doubles("y", 3, 1, {1, 2, 3})}, version);
    const signal::Record record = read_mat(path()).at(0);
    EXPECT_EQ(record.time().step(), 0.005);
    EXPECT_EQ(record.channel_count(), 1);
    foreign({doubles("t (V)", 3, 1, {0, 5, 10}), doubles("y", 3, 1, {1, 2, 3})}, version);
    EXPECT_THAT(data_error_of([&] { (void)read_mat(path()); }),
                HasSubstr("the unit 'V' of the time 't (V)' is not known"));
  }
}

TEST_F(Mat, ADeviceIsNoFile) {
  EXPECT_THAT(data_error_of([] { (void)read_mat("/dev/null"); }), HasSubstr("/dev/null"));
}

TEST_F(Mat, TruncatedAnywhereIsAnErrorThatNamesTheFile) {
  std::mt19937_64 engine(5);
  const signal::Record record = random_record(engine, {.samples = 200, .channels = 2});
  for (const MatVersion version : kVersions) {
    write_mat(path(), record, version);
    const std::string whole = test::read_text(path());
    std::set<std::size_t> lengths;
    for (std::size_t part = 0; part < 40; ++part) {
      lengths.insert(whole.size() * part / 40);
    }
    if (version == MatVersion::V5) {
      // At the end of each variable: a well-formed file that lacks channels.
      for (std::size_t at = 128; at < whole.size();) {
        lengths.insert(at);
        std::uint32_t bytes = 0;
        std::memcpy(&bytes, whole.data() + at + 4, 4);
        at += 8 + bytes;
      }
    }
    for (const std::size_t length : lengths) {
      const auto cut = folder_.write("cut.mat", whole.substr(0, length));
      EXPECT_THAT(data_error_of([&] { (void)read_mat(cut); }), HasSubstr("cut.mat: "))
          << length << " of " << whole.size();
    }
  }
}

TEST_F(Mat, BrokenFilesNameTheByte) {
  foreign({doubles("a", 300, 1, std::vector<double>(300, 1.0)), doubles("dt", 1, 1, {1})});
  std::string whole = test::read_text(path());
  EXPECT_THAT(
      data_error_of([&] { (void)read_mat(folder_.write("b.mat", whole.substr(0, 1000))); }),
      testing::MatchesRegex(".*b.mat: byte 128: a variable of [0-9]+ bytes, 864 are left.*"));
  EXPECT_THAT(data_error_of([&] { (void)read_mat(folder_.write("b.mat", whole + "abc")); }),
              HasSubstr("3 bytes behind the last variable"));
  EXPECT_THAT(data_error_of([&] { (void)read_mat(folder_.write("b.mat", whole.substr(0, 128))); }),
              HasSubstr("b.mat: holds no variables"));
  whole[128] = 77;
  EXPECT_THAT(data_error_of([&] { (void)read_mat(folder_.write("b.mat", whole)); }),
              HasSubstr("byte 128: expected a variable (element type 14 or 15), got type 77"));
  EXPECT_THAT(data_error_of([&] { (void)read_mat(folder_.write("b.mat", "a,b\n1,2\n")); }),
              HasSubstr("is not a MATLAB file of version 5 or 7.3"));
  EXPECT_THAT(data_error_of([&] { (void)list_mat(path("none.mat")); }),
              HasSubstr("none.mat: the file does not exist"));
}

TEST_F(Mat, RefusesWhatCannotBeWritten) {
  EXPECT_THAT(message_of([&] { write_mat(path(), {}); }), HasSubstr("got 0 x 0"));
  const signal::Record record(signal::TimeAxis::uniform(1, 1.0), {{"a"}},
                              Eigen::MatrixXd::Ones(1, 1));
  EXPECT_THAT(data_error_of([&] { write_mat(folder_.path() / "no" / "r.mat", record); }),
              HasSubstr("no folder"));
  EXPECT_THAT(data_error_of([&] { write_mat(folder_.path(), record); }), HasSubstr("is a folder"));
}

}  // namespace mat_test
}  // namespace alembert::io
