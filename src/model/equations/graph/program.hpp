#pragma once

#include <string>
#include <utility>
#include <vector>

#include "alembert/model/equations.hpp"
#include "model/equations/graph/derivative.hpp"
#include "model/equations/graph/graph.hpp"

namespace alembert::model::equations {

/// A function of the model: its values and its Jacobians.
struct FunctionNodes {
  std::vector<NodeId> values;
  std::vector<Entry> by_state;
  std::vector<Entry> by_input;
  std::vector<Entry> by_parameter;
};

/// A model as a graph: x' = f, y = g, x(0) = x0.
struct Program {
  Graph graph;
  std::vector<std::string> states;
  std::vector<std::string> inputs;
  std::vector<std::string> outputs;
  std::vector<std::string> parameters;
  std::vector<SecondOrderPair> pairs;
  std::vector<std::string> unused;
  std::vector<std::pair<std::string, std::string>> units;  ///< name, unit
  FunctionNodes f;
  FunctionNodes g;
  FunctionNodes start;  ///< by_parameter only
  bool depends_on_time = false;
  bool start_uses_inputs = false;
};

}  // namespace alembert::model::equations
