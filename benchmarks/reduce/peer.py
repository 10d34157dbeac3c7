"""peer.py WHAT FILE COUNT: the lowest modes of K and M of `measure_reduce write` by SciPy or Octave, as one line of JSON.

WHAT: scipy (default sparse LU), scipy-best (its best settings), octave. Times are of the processor, matrices read before."""
import json
import pathlib
import resource
import subprocess
import sys
import tempfile
import time

import numpy
import scipy.io
import scipy.sparse
import scipy.sparse.linalg


def read_matrix(file):
    rows, count = numpy.fromfile(file, numpy.int64, 2)
    starts = numpy.fromfile(file, numpy.int32, rows + 1)
    places = numpy.fromfile(file, numpy.int32, count)
    return scipy.sparse.csc_matrix((numpy.fromfile(file, float, count), places, starts), (rows, rows))


def by_scipy(K, M, count, best):
    start = time.process_time()
    if best:
        # Symmetric ordering and no pivoting off the diagonal; the accuracy of the others.
        factors = scipy.sparse.linalg.splu(
            K, permc_spec="MMD_AT_PLUS_A", diag_pivot_thresh=0.0, options={"SymmetricMode": True})
        inverse = scipy.sparse.linalg.LinearOperator(K.shape, factors.solve)
        values, shapes = scipy.sparse.linalg.eigsh(K, count, M, sigma=0.0, OPinv=inverse, tol=1e-10)
    else:
        values, shapes = scipy.sparse.linalg.eigsh(K, count, M, sigma=0.0)
    return time.process_time() - start, values, shapes


def by_octave(K, M, count):
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        scipy.io.savemat(folder / "in.mat", {"K": K, "M": M, "k": float(count)})
        subprocess.run(["octave-cli", "--quiet", "--no-gui", "--eval",
                        f"load('{folder}/in.mat'); t = cputime(); [x, d] = eigs(K, M, k, 0); t = cputime() - t;"
                        f"d = diag(d); save('-v6', '{folder}/out.mat', 't', 'x', 'd')"], check=True)
        out = scipy.io.loadmat(folder / "out.mat")
    return float(out["t"][0, 0]), out["d"].ravel(), out["x"]


def main():
    what, name, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
    with open(name, "rb") as file:
        K, M = read_matrix(file), read_matrix(file)
    seconds, values, shapes = by_octave(K, M, count) if what == "octave" else by_scipy(K, M, count, what == "scipy-best")
    order = numpy.argsort(values)
    values, shapes = values[order], shapes[:, order]
    left = numpy.linalg.norm(K @ shapes - (M @ shapes) * values, axis=0)
    # As residual in include/alembert/reduce/modes.hpp.
    scale = numpy.maximum(values, 1e-3 * values[-1]) * numpy.linalg.norm(M @ shapes, axis=0)
    peak = resource.getrusage(resource.RUSAGE_CHILDREN if what == "octave" else resource.RUSAGE_SELF).ru_maxrss
    print(json.dumps({"rows": K.shape[0], "modes": len(values), "seconds": seconds, "residual": float((left / scale).max()),
                      "gigabytes": peak / 1024**2, "first": float(values[0]), "last": float(values[-1])}))


main()
