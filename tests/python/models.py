"""Records with a known truth, by closed forms of NumPy and SciPy: nothing of the library is used."""

import numpy
import scipy.linalg

M = numpy.diag([2.0, 1.5])
D = numpy.array([[1.2, -0.4], [-0.4, 0.9]])
K = numpy.array([[450.0, -180.0], [-180.0, 320.0]])
STEP = 0.01


def linear_record(samples=3000, noise=0.0, seed=1):
    """Forces held between samples and displacements of M q'' + D q' + K q = u, exact by the matrix exponential."""
    random = numpy.random.default_rng(seed)
    u = random.standard_normal((samples, 2)) * 10.0
    inverse = numpy.linalg.inv(M)
    A = numpy.block([[numpy.zeros((2, 2)), numpy.eye(2)], [-inverse @ K, -inverse @ D]])
    B = numpy.vstack([numpy.zeros((2, 2)), inverse])
    block = scipy.linalg.expm(numpy.block([[A, B], [numpy.zeros((2, 6))]]) * STEP)
    state, rows = numpy.zeros(4), []
    for k in range(samples):
        rows.append(state[:2])
        state = block[:4, :4] @ state + block[:4, 4:] @ u[k]
    y = numpy.array(rows)
    return u, y + noise * random.standard_normal(y.shape)


def arm(sigma=0.001):
    """An arm that turns about the origin, with an encoder: the description of a mechanism as a dict."""
    return {
        "bodies": [{"name": "arm", "points": [{"name": "O", "at": [0.0, 0.0]}]}],
        "joints": [{"kind": "revolute", "a": "ground", "b": "arm.O"}],
        "coordinates": [{"kind": "angle", "of": "arm"}],
        "sensors": [{"name": "encoder", "kind": "angle", "of": "arm", "sigma": sigma}],
    }
