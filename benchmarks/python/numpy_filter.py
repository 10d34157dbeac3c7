"""The extended Kalman filter of filterpy, written anew in NumPy and SciPy, on the two pendulums of run.

It does what predict() and update() of filterpy.kalman.ExtendedKalmanFilter do (EKF.py at revision d0ae86d of its
repository), and nothing else: the same products in the same order, SciPy's inverse, the Joseph form, the checks of the
arguments, the copies of prior, posterior and reading. As filterpy asks for it, the model of the sensors comes as two
functions, and a motion that is not linear as a method predict_x() of a class of one's own. Likelihood and distance
are computed when they are asked for; nobody asks here.
"""

from copy import deepcopy

import numpy
import scipy.linalg
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
    """predict() and update() of filterpy."""

    def __init__(self, mean, covariance, process_noise, noise):
        self.x, self.P, self.Q, self.R = mean, covariance, process_noise, noise
        self.dim_z = len(noise)
        self._I = numpy.eye(len(mean))

    def predict(self, u=0):
        self.predict_x(u)
        self.P = dot(self.F, self.P).dot(self.F.T) + self.Q
        self.x_prior, self.P_prior = numpy.copy(self.x), numpy.copy(self.P)

    def update(self, z, slopes_of_output, output, R=None, args=(), output_args=(), residual=numpy.subtract):
        if z is None:
            self.z = numpy.array([[None] * self.dim_z]).T
            self.x_post, self.P_post = self.x.copy(), self.P.copy()
            return
        if not isinstance(args, tuple):
            args = (args,)
        if not isinstance(output_args, tuple):
            output_args = (output_args,)
        if R is None:
            R = self.R
        elif numpy.isscalar(R):
            R = R * numpy.eye(self.dim_z)
        if numpy.isscalar(z) and self.dim_z == 1:
            z = numpy.asarray([z], float)
        H = slopes_of_output(self.x, *args)
        PHT = dot(self.P, H.T)
        self.S = dot(H, PHT) + R
        self.K = PHT.dot(scipy.linalg.inv(self.S))
        self.y = residual(z, output(self.x, *output_args))
        self.x = self.x + dot(self.K, self.y)
        I_KH = self._I - dot(self.K, H)
        self.P = dot(I_KH, self.P).dot(I_KH.T) + dot(self.K, R).dot(self.K.T)
        self._log_likelihood = self._likelihood = self._mahalanobis = None
        self.z, self.x_post, self.P_post = deepcopy(z), self.x.copy(), self.P.copy()


SENSORS = numpy.array([[1.0, 0.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]])


def output(x):
    return dot(SENSORS, x)


def slopes_of_output(x):
    return SENSORS


class Pendulums(ExtendedKalmanFilter):
    def __init__(self):
        super().__init__(numpy.array([0.5, 0.0, 0.3, 0.0]), 0.01 * numpy.eye(4), 1e-6 * numpy.eye(4),
                         0.02**2 * numpy.eye(2))

    def predict_x(self, u=0):
        self.x, self.F = move(self.x)
