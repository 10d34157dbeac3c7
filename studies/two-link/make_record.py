"""Makes record.csv: two links in a vertical plane, an encoder in each joint, two accelerometers.

    python3 make_record.py

Plain Python, closed formulas, fixed seed.
"""

import math
import pathlib
import random

STEP = 0.002  # s
SAMPLES = 2000
UPPER = 0.5  # m
LOWER = 0.4  # m
GRAVITY = 9.81  # m/s^2
ENCODER = 0.002  # rad, noise
ACCELEROMETER = 0.05  # m/s^2, noise


def joint(amplitude, frequency, offset, t):
    """Angle of a joint with its rate and acceleration."""
    omega = 2.0 * math.pi * frequency
    return (
        offset + amplitude * math.sin(omega * t),
        amplitude * omega * math.cos(omega * t),
        -amplitude * omega**2 * math.sin(omega * t),
    )


def tip_specific_force(upper, lower):
    """Acceleration of the tip less gravity, along and across the lower link."""
    q1, w1, a1 = upper
    q2, w2, a2 = q1 + lower[0], w1 + lower[1], a1 + lower[2]
    x = UPPER * (-a1 * math.sin(q1) - w1**2 * math.cos(q1)) + LOWER * (-a2 * math.sin(q2) - w2**2 * math.cos(q2))
    y = UPPER * (a1 * math.cos(q1) - w1**2 * math.sin(q1)) + LOWER * (a2 * math.cos(q2) - w2**2 * math.sin(q2))
    y += GRAVITY
    return x * math.cos(q2) + y * math.sin(q2), -x * math.sin(q2) + y * math.cos(q2)


def main():
    generator = random.Random(2)
    lines = ["t [s],q1 [rad],q2 [rad],along [m/s^2],across [m/s^2],w1_true [rad/s],w2_true [rad/s],a1_true [rad/s^2],a2_true [rad/s^2]"]
    for k in range(SAMPLES):
        t = k * STEP
        upper = joint(0.9, 0.7, -1.2, t)
        lower = joint(0.7, 1.1, 0.9, t)
        along, across = tip_specific_force(upper, lower)
        noisy = [
            upper[0] + generator.gauss(0.0, ENCODER),
            lower[0] + generator.gauss(0.0, ENCODER),
            along + generator.gauss(0.0, ACCELEROMETER),
            across + generator.gauss(0.0, ACCELEROMETER),
        ]
        numbers = [f"{v:.5f}" for v in (*noisy, upper[1], lower[1], upper[2], lower[2])]
        lines.append(f"{t:.3f}," + ",".join(numbers))
    path = pathlib.Path(__file__).resolve().parent / "record.csv"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
