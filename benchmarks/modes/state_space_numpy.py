"""Covariance-driven stochastic subspace identification of all orders, written as pyOMA2 does it: a Hankel matrix of correlations from products of
the samples, one singular value decomposition, and for each order least squares for A and its eigenvalues. Prints seconds."""

import os
import sys
import time

os.environ["OPENBLAS_NUM_THREADS"] = "1"

import numpy  # noqa: E402, after the number of threads is set


def stabilisation(outputs, references, rows, largest, step):
    samples, count = outputs.shape
    chosen = outputs[:, references]
    correlations = [outputs[k:].T @ chosen[:samples - k] / (samples - k) for k in range(2 * rows)]
    hankel = numpy.block([[correlations[i + j + 1] for j in range(rows)] for i in range(rows - 1)])
    left, values, _ = numpy.linalg.svd(hankel, full_matrices=False)
    table = []
    for order in range(2, largest + 1, 2):
        observability = left[:, :order] * numpy.sqrt(values[:order])
        transition = numpy.linalg.pinv(observability[:-count]) @ observability[count:]
        z, vectors = numpy.linalg.eig(transition)
        poles = numpy.log(z) / step
        table.append((order, abs(poles) / (2 * numpy.pi), -poles.real / abs(poles), observability[:count] @ vectors))
    return table


def main():
    outputs = numpy.load(sys.argv[1])[:, 2:]
    start = time.perf_counter()
    stabilisation(outputs, list(range(outputs.shape[1])), int(sys.argv[2]), 60, 1 / 1024)
    print(time.perf_counter() - start)


if __name__ == "__main__":
    main()
