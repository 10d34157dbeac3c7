#!/usr/bin/env python3
"""Makes record.csv: a slider-crank that turns unevenly while an unknown force pushes its slider.

Closed formulas of the mechanism, with the actual masses and lengths of [MultibodyThesis, table 3.1];
the study has the nominal ones. Plain Python, fixed seed.
"""

import math
import pathlib
import random

STEP, SAMPLES = 0.001, 5001
CRANK, ROD, HEIGHT = 0.297, 0.612, 0.049  # m; nominal 0.3, 0.6, 0.05
M_CRANK, M_ROD, M_SLIDER = 1.8529, 3.594, 1.212  # kg; nominal 1.872, 3.744, 1.2
GRAVITY = 9.81
SIGMA = {"theta": 0.003, "a": 0.05, "torque": 0.28}


def motion(t):
    """Angle, speed and acceleration of the crank: 6.28 rad/s, 0.6 up and down."""
    f = 2.0 * math.pi * 0.8
    return (0.5 + 6.28 * t - 0.6 / f * (math.cos(f * t) - 1.0),
            6.28 + 0.6 * math.sin(f * t),
            0.6 * f * math.cos(f * t))


def force(t):
    """On the slider, along x, N: two sines and two pulses."""
    smooth = 40.0 * math.sin(2.0 * math.pi * 1.1 * t) + 20.0 * math.sin(2.0 * math.pi * 2.7 * t + 0.7)
    return smooth - (60.0 if 1.6 <= t < 2.1 else 0.0) + (70.0 if 3.4 <= t < 3.75 else 0.0)


def terms(angle):
    """M, U and x' = dx/dθ of the slider. Kinetic energy M ω²/2; the rod's angle is φ."""
    sine = (HEIGHT - CRANK * math.sin(angle)) / ROD
    cosine = math.sqrt(1.0 - sine * sine)
    turn = -CRANK * math.cos(angle) / (ROD * cosine)  # dφ/dθ
    x_rod = -CRANK * math.sin(angle) - 0.5 * ROD * sine * turn
    y_rod = CRANK * math.cos(angle) + 0.5 * ROD * cosine * turn
    x_slider = -CRANK * math.sin(angle) - ROD * sine * turn
    mass = (M_CRANK * CRANK**2 / 3.0 + M_ROD * (x_rod**2 + y_rod**2) +
            M_ROD * ROD**2 / 12.0 * turn**2 + M_SLIDER * x_slider**2)
    potential = GRAVITY * (M_CRANK * 0.5 * CRANK * math.sin(angle) +
                           M_ROD * 0.5 * (CRANK * math.sin(angle) + HEIGHT))
    return mass, potential, x_slider


def slopes(angle):
    """dM/dθ, dU/dθ and d²x/dθ², by central differences of order four (errors below 1e-9)."""
    h = 1e-3
    far = [terms(angle + k * h) for k in (-2, -1, 1, 2)]
    return [(far[0][i] - 8.0 * far[1][i] + 8.0 * far[2][i] - far[3][i]) / (12.0 * h) for i in range(3)]


def main():
    noise = random.Random(19)
    lines = ["t [s],theta [rad],a [m/s^2],torque [N m],"
             "angle_crank [rad],angle_crank_velocity [rad/s],angle_crank_acceleration [rad/s^2],"
             "force_load [N]"]
    for k in range(SAMPLES):
        t = k * STEP
        angle, speed, acceleration = motion(t)
        mass, _, slide = terms(angle)
        mass_slope, weight, slide_slope = slopes(angle)
        torque = mass * acceleration + 0.5 * mass_slope * speed**2 + weight - force(t) * slide
        read = (angle + noise.gauss(0.0, SIGMA["theta"])) % (2.0 * math.pi)
        felt = slide * acceleration + slide_slope * speed**2 + noise.gauss(0.0, SIGMA["a"])
        turned = torque + noise.gauss(0.0, SIGMA["torque"])
        lines.append(f"{t:.3f},{read:.5f},{felt:.4f},{turned:.4f},{angle:.6f},{speed:.6f},"
                     f"{acceleration:.5f},{force(t):.4f}")
    path = pathlib.Path(__file__).with_name("record.csv")
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
