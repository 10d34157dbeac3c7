#include "alembert/report/reduce_report.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "alembert/report/page.hpp"
#include "alembert/study/study.hpp"
#include "report/tasks/reduce/mesh_drawing.hpp"

namespace alembert::report::reduce_report_test {

const std::string kPlate = R"(
title = "Plate"
[structure.plate]
x = [0.0, 0.1, 0.2]
y = [0.0, 0.1]
[reduce]
masters = [{ nodes = [1, 2] }]
modes = [4, 5]
forces = [{ frequency = 50.0 }]
)";

study::ReduceOutcome reduced() {
  const study::LoadedStudy loaded = study::load_study_text(kPlate, "plate.toml");
  if (!loaded.problems.empty()) study::raise(loaded.problems.front());
  return study::run_reduce(*loaded.as<study::ReduceStudy>());
}

TEST(ReduceReport, HasItsSections) {
  const document::Document page = reduce_document(reduced());
  std::vector<std::string> titles;
  for (const document::Section& one : page.sections) titles.push_back(one.title);
  for (const char* wanted :
       {"How right the small model is", "How small it can be", "Target modes on the mesh",
        "Modes against modes", "Interior modes that matter", "No mode is missing"}) {
    EXPECT_NE(std::find(titles.begin(), titles.end(), wanted), titles.end()) << wanted;
  }
  EXPECT_NE(render_html(page).find("plate.toml"), std::string::npos);
}

// Each node is where the mesh has it, moved along the shape, at both ends of the swing.
TEST(ShapeAnimation, SwingsAboutTheMesh) {
  const study::ReduceOutcome result = reduced();
  const model::Structure& mesh = result.study.structure;
  const auto drawn = shape_animation(mesh, result.modes.shapes.col(3), "m", "Mode 4");
  ASSERT_TRUE(drawn.has_value());
  EXPECT_EQ(drawn->links.size(), 7U);  // edges of two cells side by side
  const Eigen::Index half = (drawn->poses.rows() - 1) / 2;
  for (std::size_t i = 0; i < mesh.nodes.size(); ++i) {
    const auto column = static_cast<Eigen::Index>(3 * i);
    const double middle = 0.5 * (drawn->poses(0, column) + drawn->poses(half, column));
    EXPECT_NEAR(middle, mesh.nodes[i].place.x(), 1e-15) << i;
  }
}

TEST(ShapeAnimation, DrawsNothingWithoutAMesh) {
  study::ReduceOutcome result = reduced();
  result.study.structure.faces.clear();
  EXPECT_FALSE(shape_animation(result.study.structure, result.modes.shapes.col(3), "m", "Mode 4")
                   .has_value());
}

}  // namespace alembert::report::reduce_report_test
