#pragma once

// The parts of the C of Newmark's method that are the same for all models. NX, NU, NY, N2 (pairs)
// and NN (unknowns) are numbers of the model.
namespace alembert::model::equations {

inline constexpr const char* kNewmarkDecomposition = R"(
#if defined(__GNUC__)
#define BLOCK 2
typedef double Block __attribute__((vector_size(16), aligned(8), may_alias));
#else
#define BLOCK 1
typedef double Block;
#endif
#if defined(__GNUC__) && NN <= 4
#define UNROLL _Pragma("GCC unroll 4")
#else
#define UNROLL
#endif

/* M = P L R with row exchanges; the diagonal of R is kept inverted. */
INLINE void decompose(double* restrict M, int* restrict pivot) {
  UNROLL for (int k = 0; k < NN; ++k) {
    int best = k;
    UNROLL for (int i = k + 1; i < NN; ++i)
      if (fabs(M[i * NN + k]) > fabs(M[best * NN + k])) best = i;
    pivot[k] = best;
    if (best != k) {
      UNROLL for (int j = 0; j < NN; ++j) {
        const double kept = M[k * NN + j];
        M[k * NN + j] = M[best * NN + j], M[best * NN + j] = kept;
      }
    }
    const double inverse = 1.0 / M[k * NN + k];
    M[k * NN + k] = inverse;
    UNROLL for (int i = k + 1; i < NN; ++i) {
      const double factor = M[i * NN + k] * inverse;
      M[i * NN + k] = factor;
      UNROLL for (int j = k + 1; j < NN; ++j) M[i * NN + j] -= factor * M[k * NN + j];
    }
  }
}

INLINE void solve(const double* restrict M, const int* restrict pivot, double* restrict b) {
  UNROLL for (int k = 0; k < NN; ++k) {
    if (pivot[k] != k) {
      const double kept = b[k];
      b[k] = b[pivot[k]], b[pivot[k]] = kept;
    }
  }
  UNROLL for (int i = 1; i < NN; ++i) UNROLL for (int k = 0; k < i; ++k) b[i] -= M[i * NN + k] * b[k];
  UNROLL for (int k = NN - 1; k >= 0; --k) {
    UNROLL for (int j = k + 1; j < NN; ++j) b[k] -= M[k * NN + j] * b[j];
    b[k] *= M[k * NN + k];
  }
}

)";

inline constexpr const char* kNewmarkStep = R"(
/* Constant average acceleration for the second-order equations and the trapezoidal rule for the
   others. Unknowns b: accelerations, then states of first order. rate: accelerations, then half
   steps h/2 s'; past: rate one and two steps before, of which depth count; P = s + h/2 s'. */
typedef struct {
  double b[NN], rate[NN], past[2][NN], P[NN], scale[NN], base[NX];
  int depth;
} Newmark;

INLINE void newmark_start(Newmark* n, double t, double half, const double* restrict x,
                          const double* restrict u, const double* restrict p,
                          const double* restrict w) {
  double r[NX];
  f(t, x, u, p, w, r);
  for (int i = 0; i < N2; ++i) n->rate[i] = r[velocity[i]];
  for (int i = N2; i < NN; ++i) {
    n->rate[i] = half * r[first[i - N2]];
    n->P[i] = x[first[i - N2]] + n->rate[i];
  }
  n->depth = 0;
}

INLINE void newmark_predict(Newmark* n, const double* x, double h, double half, double quarter) {
  UNROLL for (int i = 0; i < N2; ++i) {
    const double a = n->rate[i];
    n->b[i] = n->depth == 0   ? a
              : n->depth == 1 ? 2.0 * a - n->past[0][i]
                              : 3.0 * (a - n->past[0][i]) + n->past[1][i];
    n->base[position[i]] = x[position[i]] + h * x[velocity[i]] + quarter * a;
    n->base[velocity[i]] = x[velocity[i]] + half * a;
  }
  UNROLL for (int i = N2; i < NN; ++i) {
    const double d = n->rate[i];
    n->b[i] = x[first[i - N2]] +
              (n->depth == 0   ? 2.0 * d
               : n->depth == 1 ? 3.0 * d - n->past[0][i]
                               : (23.0 * d - 16.0 * n->past[0][i] + 5.0 * n->past[1][i]) *
                                     (1.0 / 6.0));
  }
}

INLINE void newmark_point(const Newmark* n, double half, double quarter, double* x) {
  UNROLL for (int i = 0; i < N2; ++i) {
    x[position[i]] = n->base[position[i]] + quarter * n->b[i];
    x[velocity[i]] = n->base[velocity[i]] + half * n->b[i];
  }
  UNROLL for (int i = N2; i < NN; ++i) x[first[i - N2]] = n->b[i];
}

/* Whether the last change is small: against the largest values so far, or against rounding. */
PLAIN int newmark_settled(const Newmark* n, const double* delta, const double* x, double h,
                          double quarter, double tolerance) {
  double top_a = 0.0, top_s = 0.0, top_q = 0.0;
  for (int i = 0; i < N2; ++i) {
    const double q = fabs(x[position[i]]) + h * fabs(x[velocity[i]]);
    if (n->scale[i] > top_a) top_a = n->scale[i];
    if (q > top_q) top_q = q;
  }
  for (int i = N2; i < NN; ++i)
    if (n->scale[i] > top_s) top_s = n->scale[i];
  for (int i = 0; i < NN; ++i) {
    const double top = i < N2 ? top_a : top_s;
    const double scale = n->scale[i] > 1e-9 * top ? n->scale[i] : 1e-9 * top;
    const double change = fabs(delta[i]);
    if (change <= tolerance * scale) continue;
    if (!(i < N2 ? quarter * change <= 1e-13 * top_q : change <= 1e-13 * top_s)) return 0;
  }
  return 1;
}

/* Newton's method for one step; x gets the states at t. Returns 0 if it does not converge. */
INLINE int newmark_solve(Newmark* n, double t, double h, double half, double quarter,
                         double tolerance, const double* restrict u, const double* restrict p,
                         const double* restrict w, double* restrict M, double* restrict x) {
  int pivot[NN];
  double delta[NN];
  newmark_predict(n, x, h, half, quarter);
  for (int iteration = 0; iteration < 25; ++iteration) {
    int small = 1;
    newmark_point(n, half, quarter, x);
    newmark_system(t, x, u, p, w, half, quarter, n->b, n->P, delta, M);
    decompose(M, pivot);
    solve(M, pivot, delta);
    UNROLL for (int i = 0; i < NN; ++i) {
      n->b[i] += delta[i];
      const double size = fabs(n->b[i]);
      if (size > n->scale[i]) n->scale[i] = size;
      small &= fabs(delta[i]) <= tolerance * n->scale[i];
    }
    if (small || newmark_settled(n, delta, x, h, quarter, tolerance)) {
      newmark_point(n, half, quarter, x);
      return 1;
    }
  }
  return 0;
}

INLINE void newmark_accept(Newmark* n) {
  UNROLL for (int i = 0; i < NN; ++i) {
    n->past[1][i] = n->past[0][i];
    n->past[0][i] = n->rate[i];
    if (i < N2) {
      n->rate[i] = n->b[i];
    } else {
      n->P[i] = 2.0 * n->b[i] - n->P[i];
      n->rate[i] = n->P[i] - n->b[i];
    }
  }
  if (n->depth < 2) ++n->depth;
}

/* The next sample finds that the states are no numbers and ends the record. */
PLAIN void spoil(double* x) {
  for (int i = 0; i < NX; ++i) x[i] = 0.0 / 0.0;
}
)";

// Inputs at the end of substep j behind a sample whose inputs are us.
inline constexpr const char* kNewmarkInputs = R"(
      const double* ue = us;
      if (record->between == 1) {
        line(us, ((double)j + 1.0) * ds, be);
        ue = be;
      } else if (record->between == 2) {
        ue = us + 2 * (j + 1) * NU;
      })";

inline constexpr const char* kNewmarkRecord = R"(
/* Newmark's method over a record, as alembert_simulate; matrix has room for NN NN numbers. With
   ns > 0 also S = dx/dtheta as in alembert_simulate_sensitivities. */
long alembert_newmark(const Record* record, const double* restrict p, const double* restrict w,
                      const double* restrict x0, double* restrict y, double* restrict xs, long ns,
                      long m, const int* restrict c, double* restrict work, double* restrict dy,
                      double* restrict dxs, double* restrict matrix) {
  const double h = record->step / (double)record->substeps, ds = 1.0 / (double)record->substeps;
  const double half = 0.5 * h, quarter = 0.25 * h * h;
  double x[NX], be[NU + 1];
  MATRIX
  Newmark n;
  double* restrict S = work;
  double* restrict F = S + NX * m;
  double* restrict Q = F + NX * m; /* of the accelerations and of P */
  double* restrict T = Q + NN * m; /* df/dtheta; what is 0 stays so */
  for (int i = 0; i < NN; ++i) n.scale[i] = 0.0;
  for (int i = 0; i < NX; ++i) x[i] = x0[i];
  for (long k = 0; k < record->samples; ++k) {
    const double tk = record->start_time + (double)k * record->step;
    const double* us = sample_inputs(record, k);
    if (!all_finite(x)) return k;
    if (xs) for (int i = 0; i < NX; ++i) xs[k * NX + i] = x[i];
    if (ns > 0) {
      g_sensitive(tk, x, us, p, w, c, ns, m, S, y + k * NY, dy + k * NY * ns);
      for (int i = 0; dxs && i < NX; ++i)
        for (long j = 0; j < ns; ++j) dxs[(k * NX + i) * ns + j] = S[i * m + j];
    } else {
      g(tk, x, us, p, w, y + k * NY);
    }
    if (k + 1 == record->samples) break;
    if (k == 0 || record->between == 0) {
      newmark_start(&n, tk, half, x, us, p, w);
      if (ns > 0) newmark_start_rows(tk, half, x, us, p, w, c, m, S, F, Q);
    }
    for (long j = 0; j < record->substeps; ++j) {@END_INPUTS@
      const double t = tk + (double)(j + 1) * h;
      if (!newmark_solve(&n, t, h, half, quarter, record->tolerance, ue, p, w, M, x)) {
        spoil(x);
        break;
      }
      newmark_accept(&n);
      if (ns > 0) newmark_rows(t, x, ue, p, w, c, m, h, half, quarter, M, T, Q, S);
    }
  }
  return record->samples;
}
)";

inline constexpr const char* kNewmarkStartRows = R"(
#define BLOCK_AT(rows, i) (*(Block*)((rows) + (i) * m + j))

PLAIN void newmark_start_rows(double t, double half, const double* restrict x,
                              const double* restrict u, const double* restrict p,
                              const double* restrict w, const int* restrict c, long m,
                              const double* restrict S, double* restrict F, double* restrict Q) {
  double r[NX];
  f_sensitive(t, x, u, p, w, c, m, S, r, F);
  for (int i = 0; i < N2; ++i) IN_FOURS(j, m) Q[i * m + j] = F[velocity[i] * m + j];
  for (int i = N2; i < NN; ++i)
    IN_FOURS(j, m) Q[i * m + j] = S[first[i - N2] * m + j] + half * F[first[i - N2] * m + j];
}
)";

inline constexpr const char* kNewmarkRowsBegin = R"(  decompose(M, pivot);
  for (long j = 0; j < m; j += BLOCK) {
    Block zq[N2 + 1], zv[N2 + 1], b[NN];
    UNROLL for (int i = 0; i < N2; ++i) {
      const Block v = BLOCK_AT(S, velocity[i]), a = BLOCK_AT(Q, i);
      zq[i] = BLOCK_AT(S, position[i]) + h * v + quarter * a;
      zv[i] = v + half * a;
    }
)";

inline constexpr const char* kNewmarkRowsEnd = R"(
    UNROLL for (int i = N2; i < NN; ++i) b[i] = BLOCK_AT(Q, i) + half * b[i];
    UNROLL for (int k = 0; k < NN; ++k)
      UNROLL for (int i = k + 1; i < NN; ++i)
        if (pivot[k] == i) {
          const Block kept = b[k];
          b[k] = b[i], b[i] = kept;
        }
    UNROLL for (int i = 1; i < NN; ++i)
      UNROLL for (int k = 0; k < i; ++k) b[i] -= M[i * NN + k] * b[k];
    UNROLL for (int k = NN - 1; k >= 0; --k) {
      UNROLL for (int i = k + 1; i < NN; ++i) b[k] -= M[k * NN + i] * b[i];
      b[k] *= M[k * NN + k];
    }
    UNROLL for (int i = 0; i < N2; ++i) {
      BLOCK_AT(S, position[i]) = zq[i] + quarter * b[i];
      BLOCK_AT(S, velocity[i]) = zv[i] + half * b[i];
      BLOCK_AT(Q, i) = b[i];
    }
    UNROLL for (int i = N2; i < NN; ++i) {
      BLOCK_AT(S, first[i - N2]) = b[i];
      BLOCK_AT(Q, i) = 2.0 * b[i] - BLOCK_AT(Q, i);
    }
  }
}
)";

}  // namespace alembert::model::equations
