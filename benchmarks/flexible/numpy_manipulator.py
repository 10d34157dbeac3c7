#!/usr/bin/env python3
"""The published equations of the manipulator in NumPy, with sensitivities in closed form: the peer of measure_flexible.

    numpy_manipulator.py [EVALUATIONS]    time of a right-hand side, least of five batches
"""
import sys
import time

import numpy as np

MODULUS = 69e9
# Variant calib: nodes with the places of (x, y, angle) among 27 elastic and 3 zeroed displacements; -1 is held.
NODES = {1: (-1, -1, 27), 2: (0, 1, 2), 3: (-1, -1, 28), 4: (3, 4, 5), 5: (6, 7, 8), 6: (0, 1, 9), 7: (10, 11, 12),
         8: (13, 14, 15), 9: (13, 14, 16), 10: (6, 7, 17), 11: (18, 19, 20), 12: (21, 22, 23), 13: (21, 22, 29), 14: (24, 25, 26)}
MASSES = {2: 0.392, 4: 0.3206, 5: 0.648, 6: 0.671, 8: 0.383, 9: 0.658, 10: 0.308, 12: 0.9227, 13: 0.095, 14: 0.046}
INERTIAS = {1: 0.0151, 3: 0.01425, 6: 4.2e-4, 8: 4.2e-4, 9: 7.4e-4, 10: 2.95e-3, 13: 0.0015}
LINKS = {"AB": (0.5, 0.030, 1.052), "AD": (0.85, 0.030, 1.596), "BC": (0.85, 0.016, 0.459), "CE": (1.2, 0.024, 1.343),
         "EF": (0.282, 0.020, 0.190)}
# Nodes, link, length, and the coordinate whose rate the link has.
ELEMENTS = [(1, 2, "AB", 0.5, 0), (3, 4, "AD", 0.425, 1), (4, 5, "AD", 0.425, 1), (6, 7, "BC", 0.425, 1), (7, 8, "BC", 0.425, 1),
            (9, 10, "CE", 0.5, 0), (10, 11, "CE", 0.1, 0), (11, 12, "CE", 0.6, 0), (13, 14, "EF", 0.282, 2)]
# Points as sums of lengths along the directions of the three coordinates.
POINTS = {2: (0.5, 0, 0), 4: (0, 0.425, 0), 5: (0, 0.85, 0), 7: (0.5, 0.425, 0), 8: (0.5, 0.85, 0), 11: (-0.1, 0.85, 0),
          12: (-0.7, 0.85, 0), 14: (-0.7, 0.85, 0.282)}
POINTS = {node: np.array(lengths) for node, lengths in POINTS.items()}
TURNS = {1: 0, 2: 0, 3: 1, 4: 1, 5: 1, 6: 1, 7: 1, 8: 1, 9: 0, 10: 0, 11: 0, 12: 0, 13: 2, 14: 2}
POSE = np.array([1.0821, 2.6354, 4.7123])


def beam(length, mass, area, second_moment):
    """Mass, stiffness and h = g - m J of an element; mass per length."""
    m, k, g, turn = (np.zeros((6, 6)) for _ in range(4))
    along, across = [0, 3], [1, 2, 4, 5]
    m[np.ix_(along, along)] = mass * length / 6 * np.array([[2, 1], [1, 2]])
    m[np.ix_(across, across)] = mass * length / 420 * np.array(
        [[156, 22 * length, 54, -13 * length], [22 * length, 4 * length**2, 13 * length, -3 * length**2],
         [54, 13 * length, 156, -22 * length], [-13 * length, -3 * length**2, -22 * length, 4 * length**2]])
    k[np.ix_(along, along)] = MODULUS * area / length * np.array([[1, -1], [-1, 1]])
    k[np.ix_(across, across)] = MODULUS * second_moment / length**3 * np.array(
        [[12, 6 * length, -12, 6 * length], [6 * length, 4 * length**2, -6 * length, 2 * length**2],
         [-12, -6 * length, 12, -6 * length], [6 * length, 2 * length**2, -6 * length, 4 * length**2]])
    shapes = np.array([[7 / 20, length / 20, 3 / 20, -length / 30], [3 / 20, length / 30, 7 / 20, -length / 20]])
    g[np.ix_(along, across)] = -mass * length * shapes
    g = g - g.T
    for i in (0, 3):
        turn[i, i + 1], turn[i + 1, i] = -1.0, 1.0
    return m, k, g - m @ turn


class Manipulator:
    def __init__(self):
        self.elements = []
        for a, b, link, length, rate in ELEMENTS:
            whole, diameter, mass = LINKS[link]
            area = np.pi * diameter**2 / 4
            places = np.array(NODES[a] + NODES[b])
            kept = np.flatnonzero(places >= 0)
            self.elements.append((np.ix_(places[kept], places[kept]), np.ix_(kept, kept), rate, np.pi if link == "CE" else 0.0)
                                 + beam(length, mass / whole, area, area * diameter**2 / 16))
        self.lumps = np.zeros(30)
        for node, mass in MASSES.items():
            self.lumps[[i for i in NODES[node][:2] if i >= 0]] += mass
        for node, inertia in INERTIAS.items():
            self.lumps[NODES[node][2]] += inertia

    def derivative(self, x, load):
        """x = (27 displacements, 3 angles) and their rates."""
        u, ud = np.zeros(30), np.zeros(30)
        u[:27], q, ud[:27], rates = x[:27], x[27:30], x[30:57], x[57:]
        cosine, sine = np.cos(q), np.sin(q)
        S, turning = np.zeros((30, 3)), np.zeros(30)
        for node, lengths in POINTS.items():
            i, j, _ = NODES[node]
            S[i], S[j] = -lengths * sine, lengths * cosine
            turning[i], turning[j] = -(lengths * cosine) @ rates**2, -(lengths * sine) @ rates**2
        for node, coordinate in TURNS.items():
            S[NODES[node][2], coordinate] = 1.0
        M, K, MG = np.diag(self.lumps), np.zeros((30, 30)), np.zeros((30, 30))
        T = np.eye(6)
        for places, kept, rate, offset, m, k, h in self.elements:
            c, s = np.cos(q[rate] + offset), np.sin(q[rate] + offset)
            T[:2, :2] = T[3:5, 3:5] = [[c, s], [-s, c]]
            M[places] += (T.T @ m @ T)[kept]
            K[places] += (T.T @ k @ T)[kept]
            MG[places] += rates[rate] * (T.T @ h @ T)[kept]
        P = np.eye(30)
        P[:, 27:] = S
        force = P.T @ (load - 2.0 * MG @ ud - M @ turning)
        force[:27] -= (K @ u)[:27]
        return np.concatenate([x[30:], np.linalg.solve(P.T @ M @ P, force)])


def main():
    evaluations = int(sys.argv[1]) if len(sys.argv) > 1 else 2000
    manipulator = Manipulator()
    x, load = np.zeros(60), np.zeros(30)
    x[27:30], x[57:], load[27:] = POSE, [2.0, -2.0, 4.0], [1.0, 2.0, 0.1]
    best = np.inf
    for _ in range(5):
        start = time.process_time()
        for _ in range(evaluations):
            manipulator.derivative(x, load)
        best = min(best, (time.process_time() - start) / evaluations)
    print(f"| published, NumPy | {1e6 * best:.0f} | |")


if __name__ == "__main__":
    main()
