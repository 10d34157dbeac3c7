"""compare.py MEASURE_PYTHON: the same calls from Python and from C++, by turns in one run; CPU times of one thread."""

import os
import subprocess
import sys
import tempfile
import time

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy  # noqa: E402

import alembert  # noqa: E402
from numpy_filter import ExtendedKalmanFilter  # noqa: E402

MEASURE = sys.argv[1]
TURNS = 5
# Rules that were set before the first run.
RULES = {"identify": 1.05, "step": 1.0e-6, "faster": 50.0, "import": 0.3}


def cpp(*arguments):
    done = subprocess.run([MEASURE, *map(str, arguments)], text=True, capture_output=True, check=True)
    seconds, value = done.stdout.split()
    return float(seconds), float(value)


def fastest(repeats, call):
    best, value = numpy.inf, None
    for _ in range(repeats):
        begin = time.thread_time()
        value = call()
        best = min(best, time.thread_time() - begin)
    return best, value


def record(samples=4000, n=3):
    rng = numpy.random.default_rng(3)
    M, K = numpy.diag([3.0, 2.0, 1.0]), numpy.array([[900.0, -400, 0], [-400, 700, -300], [0, -300, 300]])
    force = numpy.repeat(rng.normal(size=(samples // 10, n)), 10, axis=0)
    frame = alembert.model.SecondOrder(M=M, D=0.1 * M + 0.001 * K, K=K, L=numpy.eye(n))
    motion = alembert.integrate.simulate(frame, force, 0.01, numpy.zeros(n), numpy.zeros(n), hold="zero")
    return force, motion.displacement + 1e-4 * rng.normal(size=force.shape)


def identification():
    u, y = record()
    ours, theirs = [], []
    with tempfile.NamedTemporaryFile() as file:
        file.write(numpy.asfortranarray(u).tobytes("F") + numpy.asfortranarray(y).tobytes("F"))
        file.flush()
        # Ctrl-C is looked for while the work is done on a thread of its own, whose CPU time counts too.
        for _ in range(TURNS):
            theirs.append(cpp("identify", file.name, *u.shape, 0.01, 6))
            best = numpy.inf
            for _ in range(6):
                begin = time.process_time()
                fit = alembert.identify.identify_linear(u, y, step=0.01, hold="zero", threads=1)
                best = min(best, time.process_time() - begin)
            ours.append((best, fit.refinement.system.M[0, 0]))
    assert ours[0][1] == theirs[0][1], (ours[0], theirs[0])
    return min(t for t, _ in ours), min(t for t, _ in theirs)


def observer():
    return alembert.estimate.EquationObserver(
        "a'' = -g*sin(a) - k*(a - b)\nb'' = -g*sin(b) + k*(a - b)", {"outputs": ["a", "b"]}, {"g": 9.81, "k": 2.0},
        mean=[0.5, 0.0, 0.3, 0.0], deviation=0.1, process_noise=1e-6 * numpy.eye(4), sigma=0.02)


def steps(count=20000):
    readings = [numpy.array([0.5 * numpy.cos(0.03 * i), 0.3]) for i in range(count)]
    ours, theirs, numpys = [], [], []
    peer = ExtendedKalmanFilter()

    def by_numpy():
        for z in readings[:500]:
            peer.predict()
            peer.update(z)

    def by_module(step):
        for z in readings:
            step(0.01, z)

    one = observer()
    for _ in range(TURNS):
        theirs.append(cpp("observe", count, 3)[0])
        ours.append(fastest(3, lambda: by_module(one.step))[0] / count)
        numpys.append(fastest(3, by_numpy)[0] / 500)
    check_same(readings)
    return min(ours), min(theirs), min(numpys)


def check_same(readings):
    """Both filters are the same filter."""
    one, peer = observer(), ExtendedKalmanFilter()
    for z in readings[:300]:
        one.step(0.01, z)
        peer.predict()
        peer.update(z)
    numpy.testing.assert_allclose(one.mean(), peer.x, rtol=1e-9, atol=1e-12)


def import_seconds():
    code = "import time, numpy\nb = time.process_time()\nimport alembert\nprint(time.process_time() - b)"
    alone = [float(subprocess.run([sys.executable, "-c", code], text=True, capture_output=True, check=True).stdout)
             for _ in range(TURNS)]
    whole = code.replace(", numpy", "")
    both = [float(subprocess.run([sys.executable, "-c", whole], text=True, capture_output=True, check=True).stdout)
            for _ in range(TURNS)]
    return min(alone), min(both)


def main():
    ours, theirs = identification()
    print("| what | Python | C++ | rule | kept |\n|---|---:|---:|---|---|")

    def line(what, a, b, rule, kept):
        print(f"| {what} | {a} | {b} | {rule} | {'yes' if kept else 'NO'} |")

    line("identify_linear, 3 x 3, 4000 samples", f"{1e3 * ours:.2f} ms", f"{1e3 * theirs:.2f} ms",
         f"ratio {ours / theirs:.3f} <= 1.05", ours <= RULES["identify"] * theirs)
    a, b, c = steps()
    line("observer step, EKF, 4 states", f"{1e6 * a:.2f} us", f"{1e6 * b:.2f} us",
         f"difference {1e6 * (a - b):.2f} us <= 1 us", a - b <= RULES["step"])
    line("the same by filterpy's algorithm in NumPy", f"{1e6 * c:.1f} us", "", f"ratio {c / a:.0f} >= 50",
         c >= RULES["faster"] * a)
    alone, both = import_seconds()
    line("import, NumPy loaded before / with NumPy", f"{alone:.3f} s / {both:.3f} s", "", "with NumPy < 0.3 s",
         both < RULES["import"])


main()
