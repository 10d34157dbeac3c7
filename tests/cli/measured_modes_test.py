"""Modes of public measured records, where they are on this machine ($ALEMBERT_DATA, else ../shared/data)."""

import array
import ast
import json
import os
import pathlib
import struct
import unittest

from tool import PROJECT, ToolTest, run

DATA = pathlib.Path(os.environ.get("ALEMBERT_DATA", PROJECT.parent / "shared/data"))
# Published frequencies of the guyed mast, Hz.
MAST = (1.229, 1.436, 2.100, 4.017, 4.769, 6.683, 7.614, 9.664)
CANTILEVER = ((6.619, 0.0029), (41.39, 0.0015), (116.9, 0.0025), (192.2, 0.0021))


def needs(name):
    return unittest.skipUnless((DATA / name).exists(), f"no benchmark record {name}")


def npy_columns(file):
    """The columns of a two-dimensional .npy file of doubles."""
    content = file.read_bytes()
    size = struct.unpack("<H", content[8:10])[0]
    head = ast.literal_eval(content[10:10 + size].decode())
    values = array.array({"<f8": "d", "<f4": "f"}[head["descr"]], content[10 + size:])
    rows, columns = head["shape"]
    if head["fortran_order"]:
        return [values[c * rows:(c + 1) * rows] for c in range(columns)]
    return [values[c::columns] for c in range(columns)]


class MeasuredModes(ToolTest):
    def modes(self, text, code=0):
        study = self.write("modes.toml", text)
        process = run("run", study, timeout=300)
        self.assert_exit(process, code)
        print(process.stdout)
        return json.loads((self.folder / "modes.out/result.json").read_text())

    @needs("cantilever_impulse/timeseries_data.lvm")
    def test_tapped_cantilever(self):
        # The body of the .lvm file: time and acceleration.
        lines = (DATA / "cantilever_impulse/timeseries_data.lvm").read_text().splitlines()
        first = max(k for k, line in enumerate(lines) if line.startswith("X_Value")) + 1
        rows = [line.split("\t")[:2] for line in lines[first:] if line.strip()]
        self.write("record.csv", "t [s],a [g]\n" + "\n".join(",".join(row) for row in rows) + "\n")
        result = self.modes('title = "Cantilever"\n[data]\nfile = "record.csv"\noutputs = ["a"]\n'
                            '[identify]\nmethod = "modes"\nexcitation = "taps"\nto = 200.0\n')
        modes = result["modes"]
        self.assertEqual(len(modes), 4, [mode["frequency_hz"] for mode in modes])
        for mode, (frequency, damping) in zip(modes, CANTILEVER):
            self.assertAlmostEqual(mode["frequency_hz"] / frequency, 1.0, delta=1e-3)
            self.assertAlmostEqual(mode["damping_ratio"] / damping, 1.0, delta=0.1)

    @needs("pyoma_mast/measurement_1.npy")
    def test_mast_in_wind(self):
        columns = npy_columns(DATA / "pyoma_mast/measurement_1.npy")[:5]
        rows = (",".join(f"{value:.9g}" for value in (k / 256.0, *row)) for k, row in enumerate(zip(*columns)))
        self.write("record.csv", "t [s],v1,v2,v3,a1,a2\n" + "\n".join(rows) + "\n")
        result = self.modes('title = "Mast"\n[data]\nfile = "record.csv"\noutputs = ["v1", "v2", "v3", "a1", "a2"]\n'
                            '[identify]\nmethod = "modes"\nto = 10.24\nblock-rows = 120\nblocks = 8\norder = 100\n')
        found = [mode["frequency_hz"] for mode in result["modes"]]
        for frequency in MAST:
            self.assertTrue(any(abs(one / frequency - 1.0) < 3e-3 for one in found), (frequency, found))

    @needs("vibrationtesting/case1.mat")
    def test_measured_frequency_response(self):
        result = self.modes(f'title = "Case 1"\n[data]\nfrf = "{DATA}/vibrationtesting/case1.mat"\nfrequency = "Freq_domain"\n'
                            'outputs = ["Hf_chan_2"]\n[identify]\nmethod = "modes"\nfrom = 156.0\nto = 312.0\n')
        nearest = min(result["modes"], key=lambda mode: abs(mode["frequency_hz"] - 212.09))
        self.assertAlmostEqual(nearest["frequency_hz"], 212.09, delta=0.02)


if __name__ == "__main__":
    unittest.main(verbosity=2)
