#include <algorithm>
#include <cmath>

#include "alembert/core/not_a_number.hpp"
#include "alembert/integrate/detail/scaled_system.hpp"
#include "core/algebra/blas.hpp"
#include "core/algebra/decompositions.hpp"
#include "core/algebra/dense.hpp"
#include "identify/refine/sensitivity.hpp"

// The sensitivities by their own recursion: with z₊ = F z + G w and S = ∂z,
//   S₊ = F S + ∂F z + ∂G w,   ∂y = Cz S + C2 (∂A z + ∂B u).
namespace alembert::identify {

namespace {

using Eigen::Index;

constexpr Index kDirectBlock = 128;

// The derivatives by one unknown.
struct Slope {
  Eigen::MatrixXd A, B, F, G;
};

struct DirectModel {
  integrate::ScaledSystem form;
  RuleMatrices map;
  ScaledOutputs outputs;
  Eigen::MatrixXd Cz;
  std::vector<Slope> slopes;  // by θ
};

// f([A ∂A; 0 A]) [∂B; B] = [∂(f(A) B); f(A) B] for every function f of a matrix.
void set_map_slopes(const StepRule& rule, const integrate::ScaledSystem& form, Slope& slope) {
  const Index size = form.A.rows();
  Eigen::MatrixXd A = Eigen::MatrixXd::Zero(2 * size, 2 * size);
  A.topLeftCorner(size, size) = form.A;
  A.bottomRightCorner(size, size) = form.A;
  A.topRightCorner(size, size) = slope.A;
  Eigen::MatrixXd B(2 * size, form.B.cols());
  B << slope.B, form.B;
  const RuleMatrices both = rule_matrices(rule, A, B);
  slope.F = both.F.topRightCorner(size, size);
  slope.G = both.G.topRows(size);
}

DirectModel direct_model(const Fit& fit, const Guess& guess) {
  const Index n = fit.coordinates();
  const double h = fit.step;
  DirectModel model;
  model.form = integrate::scaled_system("refine", guess.system, h);
  model.map = rule_matrices(fit.rule, model.form.A, model.form.B);
  model.outputs = scaled_outputs(fit);
  model.Cz = model.outputs.C0 + model.outputs.C2 * model.form.A;
  const Eigen::LLT<Eigen::MatrixXd> mass(guess.system.M);
  for (Index a = 0; a < guess.unknowns(); ++a) {
    const Matrices change = unstacked(Eigen::VectorXd(guess.jacobian.col(a)));
    Slope slope{
        Eigen::MatrixXd::Zero(2 * n, 2 * n), Eigen::MatrixXd::Zero(2 * n, fit.inputs()), {}, {}};
    // ∂(A2) = -M⁻¹ (∂M A2 + (h² ∂K, h ∂D)),  ∂(B2) = -M⁻¹ ∂M B2
    Eigen::MatrixXd right = change.M * model.form.A.bottomRows(n);
    right.leftCols(n) += h * h * change.K;
    right.rightCols(n) += h * change.D;
    slope.A.bottomRows(n) = -mass.solve(right);
    slope.B.bottomRows(n) = -mass.solve(change.M * model.form.B.bottomRows(n));
    set_map_slopes(fit.rule, model.form, slope);
    model.slopes.push_back(std::move(slope));
  }
  return model;
}

// Goes through one experiment and hands out J block by block, rows (sample, output).
class DirectRun {
 public:
  DirectRun(const Fit& fit, const Guess& guess, const DirectModel& model, std::size_t experiment)
      : fit_(fit),
        model_(model),
        experiment_(experiment),
        state_(guess.start.col(static_cast<Index>(experiment))),
        columns_(guess.unknowns() + fit.start_size()),
        place_(guess.unknowns() + static_cast<Index>(experiment) * fit.start_size()),
        sensitivity_(Eigen::MatrixXd::Zero(2 * fit.coordinates(), columns_)) {
    if (fit.free_start) sensitivity_.rightCols(fit.start_size()).setIdentity();
  }

  // J of samples first.. with weights, zero rows where a sample is missing; all unknowns.
  Eigen::MatrixXd block(Index first, Index count, const Eigen::VectorXd& weights, Index size) {
    const Index p = fit_.output_count();
    read_motion(first, count);
    Eigen::MatrixXd J = Eigen::MatrixXd::Zero(count * p, size);
    const Index unknowns = static_cast<Index>(model_.slopes.size());
    for (Index a = 0; a < columns_; ++a) {
      Eigen::MatrixXd y = column(a, count, a < unknowns ? &slope(a) : nullptr);
      for (Index k = 0; k < count; ++k) {
        for (Index i = 0; i < p; ++i) {
          const bool missing = std::isnan(fit_.data[experiment_].output(first + k, i));
          y(i, k) = missing ? 0.0 : weights(i) * y(i, k);
        }
      }
      J.col(a < unknowns ? a : place_ + a - unknowns) = y.reshaped();
    }
    return J;
  }

 private:
  const Slope& slope(Index a) const { return model_.slopes[static_cast<std::size_t>(a)]; }

  void read_motion(Index first, Index count) {
    const Eigen::MatrixXd& input = fit_.data[experiment_].input;
    steps_ = std::min(count, input.rows() - 1 - first);
    drive_.setZero(model_.map.G.cols(), count);
    if (steps_ > 0) fit_.stencils[experiment_].fill(first, drive_.leftCols(steps_));
    input_ = input.middleRows(first, count).transpose();
    motion_.resize(state_.size(), count);
    for (Index k = 0; k < count; ++k) {
      motion_.col(k) = state_;
      state_ = model_.map.F * state_ + model_.map.G * drive_.col(k);
    }
  }

  // ∂y of one unknown, outputs x count.
  Eigen::MatrixXd column(Index a, Index count, const Slope* slope) {
    Eigen::MatrixXd S(motion_.rows(), count);
    Eigen::MatrixXd force = Eigen::MatrixXd::Zero(motion_.rows(), count);
    if (slope != nullptr) force = slope->F * motion_ + slope->G * drive_;
    Eigen::VectorXd s = sensitivity_.col(a);
    for (Index k = 0; k < count; ++k) {
      S.col(k) = s;
      s = force.col(k) + model_.map.F * S.col(k);
    }
    sensitivity_.col(a) = s;
    Eigen::MatrixXd y = model_.Cz * S;
    if (slope != nullptr && fit_.acceleration_sensed) {
      y += model_.outputs.C2 * (slope->A * motion_ + slope->B * input_);
    }
    return y;
  }

  const Fit& fit_;
  const DirectModel& model_;
  std::size_t experiment_;
  Eigen::VectorXd state_;
  Index columns_, place_;
  Eigen::MatrixXd sensitivity_;
  Index steps_ = 0;
  Eigen::MatrixXd drive_, input_, motion_;
};

template <typename Use>
void for_each_block(const Fit& fit, const Guess& guess, const Eigen::VectorXd& weights,
                    const Use& use) {
  const DirectModel model = direct_model(fit, guess);
  const Index size = unknown_count(fit, guess);
  for (std::size_t e = 0; e < fit.data.size(); ++e) {
    DirectRun run(fit, guess, model, e);
    for (Index first = 0; first < fit.data[e].samples(); first += kDirectBlock) {
      const Index count = std::min(kDirectBlock, fit.data[e].samples() - first);
      use(e, first, count, run.block(first, count, weights, size));
    }
  }
}

}  // namespace

NormalEquations direct_normal_equations(const Fit& fit, const Guess& guess,
                                        const std::vector<Eigen::MatrixXd>& errors,
                                        const Eigen::VectorXd& weights) {
  const Index size = unknown_count(fit, guess);
  NormalEquations total{Eigen::MatrixXd::Zero(size, size), Eigen::VectorXd::Zero(size)};
  for_each_block(fit, guess, weights,
                 [&](std::size_t e, Index first, Index count, const Eigen::MatrixXd& J) {
                   const Eigen::MatrixXd error =
                       weights.asDiagonal() * errors[e].middleRows(first, count).transpose();
                   add_gram(J, total.H);
                   total.gradient += J.transpose() * error.reshaped();
                 });
  total.H = dense::mirrored(total.H);
  return total;
}

std::vector<optimize::ColouredBlock> sensitivity_blocks(const Fit& fit, const Guess& guess,
                                                        const std::vector<Eigen::MatrixXd>& errors,
                                                        const Eigen::VectorXd& weights) {
  const Index size = unknown_count(fit, guess);
  const Index p = fit.output_count();
  std::vector<optimize::ColouredBlock> blocks;
  for (std::size_t e = 0; e < fit.data.size(); ++e) {
    for (Index i = 0; i < p; ++i) {
      const Eigen::VectorXd weighted = weights(i) * errors[e].col(i);
      blocks.push_back(
          {.jacobian = Eigen::MatrixXd::Zero(weighted.size(), size),
           .residual = fit.data[e].output.col(i).array().isNaN().select(kNaN, weighted),
           .channel = static_cast<int>(i),
           .experiment = static_cast<int>(e)});
    }
  }
  for_each_block(fit, guess, weights,
                 [&](std::size_t e, Index first, Index count, const Eigen::MatrixXd& J) {
                   for (Index i = 0; i < p; ++i) {
                     optimize::ColouredBlock& block =
                         blocks[e * static_cast<std::size_t>(p) + static_cast<std::size_t>(i)];
                     for (Index k = 0; k < count; ++k) {
                       block.jacobian.row(first + k) = J.row(k * p + i);
                     }
                   }
                 });
  const Index n = fit.coordinates();
  for (optimize::ColouredBlock& block : blocks) {
    // ∂/∂q' = h ∂/∂(h q')
    for (Index place = guess.unknowns() + n; place < size; place += 2 * n) {
      block.jacobian.middleCols(place, n) *= fit.step;
    }
  }
  std::erase_if(blocks, [](const optimize::ColouredBlock& block) {
    return block.residual.array().isNaN().all();
  });
  return blocks;
}

Eigen::MatrixXd direct_factor(const Fit& fit, const Guess& guess, const Eigen::VectorXd& weights) {
  const Index size = unknown_count(fit, guess);
  Eigen::MatrixXd R(0, size);
  for_each_block(fit, guess, weights, [&](std::size_t, Index, Index, const Eigen::MatrixXd& J) {
    Eigen::MatrixXd tall(R.rows() + J.rows(), size);
    tall << R, J;
    R = triangular_factor(tall);
  });
  Eigen::MatrixXd square = Eigen::MatrixXd::Zero(size, size);
  square.topRows(R.rows()) = R;
  return square;
}

}  // namespace alembert::identify
