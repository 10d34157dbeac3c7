"""Files as loggers, oscilloscopes, phones and programs write them, made here in those formats.

Two motions stand behind all of them, so that what is found can be compared with the truth:
- a decay: acceleration of an oscillator of 6.5 Hz and 0.8 %, released, 8 s at 500 Hz;
- a forced motion: random force and displacement of an oscillator of 5 Hz and 4 %, 20 s at 200 Hz.
"""

import dataclasses
import struct

import numpy

DECAY_HZ = 6.5
FORCED_HZ = 5.0


def decay(rate=500.0, seconds=8.0):
    """t, acceleration in m/s^2."""
    t = numpy.arange(int(rate * seconds)) / rate
    omega = 2 * numpy.pi * DECAY_HZ
    noise = numpy.random.default_rng(5).standard_normal(t.size)
    return t, 2.0 * numpy.exp(-0.008 * omega * t) * numpy.cos(omega * t + 0.3) + 0.01 * noise


def forced(rate=200.0, seconds=20.0):
    """t, force in N (held between samples), displacement in mm."""
    generator = numpy.random.default_rng(6)
    n = int(rate * seconds)
    t = numpy.arange(n) / rate
    force = numpy.round(numpy.repeat(generator.standard_normal(n // 10), 10), 3)
    omega, zeta, mass = 2 * numpy.pi * FORCED_HZ, 0.04, 2.0
    damped, h = omega * numpy.sqrt(1 - zeta**2), 1 / rate
    # The exact step of x'' + 2 zeta omega x' + omega^2 x = F/m with F held.
    decay_of, c, s = numpy.exp(-zeta * omega * h), numpy.cos(damped * h), numpy.sin(damped * h)
    a11 = decay_of * (c + zeta * omega / damped * s)
    a12 = decay_of * s / damped
    a21 = -(omega**2) * a12
    a22 = decay_of * (c - zeta * omega / damped * s)
    x, v, states = 0.0, 0.0, numpy.empty(n)
    for k in range(n):
        states[k] = x
        rest = force[k] / mass / omega**2
        x, v = rest + a11 * (x - rest) + a12 * v, a21 * (x - rest) + a22 * v
    return t, force, 1e3 * states + 0.01 * generator.standard_normal(n)


@dataclasses.dataclass
class LoggerFile:
    name: str
    what: str  # who writes such files
    kind: str  # of `alembert new`; "": it cannot be read, and the message says what to do
    make: object  # bytes of the file
    options: tuple = ()
    says: str = ""  # part of the message
    needs: str = ""  # module of Python

    @property
    def truth(self):
        return FORCED_HZ if self.kind in ("output-error", "identify") else DECAY_HZ


def lines(rows, head="", mark=".", separator=",", form="{:.6g}", end="\n"):
    body = end.join(separator.join(form.format(x) if isinstance(x, float) else str(x) for x in row) for row in rows)
    return (head + (body.replace(".", mark) if mark != "." else body) + end).encode()


def decay_rows():
    return [(float(round(t, 6)), float(a)) for t, a in zip(*decay())]


def forced_rows():
    return [tuple(float(x) for x in row) for row in zip(*forced())]


def semicolons():
    return lines(decay_rows(), "Zeit [s];Beschl [m/s²]\n", mark=",", separator=";", form="{:.6f}")


def latin():
    return semicolons().decode().encode("latin-1")


def tabs_with_units():
    return lines(forced_rows(), "Time\tForce\tDisp\ns\tN\tmm\n", separator="\t")


def long_preamble():
    head = "".join(f"{key}: {value}\n" for key, value in [
        ("Device", "CX-1200"), ("Serial", "004711"), ("Operator", "N. N."), ("Sample rate", "500 Hz"),
        ("Channels", "1"), ("Comment", "first tap, plate free"), ("Range", "+-5 g")])  # fmt: skip
    return lines(decay_rows(), head + "\nTime (s),Acc (m/s^2)\n")


def oscilloscope():
    head = "Model,DPO2024\nFirmware Version,1.42\nPoint Format,Y\nHorizontal Units,S\nSample Interval,0.002\nRecord Length,4000\n"
    return lines(decay_rows(), head + "TIME,CH1\n", form="{:.8e}")


def date_and_time(t, day="2024-05-03", mark="T", separator="."):
    stamps = []
    for x in t:
        whole = int(round(x * 1e6))
        seconds, micro = divmod(whole, 1_000_000)
        clock = 12 * 3600 + 59 * 60 + 55 + seconds
        stamps.append(f"{day}{mark}{clock // 3600:02}:{clock // 60 % 60:02}:{clock % 60:02}{separator}{micro:06}")
    return stamps


def iso_stamps():
    t, a = decay()
    return lines(zip(date_and_time(t), a.tolist()), "Timestamp,acc_x [m/s^2]\n")


def german_stamps():
    t, a = decay()
    rows = zip(date_and_time(t, "03.05.2024", " ", ","), (f"{x:.6f}".replace(".", ",") for x in a))
    return lines(rows, "Datum/Uhrzeit;Beschleunigung [m/s^2]\n", separator=";")


def date_apart():
    t, force, x = forced()
    rows = ((stamp[:10], stamp[11:], f, d) for stamp, f, d in zip(date_and_time(t), force.tolist(), x.tolist()))
    return lines(rows, "Date,Time,F [N],disp [mm]\n")


def milliseconds():
    t, a = decay()
    return lines(zip((int(round(1e3 * x)) for x in t), a.tolist()), "t_ms,a1\n")


def milliseconds_alone():
    t, force, x = forced()
    rows = zip((123456 + int(round(1e3 * one)) for one in t), force.tolist(), x.tolist())
    return lines(rows, "ms,F [N],disp [mm]\n")


def counter_that_wraps():
    t, force, x = forced()
    rows = zip((int(round(1e6 * one) + 65000) % 65536 for one in t), force.tolist(), x.tolist())
    return lines(rows, "tick_us,F [N],disp [mm]\n")


def words_for_missing():
    marks = ["NaN", "N/A", "#N/A", "null", "--", "n.a.", "", "#NV", "1.#QNAN"]
    rows = [[t, f, marks[k // 50 % len(marks)] if k % 50 == 25 else x] for k, (t, f, x) in enumerate(forced_rows())]
    return lines(rows, "t [s],F [N],x [mm]\n")


def converter_counts():
    t, force, x = forced()
    rows = zip(t.tolist(), (2048 + numpy.round(100 * force)).astype(int).tolist(), (32768 + numpy.round(200 * x)).astype(int).tolist())
    return lines(rows, "t [s],F_raw,x_raw\n")


def before_the_trigger():
    t, force, x = forced()
    return lines(zip((t - 2.0).tolist(), (t >= 2.0).astype(int).tolist(), force.tolist(), x.tolist()), "Time,Trigger,F [N],x [mm]\n")


def rounded_times():
    t, force, x = forced()
    return lines(zip(("%.2f" % one for one in t), force.tolist(), x.tolist()), "t,F [N],x [mm]\n")


def spreadsheet_mark():
    rows = [tuple(float(one) for one in row) for row in forced_rows()]
    return lines(rows, "sep=;\nt;Kraft [N];Weg [mm]\n", mark=",", separator=";", form="{:.6f}")


def cut_off():
    return lines(forced_rows(), "t,F [N],x [mm]\n") + b"20.0000,1.2"


def epoch():
    t, a = decay()
    return lines(zip((1714737595000 + int(round(1e3 * x)) for x in t), a.tolist()), "timestamp_ms,a1\n")


def epoch_without_unit():
    return epoch().replace(b"timestamp_ms", b"timestamp", 1)


def single_precision_times():
    t, a = decay()
    return lines(zip((float(numpy.float32(x)) for x in t), a.tolist()), "time_s,acc\n", form="{:.9g}")


def six_digits():
    t, a = decay()
    return lines(zip((100.0 + x for x in t.tolist()), a.tolist()), "t,acc\n", form="{:.6g}")


def phone():
    t, a = decay()
    generator = numpy.random.default_rng(8)
    rows = zip((t + 2e-5 * generator.standard_normal(t.size)).tolist(), a.tolist(), (0 * a).tolist(), (0 * a + 9.81).tolist())
    head = '"Time (s)","Acceleration x (m/s^2)","Acceleration y (m/s^2)","Acceleration z (m/s^2)"\n'
    return lines(rows, head, form="{:.9E}")


def serial_monitor():
    return lines(((t, a) for t, a in decay_rows()), "# boot ok\n# adc 16 bit\n", separator=" ")


def trailing_separators():
    return lines(((*row, "") for row in forced_rows()), "t [s];F [N];x [mm];\r\n", separator=";", end="\r\n")


def quoted():
    return lines((tuple(f'"{x:.6g}"' for x in row) for row in decay_rows()), '"t","a (m/s^2)"\n')


def no_header():
    return lines(decay_rows(), separator="  ")


def restarted():
    text = lines(decay_rows(), "t,a\n").decode().splitlines()
    return "\n".join(text[:1000] + text[:1000]).encode()


def utf16():
    return semicolons().decode().encode("utf-16")


def lvm(times=True):
    t, a = decay()
    head = ("LabVIEW Measurement\t\nWriter_Version\t2\nReader_Version\t2\nSeparator\tTab\nDecimal_Separator\t.\nMulti_Headings\tYes\n"
            f"X_Columns\t{'Multi' if times else 'No'}\nTime_Pref\tAbsolute\nDate\t2024/05/03\nTime\t12:59:55.0\n***End_of_Header***\t\n\t\n"
            "Channels\t1\t\nSamples\t4000\t\nY_Unit_Label\tm/s^2\t\nX_Dimension\tTime\t\nX0\t0.0E+0\t\nDelta_X\t0.002\t\n***End_of_Header***\t\t\n"
            "X_Value\tAcceleration\tComment\n")  # fmt: skip
    rows = (f"{x:.6f}\t{y:.6f}" if times else f"\t{y:.6f}" for x, y in zip(t, a))
    return (head + "\n".join(rows) + "\n").encode()


def tdms():
    t, a = decay()

    def text(value):
        return struct.pack("<I", len(value)) + value.encode()

    wave = {"wf_increment": 0.002, "wf_start_offset": 0.0, "unit_string": "m/s^2"}
    meta = struct.pack("<I", 3)
    for path, index in (("/", None), ("/'run'", None), ("/'run'/'acc'", a.size)):
        meta += text(path)
        meta += struct.pack("<I", 0xFFFFFFFF) if index is None else struct.pack("<IIIQ", 20, 10, 1, index)
        properties = wave if index is not None else {}
        meta += struct.pack("<I", len(properties))
        for name, value in properties.items():
            meta += text(name)
            meta += struct.pack("<I", 0x20) + text(value) if isinstance(value, str) else struct.pack("<Id", 10, value)
    raw = a.astype("<f8").tobytes()
    return b"TDSm" + struct.pack("<IIQQ", 0x0E, 4713, len(meta) + len(raw), len(meta)) + meta + raw


def in_memory(save):
    import io

    stream = io.BytesIO()
    save(stream)
    return stream.getvalue()


def npy():
    return in_memory(lambda stream: numpy.save(stream, decay()[1].astype("f4").reshape(-1, 1)))


def npy_structured():
    t, force, x = forced()
    table = numpy.zeros(t.size, dtype=[("time", "f4"), ("force", "f4"), ("disp", "f4")])
    table["time"], table["force"], table["disp"] = t, force, x
    return in_memory(lambda stream: numpy.save(stream, table))


def npz():
    t, a = decay()
    return in_memory(lambda stream: numpy.savez_compressed(stream, t=t.astype("f4"), acc=a))


def wav(kind):
    import scipy.io.wavfile

    a = decay()[1]
    values = numpy.round(a / 4 * 32767).astype("<i2") if kind == "i2" else (a / 4).astype("<f4")
    return in_memory(lambda stream: scipy.io.wavfile.write(stream, 500, values))


def mat(content, **options):
    import scipy.io

    return in_memory(lambda stream: scipy.io.savemat(stream, content, **options))


def mat_vectors():
    t, force, x = forced()
    return mat({"t": t, "F": force, "disp": x})


def mat_structure():
    t, a = decay()
    return mat({"run1": {"Time": t, "acc": a}}, do_compression=True)


def mat_cells():
    t, a = decay()
    cell, times = numpy.empty(2, dtype=object), numpy.empty(2, dtype=object)
    for k in range(2):
        cell[k], times[k] = a[2000 * k : 2000 * (k + 1)], t[2000 * k : 2000 * (k + 1)]
    return mat({"acc": cell, "Time": times})


def mat_rate():
    return mat({"Fs": 500.0, "acc": decay()[1]})


def hdf5(content, **attributes):
    import io

    import h5py

    stream = io.BytesIO()
    with h5py.File(stream, "w") as file:
        for name, values in content.items():
            file[name] = values
        for name, value in attributes.items():
            file.attrs[name] = value
    return stream.getvalue()


def hdf5_vectors():
    t, force, x = forced()
    return hdf5({"time": t, "force": force, "disp": x})


def uff_ascii():
    """A universal file with one function of data set 58, even abscissa, single precision."""
    a = decay()[1]
    head = [
        "    -1", "    58", "Tap 1", "NONE", "03-May-24 12:59:55", "NONE", "NONE",
        f"{1:5d}{0:10d}{0:5d}{0:10d} {'PLATE':>10s}{1:10d}{3:4d} {'NONE':>10s}{0:10d}{0:4d}",
        f"{2:10d}{a.size:10d}{1:10d}{0.0:13.5e}{0.002:13.5e}{0.0:13.5e}",
        f"{17:10d}{0:5d}{0:5d}{0:5d} {'Time':>20s} {'s':>20s}",
        f"{12:10d}{1:5d}{0:5d}{-2:5d} {'Acceleration':>20s} {'m/s^2':>20s}",
        f"{0:10d}{0:5d}{0:5d}{0:5d} {'NONE':>20s} {'NONE':>20s}",
        f"{0:10d}{0:5d}{0:5d}{0:5d} {'NONE':>20s} {'NONE':>20s}",
    ]  # fmt: skip
    body = ["".join(f"{x:13.5e}" for x in a[k : k + 6]) for k in range(0, a.size, 6)]
    return ("\n".join(head + body + ["    -1"]) + "\n").encode()


FILES = [
    LoggerFile("plain.csv", "any program, no units", "acceleration", lambda: lines(decay_rows(), "t,a\n")),
    LoggerFile("german.csv", "a spreadsheet with decimal commas, UTF-8", "acceleration", semicolons),
    LoggerFile("german-latin1.csv", "the same in Latin-1", "acceleration", latin),
    LoggerFile("units-line.txt", "a logger with tabs and a line of units", "output-error", tabs_with_units),
    LoggerFile("preamble.csv", "a logger that writes its settings first", "acceleration", long_preamble),
    LoggerFile("oscilloscope.csv", "an oscilloscope", "acceleration", oscilloscope),
    LoggerFile("iso.csv", "a database, ISO times", "acceleration", iso_stamps),
    LoggerFile("german-times.csv", "a German data logger, dates with points", "acceleration", german_stamps),
    LoggerFile("date-apart.csv", "a logger with date and time of day in two columns", "output-error", date_apart),
    LoggerFile("milliseconds.csv", "a microcontroller that counts ms", "acceleration", milliseconds),
    LoggerFile("ms.csv", "a microcontroller whose time is named by its unit", "output-error", milliseconds_alone),
    LoggerFile("wraps.csv", "a 16-bit counter of us that wraps", "", counter_that_wraps, ("--time", "tick_us"), says="give the step"),
    LoggerFile("wraps-step.csv", "the same with the step given", "output-error", counter_that_wraps, ("--step", "0.005")),
    LoggerFile("words.csv", "a database with words for missing samples", "output-error", words_for_missing),
    LoggerFile("counts.csv", "a converter, counts about half of its range", "output-error", converter_counts),
    LoggerFile("trigger.csv", "an oscilloscope with a trigger, times below zero", "output-error", before_the_trigger),
    LoggerFile("rounded.csv", "times rounded to more than a step", "", rounded_times, says="rows share them"),
    LoggerFile("excel-sep.csv", "a spreadsheet that says its separator", "output-error", spreadsheet_mark),
    LoggerFile("cut-off.csv", "a logger that lost power in a row", "", cut_off, says="2 cells in this line"),
    LoggerFile("epoch.csv", "a phone, ms since 1970", "acceleration", epoch),
    LoggerFile("epoch-no-unit.csv", "the same without the unit", "", epoch_without_unit, says="write its unit"),
    LoggerFile("float32-times.csv", "times stored in single precision", "acceleration", single_precision_times),
    LoggerFile("six-digits.csv", "times rounded to six digits", "acceleration", six_digits),
    LoggerFile("phone.csv", "a phone app, times that jitter", "acceleration", phone),
    LoggerFile("serial.txt", "a serial monitor without names", "acceleration", serial_monitor, ("--step", "0.002", "--channel", "c2")),
    LoggerFile("trailing.csv", "Windows line ends, a separator behind each row", "output-error", trailing_separators),
    LoggerFile("quoted.csv", "numbers in quotes", "acceleration", quoted),
    LoggerFile("no-header.dat", "two columns of numbers, nothing else", "acceleration", no_header, ("--time", "c1")),
    LoggerFile("restarted.csv", "a logger that began again in the same file", "", restarted, says="restarted.csv:1001:1: cell 't' is not a number"),
    LoggerFile("utf16.csv", "a spreadsheet, \"Unicode text\"", "", utf16, says="save it as UTF-8"),
    LoggerFile("tap.lvm", "LabVIEW with times", "acceleration", lvm),
    LoggerFile("tap-no-times.lvm", "LabVIEW without times", "acceleration", lambda: lvm(False)),
    LoggerFile("run.tdms", "DIAdem, LabVIEW", "acceleration", tdms),
    LoggerFile("acc.npy", "NumPy, single precision, no time", "modes", npy, ("--step", "0.002")),
    LoggerFile("table.npy", "NumPy, structured, single precision", "output-error", npy_structured),
    LoggerFile("run.npz", "NumPy, several arrays", "acceleration", npz),
    LoggerFile("tap.wav", "a sound card, 16 bits", "modes", lambda: wav("i2"), needs="scipy"),
    LoggerFile("tap-float.wav", "a sound card, floats", "modes", lambda: wav("f4"), needs="scipy"),
    LoggerFile("vectors.mat", "MATLAB, vectors", "output-error", mat_vectors, needs="scipy"),
    LoggerFile("structure.mat", "MATLAB, a structure, compressed", "acceleration", mat_structure, needs="scipy"),
    LoggerFile("cells.mat", "MATLAB, swings in cells", "", mat_cells, says="choose one as the data set: acc, Time", needs="scipy"),
    LoggerFile("rate.mat", "MATLAB, a vector and its rate", "acceleration", mat_rate, needs="scipy"),
    LoggerFile("run.h5", "HDF5", "output-error", hdf5_vectors, needs="h5py"),
    LoggerFile("tap.uff", "a modal analyser, universal file", "modes", uff_ascii),
    LoggerFile("data.xlsx", "a spreadsheet", "", lambda: b"PK\3\4" + bytes(60), says="save its sheet as .csv"),
    LoggerFile("data.mf4", "a vehicle logger, ASAM MDF", "", lambda: b"MDF     4.10" + bytes(60), says="asammdf"),
    LoggerFile("data.parquet", "a data lake", "", lambda: b"PAR1" + bytes(60), says="pandas.read_parquet"),
]  # fmt: skip


def usable(entry):
    """Whether the module that makes the file is installed."""
    import importlib.util

    return not entry.needs or importlib.util.find_spec(entry.needs) is not None
