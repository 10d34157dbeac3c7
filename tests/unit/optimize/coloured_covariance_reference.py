#!/usr/bin/env python3
"""Prints the numbers that coloured_covariance_test.cpp compares with.

A second program for docs/theory/deviations.md, written line by line with J itself and plain sums: nothing
is shared with the library, neither the orthonormal columns nor the packed sums. Needs numpy.
"""
import numpy as np


def cosine_transform(x):
    n = len(x)
    angle = np.pi * np.outer(np.arange(n), 2 * np.arange(n) + 1) / (2 * n)
    scale = np.full(n, np.sqrt(2 / n))
    scale[0] = np.sqrt(1 / n)
    return scale[:, None] * np.cos(angle) @ x


def band_starts(n):
    starts, k = [], 0
    while k < n:
        starts.append(k)
        k += 1 if k <= 66 else max(1, int(min(0.03 * k, n / 256)))
    return np.array(starts)


def triangle(middle, least, share):
    half = np.maximum(least, share * middle)[:, None]
    return np.maximum(0, 1 - np.abs(middle[:, None] - middle[None, :]) / half)


def burg(r, most):
    """(coefficients, variance) of the order with the least BIC."""
    forward, backward, a, variance, n = r, r, np.array([1.0]), np.mean(r * r), len(r)
    found = [(n * np.log(variance), a, variance)]
    for order in range(1, most + 1):
        f, b = forward[1:], backward[:-1]
        k = -2 * (f @ b) / (f @ f + b @ b)
        forward, backward = f + k * b, b + k * f
        a = np.append(a, 0) + k * np.append(a, 0)[::-1]
        variance *= 1 - k * k
        found.append((n * np.log(variance) + order * np.log(n), a, variance))
    return min(found, key=lambda item: item[0])[1:]


class Sums:
    """H, q, n, h and a of every channel (first index) and band (second index)."""

    def __init__(self, blocks):
        self.blocks = [(np.where(np.isnan(r)[:, None], 0, J), np.where(np.isnan(r), 0, r), np.isnan(r).mean(), c, e)
                       for J, r, c, e in blocks]
        self.G = np.linalg.inv(sum(J.T @ J for J, *_ in self.blocks))
        self.longest = longest = max(len(r) for _, r, *_ in self.blocks)
        starts = band_starts(longest)
        self.middle = (starts + np.append(starts[1:], longest) - 1) / 2
        self.omega = np.pi * self.middle / longest
        channels, count, p = 1 + max(c for *_, c, _ in self.blocks), len(starts), len(self.G)
        self.H, self.a = np.zeros((channels, count, p, p)), np.zeros((channels, count, p))
        self.q, self.n = np.zeros((channels, count)), np.zeros((channels, count))
        self.bins = []
        for J, r, missing, c, e in self.blocks:
            Jt, rt = cosine_transform(J), cosine_transform(r)
            nearest = np.minimum(np.floor(np.arange(len(r)) * longest / len(r) + 0.5), longest - 1)
            band = np.searchsorted(starts, nearest, side="right") - 1
            self.bins.append((Jt, rt, band, c, e))
            for k, b in enumerate(band):
                self.H[c, b] += np.outer(Jt[k], Jt[k])
                self.a[c, b] += (self.G @ Jt[k]) ** 2
                self.q[c, b] += rt[k] ** 2
                self.n[c, b] += 1 - missing
        self.h = np.einsum("cbij,ij->cb", self.H, self.G)

    def V(self, S):
        return self.G @ np.einsum("cb,cbij->ij", S, self.H) @ self.G

    def u(self, S):
        return np.maximum(0, self.q + 2 * S * self.h - np.einsum("cbij,ij->cb", self.H, self.V(S)))


def atoms(sums):
    tau = [0.5]
    while 2 * tau[-1] < sums.longest / 4:
        tau.append(2 * tau[-1])
    a = np.exp(-1 / np.array(tau))[:, None]
    L = np.vstack([np.ones_like(sums.omega), (1 - a) ** 2 / (1 - 2 * a * np.cos(sums.omega) + a * a)])
    return np.array([0] + tau), L / L.mean(axis=1, keepdims=True)


def fit(sums, L):
    c = np.array([np.full(len(L), q.sum() / n.sum() / len(L)) for q, n in zip(sums.q, sums.n)])
    S = c @ L
    for _ in range(150):
        u, before = sums.u(S), S
        for _ in range(4):
            c = c * np.sqrt((u / S**2) @ L.T / ((sums.n / S) @ L.T))
            S = c @ L
        if np.max(np.abs(S / before - 1)) < 1e-4:
            break
    return c, S


def freedom(sums, c, S, L):
    Vg = np.linalg.inv(np.einsum("cb,cbij->ij", 1 / S, sums.H))
    total, squares = 0, 0
    for H, a, n, s, weights in zip(sums.H, sums.a, sums.n, S, c):
        left = n - np.einsum("bij,ij->b", H, Vg) / s
        kept = weights > 1e-4 * weights.sum()
        cL = weights[kept, None] * L[kept]
        information = 0.5 * (cL * left / s**2) @ cL.T + np.eye(kept.sum())
        g, V = cL @ a, a.T @ s
        nu_F = 2 * V**2 / np.einsum("ij,ij->j", g, np.linalg.solve(information, g))
        aS = a * s[:, None]
        P = aS.sum(axis=0) ** 2 / (aS**2 / n[:, None]).sum(axis=0)
        total, squares = total + V, squares + V**2 * (1 / nu_F + 1 / (4 * P + 2))
    return total**2 / squares


def peaks(sums, S):
    """S and ν of one channel and one experiment with peaks, None without; and the largest z."""
    K, n, N, r = triangle(sums.middle, 8, 0.04), sums.n[0], sums.longest, sums.blocks[0][1]
    Kn, u = K @ n, sums.u(S)[0]
    z = np.max((K @ (u / S[0]) / Kn - 1) / (np.sqrt(2 * K**2 @ n) / Kn))
    if z <= 5:
        return None, None, z
    a, variance = burg(r, 12)
    order = len(a) - 1
    regression = variance / np.abs(np.exp(-1j * np.outer(sums.omega, np.arange(order + 1))) @ a) ** 2
    def cost(s):
        return (n * np.log(s) + u / s).sum()
    better = cost(regression) + order * np.log(N) < cost(S[0]) + 3 * np.log(N)
    base = regression if better else S[0]
    S = base[None]
    for _ in range(6):
        S = (base * np.maximum(0.1, K @ (sums.u(S)[0] / base) / Kn))[None]
    w = K.T @ (sums.a[0] * (base / Kn)[:, None]) / base[:, None]
    nu = (sums.a[0].T @ S[0]) ** 2 / ((w * S[0][:, None]) ** 2 * n[:, None]).sum(axis=0)
    return S, np.maximum(4, nu), z


def cross(sums, S):
    K = triangle(sums.middle, 12, 0.1)
    pairs = [(one, two) for one in sums.bins for two in sums.bins if one[4] == two[4] and one[3] == 0 and two[3] == 1]
    both, first, second = np.zeros((3, len(K)))
    for one, two in pairs:
        np.add.at(both, one[2], one[1] * two[1])
        np.add.at(first, one[2], one[1] ** 2)
        np.add.at(second, one[2], two[1] ** 2)
    weight = (K @ both) / np.sqrt((K @ first) * (K @ second)) * np.sqrt(S[0] * S[1])
    X = sum(one[0].T @ (weight[one[2]][:, None] * two[0]) for one, two in pairs)
    return sums.G @ (X + X.T) @ sums.G


def show(title, blocks, look_for_peaks):
    sums = Sums(blocks)
    tau, L = atoms(sums)
    c, S = fit(sums, L)
    share = c[:, tau >= sums.longest / 9].sum(axis=1) / c.sum(axis=1)
    nu, z = freedom(sums, c, S, L), None
    if look_for_peaks:
        followed, freedom_there, z = peaks(sums, S)
        if followed is not None:
            S, nu = followed, freedom_there
    V = sums.V(S)
    print(title, "\n  deviations", np.sqrt(np.diag(V)))
    if len(S) > 1:
        V = V + cross(sums, S)
        print("  with cross terms", np.sqrt(np.diag(V)))
    effective = sum((n @ s) ** 2 / (n @ s**2) for n, s in zip(sums.n, S))
    print("  freedom", nu, "\n  V(0, 1)", V[0, 1], "slow share", share, "effective samples", effective, "z", z)


def columns(n, turn):
    x = np.arange(n) / n
    return np.column_stack([np.ones(n), x * x, np.sin(turn * x)])


def regression(c1, c2, w):
    e = np.zeros(len(w) + 2)
    for t, value in enumerate(w):
        e[t + 2] = c1 * e[t + 1] + c2 * e[t] + value
    return e[2:]


def written_down(n, c1, c2):
    t = np.arange(n)
    J, e = columns(n, 40), regression(c1, c2, np.sin(1.7 * t * t))
    return J, e - J @ np.linalg.lstsq(J, e, rcond=None)[0], 0, 0


def written_windows(n, c1, c2):
    """Three parameters, and a level and a slope in each window of ten samples."""
    t = np.arange(n)
    window = (t[:, None] // 10 == np.arange(n // 10)[None, :]).astype(float)
    J = np.column_stack([np.sin(60 * t / n), np.cos(190 * t / n), t / n * np.sin(300 * t / n), window, window * (t % 10)[:, None]])
    e = regression(c1, c2, np.sin(1.7 * t * t))
    return J, e - J @ np.linalg.lstsq(J, e, rcond=None)[0], 0, 0


def written_channel(n, channel, experiment):
    t = np.arange(n)
    w = np.sin(1.7 * t * t) + (0.5 if channel else 0) * np.sin(1.3 * t * t)
    return columns(n, 25 if channel else 40), regression(0.8 if channel else 0.9, 0, w), channel, experiment


if __name__ == "__main__":
    np.set_printoptions(precision=9)
    show("falling spectra", [written_down(300, 0.9, 0)], True)
    show("peak", [written_down(700, 1.9, -0.98)], True)
    several = [written_channel(300, 0, 0), written_channel(300, 1, 0), written_channel(210, 0, 1), written_channel(210, 1, 1)]
    several[1][1][20:25] = np.nan
    show("several blocks", several, False)
    show("windows", [written_windows(200, 0.6, 0)], True)
