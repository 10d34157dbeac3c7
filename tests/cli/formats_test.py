"""Files of other programs, written by NumPy, SciPy and by hand after the formats' descriptions, through `convert` and `info`."""

import os
import struct
import unittest

import numpy
import scipy.io.wavfile

from tool import ToolTest, read_columns, run


def tdms_segment(objects, raw, contents=0x0E, big_endian=False):
    """A segment of a TDMS file: metadata of [(path, index, properties)], then raw bytes."""
    order = ">" if big_endian else "<"

    def text(value):
        data = value.encode()
        return struct.pack(order + "I", len(data)) + data

    meta = struct.pack(order + "I", len(objects))
    for path, index, properties in objects:
        meta += text(path)
        if index is None:
            meta += struct.pack(order + "I", 0xFFFFFFFF)
        elif index == "same":
            meta += struct.pack(order + "I", 0)
        else:
            meta += struct.pack(order + "IIIQ", 20, index[0], 1, index[1])
        meta += struct.pack(order + "I", len(properties))
        for name, (kind, value) in properties.items():
            meta += text(name) + struct.pack(order + "I", kind)
            meta += text(value) if kind == 0x20 else struct.pack(order + "d", value)
    lead = b"TDSm" + struct.pack("<I", contents | (0x40 if big_endian else 0))
    return lead + struct.pack(order + "IQQ", 4713, len(meta) + len(raw), len(meta)) + meta + raw


class Formats(ToolTest):
    def setUp(self):
        super().setUp()
        generator = numpy.random.default_rng(7)
        self.samples = generator.standard_normal((50, 3))

    def converted(self, file, *options):
        out = self.folder / "out.csv"
        out.unlink(missing_ok=True)
        self.assert_exit(run("convert", file, out, *options, "--quiet"), 0)
        return read_columns(out)

    def test_npy_of_every_type_and_order(self):
        for kind in ("<f8", ">f8", "<f4", "<f2", "<i2", ">i4", "<i8", "|u1", "<u4", "|b1"):
            for order in ("C", "F"):
                values = numpy.asarray(numpy.round(30 * self.samples), dtype=kind, order=order)
                numpy.save(self.folder / "a.npy", values)
                columns = self.converted(self.folder / "a.npy", "--step", "0.5")
                for c in range(3):
                    self.assertEqual(columns[f"c{c + 1}"], list(values[:, c].astype(float)), (kind, order))

    def test_npy_with_more_channels_than_samples_lies_on_its_side(self):
        numpy.save(self.folder / "a.npy", self.samples.T)
        self.assertEqual(self.converted(self.folder / "a.npy", "--step", "1")["c2"], list(self.samples[:, 1]))

    def test_structured_array_names_its_channels_and_time(self):
        table = numpy.zeros(50, dtype=[("time", "<f8"), ("load", "<f4"), ("pair", "<i2", (2,))])
        table["time"] = 0.25 * numpy.arange(50)
        table["load"] = self.samples[:, 0]
        table["pair"] = numpy.round(100 * self.samples[:, 1:])
        numpy.save(self.folder / "s.npy", table)
        columns = self.converted(self.folder / "s.npy")
        self.assertEqual(columns["t"][:3], [0.0, 0.25, 0.5])
        self.assertEqual(columns["load"], list(table["load"].astype(float)))
        self.assertEqual(columns["pair_2"], list(table["pair"][:, 1].astype(float)))

    def test_npz_stored_and_compressed(self):
        t = 0.01 * numpy.arange(50)
        for save in (numpy.savez, numpy.savez_compressed):
            save(self.folder / "a.npz", t=t, force=self.samples[:, 0], acc=self.samples[:, 1:])
            columns = self.converted(self.folder / "a.npz")
            self.assertEqual(columns["force"], list(self.samples[:, 0]))
            self.assertEqual(columns["acc_2"], list(self.samples[:, 2]))

    def test_npz_that_we_write_is_read_by_numpy_and_by_us(self):
        source = self.write("a.csv", "t [s],F [N]\n0,1.5\n0.1,2.5\n0.2,-1e-30\n")
        self.assert_exit(run("convert", source, self.folder / "a.npz", "--quiet"), 0)
        with numpy.load(self.folder / "a.npz") as back:
            self.assertEqual(list(back["F"]), [1.5, 2.5, -1e-30])
            self.assertEqual(list(back["units"]), [b"N"])
        self.assert_exit(run("convert", self.folder / "a.npz", self.folder / "b.csv", "--quiet"), 0)
        self.assertIn("F [N]", (self.folder / "b.csv").read_text())

    def test_objects_of_python_are_never_loaded(self):
        numpy.save(self.folder / "o.npy", numpy.array([{"a": 1}], dtype=object), allow_pickle=True)
        process = run("info", self.folder / "o.npy")
        self.assert_exit(process, 3)
        self.assertIn("Python objects, which are never loaded", process.stderr)

    def test_every_flipped_bit_of_a_small_archive_is_seen(self):
        numpy.savez_compressed(self.folder / "a.npz", t=numpy.arange(4.0), y=self.samples[:4, 0])
        good = (self.folder / "a.npz").read_bytes()
        right = self.converted(self.folder / "a.npz")
        bad = self.folder / "bad.npz"
        generator = numpy.random.default_rng(3)
        for bit in generator.choice(8 * len(good), 60, replace=False):
            data = bytearray(good)
            data[bit // 8] ^= 1 << (bit % 8)
            bad.write_bytes(bytes(data))
            out = self.folder / "bad.csv"
            process = run("convert", bad, out, "--force", "--quiet")
            self.assertIn(process.returncode, (0, 3), process.stderr)
            if process.returncode == 0:
                # A name or a field that nobody needs may differ, a number never.
                columns = read_columns(out)
                self.assertEqual(sorted(map(tuple, columns.values())), sorted(map(tuple, right.values())), bit)

    def test_wav_of_every_kind(self):
        full = numpy.clip(self.samples / 4, -1, 1)
        for kind, scale in (("<i2", 2**15), ("<i4", 2**31), ("|u1", 2**7), ("<f4", 1.0), ("<f8", 1.0)):
            values = full if scale == 1.0 else numpy.round(full * (scale - 1))
            values = (values + 128 if kind == "|u1" else values).astype(kind)
            scipy.io.wavfile.write(self.folder / "a.wav", 8000, values)
            columns = self.converted(self.folder / "a.wav")
            expected = ((values.astype(float) - 128) if kind == "|u1" else values.astype(float)) / scale
            self.assertEqual(columns["c3"], list(expected[:, 2]), kind)
            self.assertEqual(columns["t"][8], 0.001)

    def test_wav_that_is_cut_off(self):
        scipy.io.wavfile.write(self.folder / "a.wav", 8000, self.samples.astype("<f4"))
        data = (self.folder / "a.wav").read_bytes()
        (self.folder / "cut.wav").write_bytes(data[:-20])
        process = run("info", self.folder / "cut.wav")
        self.assert_exit(process, 3)
        self.assertIn("cut off", process.stderr)

    def tdms(self, big_endian=False, interleaved=False):
        """Two segments; the second repeats the layout of the first, with two chunks."""
        order = ">" if big_endian else "<"
        waveform = {"wf_increment": (10, 0.002), "wf_start_offset": (10, 0.0), "unit_string": (0x20, "m/s^2")}
        objects = [("/", None, {}), ("/'run'", None, {}),
                   ("/'run'/'acc'", (10, 10), waveform), ("/'run'/'it''s'", (2, 10), waveform)]
        acc = self.samples[:30, 0]
        other = numpy.round(100 * self.samples[:30, 1]).astype(int)

        def raw(begin):
            part = slice(begin, begin + 10)
            if interleaved:
                return b"".join(struct.pack(order + "dh", a, b) for a, b in zip(acc[part], other[part]))
            return acc[part].astype(order + "f8").tobytes() + other[part].astype(order + "i2").tobytes()

        flag = 0x20 if interleaved else 0
        data = tdms_segment(objects, raw(0), 0x0E | flag, big_endian)
        data += tdms_segment([("/'run'/'acc'", "same", {})], raw(10) + raw(20), 0x0A | flag, big_endian)
        (self.folder / "a.tdms").write_bytes(data)
        return list(acc), list(other.astype(float))

    def test_tdms_in_both_orders_of_bytes_and_of_samples(self):
        for big_endian in (False, True):
            for interleaved in (False, True):
                acc, other = self.tdms(big_endian, interleaved)
                columns = self.converted(self.folder / "a.tdms")
                self.assertEqual(columns["acc"], acc, (big_endian, interleaved))
                self.assertEqual(columns["it's"], other, (big_endian, interleaved))
                self.assertEqual(columns["t"][1], 0.002)
        self.assertIn("m/s^2", run("info", self.folder / "a.tdms").stdout)

    def test_tdms_cut_anywhere_is_named_or_whole_segments(self):
        self.tdms()
        data = (self.folder / "a.tdms").read_bytes()
        cut = self.folder / "cut.tdms"
        for length in range(0, len(data), 37):
            cut.write_bytes(data[:length])
            self.assertEqual(run("info", cut).returncode, 3, length)

    def test_lvm_with_and_without_times(self):
        head = "LabVIEW Measurement\t\nWriter_Version\t2\nSeparator\tTab\nDecimal_Separator\t{mark}\nX_Columns\t{columns}\n***End_of_Header***\t\n\t\n"
        part = "Channels\t2\t\nSamples\t3\t3\t\nY_Unit_Label\tN\tg\t\nX0\t0{mark}5\t0{mark}5\t\nDelta_X\t0{mark}25\t0{mark}25\t\n***End_of_Header***\t\t\t\n"
        for mark in (".", ","):
            one = head.format(mark=mark, columns="One") + part.format(mark=mark)
            one += "X_Value\tforce\tacc\tComment\n" + "".join(
                f"{0.5 + 0.25 * k}\t{k}.5\t-{k}.25\tstart\n".replace(".", mark) for k in range(3))
            none = head.format(mark=mark, columns="No") + part.format(mark=mark)
            none += "X_Value\tforce\tacc\tComment\n" + "".join(f"\t{k}.5\t-{k}.25\n".replace(".", mark) for k in range(3))
            for text in (one, none, one.replace("\n", "\r\n")):
                columns = self.converted(self.write("a.lvm", text))
                self.assertEqual(columns["t"], [0.5, 0.75, 1.0], text)
                self.assertEqual(columns["force"], [0.5, 1.5, 2.5], text)
                self.assertEqual(columns["acc"], [-0.25, -1.25, -2.25], text)

    def test_lvm_segments_are_records(self):
        part = "Channels\t1\nSamples\t2\nX0\t0\nDelta_X\t0.1\n***End_of_Header***\t\nX_Value\ta\tComment\n0.0\t1\n0.1\t2\n\n"
        file = self.write("a.lvm", "LabVIEW Measurement\nSeparator\tTab\nX_Columns\tOne\n***End_of_Header***\n\n" + part + part)
        process = run("info", file)
        self.assert_exit(process, 0)
        self.assertIn("2 records", process.stdout)
        process = run("convert", file, self.folder / "x.csv")
        self.assert_exit(process, 3)
        self.assertIn("holds 2 records", process.stderr)
        self.assert_exit(run("convert", file, self.folder / "x.h5"), 0)

    def test_cells_of_matlab_are_records(self):
        lengths = (50, 30, 40)
        for version in ({}, {"do_compression": True}):
            acc, times = numpy.empty(3, dtype=object), numpy.empty(3, dtype=object)
            for k, length in enumerate(lengths):
                acc[k] = self.samples[:length, :2].T  # two rows, as some save them
                times[k] = 0.25 * numpy.arange(length) + k
            scipy.io.savemat(self.folder / "c.mat", {"acc": acc, "when": times, "note": "none"}, **version)
            process = run("info", self.folder / "c.mat")
            self.assert_exit(process, 3)
            self.assertIn("choose one as the data set: acc, when", process.stderr)
            out = self.folder / "c.h5"
            options = ("--dataset", "acc", "--time", "when")
            self.assert_exit(run("convert", self.folder / "c.mat", out, *options, "--force", "--quiet"), 0)
            process = run("info", out)
            for k, length in enumerate(lengths):
                self.assertIn(f"{length} samples from {k} s to {k + 0.25 * (length - 1):g} s", process.stdout)
            self.assertIn("acc_2", process.stdout)
        scipy.io.savemat(self.folder / "d.mat", {"acc": acc, "when": times[:2]})
        process = run("info", self.folder / "d.mat", *options)
        self.assert_exit(process, 3)
        self.assertIn("has 2 cells where the channels have 3", process.stderr)
        acc[1] = "words"
        scipy.io.savemat(self.folder / "d.mat", {"acc": acc, "when": times})
        process = run("info", self.folder / "d.mat", *options)
        self.assert_exit(process, 3)
        self.assertIn("acc{2}", process.stderr)

    def test_formats_that_are_not_read_say_how_to_convert(self):
        for name, words in [
            ("a.xlsx", "save its sheet as .csv"),
            ("a.MF4", "asammdf"),
            ("a.parquet", "pandas.read_parquet"),
            ("a.mp3", "ffmpeg -i"),
            ("a.zip", "unpack it"),
            ("a.pkl", "numpy.savez"),
        ]:
            process = run("info", self.write(name, "x"))
            self.assert_exit(process, 3)
            self.assertEqual(len(process.stderr.splitlines()), 1)
            self.assertIn(f"{name}: is ", process.stderr)
            self.assertIn(words, process.stderr)

    def test_every_format_that_is_written_comes_back(self):
        rows = [f"{0.125 * k},{a!r},{b!r}" for k, (a, b) in enumerate(self.samples[:, :2].tolist())]
        source = self.write("a.csv", "\n".join(["t [s],F [N],acc [m/s^2]", *rows]) + "\n")
        wanted = read_columns(source)
        for ending in ("csv", "txt", "dat", "tsv", "mat", "h5", "hdf5", "uff", "unv", "npz"):
            with self.subTest(ending=ending):
                between = self.folder / f"between.{ending}"
                self.assert_exit(run("convert", source, between, "--quiet"), 0)
                self.assertEqual(self.converted(between), wanted)

    def test_nothing_is_replaced_unasked(self):
        numpy.save(self.folder / "a.npy", self.samples)
        kept = self.write("kept.csv", "mine")
        process = run("convert", self.folder / "a.npy", kept, "--step", "1")
        self.assert_exit(process, 3)
        self.assertIn("exists already", process.stderr)
        self.assertEqual(kept.read_text(), "mine")

    def test_pipes_are_not_waited_for_and_long_names_are_told(self):
        source = self.write("a.csv", "t [s],a\n0,1\n1,2\n2,3\n")
        pipe = self.folder / "pipe.csv"
        os.mkfifo(pipe)
        process = run("convert", source, pipe, "--force")
        self.assert_exit(process, 3)
        self.assertEqual(process.stderr, f"{pipe}: is no file that --force could replace\n")
        process = run("convert", source, self.folder / ("y" * 300 + ".csv"))
        self.assert_exit(process, 3)
        self.assertIn("cannot be written: File name too long", process.stderr)


if __name__ == "__main__":
    unittest.main()
