#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "alembert/identify/experiment.hpp"
#include "alembert/model/equation_engine.hpp"
#include "alembert/optimize/parameter.hpp"

/// Models of the cascaded tanks benchmark: a pump fills the upper tank, which empties into the
/// lower one, and spills above 10 V. The input is the voltage of the pump, the output that of the
/// level of the lower tank.
namespace alembert::reproductions::tanks {

/// A model with its unknowns and where their search begins.
struct Model {
  std::string name;
  model::CompiledEquations equations;
  std::vector<optimize::Parameter> parameters;
};

/// The model of [Brunot2017] with √(2g) in both equations, from the published guesses.
/// It is that of studies/tanks/published.toml, which needs the record it is for.
/// @throws StudyError if the record does not fit.
[[nodiscard]] Model published_model(const std::filesystem::path& record);

/// What the models with more physics than the published one have.
struct Terms {
  bool own_outlets = false;  ///< each tank has its own outlet; part of the spill misses the lower
  bool curved = false;       ///< the outflow deviates from the root of the level
  bool overflow = false;     ///< the lower tank spills too, above a level of its own
  bool lag = false;          ///< the pump follows its voltage with a delay
};
[[nodiscard]] Model extended_model(const std::string& name, const Terms& terms);

/// The two records of the benchmark, 1024 samples each, 4 s apart, in V.
struct Data {
  identify::Experiments estimation, validation;
};
[[nodiscard]] Data read_data(const std::filesystem::path& file);

}  // namespace alembert::reproductions::tanks
