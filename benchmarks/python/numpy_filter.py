"""The extended Kalman filter of filterpy, its lines of algebra in NumPy, on the two pendulums of run."""

import numpy
from numpy import dot

G, K, H = 9.81, 2.0, 0.01


def derivative(x):
    pull = K * (x[0] - x[2])
    return numpy.array([x[1], -G * numpy.sin(x[0]) - pull, x[3], -G * numpy.sin(x[2]) + pull])


def slopes(x):
    return numpy.array([[0.0, 1.0, 0.0, 0.0], [-G * numpy.cos(x[0]) - K, 0.0, K, 0.0], [0.0, 0.0, 0.0, 1.0],
                        [K, 0.0, -G * numpy.cos(x[2]) - K, 0.0]])


def move(x):
    """A step of Runge and Kutta with its Jacobian, as the observer has them."""
    eye = numpy.eye(4)
    k1, j1 = derivative(x), slopes(x)
    z, s = x + 0.5 * H * k1, eye + 0.5 * H * j1
    k2, j2 = derivative(z), dot(slopes(z), s)
    z, s = x + 0.5 * H * k2, eye + 0.5 * H * j2
    k3, j3 = derivative(z), dot(slopes(z), s)
    z, s = x + H * k3, eye + H * j3
    k4, j4 = derivative(z), dot(slopes(z), s)
    return x + H / 6.0 * (k1 + 2.0 * (k2 + k3) + k4), eye + H / 6.0 * (j1 + 2.0 * (j2 + j3) + j4)


class ExtendedKalmanFilter:
    """predict() and update() with the algebra of filterpy 1.4: PHT, S, SI, K, and the Joseph form."""

    def __init__(self):
        self.x = numpy.array([0.5, 0.0, 0.3, 0.0])
        self.P = 0.01 * numpy.eye(4)
        self.Q = 1e-6 * numpy.eye(4)
        self.R = 0.02**2 * numpy.eye(2)
        self.H = numpy.array([[1.0, 0.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]])
        self._I = numpy.eye(4)

    def predict(self):
        self.x, self.F = move(self.x)
        self.P = dot(self.F, self.P).dot(self.F.T) + self.Q

    def update(self, z):
        PHT = dot(self.P, self.H.T)
        self.S = dot(self.H, PHT) + self.R
        self.SI = numpy.linalg.inv(self.S)
        self.K = dot(PHT, self.SI)
        self.y = z - dot(self.H, self.x)
        self.x = self.x + dot(self.K, self.y)
        I_KH = self._I - dot(self.K, self.H)
        self.P = dot(I_KH, self.P).dot(I_KH.T) + dot(self.K, self.R).dot(self.K.T)
