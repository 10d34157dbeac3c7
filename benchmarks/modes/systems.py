"""Structures whose modes are known, and records of them: hammer, tap, wind.

Every structure is a list of poles with displacement residues: x(t) = sum 2 Re(phi_r q_r), q_r' = lambda_r q_r + l_r f. Records are made on
a grid 16 times finer, forces linear between its points; half of them pass the same low-pass filter in force and response, as in an
analyser, half are sampled as they are.
"""

import numpy
from scipy import linalg, signal

FINER = 16


class Structure:
    """Poles (upper half plane), phi: points x modes, l: modes x points (displacements and forces)."""

    def __init__(self, name, poles, phi, drive, sensors, hit):
        order = numpy.argsort(abs(poles))
        self.name, self.poles = name, poles[order]
        self.phi, self.drive = phi[:, order], drive[order, :]
        self.sensors, self.hit = sensors, hit

    def frequencies(self):
        return abs(self.poles) / (2 * numpy.pi)

    def ratios(self):
        return -self.poles.real / abs(self.poles)

    def shapes(self):
        return self.phi[self.sensors, :] * self.poles**2

    def accelerations(self, forces, points, step):
        """Samples of the sensors under forces at points, linear between samples; also each modal state."""
        total = numpy.zeros((len(forces), len(self.sensors)))
        states = []
        for r, pole in enumerate(self.poles):
            load = forces @ self.drive[r, points]
            z = numpy.exp(pole * step)
            # q(k+1) = z q(k) + a f(k) + b f(k+1), exact for forces that are linear between samples.
            e1 = (z - 1) / pole
            b = (e1 / step - 1) / pole
            a = e1 - b
            q = signal.lfilter([b, a], [1, -z], load)
            states.append(q)
            total += 2 * numpy.real(numpy.outer(pole**2 * q, self.phi[self.sensors, r]))
            total += 2 * numpy.real(numpy.outer(forces @ self.drive[r, points] * pole, self.phi[self.sensors, r]))
        return total, states


def normal_modes(name, frequencies, ratios, shapes, sensors, hit):
    """From undamped shapes of unit modal mass: phi l/(s^2 + 2 z w s + w^2) has the residue phi l/(2 i w_d)."""
    omega = 2 * numpy.pi * numpy.asarray(frequencies)
    ratios = numpy.asarray(ratios)
    damped = omega * numpy.sqrt(1 - ratios**2)
    poles = -ratios * omega + 1j * damped
    return Structure(name, poles, shapes / (2j * damped), shapes.T.astype(complex), sensors, hit)


def damped_chain(random, count=None):
    """Masses between two walls, springs beside springs; dampers not proportional."""
    n = count or int(random.integers(3, 9))
    mass = numpy.diag(random.uniform(1.0, 4.0, n))
    stiffness, damping = numpy.zeros((n, n)), numpy.zeros((n, n))
    links = [(k, k + 1) for k in range(n - 1)] + [(0, None)] + [(k, k + 2) for k in range(n - 2)]
    for a, b in links:
        row = numpy.zeros(n)
        row[a] = 1.0
        if b is not None:
            row[b] = -1.0
        k = random.uniform(0.5, 2.0) * (1e5 if b is None or b == a + 1 else 2e4)
        stiffness += k * numpy.outer(row, row)
        damping += random.uniform(0.2, 1.8) * 1e-4 * k * numpy.outer(row, row)
    A = numpy.block([[numpy.zeros((n, n)), numpy.eye(n)],
                     [-linalg.solve(mass, stiffness), -linalg.solve(mass, damping)]])
    values, right = linalg.eig(A)
    left = linalg.inv(right)
    B = numpy.vstack([numpy.zeros((n, n)), linalg.inv(mass)])
    keep = values.imag > 0
    return Structure("chain", values[keep], right[:n, keep], left[keep] @ B, list(range(n)), int(random.integers(n)))


def cantilever(random):
    """Euler-Bernoulli: beta L = 1.8751, 4.6941, 7.8548, ...; eight modes, sensors along it."""
    beta = numpy.array([1.875104, 4.694091, 7.854757, 10.995541, 14.137168, 17.278760, 20.420352, 23.561945])
    count = int(random.integers(4, 13))
    x = numpy.linspace(1.0 / count, 1.0, count)
    shapes = []
    for b in beta:
        s = (numpy.sinh(b) - numpy.sin(b)) / (numpy.cosh(b) + numpy.cos(b))
        shapes.append(numpy.cosh(b * x) - numpy.cos(b * x) - s * (numpy.sinh(b * x) - numpy.sin(b * x)))
    ratios = numpy.exp(random.uniform(numpy.log(0.001), numpy.log(0.02), len(beta)))
    first = random.uniform(2.0, 8.0)
    return normal_modes("cantilever", first * (beta / beta[0])**2, ratios, numpy.array(shapes).T, list(range(count)),
                        count // 2 + int(random.integers(count - count // 2)))


def plate(random):
    """Simply supported, nearly square: pairs of modes a few percent apart."""
    side = random.uniform(1.02, 1.12)
    pairs = [(a, b) for a in range(1, 6) for b in range(1, 6)]
    frequencies = numpy.array([a**2 + (b / side)**2 for a, b in pairs]) * random.uniform(8.0, 12.0)
    points = random.uniform(0.08, 0.92, (int(random.integers(6, 17)), 2))
    shapes = numpy.array([[2 * numpy.sin(a * numpy.pi * x) * numpy.sin(b * numpy.pi * y) for a, b in pairs] for x, y in points])
    ratios = numpy.exp(random.uniform(numpy.log(0.002), numpy.log(0.015), len(pairs)))
    return normal_modes("plate", frequencies, ratios, shapes, list(range(len(points))), int(random.integers(len(points))))


def floors(random):
    """Equal floors on equal columns: the structure of studies/frame-modes."""
    n = 5
    stiffness = 2e5 * (2 * numpy.eye(n) - numpy.eye(n, k=1) - numpy.eye(n, k=-1))
    stiffness[-1, -1] = 2e5
    values, shapes = linalg.eigh(stiffness, 5.0 * numpy.eye(n))
    ratios = random.uniform(0.004, 0.012, n)
    return normal_modes("floors", numpy.sqrt(values) / (2 * numpy.pi), ratios, shapes, list(range(n)), 1)


STRUCTURES = {"floors": floors, "chain": damped_chain, "cantilever": cantilever, "plate": plate}


class Test:
    """A record of a structure: force and responses at `rate`, noise `decibel` below the responses."""

    def __init__(self, kind, structure, decibel, seed):
        random = numpy.random.default_rng([seed, 17])
        self.kind, self.decibel, self.seed = kind, decibel, seed
        self.structure = STRUCTURES[structure](random)
        f = self.structure.frequencies()
        # The band ends between two modes, at most the seventh.
        last = min(len(f), 7) if structure != "plate" else 8
        self.to = f[-1] * 1.3 if last == len(f) else numpy.sqrt(f[last - 1] * f[last])
        self.rate = random.uniform(2.6, 5.0) * self.to
        # Without a filter a mode above half the rate is in the record, folded: where no force says otherwise, no method can tell.
        self.filtered = seed % 2 == 0 or kind in ("analyser", "ambient")
        if kind == "frf":
            self.make_responses(random)
            return
        self.make(random)
        if kind == "analyser":
            self.average()

    def make(self, random):
        f, z = self.structure.frequencies(), self.structure.ratios()
        slowest = 1.0 / min(2 * numpy.pi * f * z)
        fine = 1.0 / (FINER * self.rate)
        if self.kind in ("hammer", "analyser"):
            pause = min(max(3.0 * slowest, 60 / f[0]), 16000 / self.rate / 6)
            blows = int(random.integers(4, 9))
            times = numpy.cumsum(random.uniform(0.9, 1.1, blows) * pause) - 0.8 * pause
            self.seconds = times[-1] + pause
            self.blows, self.pause = times, pause
            self.points = [self.structure.hit]
        elif self.kind == "tap":
            times = numpy.array([max(1.0, 20 / f[0])])
            self.seconds = times[0] + min(max(3.0 * slowest, 60 / f[0]), 20000 / self.rate)
            self.points = [self.structure.hit]
        else:
            self.seconds = min(max(500 * slowest, 2000 / f[0]), 60000 / self.rate)
            self.points = self.structure.sensors
        samples = int(self.seconds * self.rate)
        count = samples * FINER
        forces = numpy.zeros((count, len(self.points)))
        if self.kind == "ambient":
            forces = random.normal(size=(count, len(self.points)))
        else:
            width = random.uniform(0.8, 1.2) / self.to
            t = numpy.arange(count) * fine
            for start in times:
                inside = (t >= start) & (t < start + width)
                forces[inside, 0] += random.uniform(0.7, 1.3) * numpy.sin(numpy.pi * (t[inside] - start) / width)
        responses, states = self.structure.accelerations(forces, self.points, fine)
        self.force, self.clean = self.sampled(forces), self.sampled(responses)
        self.states = [self.sampled(q) for q in states]
        self.sigma = 10**(-self.decibel / 20) * numpy.sqrt(numpy.mean(self.clean**2))
        self.response = self.clean + random.normal(size=self.clean.shape) * self.sigma
        if self.kind in ("hammer", "analyser"):
            self.force = self.force + random.normal(size=self.force.shape) * 1e-3 * numpy.sqrt(numpy.mean(self.force**2))

    def make_responses(self, random):
        """Accelerances on lines that cut the narrowest mode into half a line to ten, with noise of two kinds: one level for all lines, and
        a share of the response between 0.01 % and 3 %."""
        f, z, s = self.structure.frequencies(), self.structure.ratios(), self.structure
        inside = f < self.to
        line = min(2 * f[inside] * z[inside]) / numpy.exp(random.uniform(numpy.log(0.5), numpy.log(10.0)))
        line = max(line, self.to / 6400)
        first = 0.4 * f[0]
        self.lines = numpy.arange(first, self.to, line)
        w = 2j * numpy.pi * self.lines[:, None]
        clean = numpy.zeros((len(self.lines), len(s.sensors)), complex)
        for r, pole in enumerate(s.poles):
            residue = s.phi[s.sensors, r] * s.drive[r, s.hit]
            clean += w**2 * (residue / (w - pole) + residue.conj() / (w - pole.conj()))
        share = numpy.exp(random.uniform(numpy.log(1e-4), numpy.log(0.03)))
        level = 10**(-self.decibel / 20) * numpy.sqrt(numpy.mean(abs(clean)**2) / 2)

        def complex_noise():
            return random.normal(size=clean.shape) + 1j * random.normal(size=clean.shape)
        self.deviation = numpy.sqrt(level**2 + share**2 * numpy.mean(abs(clean)**2, axis=1) / 2)
        self.response = clean + level * complex_noise() + share / numpy.sqrt(2) * abs(clean) * complex_noise()

    def average(self):
        """H1 over the blows as an analyser forms it: rectangular window from a little before each blow, what is left of the decay leaks."""
        length = int(0.85 * self.pause * self.rate)
        top, bottom = 0.0, 0.0
        for blow in self.blows:
            start = max(0, int((blow - 0.02 * self.pause) * self.rate))
            piece = slice(start, start + length)
            if start + length > len(self.force):
                continue
            force = numpy.fft.rfft(self.force[piece, 0])
            response = numpy.fft.rfft(self.response[piece], axis=0)
            top = top + response * force.conj()[:, None]
            bottom = bottom + abs(force)**2
        lines = numpy.arange(len(bottom)) * self.rate / length
        kept = (lines > 0.4 * self.structure.frequencies()[0]) & (lines < self.to)
        self.lines, self.response = lines[kept], (top / bottom[:, None])[kept]

    def sampled(self, values):
        if self.filtered:
            taps = signal.firwin(16 * FINER + 1, 0.9 / FINER)
            values = signal.fftconvolve(values, taps if values.ndim == 1 else taps[:, None], mode="same", axes=0)
        return values[::FINER]

    def known(self):
        """The modes of the band that a record of this length and noise can tell: deviations of frequency below 0.3 % and of damping
        below 20 % by the Cramer-Rao bound of one mode alone; in wind by the length and the height of its peak over the noise."""
        f, z = self.structure.frequencies(), self.structure.ratios()
        shapes = self.structure.shapes()
        found = []
        for r in range(len(f)):
            if not 0 < f[r] < self.to:
                continue
            size = 2 * numpy.linalg.norm(shapes[:, r])
            if self.kind == "frf":
                pole, w = self.structure.poles[r], 2j * numpy.pi * self.lines
                q = self.structure.drive[r, self.structure.hit] / (w - pole) / self.deviation
                dq = q / (w - pole)
                left = dq - q * numpy.vdot(q, dq) / numpy.vdot(q, q).real
                clear = self.is_clear(f[r], z[r], 0.25 * size**2 * numpy.vdot(left, left).real)
            elif self.kind == "ambient":
                power = size**2 * numpy.mean(abs(self.states[r])**2) / (4 * numpy.pi * f[r] * z[r])
                noise = self.sigma**2 * len(self.structure.sensors) / (self.rate / 2)
                clear = 2 * numpy.pi * f[r] * z[r] * self.seconds > 50 and power > 3 * noise
            else:
                # y = Re(phi q): information of dq/dlambda = t-weighted q, less its part along q.
                q = self.states[r]
                t = numpy.arange(len(q)) / self.rate
                z1 = numpy.exp(self.structure.poles[r] / self.rate)
                dq = signal.lfilter([0, z1 / self.rate], [1, -z1], q)
                left = dq - q * numpy.vdot(q, dq) / max(numpy.vdot(q, q).real, 1e-300)
                clear = self.is_clear(f[r], z[r], 0.5 * size**2 * numpy.vdot(left, left).real / self.sigma**2)
                if self.kind == "analyser":
                    clear = clear and 2 * z[r] * f[r] > 0.5 * (self.lines[1] - self.lines[0])
            found.append((f[r], z[r], shapes[:, r], clear))
        return found

    @staticmethod
    def is_clear(f, z, information):
        deviation = 1.0 / numpy.sqrt(max(information, 1e-300))
        return deviation < 0.003 * 2 * numpy.pi * f and deviation < 0.2 * z * 2 * numpy.pi * f

    def write_responses(self, folder):
        outputs = [f"a{k + 1}" for k in range(self.response.shape[1])]
        table = numpy.column_stack([self.lines, numpy.dstack([self.response.real, self.response.imag]).reshape(len(self.lines), -1)])
        head = ["f"] + [f"{name}.{part}" for name in outputs for part in ("re", "im")]
        numpy.savetxt(folder / "frf.csv", table, delimiter=",", header=",".join(head), comments="", fmt="%.9g")
        names = ", ".join(f'"{name}"' for name in outputs)
        (folder / "modes.toml").write_text(f'title = "{self.kind}"\n[data]\nfrf = "frf.csv"\nfrequency = "f"\noutputs = [{names}]\n'
                                           '[identify]\nmethod = "modes"\n')
        return folder / "modes.toml"

    def study(self, folder):
        if self.kind in ("frf", "analyser"):
            return self.write_responses(folder)
        outputs = [f"a{k + 1}" for k in range(self.response.shape[1])]
        columns = [numpy.arange(len(self.response)) / self.rate]
        if self.kind == "hammer":
            columns.append(self.force[:, 0])
        table = numpy.column_stack(columns + [self.response])
        head = ["t [s]"] + (["F [N]"] if self.kind == "hammer" else []) + [name + " [m/s2]" for name in outputs]
        numpy.savetxt(folder / "record.csv", table, delimiter=",", header=",".join(head), comments="", fmt="%.9g")
        names = ", ".join(f'"{name}"' for name in outputs)
        text = f'title = "{self.kind}"\n[data]\nfile = "record.csv"\noutputs = [{names}]\n'
        if self.kind == "hammer":
            text += 'inputs = ["F"]\n'
        text += f'[identify]\nmethod = "modes"\nto = {self.to:.6g}\n'
        if self.kind == "tap":
            text += 'excitation = "taps"\n'
        (folder / "modes.toml").write_text(text)
        return folder / "modes.toml"
