#include "alembert/io/mesh.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "support/records.hpp"

namespace alembert::io {
namespace mesh_test {

using model::CellKind;
using model::Mesh;
using test::data_error_of;
using testing::HasSubstr;

// Two bricks in a row, one end named; format 2.2 by hand.
const std::string kGmsh2 = R"($MeshFormat
2.2 0 8
$EndMeshFormat
$PhysicalNames
2
2 7 "clamped end"
3 9 "steel"
$EndPhysicalNames
$Nodes
12
1 0 0 0
2 0 1 0
3 0 1 1
4 0 0 1
5 1 0 0
6 1 1 0
7 1 1 1
8 1 0 1
9 2 0 0
10 2 1 0
11 2 1 1
12 2 0 1
$EndNodes
$Elements
3
1 3 2 7 1 1 2 3 4
2 5 2 9 1 1 2 3 4 5 6 7 8
3 5 2 9 1 5 6 7 8 9 10 11 12
$EndElements
)";

// A tetrahedron of ten nodes in format 4.1: the middles of 3-4 and 2-4 are its nodes 9 and 10.
const std::string kGmsh4 = R"($MeshFormat
4.1 0 8
$EndMeshFormat
$PhysicalNames
1
3 4 "all"
$EndPhysicalNames
$Entities
1 0 0 1
5 0 0 0 0
1 0 0 0 1 1 1 1 4 0
$EndEntities
$Nodes
1 10 1 20
3 1 0 10
1
2
3
4
5
6
7
8
9
20
0 0 0
1 0 0
0 1 0
0 0 1
0.5 0 0
0.5 0.5 0
0 0.5 0
0 0 0.5
0 0.5 0.5
0.5 0 0.5
$EndNodes
$Elements
1 1 30 30
3 1 11 1
30 1 2 3 4 5 6 7 8 9 20
$EndElements
)";

const std::string kAbaqus = R"(*Heading
 two bricks
** a comment
*Node, nset=EVERY
1, 0., 0., 0.
2, 0., 1., 0.
3, 0., 1., 1.
4, 0., 0., 1.
5, 1., 0., 0.
6, 1., 1., 0.
7, 1., 1., 1.
8, 1., 0., 1.
9, 2.0E0, 0., 0.
10, 2., 1., 0.
11, 2., 1., 1.
12, 2., 0., 1.
*ELEMENT, TYPE=C3D8R, ELSET=LEFT
2, 1, 2, 3, 4,
 5, 6, 7, 8
*Element, type=c3d8, elset=right
3, 5, 6, 7, 8, 9, 10, 11, 12
*NSET, NSET=CLAMPED, GENERATE
1, 4, 1
*Nset, nset=tip
9, 10,
11, 12
*Material, name=steel
*Elastic
210000., 0.3
)";

void expect_two_bricks(const Mesh& mesh) {
  ASSERT_EQ(mesh.nodes.size(), 12U);
  EXPECT_EQ(mesh.nodes[8].number, 9);
  EXPECT_EQ(mesh.nodes[8].place, Eigen::Vector3d(2, 0, 0));
  ASSERT_EQ(mesh.cells.size(), 2U);
  EXPECT_EQ(mesh.cells[0].kind, CellKind::Hex8);
  EXPECT_EQ(mesh.cells[0].number, 2);
  EXPECT_THAT(mesh.cells[1].nodes, testing::ElementsAre(4, 5, 6, 7, 8, 9, 10, 11));
}

TEST(ReadGmsh, ReadsNodesElementsAndNamedGroups) {
  const Mesh mesh = parse_gmsh(kGmsh2, "bar.msh");
  expect_two_bricks(mesh);
  EXPECT_THAT(mesh.node_sets.at("clamped end"), testing::ElementsAre(0, 1, 2, 3));
  EXPECT_EQ(mesh.node_sets.at("steel").size(), 12U);
}

TEST(ReadGmsh, PutsTheNodesOfTetrahedraInOurOrder) {
  const Mesh mesh = parse_gmsh(kGmsh4, "tet.msh");
  ASSERT_EQ(mesh.cells.size(), 1U);
  EXPECT_EQ(mesh.cells[0].kind, CellKind::Tet10);
  EXPECT_EQ(mesh.node_sets.at("all").size(), 10U);
  // Each node behind the corners lies in the middle of its edge: 1-2, 2-3, 3-1, 1-4, 2-4, 3-4.
  const int edges[6][2] = {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 3}, {2, 3}};
  const auto place = [&](int local) -> Eigen::Vector3d {
    const auto node = mesh.cells[0].nodes[static_cast<std::size_t>(local)];
    return mesh.nodes[static_cast<std::size_t>(node)].place;
  };
  for (int e = 0; e < 6; ++e) {
    EXPECT_EQ(place(4 + e), 0.5 * (place(edges[e][0]) + place(edges[e][1]))) << e;
  }
}

TEST(ReadAbaqusMesh, ReadsNodesElementsAndSets) {
  const Mesh mesh = parse_abaqus_mesh(kAbaqus, "bar.inp");
  expect_two_bricks(mesh);
  EXPECT_EQ(mesh.node_sets.at("EVERY").size(), 12U);
  EXPECT_THAT(mesh.node_sets.at("CLAMPED"), testing::ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(mesh.node_sets.at("tip"), testing::ElementsAre(8, 9, 10, 11));
  EXPECT_THAT(mesh.node_sets.at("right"), testing::ElementsAre(4, 5, 6, 7, 8, 9, 10, 11));
}

std::string replaced(std::string text, const std::string& what, const std::string& with) {
  const std::size_t at = text.find(what);
  EXPECT_NE(at, std::string::npos) << what;
  return text.replace(at, what.size(), with);
}

TEST(ReadGmsh, NamesWhatItCannotRead) {
  const auto message = [&](const std::string& text) {
    return data_error_of([&] { (void)parse_gmsh(text, "bar.msh"); });
  };
  EXPECT_THAT(message("solid x"), HasSubstr("is no Gmsh mesh"));
  EXPECT_THAT(message(replaced(kGmsh2, "2.2 0 8", "2.2 1 8")), HasSubstr("bar.msh:2: is binary"));
  EXPECT_THAT(message(replaced(kGmsh2, "2.2 0 8", "3 0 8")), HasSubstr("has format 3"));
  EXPECT_THAT(message(replaced(kGmsh2, "12\n1 0 0 0", "99999\n1 0 0 0")),
              HasSubstr("announces 99999 lines"));
  EXPECT_THAT(message(replaced(kGmsh2, "9 10 11 12\n", "9 10 11 13\n")),
              HasSubstr("element 3 has node 13, which is not there"));
  EXPECT_THAT(message(replaced(kGmsh2, "2 0 1 0\n", "1 0 1 0\n")),
              HasSubstr("node 1 is there twice"));
  EXPECT_THAT(message(replaced(kGmsh2, "2 5 2 9 1 1 2 3 4 5 6 7 8", "2 6 2 9 1 1 2 3 4 5 6")),
              HasSubstr("element 2 is a prism with 6 nodes"));
  EXPECT_THAT(message(kGmsh2.substr(0, 200)), HasSubstr("ends in the middle"));
  EXPECT_THAT(message(replaced(kGmsh2, "1 0 0 0", "1 0 nan 0")), HasSubstr("finite number"));
}

TEST(ReadAbaqusMesh, NamesWhatItCannotRead) {
  const auto message = [&](const std::string& text) {
    return data_error_of([&] { (void)parse_abaqus_mesh(text, "bar.inp"); });
  };
  EXPECT_THAT(message(replaced(kAbaqus, "C3D8R", "C3D20R")),
              HasSubstr("bar.inp:17: elements of type C3D20R are not read"));
  EXPECT_THAT(message(replaced(kAbaqus, " 5, 6, 7, 8\n", " 5, 6, 7\n")),
              HasSubstr("element 2 must have 8 nodes, got 7"));
  EXPECT_THAT(message(replaced(kAbaqus, "*Heading", "*INCLUDE, INPUT=x.inp")),
              HasSubstr("put the files together"));
  EXPECT_THAT(message(replaced(kAbaqus, "1, 4, 1", "1, 99999999, 1")),
              HasSubstr("GENERATE has far more numbers"));
  EXPECT_THAT(message("*Node\n1, 0, 0, 0\n"), HasSubstr("has no elements that are read"));
}

}  // namespace mesh_test
}  // namespace alembert::io
