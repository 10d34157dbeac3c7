"""The task [reduce], from the study to the report; bad structures."""

import json
import shutil
import unittest

from tool import PROJECT, ToolTest, folder_bytes, run

CHAIN = """\
title = "Chain"
[structure]
mass = "m.mtx"
stiffness = "k.mtx"
[reduce]
masters = [{ rows = [1, 6] }]
modes = [1, 2]
"""


def matrix(rows, form="symmetric"):
    """A Matrix Market file; of a symmetric one the lower triangle."""
    entries = [
        (i + 1, j + 1, value)
        for i, row in enumerate(rows)
        for j, value in enumerate(row)
        if value != 0.0 and (form == "general" or j <= i)
    ]
    head = f"%%MatrixMarket matrix coordinate real {form}\n{len(rows)} {len(rows[0])} {len(entries)}\n"
    return head + "".join(f"{i} {j} {value!r}\n" for i, j, value in entries)


def masses(n=12, mass=1.0):
    return [[mass * (i == j) for j in range(n)] for i in range(n)]


def springs(n=12, stiffness=100.0, ground=100.0):
    """Masses in a row, a spring between neighbours, one to the ground at the first."""
    K = [[0.0] * n for _ in range(n)]
    K[0][0] += ground
    for i in range(n - 1):
        for a, b, sign in ((i, i, 1), (i + 1, i + 1, 1), (i, i + 1, -1), (i + 1, i, -1)):
            K[a][b] += sign * stiffness
    return K


def times(A, B):
    return [[sum(a * b for a, b in zip(row, column)) for column in zip(*B)] for row in A]


def read_matrix(file):
    """A dense Matrix Market file that the tool wrote."""
    lines = file.read_text().splitlines()
    symmetric = "symmetric" in lines[0]
    body = [line for line in lines[1:] if not line.startswith("%")]
    rows, columns = map(int, body[0].split()[:2])
    values = iter(map(float, body[1:]))
    A = [[0.0] * columns for _ in range(rows)]
    for j in range(columns):
        for i in range(j if symmetric else 0, rows):
            A[i][j] = next(values)
            if symmetric:
                A[j][i] = A[i][j]
    return A


class Reduce(ToolTest):
    def chain(self, mass=None, stiffness=None, text=CHAIN):
        self.write("m.mtx", mass or matrix(masses()))
        self.write("k.mtx", stiffness or matrix(springs()))
        return self.write("chain.toml", text)

    def result(self, name="chain.out"):
        return json.loads((self.folder / name / "result.json").read_text())

    def refused(self, study, words, code=2, command="run"):
        process = run(*([command] if isinstance(command, str) else command), study)
        self.assert_exit(process, code)
        self.assertEqual(len(process.stderr.splitlines()), 1, process.stderr)
        for part in (words,) if isinstance(words, str) else words:
            self.assertIn(part, process.stderr)
        self.assertFalse((self.folder / "chain.out").exists())

    def test_the_bar_horn_end_to_end(self):
        shutil.copy(PROJECT / "studies/bar-horn/reduce.toml", self.folder / "horn.toml")
        process = run("run", self.folder / "horn.toml")
        self.assert_exit(process, 0)
        self.assertEqual(process.stderr, "")
        result = self.result("horn.out")
        self.assertEqual(result["verdict"]["level"], "good")
        self.assertEqual(result["structure"]["rows"], 316)
        self.assertEqual(len(result["masters"]), 6)
        # By an independent program: frequencies in Hz, sizes of three methods.
        for mode, hz in zip(result["modes"], (24889.0, 48662.0)):
            self.assertAlmostEqual(mode["frequency_hz"], hz, delta=0.5)
        sizes = {one["method"]: one["size"] for one in result["smallest"]}
        self.assertEqual((sizes["frequency"], sizes["mode-ranking"], sizes["mode-residuals"]), (28, 15, 8))
        self.assertEqual(result["model"]["method"], "mode-residuals")
        for proof in result["proof"].values():
            self.assertEqual(proof["found"], proof["counted"])
        self.assertEqual(
            sorted(file.name for file in (self.folder / "horn.out").iterdir()),
            ["basis.mtx", "mass.mtx", "report.html", "result.json", "stiffness.mtx"],
        )
        report = (self.folder / "horn.out/report.html").read_text()
        for words in ("How right the small model is", "Smallest size of each method", "Mode 8 at 24889 Hz"):
            self.assertIn(words, report)
        self.assertIn("mode-residuals", process.stdout)
        self.assert_documented(result)

    def test_the_files_are_the_small_model(self):
        self.assert_exit(run("run", self.chain(), "--quiet"), 0)
        # A second run replaces the result of the first.
        self.assert_exit(run("run", self.chain(), "--quiet"), 0)
        out = self.folder / "chain.out"
        H, small = read_matrix(out / "basis.mtx"), read_matrix(out / "stiffness.mtx")
        transposed = [list(column) for column in zip(*H)]
        projected = times(transposed, times(springs(), H))
        for row, expected in zip(small, projected):
            for a, b in zip(row, expected):
                self.assertAlmostEqual(a, b, delta=1e-9 * 200.0)  # rounding of 12 terms of 200
        # The masters are rows 1 and 6, in this order.
        self.assertEqual([H[0][:2], H[5][:2]], [[1.0, 0.0], [0.0, 1.0]])

    def test_forces_and_damping(self):
        study = self.chain(text=CHAIN.replace("modes = [1, 2]", "forces = [{ frequency = 0.7, amplitude = [1.0, -2.0] }]")
                           .replace('stiffness = "k.mtx"', 'stiffness = "k.mtx"\ndamping = "d.mtx"'))
        self.write("d.mtx", matrix(springs(stiffness=0.1, ground=0.1)))
        process = run("run", study)
        self.assert_exit(process, 0)
        result = self.result()
        self.assertEqual([one["design"] for one in result["responses"]], [True, False, False])
        self.assertLess(result["responses"][0]["gain_error"], 0.01)
        self.assertEqual(result["model"]["damping"]["file"], "damping.mtx")
        small = read_matrix(self.folder / "chain.out/damping.mtx")
        stiffness = read_matrix(self.folder / "chain.out/stiffness.mtx")
        self.assertAlmostEqual(small[0][0], 0.001 * stiffness[0][0], delta=1e-12)  # D = K/1000
        self.assert_documented(result)

    def test_an_accuracy_that_is_not_met_is_bad(self):
        process = run("run", self.chain(), "--set", "reduce.method=guyan", "--set", "reduce.nco=0.9999999")
        self.assert_exit(process, 1)
        self.assertEqual(self.result()["verdict"]["level"], "bad")
        self.assertIn("verdict    bad", process.stdout)

    def test_same_bytes_for_any_threads(self):
        study = self.chain()
        for out, threads in (("one", 1), ("two", 2)):
            self.assert_exit(run("run", study, "--quiet", "--threads", threads, "--out", self.folder / out), 0)
        self.assertEqual(folder_bytes(self.folder / "one"), folder_bytes(self.folder / "two"))

    def test_the_template_runs(self):
        study = self.folder / "chain.toml"
        self.assert_exit(run("new", "reduce", "-o", study), 0)
        self.assert_exit(run("check", study), 0)
        self.assert_exit(run("run", study, "--quiet"), 0)
        self.assertEqual(self.result()["verdict"]["level"], "good")

    def test_matrices_that_cannot_be_used_are_named(self):
        half = [[value if j <= i else 0.0 for j, value in enumerate(row)] for i, row in enumerate(springs())]
        self.refused(self.chain(stiffness=matrix(half, "general")), ("structure.stiffness", "must be symmetric", "one triangle"))
        self.refused(self.chain(mass=matrix(masses(n=11))), ("structure.mass", "12 x 12"))
        negative = masses()
        negative[3][3] = -1.0
        self.refused(self.chain(mass=matrix(negative)), ("structure.mass", "positive semidefinite"))
        empty = springs()
        for i in range(12):
            empty[11][i] = empty[i][11] = 0.0
        empty[10][10] -= 100.0
        bare = masses()
        bare[11][11] = 0.0
        self.refused(self.chain(mass=matrix(bare), stiffness=matrix(empty)), "row 12")

    def test_an_indefinite_matrix_is_named(self):
        # A spring of negative stiffness whose rows still have positive diagonals.
        K = springs()
        for a, b, sign in ((7, 7, 1), (8, 8, 1), (7, 8, -1), (8, 7, -1)):
            K[a][b] -= 70.0 * sign
        K[7][8] = K[8][7] = -190.0
        self.refused(self.chain(stiffness=matrix(K)), "positive semidefinite", code=3)

    def test_an_interface_that_leaves_a_mechanism_is_named(self):
        # The last three masses hang together and on nothing else.
        K = springs()
        K[8][9] = K[9][8] = 0.0
        K[8][8] -= 100.0
        K[9][9] -= 100.0
        self.refused(self.chain(stiffness=matrix(K)), ("must hold the interior", "add masters"), code=3)

    def test_parts_and_massless_rows_are_counted(self):
        K = springs()
        K[8][9] = K[9][8] = 0.0
        M = masses()
        M[3][3] = 0.0
        study = self.chain(mass=matrix(M), stiffness=matrix(K))
        self.assert_exit(run("run", study, "--quiet"), 0)
        self.assertEqual(self.result()["structure"]["parts"], 2)
        self.assertEqual(self.result()["structure"]["massless"], 1)

    def test_a_natural_frequency_has_no_steady_response(self):
        study = self.write("chain.toml", CHAIN.replace("modes = [1, 2]", "forces = [{ frequency = 1.5915494309189535 }]")
                           .replace("rows = [1, 6]", "rows = [1]"))
        self.write("m.mtx", matrix([[1.0, 0.0], [0.0, 1.0]]))
        self.write("k.mtx", matrix([[100.0, 0.0], [0.0, 100.0]]))
        self.refused(study, "natural frequency", code=3)

    def test_tables_of_nodes(self):
        study = self.chain(text=CHAIN.replace('stiffness = "k.mtx"', 'stiffness = "k.mtx"\nnodes = "nodes.csv"')
                           .replace("rows = [1, 6]", 'nodes = [10, 60], directions = ["x"]'))
        self.write("nodes.csv", "".join(f"{10 * (i + 1)},1,{0.5 * i},0,0\n" for i in range(12)))
        self.assert_exit(run("run", study, "--quiet"), 0)
        self.assertEqual(self.result()["masters"], ["row 1 (node 10, x)", "row 6 (node 60, x)"])
        shutil.rmtree(self.folder / "chain.out")
        # Directions counted from 0, a table that is too short, a node that is not there.
        self.write("nodes.csv", "".join(f"{10 * (i + 1)},0,{0.5 * i},0,0\n" for i in range(12)))
        self.refused(study, ("nodes.csv:1", "count from 1 (x) to 6 (rz)"), code=3)
        self.write("nodes.csv", "".join(f"{10 * (i + 1)},1\n" for i in range(11)))
        self.refused(study, ("nodes.csv", "each of the 12 rows", "11 x 2"), code=3)
        self.write("nodes.csv", "".join(f"{i},1\n" for i in range(12)))
        self.refused(study, ("reduce.masters[1].nodes", "nodes of the structure, got 60"))

    def test_meshes_of_other_programs(self):
        """A clamped bar of steel, 2 x 1 x 1 m, by both formats in mm and by our own block: the same matrices."""
        block = ("[structure.block]\nx = [0.0, 1.0, 2.0]\ny = [0.0, 1.0]\nz = [0.0, 1.0]\n[structure]\n"
                 "fixed = [{ box = [0.0, 0.0, 0.0, 0.0, 1.0, 1.0] }]\n[reduce]\n"
                 "masters = [{ box = [2.0, 0.0, 0.0, 2.0, 1.0, 1.0] }]\nmodes = [1]\n")
        study = self.write("chain.toml", block)
        self.assert_exit(run("run", study, "--quiet"), 0)
        expected = read_matrix(self.folder / "chain.out/stiffness.mtx")
        places = [(1000 * i, 1000 * j, 1000 * k) for i in range(3) for j in range(2) for k in range(2)]
        bricks = [[4 * i + local for local in (1, 5, 7, 3, 2, 6, 8, 4)] for i in range(2)]
        msh = ["$MeshFormat", "2.2 0 8", "$EndMeshFormat", "$PhysicalNames", "2", '2 1 "wall"', '2 2 "tip"', "$EndPhysicalNames", "$Nodes", "12"]
        msh += [f"{i + 1} {x} {y} {z}" for i, (x, y, z) in enumerate(places)] + ["$EndNodes", "$Elements", "4", "1 3 2 1 1 1 2 4 3", "2 3 2 2 1 9 10 12 11"]
        msh += [f"{i + 3} 5 2 0 1 {' '.join(map(str, brick))}" for i, brick in enumerate(bricks)] + ["$EndElements"]
        self.write("bar.msh", "\n".join(msh) + "\n")
        inp = ["*NODE"] + [f"{i + 1}, {x}, {y}, {z}" for i, (x, y, z) in enumerate(places)] + ["*ELEMENT, TYPE=C3D8"]
        inp += [f"{i + 1}, {', '.join(map(str, brick))}" for i, brick in enumerate(bricks)] + ["*NSET, NSET=wall", "1, 2, 3, 4", "*NSET, NSET=tip", "9, 10, 11, 12"]
        self.write("bar.inp", "\n".join(inp) + "\n")
        text = ('[structure.mesh]\nfile = "bar.msh"\nscale = 0.001\n[structure]\nfixed = [{ set = "wall" }]\n'
                '[reduce]\nmasters = [{ set = "tip" }]\nmodes = [1]\n')
        for name in ("bar.msh", "bar.inp"):
            with self.subTest(name=name):
                study = self.write("chain.toml", text.replace("bar.msh", name))
                self.assert_exit(run("run", study, "--quiet"), 0)
                for row, other in zip(expected, read_matrix(self.folder / "chain.out/stiffness.mtx")):
                    for a, b in zip(row, other):
                        self.assertAlmostEqual(a, b, delta=1e-9 * 1e11)  # rounding of places and of the solve
                new = self.folder / f"new-{name[4:]}.toml"
                self.assert_exit(run("new", "reduce", self.folder / name, "-o", new), 0)
                self.assertIn('fixed = [{ set = "wall" }]', new.read_text())
                self.assertIn("scale = 0.001", new.read_text())
                self.assert_exit(run("check", new), 0)
                self.assert_exit(run("run", new, "--quiet"), 0)
        shutil.rmtree(self.folder / "chain.out")
        self.write("record.csv", "t,a\n0,1\n1,2\n")
        self.refused(self.folder / "record.csv", "takes a mesh (.msh, .inp), no record", code=3, command=("new", "reduce"))
        self.refused(self.write("chain.toml", text.replace('"tip"', '"top"')), ("reduce.masters[1].set", "(tip, wall)", '"top"'))
        self.refused(self.write("chain.toml", text.replace("bar.msh", "bar.vtk")), "bar.vtk", code=3)
        self.write("bar.msh", "\n".join(msh).replace("3 5 2 0 1 1 5 7 3 2 6 8 4", "3 5 2 0 1 5 1 3 7 6 2 4 8") + "\n")
        self.refused(self.write("chain.toml", text), ("structure.mesh", "element 3", "counter-clockwise"))

    def test_matrices_of_finite_element_programs(self):
        """The chain as CalculiX, Abaqus, Nastran and Harwell-Boeing write it: the same small model."""
        self.assert_exit(run("run", self.chain(), "--quiet"), 0)
        expected = (self.folder / "chain.out/stiffness.mtx").read_bytes()
        n = 12
        lower = {name: [(i, j, A[i][j]) for j in range(n) for i in range(j, n) if A[i][j] != 0.0]
                 for name, A in (("M", masses()), ("K", springs()))}
        files = {"sti": "k.sti", "mas": "m.mas"}
        self.write(files["sti"], "".join(f"{i + 1} {j + 1} {v:.20E}\n" for i, j, v in lower["K"]))
        self.write(files["mas"], "".join(f"{i + 1} {j + 1} {v:.20E}\n" for i, j, v in lower["M"]))
        self.write("rows.dof", "".join(f"{10 * (i + 1)}.1\n" for i in range(n)))
        for name, end in (("M", "MASS1"), ("K", "STIF1")):
            self.write(f"job_{end}.mtx", "".join(f"{10 * (i + 1)},1, {10 * (j + 1)},1, {v:.15e}\n" for i, j, v in lower[name]))
        self.write("job.pch", "".join(
            [f"DMIG,{name}AAX,0,6,2\n" + "".join(f"DMIG,{name}AAX,{10 * (j + 1)},1,,{10 * (i + 1)},1,{v:.1f}\n" for i, j, v in lower[name])
             for name in lower]))
        self.write("job.op4", "".join(
            [f"{n:8}{n:8}{6:8}{2:8}{name + 'AA':8}1P,3E23.16\n" + "".join(
                f"{j + 1:8}{1:8}{2 * n:8}\n" + "".join(f"{A[i][j]:23.16E}" + ("\n" if i % 3 == 2 else "") for i in range(n)) for j in range(n))
             + f"{n + 1:8}{1:8}{1:8}\n{1.0:23.16E}\n" for name, A in (("M", masses()), ("K", springs()))]))
        boeing = {}
        for name, entries in lower.items():
            starts = [1 + sum(1 for one in entries if one[1] < j) for j in range(n + 1)]
            boeing[name] = (f"{'The chain':72}{name:8}\n{4:14}{1:14}{1:14}{2:14}{0:14}\n{'RSA':14}{n:14}{n:14}{len(entries):14}{0:14}\n"
                            f"{'(20I4)':16}{'(30I4)':16}{'(15F8.2)':20}\n" + "".join(f"{start:4}" for start in starts) + "\n"
                            + "".join(f"{i + 1:4}" for i, _, _ in entries) + "\n"
                            + "".join(f"{v:8.2f}" + ("\n" if k % 15 == 14 else "") for k, (_, _, v) in enumerate(entries)) + "\n")
            self.write(f"{name}.rsa", boeing[name])
        by_node = 'masters = [{ nodes = [10, 60] }]'
        for mass, stiffness, more, masters in (
                ("m.mas", "k.sti", "", None), ("m.mas", "k.sti", 'nodes = "rows.dof"', by_node), ("job_MASS1.mtx", "job_STIF1.mtx", "", by_node),
                ("job.pch", "job.pch", 'matrices = ["MAAX", "KAAX"]', by_node), ("job.op4", "job.op4", 'matrices = ["MAA", "KAA"]', None),
                ("M.rsa", "K.rsa", "", None)):
            with self.subTest(mass=mass, masters=masters):
                text = CHAIN.replace('"m.mtx"', f'"{mass}"').replace('"k.mtx"', f'"{stiffness}"\n{more}')
                if masters:
                    text = text.replace("masters = [{ rows = [1, 6] }]", masters)
                self.assert_exit(run("run", self.write("chain.toml", text), "--quiet"), 0)
                self.assertEqual((self.folder / "chain.out/stiffness.mtx").read_bytes(), expected)
        shutil.rmtree(self.folder / "chain.out")
        text = CHAIN.replace('"m.mtx"', '"job.pch"').replace('"k.mtx"', '"job.pch"')
        self.refused(self.write("chain.toml", text), ("job.pch", "several matrices", "KAAX, MAAX"), code=3)
        text = CHAIN.replace('"m.mtx"', '"job_MASS1.mtx"')
        self.refused(self.write("chain.toml", text), ("structure.mass", "by node and direction"))
        self.write("k.sti", "0 0 1.0\n")
        text = CHAIN.replace('"m.mtx"', '"m.mas"').replace('"k.mtx"', '"k.sti"')
        self.refused(self.write("chain.toml", text), ("k.sti:1", "count from 1"), code=3)

    def test_a_harwell_boeing_file_of_scipy(self):
        try:
            import numpy
            import scipy.io
            import scipy.sparse
        except ImportError:
            self.skipTest("needs SciPy")
        self.assert_exit(run("run", self.chain(), "--quiet"), 0)
        expected = (self.folder / "chain.out/stiffness.mtx").read_bytes()
        for name, A in (("m", masses()), ("k", springs())):
            scipy.io.hb_write(str(self.folder / f"{name}.hb"), scipy.sparse.csc_matrix(numpy.array(A)))
        text = CHAIN.replace("m.mtx", "m.hb").replace("k.mtx", "k.hb")
        self.assert_exit(run("run", self.write("chain.toml", text), "--quiet"), 0)
        self.assertEqual((self.folder / "chain.out/stiffness.mtx").read_bytes(), expected)

    def test_the_small_model_in_other_programs_and_tasks(self):
        self.assert_exit(run("run", self.chain(), "--quiet", "--results", "mat,h5"), 0)
        out = self.folder / "chain.out"
        small = read_matrix(out / "stiffness.mtx")
        try:
            import scipy.io
            model = scipy.io.loadmat(str(out / "result.mat"), simplify_cells=True)["model"]
            self.assertEqual([list(row) for row in model["stiffness"]["values"]], small)
            self.assertEqual(model["basis"]["values"].shape, (12, len(small)))
        except ImportError:
            pass
        # The lowest frequency of the small model, as [simulate] finds it, is that of the chain.
        study = self.write("small.toml", """\
title = "Small model"
[model]
mass = "chain.out/mass.mtx"
stiffness = "chain.out/stiffness.mtx"
damping = { ratios = 0.01 }
[simulate]
step = 0.01
samples = 200
[simulate.inputs]
all = { kind = "spline-noise", knots = 0.05, sigma = 1.0 }
""")
        self.assert_exit(run("run", study, "--quiet"), 0)
        simulated = json.loads((self.folder / "small.out/result.json").read_text())
        self.assertIn("modes", simulated["model"])

    def test_rows_count_from_one(self):
        self.refused(self.chain(text=CHAIN.replace("[1, 6]", "[0, 6]")), ("reduce.masters[1].rows", "from 1 to 12, got 0"))
        self.refused(self.chain(text=CHAIN.replace("[1, 6]", "[1, 13]")), "from 1 to 12, got 13")

    def test_keys_that_do_not_fit(self):
        cases = {
            ("modes = [1, 2]", ""): "modes",
            ("modes = [1, 2]", "modes = [1, 2]\nweights = [1.0]"): "weights",
            ("modes = [1, 2]", "modes = [99]"): "at most 12",
            ("modes = [1, 2]", "modes = [1]\nsize = 1"): "at least 2, the number of masters",
            ('mass = "m.mtx"\nstiffness = "k.mtx"', ""): "exactly one of the keys mass, plate, block",
            ("modes = [1, 2]", 'modes = [1]\nmethod = "dynamic-residuals"'): "must give the forces",
            ("modes = [1, 2]", "forces = [{ frequency = 1.0, amplitude = [1.0] }]"): "each of the 2 masters",
        }
        for (old, new), words in cases.items():
            with self.subTest(words=words):
                process = run("run", self.chain(text=CHAIN.replace(old, new)))
                self.assertIn(process.returncode, (2, 3), process.stdout + process.stderr)
                self.assertIn(words, process.stderr)
                self.assertEqual(len(process.stderr.splitlines()), 1, process.stderr)

    def test_a_mesh_that_does_not_rise(self):
        text = '[structure.block]\nx = [0.0, 0.2, 0.1]\ny = [0.0, 0.1]\nz = [0.0, 0.1]\n[reduce]\nmasters = [{ rows = [1] }]\nmodes = [7]\n'
        self.refused(self.write("chain.toml", text), ("chain.toml:1", "must rise", "0.1 after 0.2"))


if __name__ == "__main__":
    unittest.main(verbosity=2)
