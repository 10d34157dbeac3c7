"""`alembert check` calls joints redundant only where they are: mechanisms in positions of symmetry and at change points."""

import math
import unittest

from tool import ToolTest, run


def polar(length, angle):
    return (length * math.cos(angle), length * math.sin(angle))


def plus(a, b):
    return (a[0] + b[0], a[1] + b[1])


class Machine:
    """A mechanism that is written down in the position where it stands."""

    def __init__(self, coordinates, **ground):
        self.coordinates = coordinates
        self.joints, self.starts = [], {}
        self.bodies = [f"bodies.ground = {{ points = {{ {self.points(ground)} }} }}"] if ground else []

    @staticmethod
    def points(named):
        return ", ".join(f"{name} = [{x:.12g}, {y:.12g}]" for name, (x, y) in named.items())

    def body(self, name, at, angle, **points):
        self.starts[name] = (*at, angle)
        self.bodies.append(f"bodies.{name} = {{ points = {{ {self.points(points)} }}, start = [{at[0]:.12g}, {at[1]:.12g}, {angle:.12g}] }}")
        return self

    def bar(self, name, **ends):
        (first, a), (second, b) = ends.items()
        half = 0.5 * math.dist(a, b)
        return self.body(name, plus((0.5 * a[0], 0.5 * a[1]), (0.5 * b[0], 0.5 * b[1])), math.atan2(b[1] - a[1], b[0] - a[0]),
                         **{first: (-half, 0.0), second: (half, 0.0)})

    def pins(self, *pairs):
        self.joints += [f'{{ revolute = ["{pair.split()[0]}", "{pair.split()[1]}"] }}' for pair in pairs]
        return self

    def joint(self, text):
        self.joints.append(text)
        return self

    def study(self):
        held = []
        for coordinate in self.coordinates:
            kind, name = coordinate[:-1].split("(")
            held.append(f'"{coordinate}" = "{self.starts[name][("x", "y", "angle").index(kind)]:.12g} + 0*t"')
        name = self.coordinates[-1][:-1].split("(")[1]
        return "\n".join(['title = "Sound"', "[mechanism]", "gravity = [0, 0]", *self.bodies, "joints = [" + ", ".join(self.joints) + "]",
                          "coordinates = [" + ", ".join(f'"{one}"' for one in self.coordinates) + "]", "[data]",
                          f'sensors.s = {{ kind = "angle", of = "{name}", sigma = 0.01 }}', "[simulate]", "step = 0.01", "duration = 0.1",
                          "[simulate.motion]", *held, ""])


def four_bar(O, A, B, C):
    return (Machine(["angle(crank)"], O=O, C=C).bar("crank", O=O, A=A).bar("coupler", A=A, B=B).bar("rocker", C=C, B=B)
            .pins("ground.O crank.O", "crank.A coupler.A", "coupler.B rocker.B", "ground.C rocker.C"))


def reached(A, C, a, c, side):
    """The point at the distance a from A and c from C."""
    d = math.dist(A, C)
    along = (a * a - c * c + d * d) / (2.0 * d)
    high = side * math.sqrt(max(0.0, a * a - along * along))
    x, y = (C[0] - A[0]) / d, (C[1] - A[1]) / d
    return (A[0] + along * x - high * y, A[1] + along * y + high * x)


def four_bars():
    for angle in (0.0, 1e-6, 1e-3, 1.0, math.pi / 2.0, math.pi):
        for length in (1.0, 2.0):  # a rhombus, a parallelogram
            A = polar(1.0, angle)
            yield f"parallelogram of {length} at {angle:.3g}", four_bar((0.0, 0.0), A, plus(A, (length, 0.0)), (length, 0.0))
    for angle in (0.5, math.pi / 2.0, math.pi):
        A, C = polar(1.0, angle), (1.0, 0.0)
        yield f"kite at {angle:.3g}", four_bar((0.0, 0.0), A, reached(A, C, 2.0, 2.0, 1.0), C)
    yield "kite folded", four_bar((0.0, 0.0), (1.0, 0.0), (3.0, 0.0), (1.0, 0.0))
    for angle in (0.7, 2.0):
        A, C = polar(1.0, angle), (2.0, 0.0)
        for side in (1.0, -1.0):  # the parallelogram and its crossed assembly
            yield f"crossed {angle} {side}", four_bar((0.0, 0.0), A, reached(A, C, 2.0, 1.0, side), C)


def stacked(count, angle):
    machine, left, right, foot = Machine([f"angle(a{k})" for k in range(count)], O=(0.0, 0.0), C=(2.0, 0.0)), "ground.O", "ground.C", (0.0, 0.0)
    for k in range(count):
        head = plus(foot, polar(1.0, angle))
        machine.bar(f"a{k}", S=foot, A=head).bar(f"c{k}", S=plus(foot, (2.0, 0.0)), B=plus(head, (2.0, 0.0)))
        machine.bar(f"b{k}", A=head, B=plus(head, (2.0, 0.0)))
        machine.pins(f"{left} a{k}.S", f"{right} c{k}.S", f"a{k}.A b{k}.A", f"c{k}.B b{k}.B")
        left, right, foot = f"b{k}.A", f"b{k}.B", head
    return machine


def slider_crank(angle, rod):
    A = polar(1.0, angle)
    B = (A[0] + math.sqrt(max(0.0, rod * rod - A[1] ** 2)), 0.0)
    return (Machine(["angle(crank)"], O=(0.0, 0.0)).bar("crank", O=(0.0, 0.0), A=A).bar("rod", A=A, B=B).body("slider", B, 0.0, B=(0.0, 0.0))
            .pins("ground.O crank.O", "crank.A rod.A", "rod.B slider.B").joint('{ prismatic = ["ground.O", "slider.B"], axis = [1, 0] }'))


def five_bar(height):
    A, B, P = (-1.0, 1.0), (1.0, 1.0), (0.0, height)
    return (Machine(["angle(l1)", "angle(r1)"], O=(-1.0, 0.0), C=(1.0, 0.0)).bar("l1", O=(-1.0, 0.0), A=A).bar("l2", A=A, P=P)
            .bar("r1", C=(1.0, 0.0), B=B).bar("r2", B=B, P=P)
            .pins("ground.O l1.O", "l1.A l2.A", "l2.P r2.P", "r1.B r2.B", "ground.C r1.C"))


def plate_on_legs(turn, links):
    """A plate in the middle of a triangle: on cylinders (3-RPR), or on legs of two links that are stretched (3-RRR)."""
    corners = [math.pi / 2.0 + 2.0 * math.pi * i / 3.0 for i in range(3)]
    feet, hands = [polar(1.0, one) for one in corners], [polar(0.4, one) for one in corners]
    machine = Machine(["x(plate)", "y(plate)", "angle(plate)"], **{f"F{i}": foot for i, foot in enumerate(feet)})
    machine.body("plate", (0.0, 0.0), turn, **{f"P{i}": hand for i, hand in enumerate(hands)})
    for i, foot in enumerate(feet):
        if not links:
            machine.joint(f'{{ cylinder = ["ground.F{i}", "plate.P{i}"], name = "c{i}" }}')
            continue
        hand = polar(0.4, corners[i] + turn)
        knee = (0.5 * (foot[0] + hand[0]), 0.5 * (foot[1] + hand[1]))
        machine.bar(f"u{i}", F=foot, E=knee).bar(f"l{i}", E=knee, P=hand)
        machine.pins(f"ground.F{i} u{i}.F", f"u{i}.E l{i}.E", f"l{i}.P plate.P{i}")
    return machine


def planetary(planets):
    at = [polar(0.042, 2.0 * math.pi * i / planets) for i in range(planets)]
    machine = Machine(["angle(carrier)"]).body("ring", (0.0, 0.0), 0.0, O=(0.0, 0.0)).body("sun", (0.0, 0.0), 0.0, O=(0.0, 0.0))
    machine.body("carrier", (0.0, 0.0), 0.0, O=(0.0, 0.0), **{f"P{i}": one for i, one in enumerate(at)})
    machine.joint('{ fixed = ["ground", "ring.O"] }').pins("ground sun.O", "ground carrier.O")
    machine.joint('{ gear = ["ring", "planet0"], ratio = 2.909090909091, carrier = "carrier" }')
    for i, one in enumerate(at):
        machine.body(f"planet{i}", one, 0.0, P=(0.0, 0.0)).pins(f"carrier.P{i} planet{i}.P")
        machine.joint(f'{{ gear = ["sun", "planet{i}"], ratio = -0.909090909091, carrier = "carrier" }}')
    return machine


def peaucellier():
    A, bx = (1.3, 0.0), (4.0 - 1.0 + 1.3**2) / 2.6
    B, D, C, Q = (bx, math.sqrt(4.0 - bx * bx)), (bx, -math.sqrt(4.0 - bx * bx)), (2.0 * bx - 1.3, 0.0), (0.65, 0.0)
    machine = Machine(["angle(q)"], O=(0.0, 0.0), Q=Q).bar("q", Q=Q, A=A).bar("ob", O=(0.0, 0.0), B=B).bar("od", O=(0.0, 0.0), D=D)
    machine.bar("ab", A=A, B=B).bar("ad", A=A, D=D).bar("cb", C=C, B=B).bar("cd", C=C, D=D)
    return machine.pins("ground.Q q.Q", "q.A ab.A", "q.A ad.A", "ground.O ob.O", "ground.O od.O", "ob.B ab.B", "ob.B cb.B", "od.D ad.D",
                        "od.D cd.D", "cb.C cd.C")


def sound_machines():
    yield from four_bars()
    for count, angle in ((2, 0.0), (2, 1.0), (5, 0.0), (5, 1.0)):
        yield f"{count} parallelograms on each other at {angle}", stacked(count, angle)
    for angle in (0.0, 0.3, math.pi / 2.0, math.pi):
        for rod in (1.0, 3.0):
            yield f"slider-crank at {angle:.3g}, rod {rod}", slider_crank(angle, rod)
    yield "five-bar", five_bar(1.0 + math.sqrt(3.0))
    yield "five-bar, flat", five_bar(1.0)
    for turn in (0.0, 0.2, math.pi / 3.0, math.pi / 2.0):
        yield f"3-RPR turned by {turn:.3g}", plate_on_legs(turn, False)
    yield "3-RRR, legs stretched", plate_on_legs(0.0, True)
    for planets in (1, 2, 3):
        yield f"{planets} planets", planetary(planets)
    yield "Peaucellier", peaucellier()


class Redundant(ToolTest):
    def check(self, machine):
        file = self.folder / "study.toml"
        file.write_text(machine.study())
        process = run("check", file)
        return process.returncode, process.stdout + process.stderr

    def test_no_sound_mechanism_is_called_redundant(self):
        """A Jacobian that loses rank in the position of the start alone is a change point, not a joint too many."""
        for name, machine in sound_machines():
            with self.subTest(name):
                code, words = self.check(machine)
                self.assertNotIn("what others forbid", words)
                if code != 0:
                    self.assertRegex(words, "change point|do not determine the motion here")

    def test_change_points_are_said(self):
        for machine in (stacked(1, 0.0), stacked(5, 0.0), four_bar((0.0, 0.0), (1.0, 0.0), (3.0, 0.0), (1.0, 0.0))):
            self.assertIn("change point", self.check(machine)[1])

    def test_a_third_crank_of_a_parallelogram_is_redundant(self):
        # It moves, but only since its lengths are exactly those of the others.
        A = polar(1.0, 1.0)
        machine = Machine(["angle(a)"], O=(0.0, 0.0), M=(1.0, 0.0), C=(2.0, 0.0))
        machine.bar("a", O=(0.0, 0.0), A=A).bar("c", C=(2.0, 0.0), B=plus(A, (2.0, 0.0))).bar("m", M=(1.0, 0.0), N=plus(A, (1.0, 0.0)))
        machine.body("b", plus(A, (1.0, 0.0)), 0.0, A=(-1.0, 0.0), N=(0.0, 0.0), B=(1.0, 0.0))
        machine.pins("ground.O a.O", "a.A b.A", "b.B c.B", "ground.C c.C", "ground.M m.M", "m.N b.N")
        code, words = self.check(machine)
        self.assertEqual(code, 2)
        self.assertIn("1 of 12 constraints repeats what others forbid", words)


if __name__ == "__main__":
    unittest.main()
