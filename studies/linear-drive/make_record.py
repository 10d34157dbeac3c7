#!/usr/bin/python3
"""Writes record.csv: a carriage on a screw that a controller moves to and fro, the position read with slow errors.

    studies/linear-drive/make_record.py
"""

import math
import pathlib

import numpy

M, FV, FC, OFFSET, WIDTH = 95.0, 200.0, 20.0, -3.0, 2e-3  # kg, N s/m, N, N, m/s
GAIN = 35.15  # N/V
STEP, SAMPLES, SUBSTEPS = 0.01, 2400, 50
NOISE, MEMORY = 2e-4, 1.0  # m and s: the screw's pitch errors come and go over a second


def reference(t):
    """Smooth strokes of different lengths, 2 s each."""
    strokes = [0.0, 0.25, 0.05, 0.2, 0.1, 0.24, 0.0, 0.15, 0.03, 0.22, 0.12, 0.2, 0.0]
    k = min(int(t // 2.0), len(strokes) - 2)
    s = min((t - 2.0 * k) / 1.6, 1.0)
    blend = s**3 * (10.0 - 15.0 * s + 6.0 * s * s)
    return strokes[k] + (strokes[k + 1] - strokes[k]) * blend


def acceleration(v, u):
    return (GAIN * u - FV * v - FC * math.tanh(v / WIDTH) - OFFSET) / M


def moved(q, v, u, h):
    """A step of Runge and Kutta, fourth order."""
    a1 = acceleration(v, u)
    a2 = acceleration(v + 0.5 * h * a1, u)
    a3 = acceleration(v + 0.5 * h * a2, u)
    a4 = acceleration(v + h * a3, u)
    return q + h * v + h * h * (a1 + a2 + a3) / 6.0, v + h * (a1 + 2.0 * a2 + 2.0 * a3 + a4) / 6.0


def main():
    noise = numpy.random.default_rng(20261117)
    memory = math.exp(-STEP / MEMORY)
    q = v = 0.0
    error = noise.normal()
    rows = ["t [s],u [V],q [m]"]
    for k in range(SAMPLES):
        t = STEP * k
        u = (4000.0 * (reference(t) - q) - 600.0 * v) / GAIN
        rows.append(f"{t:.2f},{u:.6f},{q + NOISE * error:.7f}")
        for _ in range(SUBSTEPS):
            q, v = moved(q, v, u, STEP / SUBSTEPS)
        error = memory * error + math.sqrt(1.0 - memory**2) * noise.normal()
    pathlib.Path(__file__).with_name("record.csv").write_text("\n".join(rows) + "\n")


main()
