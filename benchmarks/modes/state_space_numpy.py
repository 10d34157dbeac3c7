"""Subspace identification of all orders with NumPy, in the steps that pyOMA2 takes for records with inputs: covariances from data matrices, the
part of the inputs taken off, one singular value decomposition, one QR factorisation for all orders, eigenvalues and shapes of each. Prints seconds
of the processor."""

import os
import sys
import time

os.environ["OPENBLAS_NUM_THREADS"] = "1"

import numpy  # noqa: E402, after the number of threads is set


def hankel(channels, first, rows, columns):
    return numpy.vstack([channels[:, first + i:first + i + columns] for i in range(rows)])


def stabilisation(inputs, outputs, rows, largest, step):
    count, samples = outputs.shape
    columns = samples - 2 * rows
    future, past = hankel(outputs, rows, rows, columns), hankel(outputs, 0, rows, columns)
    forces = hankel(inputs, rows, rows, columns)
    with_forces = future @ forces.T / columns
    projected = future @ past.T / columns - with_forces @ numpy.linalg.pinv(forces @ forces.T / columns) @ (past @ forces.T / columns).T
    left, values, _ = numpy.linalg.svd(projected)
    observability = left[:, :largest] * numpy.sqrt(values[:largest])
    q, r = numpy.linalg.qr(observability[:-count])
    shifted = q.T @ observability[count:]
    table = []
    for order in range(2, largest + 1, 2):
        transition = numpy.linalg.inv(r[:order, :order]) @ shifted[:order, :order]
        z, vectors = numpy.linalg.eig(transition)
        poles = numpy.log(z) / step
        table.append((order, abs(poles) / (2 * numpy.pi), -poles.real / abs(poles), observability[:count, :order] @ vectors))
    return table


def main():
    record = numpy.load(sys.argv[1]).T
    start = time.process_time()
    stabilisation(record[:2], record[2:], int(sys.argv[2]), 60, 1 / 1024)
    print(time.process_time() - start)


if __name__ == "__main__":
    main()
