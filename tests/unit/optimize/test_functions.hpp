#pragma once

#include <Eigen/Core>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "alembert/optimize/minimise.hpp"

/// Least-squares problems with a known minimum, their Jacobians written out by hand.
namespace alembert::test {

struct TestFunction {
  std::string name;
  Eigen::VectorXd start, solution;
  std::function<Eigen::VectorXd(const Eigen::VectorXd&)> residuals;
  std::function<Eigen::MatrixXd(const Eigen::VectorXd&)> jacobian;
  bool singular = false;  ///< J loses rank at the solution
};

inline TestFunction rosenbrock() {
  return {"rosenbrock", Eigen::Vector2d(-1.2, 1.0), Eigen::Vector2d(1.0, 1.0),
          [](const Eigen::VectorXd& x) -> Eigen::VectorXd {
            return Eigen::Vector2d(10.0 * (x(1) - x(0) * x(0)), 1.0 - x(0));
          },
          [](const Eigen::VectorXd& x) -> Eigen::MatrixXd {
            return (Eigen::Matrix2d() << -20.0 * x(0), 10.0, -1.0, 0.0).finished();
          }};
}

inline TestFunction powell_singular() {
  return {"powell singular",
          Eigen::Vector4d(3.0, -1.0, 0.0, 1.0),
          Eigen::Vector4d::Zero(),
          [](const Eigen::VectorXd& x) -> Eigen::VectorXd {
            return Eigen::Vector4d(x(0) + 10.0 * x(1), std::sqrt(5.0) * (x(2) - x(3)),
                                   std::pow(x(1) - 2.0 * x(2), 2.0),
                                   std::sqrt(10.0) * std::pow(x(0) - x(3), 2.0));
          },
          [](const Eigen::VectorXd& x) -> Eigen::MatrixXd {
            const double a = 2.0 * (x(1) - 2.0 * x(2));
            const double b = 2.0 * std::sqrt(10.0) * (x(0) - x(3));
            const double c = std::sqrt(5.0);
            return (Eigen::Matrix4d() << 1, 10, 0, 0, 0, 0, c, -c, 0, a, -2.0 * a, 0, b, 0, 0, -b)
                .finished();
          },
          true};
}

inline TestFunction beale() {
  return {"beale", Eigen::Vector2d(1.0, 1.0), Eigen::Vector2d(3.0, 0.5),
          [](const Eigen::VectorXd& x) -> Eigen::VectorXd {
            const double y = x(1);
            return Eigen::Vector3d(1.5 - x(0) * (1.0 - y), 2.25 - x(0) * (1.0 - y * y),
                                   2.625 - x(0) * (1.0 - y * y * y));
          },
          [](const Eigen::VectorXd& x) -> Eigen::MatrixXd {
            const double y = x(1);
            Eigen::MatrixXd J(3, 2);
            J << y - 1.0, x(0), y * y - 1.0, 2.0 * y * x(0), y * y * y - 1.0, 3.0 * y * y * x(0);
            return J;
          }};
}

inline TestFunction brown_badly_scaled() {
  return {"brown badly scaled", Eigen::Vector2d(1.0, 1.0), Eigen::Vector2d(1e6, 2e-6),
          [](const Eigen::VectorXd& x) -> Eigen::VectorXd {
            return Eigen::Vector3d(x(0) - 1e6, x(1) - 2e-6, x(0) * x(1) - 2.0);
          },
          [](const Eigen::VectorXd& x) -> Eigen::MatrixXd {
            return (Eigen::MatrixXd(3, 2) << 1.0, 0.0, 0.0, 1.0, x(1), x(0)).finished();
          }};
}

/// The function as a problem; parameters are x1, x2, ...
inline optimize::Problem problem_of(const TestFunction& function) {
  optimize::Problem problem;
  for (Eigen::Index i = 0; i < function.start.size(); ++i) {
    problem.parameters.push_back({.name = "x" + std::to_string(i + 1), .guess = function.start(i)});
  }
  problem.objective.cost = [function](const Eigen::VectorXd& x) {
    return function.residuals(x).squaredNorm();
  };
  problem.objective.sums = [function](const Eigen::VectorXd& x, optimize::NormalEquations& sums) {
    sums.add(function.residuals(x), function.jacobian(x));
  };
  return problem;
}

}  // namespace alembert::test
