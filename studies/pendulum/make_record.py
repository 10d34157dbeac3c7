"""Makes record.csv: a driven pendulum with viscous and dry friction, seen by a noisy encoder.

    python3 make_record.py

Plain Python. The classical Runge-Kutta method with 40 steps a sample stands for the truth; the
identification uses its own integrator.
"""

import math
import pathlib
import random

STEP = 0.02  # s
SAMPLES = 1000
SUBSTEPS = 40
NOISE = 0.005  # rad

GRAVITY = 9.81  # m/s^2
MASS = 0.5  # kg
WIDTH = 0.05  # rad/s, speed at which the dry friction sets in
LENGTH = 0.32  # m
MOTOR = 0.08  # N m/A
VISCOUS = 0.01  # N m s
DRY = 0.03  # N m
RELEASE = 1.2  # rad


def acceleration(q, w, current):
    friction = VISCOUS * w + DRY * math.tanh(w / WIDTH)
    torque = MOTOR * current - friction - MASS * GRAVITY * LENGTH * math.sin(q)
    return torque / (MASS * LENGTH**2)


def runge_kutta(q, w, current, h):
    a1, b1 = w, acceleration(q, w, current)
    a2, b2 = w + h / 2 * b1, acceleration(q + h / 2 * a1, w + h / 2 * b1, current)
    a3, b3 = w + h / 2 * b2, acceleration(q + h / 2 * a2, w + h / 2 * b2, current)
    a4, b4 = w + h * b3, acceleration(q + h * a3, w + h * b3, current)
    return q + h / 6 * (a1 + 2 * a2 + 2 * a3 + a4), w + h / 6 * (b1 + 2 * b2 + 2 * b3 + b4)


def experiment(generator):
    """Currents, held between samples, and measured angles."""
    currents, angles = [], []
    q, w, current = RELEASE, 0.0, 0.0
    for sample in range(SAMPLES):
        if sample % 50 == 0:
            current = round(generator.uniform(-4.0, 4.0), 2)
        currents.append(current)
        angles.append(q + generator.gauss(0.0, NOISE))
        for _ in range(SUBSTEPS):
            q, w = runge_kutta(q, w, current, STEP / SUBSTEPS)
    return currents, angles


def main():
    generator = random.Random(1)
    u, q = experiment(generator)
    u_val, q_val = experiment(generator)
    lines = ["t [s],u [A],q [rad],u_val [A],q_val [rad]"]
    for k in range(SAMPLES):
        lines.append(f"{k * STEP:.2f},{u[k]:.2f},{q[k]:.5f},{u_val[k]:.2f},{q_val[k]:.5f}")
    path = pathlib.Path(__file__).resolve().parent / "record.csv"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
