"""Makes record.csv: a plate on three two-bar legs (3-RRR), encoders at the feet, an inertial unit
on the plate.

    python3 make_record.py

Plain Python, fixed seed, closed formulas.
"""

import math
import pathlib
import random

STEP = 0.005  # s
SAMPLES = 800
FOOT, ARM, FOREARM, PLATE = 0.4, 0.25, 0.25, 0.1  # m
ENCODER = 0.001  # rad, noise
GYROSCOPE = 0.01  # rad/s
ACCELEROMETER = 0.05  # m/s^2


def wave(amplitude, omega, phase, t):
    s, c = math.sin(omega * t + phase), math.cos(omega * t + phase)
    return amplitude * s, amplitude * omega * c, -amplitude * omega**2 * s


def plate(t):
    """x, y and angle, each with its rate and acceleration."""
    return wave(0.06, 4.0, 0.0, t), wave(0.05, 6.0, 1.0, t), wave(0.25, 5.0, 2.0, t)


def arm_angle(leg, x, y, angle):
    """Angle of the arm of a leg: the elbow is on its left side."""
    turn = 2.0 * math.pi * leg / 3.0 - math.pi / 2.0
    fx, fy = FOOT * math.cos(turn), FOOT * math.sin(turn)
    px, py = x + PLATE * math.cos(angle + turn), y + PLATE * math.sin(angle + turn)
    dx, dy = px - fx, py - fy
    d = math.hypot(dx, dy)
    return math.atan2(dy, dx) + math.acos((d * d + ARM**2 - FOREARM**2) / (2.0 * d * ARM))


def main():
    generator = random.Random(4)
    lines = ["t [s],arm1 [rad],arm2 [rad],arm3 [rad],gyro [rad/s],ax [m/s^2],ay [m/s^2],x_true [m],y_true [m],vx_true [m/s],vy_true [m/s]"]
    for k in range(SAMPLES):
        t = k * STEP
        x, y, turn = plate(t)
        arms = [arm_angle(leg, x[0], y[0], turn[0]) + generator.gauss(0.0, ENCODER) for leg in range(3)]
        # The plane is level: no gravity in it. The inertial unit sits in the middle of the plate.
        c, s = math.cos(turn[0]), math.sin(turn[0])
        ax = c * x[2] + s * y[2] + generator.gauss(0.0, ACCELEROMETER)
        ay = -s * x[2] + c * y[2] + generator.gauss(0.0, ACCELEROMETER)
        gyro = turn[1] + generator.gauss(0.0, GYROSCOPE)
        numbers = [f"{v:.5f}" for v in (*arms, gyro, ax, ay, x[0], y[0], x[1], y[1])]
        lines.append(f"{t:.3f}," + ",".join(numbers))
    path = pathlib.Path(__file__).resolve().parent / "record.csv"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
