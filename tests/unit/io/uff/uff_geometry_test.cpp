#include "alembert/io/uff_geometry.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>

#include "alembert/core/error.hpp"
#include "support/data.hpp"

namespace alembert::io::uff_geometry_test {
namespace {

// Written by hand after the published formats: 4I10,3E13.5; 3I10, name, 8I10; 6I10, 8I10.
const std::string kOldNodes =
    "    -1\n"
    "    15\n"
    "         1         0         0         0  0.00000E+00  1.50000E+00 -2.00000E-01\n"
    "        12         0         3         0  1.00000E+00  0.00000E+00  0.00000E+00\n"
    "         7         0         0         0  1.00000D+00  1.00000E+00  2.50000E+00\n"
    "         9         0         0         0  3.00000E+00  1.00000E+00  2.50000E+00\n"
    "    -1\n";
const std::string kTrace =
    "    -1\n"
    "    82\n"
    "         1         6         7\n"
    "frame\n"
    "         1        12         0         7         9         1\n"
    "    -1\n";
const std::string kElementsText =
    "    -1\n"
    "  2412\n"
    "         1        21         1         1         7         2\n"
    "         0         1         1\n"
    "         1         7\n"
    "         2        94         1         1         7         4\n"
    "         1        12         7         9\n"
    "         3       111         1         1         7         4\n"
    "         1        12         7         9\n"
    "         4       136         1         1         7         2\n"
    "         1        12\n"
    "    -1\n";

std::string message_of(const std::string& text) {
  try {
    (void)parse_uff_geometry(text, "bad.unv");
  } catch (const DataError& error) {
    return error.what();
  }
  return "";
}

TEST(UffGeometry, ReadsNodesLinesAndElements) {
  const UffGeometry found = parse_uff_geometry(kOldNodes + kTrace + kElementsText, "a.unv");
  ASSERT_EQ(found.nodes.size(), 4U);
  EXPECT_EQ(found.nodes[1].label, 12);
  EXPECT_EQ(found.nodes[1].displacement_system, 3);
  EXPECT_EQ(found.nodes[2].position, Eigen::Vector3d(1.0, 1.0, 2.5));
  // The pen is lifted at 0; the beam follows.
  EXPECT_EQ(found.lines, (std::vector<std::vector<long long>>{{1, 12}, {7, 9, 1}, {1, 7}}));
  ASSERT_EQ(found.surfaces.size(), 5U);
  EXPECT_EQ(found.surfaces[0], (std::vector<long long>{1, 12, 7, 9}));
  EXPECT_EQ(found.surfaces[1], (std::vector<long long>{1, 12, 7}));
  EXPECT_EQ(found.skipped_elements, 1);
}

TEST(UffGeometry, ReadsDoublePrecisionNodesBehindOtherDatasets) {
  const UffGeometry found = parse_uff_geometry(
      "    -1\n   151\nanything\n    -1\n"
      "    -1\n  2411\n"
      "       101         1         1        11\n"
      "   1.0000000000000000D-01  -2.5000000000000000D+00   0.0000000000000000D+00\n"
      "    -1\n",
      "a.unv");
  ASSERT_EQ(found.nodes.size(), 1U);
  EXPECT_EQ(found.nodes[0].position, Eigen::Vector3d(0.1, -2.5, 0.0));
}

TEST(UffGeometry, NamesWhatIsBroken) {
  EXPECT_NE(message_of("text\n").find("not a universal file"), std::string::npos);
  EXPECT_NE(message_of(kTrace).find("holds no node"), std::string::npos);
  EXPECT_NE(message_of(kOldNodes + kOldNodes).find("node 1 is there twice"), std::string::npos);
  EXPECT_NE(message_of(kOldNodes.substr(0, 200)).find("the file ends before"), std::string::npos);
  const std::string many =
      "    -1\n    82\n         1 999999999         7\nframe\n         1\n    -1\n";
  EXPECT_NE(message_of(many).find("more than the file has room for"), std::string::npos);
  const std::string few =
      "    -1\n    82\n         1         9         7\nframe\n         1\n    -1\n    -1\n    15\n";
  EXPECT_NE(message_of(few).find("9 nodes are announced, only"), std::string::npos);
}

UffGeometry triangle() {
  UffGeometry geometry;
  geometry.nodes = {{.label = 1, .position = {0.0, 0.0, 0.0}},
                    {.label = 5, .position = {1.0 / 3.0, 0.0, 0.0}},
                    {.label = 8, .position = {0.0, 2e-7, 4.0}}};
  geometry.lines = {{1, 5, 8}, {8, 1}};
  geometry.surfaces = {{1, 5, 8}};
  return geometry;
}

TEST(UffModes, AreReadBackAsTheyWereWritten) {
  const test::TemporaryFolder folder;
  UffMode mode{.pole = {-0.5, 62.8}, .motion = Eigen::MatrixXcd::Zero(3, 3), .id = "mode 1"};
  mode.motion(1, 2) = {0.25, -1.0};
  write_uff_modes(folder.path() / "modes.unv", triangle(), {mode});
  const UffGeometry back = read_uff_geometry(folder.path() / "modes.unv");
  ASSERT_EQ(back.nodes.size(), 3U);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(back.nodes[i].label, triangle().nodes[i].label);
    // 17 digits are written: the same bits come back.
    EXPECT_EQ(back.nodes[i].position, triangle().nodes[i].position);
  }
  EXPECT_EQ(back.lines, triangle().lines);
  EXPECT_EQ(back.surfaces, triangle().surfaces);
}

// Columns of dataset 55 as published: 8I10 and 6E13.5, node labels in I10.
TEST(UffModes, StandInTheColumnsOfDataset55) {
  const test::TemporaryFolder folder;
  UffMode mode{.pole = {-0.5, 62.8}, .motion = Eigen::MatrixXcd::Zero(3, 3), .id = "mode 1"};
  mode.motion(1, 2) = {0.25, -1.0};
  write_uff_modes(folder.path() / "modes.unv", triangle(), {mode});
  std::ifstream stream(folder.path() / "modes.unv");
  std::stringstream text;
  text << stream.rdbuf();
  const std::string expected =
      "    -1\n    55\nmode 1\nNONE\nNONE\nNONE\nNONE\n"
      "         1         3         2         8         5         3\n"
      "         2         6         1         1\n"
      " -5.00000E-01  6.28000E+01  0.00000E+00  0.00000E+00  0.00000E+00  0.00000E+00\n"
      "         1\n"
      "  0.00000E+00  0.00000E+00  0.00000E+00  0.00000E+00  0.00000E+00  0.00000E+00\n"
      "         5\n"
      "  0.00000E+00  0.00000E+00  0.00000E+00  0.00000E+00  2.50000E-01 -1.00000E+00\n";
  EXPECT_NE(text.str().find(expected), std::string::npos) << text.str();
}

TEST(UffModes, MustFitTheGeometry) {
  const test::TemporaryFolder folder;
  const std::filesystem::path file = folder.path() / "modes.unv";
  EXPECT_THROW(write_uff_modes(file, triangle(), {{.motion = Eigen::MatrixXcd::Zero(2, 3)}}),
               InvalidInput);
  UffGeometry lost = triangle();
  lost.lines.push_back({1, 6});
  EXPECT_THROW(write_uff_modes(file, lost, {}), InvalidInput);
}

}  // namespace
}  // namespace alembert::io::uff_geometry_test
