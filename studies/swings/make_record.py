"""Makes swing1.csv to swing5.csv: a pendulum let go five times by hand, seen by a camera that sometimes takes something else for the mark.

    python3 make_record.py

Plain Python. The classical Runge-Kutta method with 40 steps a sample stands for the truth; the
identification uses its own integrator.
"""

import math
import pathlib
import random

STEP = 0.02  # s
SAMPLES = 400
SUBSTEPS = 40
NOISE = 0.004  # rad
SLIPS = 0.03  # part of the samples that show something else

STIFFNESS = 30.0  # g/l, 1/s^2
VISCOUS = 0.12  # 1/s
DRAG = 0.05  # 1/rad

STARTS = [(0.9, 0.0), (-1.4, 2.0), (0.3, -3.5), (1.9, 1.0), (-0.7, -1.5)]  # rad, rad/s


def acceleration(q, w):
    return -STIFFNESS * math.sin(q) - VISCOUS * w - DRAG * w * abs(w)


def runge_kutta(q, w, h):
    a1, b1 = w, acceleration(q, w)
    a2, b2 = w + h / 2 * b1, acceleration(q + h / 2 * a1, w + h / 2 * b1)
    a3, b3 = w + h / 2 * b2, acceleration(q + h / 2 * a2, w + h / 2 * b2)
    a4, b4 = w + h * b3, acceleration(q + h * a3, w + h * b3)
    return q + h / 6 * (a1 + 2 * a2 + 2 * a3 + a4), w + h / 6 * (b1 + 2 * b2 + 2 * b3 + b4)


def swing(start, generator):
    q, w = start
    angles = []
    for _ in range(SAMPLES):
        slip = generator.random() < SLIPS
        angles.append(generator.uniform(-2.0, 2.0) if slip else q + generator.gauss(0.0, NOISE))
        for _ in range(SUBSTEPS):
            q, w = runge_kutta(q, w, STEP / SUBSTEPS)
    return angles


def main():
    generator = random.Random(4)
    folder = pathlib.Path(__file__).parent
    for number, start in enumerate(STARTS, 1):
        lines = ["t [s],q [rad]"]
        lines += [f"{k * STEP:.2f},{angle:.4f}" for k, angle in enumerate(swing(start, generator))]
        (folder / f"swing{number}.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
