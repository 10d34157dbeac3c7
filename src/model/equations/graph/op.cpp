#include "model/equations/graph/op.hpp"

#include <algorithm>

#include "alembert/core/not_a_number.hpp"

namespace alembert::model::equations {

namespace {

// The piece of a curve over [x_k, x_k + h), which holds x = x_k + s h:
//   u(s) = u + Δ s, or for a spline  u + c1 s + c2 s² + c3 s³
// with c1 = hu', c2 = 3Δ - 2hu' - hu'₊, c3 = hu' + hu'₊ - 2Δ.
struct Piece {
  double y, h, s, rise, c1, c2, c3;
};

Piece piece_at(const Curve& curve, double x) {
  const auto after = std::upper_bound(curve.x.begin(), curve.x.end(), x);
  const auto k = static_cast<std::size_t>(after - curve.x.begin()) - 1;
  Piece piece{};
  piece.y = curve.y[k];
  piece.h = curve.x[k + 1] - curve.x[k];
  piece.s = (x - curve.x[k]) / piece.h;
  piece.rise = curve.y[k + 1] - curve.y[k];
  if (!curve.slope.empty()) {
    piece.c1 = piece.h * curve.slope[k];
    const double end = piece.h * curve.slope[k + 1];
    piece.c2 = 3.0 * piece.rise - 2.0 * piece.c1 - end;
    piece.c3 = piece.c1 + end - 2.0 * piece.rise;
  }
  return piece;
}

double evaluate_function(Op op, double a) {
  switch (op) {
    case Op::Exp:
      return std::exp(a);
    case Op::Log:
      return std::log(a);
    case Op::Sin:
      return std::sin(a);
    case Op::Cos:
      return std::cos(a);
    case Op::Tan:
      return std::tan(a);
    case Op::Asin:
      return std::asin(a);
    case Op::Acos:
      return std::acos(a);
    case Op::Atan:
      return std::atan(a);
    case Op::Sinh:
      return std::sinh(a);
    case Op::Cosh:
      return std::cosh(a);
    case Op::Tanh:
      return std::tanh(a);
    default:
      return kNaN;
  }
}

}  // namespace

double curve_value(const Curve& curve, double x) {
  if (!(x >= curve.x.front())) {
    return x < curve.x.front() ? curve.y.front() : x;  // NaN stays NaN
  }
  if (x >= curve.x.back()) {
    return curve.y.back();
  }
  const Piece piece = piece_at(curve, x);
  if (curve.slope.empty()) {
    return piece.y + piece.rise * piece.s;
  }
  return piece.y + piece.s * (piece.c1 + piece.s * (piece.c2 + piece.s * piece.c3));
}

double curve_slope(const Curve& curve, double x) {
  if (!(x >= curve.x.front())) {
    return x < curve.x.front() ? 0.0 : x;
  }
  if (x >= curve.x.back()) {
    return 0.0;
  }
  const Piece piece = piece_at(curve, x);
  if (curve.slope.empty()) {
    return piece.rise / piece.h;
  }
  return (piece.c1 + piece.s * (2.0 * piece.c2 + piece.s * (3.0 * piece.c3))) / piece.h;
}

double evaluate(Op op, double a, double b, double c, const Curve* curve) {
  switch (op) {
    case Op::Neg:
      return -a;
    case Op::Not:
      return truth(a == 0.0);
    case Op::Abs:
      return std::fabs(a);
    case Op::Sign:
      return sign_of(a);
    case Op::Floor:
      return std::floor(a);
    case Op::Sqrt:
      return std::sqrt(a);
    case Op::SafeInverse:
      return safe_inverse(a);
    case Op::Table:
      return curve_value(*curve, a);
    case Op::TableSlope:
      return curve_slope(*curve, a);
    case Op::Add:
      return a + b;
    case Op::Sub:
      return a - b;
    case Op::Mul:
      return a * b;
    case Op::Div:
      return a / b;
    case Op::Pow:
      return std::pow(a, b);
    case Op::Min:
      return a < b ? a : b;
    case Op::Max:
      return a > b ? a : b;
    case Op::Atan2:
      return std::atan2(a, b);
    case Op::PowLog:
      return pow_log(a, b);
    case Op::Less:
      return truth(a < b);
    case Op::LessEqual:
      return truth(a <= b);
    case Op::Equal:
      return truth(a == b);
    case Op::NotEqual:
      return truth(a != b);
    case Op::And:
      return truth(a != 0.0 && b != 0.0);
    case Op::Or:
      return truth(a != 0.0 || b != 0.0);
    case Op::Select:
      return a != 0.0 ? b : c;
    case Op::PowSlope:
      return pow_slope(a, b, c);
    case Op::PowUp:
      return pow_up(a, b, c);
    default:
      return evaluate_function(op, a);
  }
}

}  // namespace alembert::model::equations
