#pragma once

// Forward dynamics with derivatives of two mechanisms as one writes them by hand.

#include <Eigen/Core>
#include <cmath>

namespace alembert::benchmark {

/// A uniform bar.
struct HandBar {
  double length = 0.0;
  double mass = 0.0;

  [[nodiscard]] double inertia() const { return mass * length * length / 12.0; }
};

/// Crank, rod and slider on y = 0 under a torque on the crank:
///   M(θ) θ'' + M'(θ) θ'²/2 + V'(θ) = T
struct SliderCrankByHand {
  HandBar crank, rod;
  double slider = 0.0;
  double gravity = 9.81;

  /// (θ'', ∂θ''/∂θ, ∂θ''/∂θ', ∂θ''/∂T)
  void operator()(const double* z, const double* zd, const double* F, double* r) const {
    const double L1 = crank.length;
    const double L2 = rod.length;
    const double s = std::sin(z[0]), c = std::cos(z[0]);
    // L1 sin θ + L2 sin β = 0, differentiated three times by θ
    const double k = L1 / L2;
    const double sb = -k * s, cb = std::sqrt(1.0 - sb * sb);
    const double b1 = -k * c / cb;
    const double b2 = (k * s + sb * b1 * b1) / cb;
    const double b3 = (k * c + cb * b1 * b1 * b1 + 3.0 * sb * b1 * b2) / cb;
    const double u1 = -sb * b1, u2 = -(cb * b1 * b1 + sb * b2);
    const double u3 = sb * b1 * b1 * b1 - 3.0 * cb * b1 * b2 - sb * b3;
    const double w1 = cb * b1, w2 = cb * b2 - sb * b1 * b1;
    const double w3 = cb * b3 - cb * b1 * b1 * b1 - 3.0 * sb * b1 * b2;
    const double h = 0.5 * L2;
    const double x1 = -L1 * s + h * u1, x2 = -L1 * c + h * u2, x3 = L1 * s + h * u3;
    const double y1 = L1 * c + h * w1, y2 = -L1 * s + h * w2, y3 = -L1 * c + h * w3;
    const double X1 = -L1 * s + L2 * u1, X2 = -L1 * c + L2 * u2, X3 = L1 * s + L2 * u3;
    const double m = rod.mass, J = rod.inertia();
    const double M = crank.inertia() + 0.25 * crank.mass * L1 * L1 + m * (x1 * x1 + y1 * y1) +
                     J * b1 * b1 + slider * X1 * X1;
    const double M1 = 2.0 * (m * (x1 * x2 + y1 * y2) + J * b1 * b2 + slider * X1 * X2);
    const double M2 = 2.0 * (m * (x2 * x2 + x1 * x3 + y2 * y2 + y1 * y3) + J * (b2 * b2 + b1 * b3) +
                             slider * (X2 * X2 + X1 * X3));
    const double V1 = gravity * (0.5 * crank.mass * L1 * c + m * y1);
    const double V2 = gravity * (m * y2 - 0.5 * crank.mass * L1 * s);
    const double rate = zd[0];
    const double inverse = 1.0 / M;
    r[0] = inverse * (F[0] - 0.5 * M1 * rate * rate - V1);
    r[1] = -inverse * (0.5 * M2 * rate * rate + V2 + M1 * r[0]);
    r[2] = -inverse * M1 * rate;
    r[3] = inverse;
  }
};

/// Two bars in a row under torques at both pins; the second angle is relative to the first.
struct TwoLinkByHand {
  HandBar upper, lower;
  double gravity = 9.81;

  /// z'' (2), then ∂z''/∂z, ∂z''/∂z' and ∂z''/∂F, columns of 2.
  void operator()(const double* z, const double* zd, const double* F, double* r) const {
    const double L1 = upper.length, L2 = lower.length;
    const double a = upper.inertia() + lower.inertia() + 0.25 * upper.mass * L1 * L1 +
                     lower.mass * (L1 * L1 + 0.25 * L2 * L2);
    const double b = 0.5 * lower.mass * L1 * L2;
    const double d = lower.inertia() + 0.25 * lower.mass * L2 * L2;
    const double s2 = std::sin(z[1]), c2 = std::cos(z[1]);
    const double s1 = std::sin(z[0]), c1 = std::cos(z[0]);
    const double s12 = std::sin(z[0] + z[1]), c12 = std::cos(z[0] + z[1]);
    const double M11 = a + 2.0 * b * c2, M12 = d + b * c2, M22 = d;
    const double p1 = gravity * (0.5 * upper.mass + lower.mass) * L1;
    const double p2 = 0.5 * gravity * lower.mass * L2;
    const double v1 = zd[0], v2 = zd[1];
    const double f1 = F[0] + b * s2 * (2.0 * v1 * v2 + v2 * v2) - p1 * c1 - p2 * c12;
    const double f2 = F[1] - b * s2 * v1 * v1 - p2 * c12;
    const double inverse = 1.0 / (M11 * M22 - M12 * M12);
    const auto solve = [&](double right1, double right2, double* x) {
      x[0] = inverse * (M22 * right1 - M12 * right2);
      x[1] = inverse * (M11 * right2 - M12 * right1);
    };
    solve(f1, f2, r);
    // M ∂z'' = ∂f − ∂M z''
    solve(p1 * s1 + p2 * s12, p2 * s12, r + 2);
    solve(b * c2 * (2.0 * v1 * v2 + v2 * v2) + p2 * s12 + b * s2 * (2.0 * r[0] + r[1]),
          -b * c2 * v1 * v1 + p2 * s12 + b * s2 * r[0], r + 4);
    solve(2.0 * b * s2 * v2, -2.0 * b * s2 * v1, r + 6);
    solve(2.0 * b * s2 * (v1 + v2), 0.0, r + 8);
    solve(1.0, 0.0, r + 10);
    solve(0.0, 1.0, r + 12);
  }
};

}  // namespace alembert::benchmark
