"""The observer of the slider-crank as one writes it by hand: an extended Kalman filter with NumPy.

Rows of readings on standard input, rows of estimates on standard output, as `alembert observe --stream`.
"""

import math
import sys

import numpy

CRANK, ROD = 0.14, 0.56  # m
DENSITY = 160.0  # rad^2/s^5, of the white jerk
NOISE = numpy.diag([0.003**2, 0.03**2])


def motion(step):
    """Transition and covariance of a white jerk over a step."""
    transition = numpy.array([[1.0, step, step**2 / 2], [0.0, 1.0, step], [0.0, 0.0, 1.0]])
    covariance = DENSITY * numpy.array([[step**5 / 20, step**4 / 8, step**3 / 6],
                                        [step**4 / 8, step**3 / 3, step**2 / 2],
                                        [step**3 / 6, step**2 / 2, step]])
    return transition, covariance


def slider(theta):
    """First three derivatives of y = l sin(theta) + sqrt(r^2 - l^2 cos^2(theta)) by theta."""
    s, c = math.sin(theta), math.cos(theta)
    root = math.sqrt(ROD**2 - (CRANK * c) ** 2)
    p = CRANK**2 * s * c  # root' = p/root
    dp = CRANK**2 * (c * c - s * s)
    ddp = -4.0 * p
    first = CRANK * c + p / root
    second = -CRANK * s + dp / root - p * p / root**3
    third = -CRANK * c + ddp / root - 3.0 * p * dp / root**3 + 3.0 * p**3 / root**5
    return first, second, third


def outputs(x):
    theta, w, al = x
    first, second, third = slider(theta)
    value = numpy.array([theta, first * al + second * w * w])
    jacobian = numpy.array([[1.0, 0.0, 0.0],
                            [second * al + third * w * w, 2.0 * second * w, first]])
    return value, jacobian


def main():
    source = iter(sys.stdin)
    next(source)
    print("t,theta,theta_std,w,w_std,al,al_std")
    mean = covariance = last = None
    for line in source:
        t, theta, a = (float(cell) for cell in line.split(","))
        if mean is None:
            mean = numpy.array([theta, 12.4, 0.0])
            covariance = numpy.diag([0.01**2, 2.0**2, 10.0**2])
        else:
            transition, added = motion(t - last)
            mean = transition @ mean
            covariance = transition @ covariance @ transition.T + added
        last = t
        value, jacobian = outputs(mean)
        innovation = numpy.array([theta, a]) - value
        innovation[0] = (innovation[0] + math.pi) % (2.0 * math.pi) - math.pi
        spread = jacobian @ covariance @ jacobian.T + NOISE
        gain = numpy.linalg.solve(spread, jacobian @ covariance).T
        mean = mean + gain @ innovation
        covariance = covariance - gain @ spread @ gain.T
        covariance = 0.5 * (covariance + covariance.T)  # without it the filter is lost within 1e5 rows
        deviation = numpy.sqrt(numpy.diag(covariance))
        cells = [t, mean[0], deviation[0], mean[1], deviation[1], mean[2], deviation[2]]
        print(",".join("%.9g" % cell for cell in cells), flush=True)


if __name__ == "__main__":
    main()
