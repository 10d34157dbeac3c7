"""Makes record.csv: a four-bar whose crank has a counting encoder, with a gyroscope and an
accelerometer on the coupler.

    python3 make_record.py

Plain Python, fixed seed. Positions are in closed form; rates are central differences of them,
right to eight digits.
"""

import math
import pathlib
import random

STEP = 0.002  # s
SAMPLES = 1500
GROUND, CRANK, COUPLER, ROCKER = 0.4, 0.1, 0.35, 0.3  # m
COUNTS = 2048  # a turn
GYROSCOPE = 0.02  # rad/s, noise
ACCELEROMETER = 0.1  # m/s^2, noise
GRAVITY = 9.81  # m/s^2


def crank_angle(t):
    return 0.4 + 5.0 * t + 0.4 * math.sin(3.0 * t)


def coupler(t):
    """Angle of the coupler and its middle."""
    ax, ay = CRANK * math.cos(crank_angle(t)), CRANK * math.sin(crank_angle(t))
    dx, dy = GROUND - ax, -ay
    d = math.hypot(dx, dy)
    # The triangle crank pin, rocker pin, rocker's foot: the upper one of two.
    inner = math.acos((d * d + COUPLER**2 - ROCKER**2) / (2.0 * d * COUPLER))
    angle = math.atan2(dy, dx) + inner
    return angle, ax + 0.5 * COUPLER * math.cos(angle), ay + 0.5 * COUPLER * math.sin(angle)


def rates(t, h=2e-4):
    """Rate of the coupler and acceleration of its middle, fourth order."""
    p = [coupler(t + k * h) for k in (-2, -1, 0, 1, 2)]
    rate = (p[0][0] - 8.0 * p[1][0] + 8.0 * p[3][0] - p[4][0]) / (12.0 * h)
    second = [(-p[0][i] + 16.0 * p[1][i] - 30.0 * p[2][i] + 16.0 * p[3][i] - p[4][i]) / (12.0 * h * h) for i in (1, 2)]
    return rate, second[0], second[1]


def main():
    generator = random.Random(3)
    lines = ["t [s],counts,gyro [deg/s],a [m/s^2],velocity_true [rad/s],acceleration_true [rad/s^2]"]
    for k in range(SAMPLES):
        t = k * STEP
        count = math.floor(crank_angle(t) / (2.0 * math.pi) * COUNTS) % COUNTS
        angle = coupler(t)[0]
        rate, x, y = rates(t)
        a = x * math.cos(angle) + (y + GRAVITY) * math.sin(angle) + generator.gauss(0.0, ACCELEROMETER)
        gyro = math.degrees(rate + generator.gauss(0.0, GYROSCOPE))
        velocity = 5.0 + 1.2 * math.cos(3.0 * t)
        acceleration = -3.6 * math.sin(3.0 * t)
        lines.append(f"{t:.3f},{count},{gyro:.4f},{a:.4f},{velocity:.6f},{acceleration:.6f}")
    path = pathlib.Path(__file__).resolve().parent / "record.csv"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
