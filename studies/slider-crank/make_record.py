"""Makes record.csv: a crank that turns unevenly, its encoder and an accelerometer on the slider.

    python3 make_record.py

Plain Python. The closed formulas of the slider-crank stand for the truth; the study knows only
bodies and joints.
"""

import math
import pathlib
import random

STEP = 0.001  # s
SAMPLES = 3000
CRANK = 0.14  # m
ROD = 0.56  # m
SPEED = 12.56  # rad/s, mean
WAVE = 1.256  # rad/s, at 2 Hz
ENCODER = 0.003  # rad, noise
ACCELEROMETER = 0.03  # m/s^2, noise


def crank(t):
    """Angle, velocity and acceleration of the crank."""
    omega = 4.0 * math.pi
    return (
        SPEED * t + WAVE / omega * math.sin(omega * t),
        SPEED + WAVE * math.cos(omega * t),
        -WAVE * omega * math.sin(omega * t),
    )


def slider_acceleration(angle, velocity, acceleration):
    """Second derivative of y = l sin q + sqrt(r^2 - l^2 cos^2 q)."""
    s, c = math.sin(angle), math.cos(angle)
    root = math.sqrt(ROD**2 - (CRANK * c) ** 2)
    first = CRANK * c + CRANK**2 * s * c / root
    second = -CRANK * s + CRANK**2 * (c * c - s * s) / root - (CRANK**2 * s * c) ** 2 / root**3
    return first * acceleration + second * velocity**2


def main():
    generator = random.Random(1)
    lines = ["t [s],theta [rad],a [m/s^2],angle_true [rad],velocity_true [rad/s],acceleration_true [rad/s^2]"]
    for k in range(SAMPLES):
        q, w, al = crank(k * STEP)
        theta = (q + generator.gauss(0.0, ENCODER)) % (2.0 * math.pi)
        a = slider_acceleration(q, w, al) + generator.gauss(0.0, ACCELEROMETER)
        lines.append(f"{k * STEP:.3f},{theta:.5f},{a:.4f},{q:.6f},{w:.6f},{al:.5f}")
    path = pathlib.Path(__file__).resolve().parent / "record.csv"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
