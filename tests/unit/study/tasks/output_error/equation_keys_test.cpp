#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "alembert/study/output_error.hpp"
#include "alembert/study/simulate.hpp"
#include "alembert/study/study.hpp"
#include "support/data.hpp"
#include "unit/study/study_text.hpp"

namespace alembert::study {
namespace equation_keys_test {

using identify::Integrator;
using testing::HasSubstr;

const std::string kStudy = R"toml(title = "Lag"
[data]
files = ["one.csv", "two.csv"]
step = 0.1
inputs = { u = "u" }
outputs = { y = "y" }
[model]
equations = "y' = a*(u - y)"
[identify]
method = "output-error"
parameters.a = 1.0
)toml";

class EquationKeys : public testing::Test {
 protected:
  void SetUp() override { records("mm", "mm", "1.5"); }

  void records(const std::string& first, const std::string& second, const std::string& value) {
    (void)folder.write("one.csv", "u,y [" + first + "]\n1,0\n1,1\n0,1\n");
    (void)folder.write("two.csv", "u,y [" + second + "]\n1," + value + "\n1,\n0,\n");
  }

  std::string problem(const std::vector<std::string>& changes) const {
    const LoadedStudy loaded =
        load_study_text(kStudy, folder.path() / "study.toml", test::changed(changes));
    return loaded.problems.empty() ? "" : to_string(loaded.problems.front());
  }

  identify::OutputErrorOptions options(const std::vector<std::string>& changes) const {
    const LoadedStudy loaded =
        load_study_text(kStudy, folder.path() / "study.toml", test::changed(changes));
    EXPECT_TRUE(loaded.problems.empty()) << to_string(loaded.problems.front());
    return loaded.as<OutputErrorStudy>()->options.output_error;
  }

  test::TemporaryFolder folder;
};

TEST_F(EquationKeys, IntegratorsAndTolerances) {
  EXPECT_EQ(options({}).simulation.integrator, Integrator::RungeKutta4);
  const auto newmark = options({"identify.integrator=newmark", "identify.substeps=7"}).simulation;
  EXPECT_EQ(integrator_words(newmark), "Newmark, 7 steps a sample");
  const auto steps = options({"identify.integrator=dormand-prince", "identify.events=true",
                              "identify.relative-tolerance=1e-6"})
                         .simulation;
  EXPECT_EQ(integrator_words(steps), "Dormand-Prince, tolerance 1e-06, kinks located");
  EXPECT_EQ(name_of(steps.integrator), "dormand-prince");
  EXPECT_THAT(problem({"identify.events=true"}), HasSubstr("needs integrator"));
  if (integrate::has_stiff_integrator()) {
    EXPECT_EQ(options({"identify.integrator=stiff"}).simulation.tolerance(), 1e-10);
  } else {
    EXPECT_THAT(problem({"identify.integrator=stiff"}), HasSubstr("needs SUNDIALS"));
  }
}

TEST_F(EquationKeys, Strategies) {
  using identify::StartStrategy;
  EXPECT_EQ(options({}).strategy, StartStrategy::Automatic);
  EXPECT_EQ(options({"identify.strategy=plain"}).strategy, StartStrategy::Plain);
  EXPECT_EQ(options({"identify.strategy=windows"}).strategy, StartStrategy::Windows);
  EXPECT_THAT(problem({"identify.strategy=windos"}), HasSubstr("did you mean \"windows\"?"));
}

// Without a unit of the model nothing would be converted.
TEST_F(EquationKeys, FilesInDifferentUnitsNeedAUnitOfTheModel) {
  EXPECT_EQ(problem({}), "");
  records("mm", "m", "1.5");
  EXPECT_THAT(problem({}), HasSubstr("give model.units.y"));
  EXPECT_EQ(problem({"model.units.y=mm"}), "");
}

TEST_F(EquationKeys, AnOutputWithoutNumbersIsNamed) {
  records("mm", "mm", "");
  EXPECT_THAT(problem({"data.files=[\"two.csv\"]"}), HasSubstr("column \"y\" has no numbers"));
}

}  // namespace equation_keys_test
}  // namespace alembert::study
