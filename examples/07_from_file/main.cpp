// Mass, damping and stiffness from the records in a file.
#include <fmt/core.h>

#include <alembert/core/error.hpp>
#include <alembert/identify/linear.hpp>
#include <alembert/io/csv.hpp>

int main(int argc, char** argv) {
  try {
    const auto record = alembert::io::read_csv(argc > 1 ? argv[1] : "chain.out/record.csv");
    const auto fit =
        alembert::identify::identify_linear({{.input = record.select({"u1", "u2", "u3"}).samples(),
                                              .output = record.select({"y1", "y2", "y3"}).samples(),
                                              .step = record.time().step()}},
                                            {.degrees_of_freedom = 3});
    fmt::print("{}\n", fit.summary());
    return fit.verdict.level == alembert::TrustLevel::Bad ? 1 : 0;
  } catch (const alembert::DataError& error) {  // the file
    fmt::print(stderr, "{}\n", error.what());
    return 3;
  } catch (const alembert::InvalidInput& error) {  // the call
    fmt::print(stderr, "{}\n", error.what());
    return 2;
  }
}
