"""The report in a real browser: report_test.py SAMPLE_REPORTS TOOL CHROMIUM CHROMEDRIVER [test...]

Fails where the browser, its driver or selenium is missing.
"""
import csv
import io
import math
import shutil
import subprocess
import sys
import tempfile
import time
import unittest
import xml.etree.ElementTree as ElementTree
from pathlib import Path

from colours import BLINDNESS, COLOURED, CONTRAST, cie_lab
from missing import fail_if_missing

PROJECT = Path(__file__).resolve().parents[2]

if __name__ == "__main__":
    fail_if_missing({"chromium": sys.argv[3], "chromedriver": sys.argv[4]})

from browser import Browser  # noqa: E402: only where selenium is there
PAGES = ["small", "shapes", "channels", "million", "hostile", "simulate", "identify", "equations", "observe"]
SVG = "{http://www.w3.org/2000/svg}"


def rows_of(text):
    return list(csv.reader(io.StringIO(text)))


class ReportTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(prefix="alembert-reports-")
        subprocess.run([SAMPLES, cls.folder.name], check=True)
        cls.run_studies(Path(cls.folder.name))
        cls.browser = Browser(CHROMIUM, DRIVER)

    @staticmethod
    def run_studies(folder):
        """The tool's own reports: simulate.html and identify.html of the frame, equations.html,
        observe.html."""
        for task in ("simulate", "identify"):
            study = folder / f"{task}.toml"
            shutil.copy(PROJECT / "studies/frame-8dof" / study.name, study)
            subprocess.run([TOOL, "run", study, "--quiet"], check=True)
            shutil.copy(folder / f"{task}.out/report.html", folder / f"{task}.html")
        study = PROJECT / "studies/pendulum/identify.toml"
        out = folder / "equations.out"
        subprocess.run([TOOL, "run", study, "--quiet", "--out", out, "--set", 'identify.profile=["c"]'], check=True)
        shutil.copy(out / "report.html", folder / "equations.html")
        study = PROJECT / "studies/slider-crank/observe.toml"
        subprocess.run([TOOL, "run", study, "--quiet", "--out", folder / "observe.out"], check=True)
        shutil.copy(folder / "observe.out/report.html", folder / "observe.html")

    @classmethod
    def tearDownClass(cls):
        cls.browser.close()
        cls.folder.cleanup()

    def setUp(self):
        self.browser.size(1280)
        self.browser.media("light")

    def open(self, name):
        self.browser.open(Path(self.folder.name) / f"{name}.html")
        return self.browser

    def figures(self):
        return self.browser.run("return [...document.querySelectorAll('figure.chart')].map((f) => f.id)")

    def range(self, figure, axis="x"):
        scale = self.browser.figure(figure, f"f.plot.scales.{axis}")
        return scale["min"], scale["max"]

    def svg(self, figure):
        return ElementTree.fromstring(self.browser.figure(figure, "alembert.svg(f).markup"))

    # ---- every page ----

    def test_pages_draw_all_plots_without_errors_or_requests(self):
        for name in PAGES:
            with self.subTest(page=name):
                browser = self.open(name)
                ids = self.figures()
                self.assertGreater(len(ids), 0)
                for figure in ids:
                    # A line across the plot has about 800 pixels, a point about 30; 5 of them at least.
                    self.assertGreater(browser.run(COLOURED, figure), 150, figure)
                    browser.figure(figure, "f.legend.showOnly(() => false)")
                    browser.settle()
                    self.assertEqual(browser.run(COLOURED, figure), 0, figure)
                self.assertEqual(browser.messages(), [])
                asked = [url for url in browser.requests() if not url.startswith(("file:", "data:"))]
                self.assertEqual(asked, [])
                self.assertEqual(browser.run("return performance.getEntriesByType('resource').length"), 0)

    def test_nothing_sticks_out_on_a_phone(self):
        self.browser.size(400, 800, 2)
        for name in ("small", "shapes", "channels", "simulate", "identify", "observe"):
            with self.subTest(page=name):
                browser = self.open(name)
                self.assertLessEqual(browser.run("return document.documentElement.scrollWidth"), 400)
                # HiDPI: two canvas pixels for each of the page.
                ratio = browser.run("const c = document.querySelector('.plot canvas'); return c.width / c.clientWidth")
                self.assertAlmostEqual(ratio, 2.0, places=2)

    def test_resizing_redraws(self):
        browser = self.open("small")
        wide = browser.figure("records", "f.plot.width")
        browser.size(700)
        browser.settle()
        time.sleep(0.2)
        self.assertLess(browser.figure("records", "f.plot.width"), wide)

    # ---- moving shapes and the choice of modes ----

    def test_shapes_turn_move_and_change(self):
        browser = self.open("shapes")
        points = lambda name: browser.run(
            "return document.querySelector('#shapes .stage .' + arguments[0] + ' polyline').getAttribute('points')", name)
        self.assertNotEqual(points("edges"), points("ghost"))
        # A quarter of a swing: this shape is real, so that it passes through the rest.
        browser.run("alembert.shapes.get('shapes').seek(Math.PI / 2)")
        self.assertEqual(points("edges"), points("ghost"))
        # Half a swing: mirrored at the rest.
        corner = lambda text: [float(v) for v in text.split()[-1].split(",")]
        browser.run("alembert.shapes.get('shapes').seek(0)")
        there, rest = corner(points("edges")), corner(points("ghost"))
        browser.run("alembert.shapes.get('shapes').seek(Math.PI)")
        back = corner(points("edges"))
        for k in range(2):
            self.assertAlmostEqual(there[k] + back[k], 2 * rest[k], delta=0.03)  # written with 0.01 px
        # The second shape is complex: it never is at rest as a whole.
        browser.press("shapes", "next mode")
        for degrees in range(0, 360, 15):
            browser.run("alembert.shapes.get('shapes').seek(arguments[0] * Math.PI / 180)", degrees)
            self.assertNotEqual(points("edges"), points("ghost"))
        # From above, x to the right and y upwards: the tower is a point in x, y.
        browser.press("shapes", "view xy")
        xy = [[float(v) for v in place.split(",")] for place in points("ghost").split()]
        self.assertEqual(len({tuple(place) for place in xy}), 1)
        browser.press("shapes", "view xz")
        xz = [[float(v) for v in place.split(",")] for place in points("ghost").split()]
        self.assertEqual(len({place[0] for place in xz}), 1)
        self.assertEqual(xz, sorted(xz, key=lambda place: -place[1]))  # z upwards
        before = points("ghost")
        stage = browser.run("const r = document.querySelector('#shapes .stage').getBoundingClientRect(); return [r.left + r.width / 2, r.top + 150]")
        browser.mouse("mousePressed", stage, button="left", clickCount=1)
        browser.mouse("mouseMoved", [stage[0] + 40, stage[1] + 30], button="left", buttons=1)
        browser.mouse("mouseReleased", [stage[0] + 40, stage[1] + 30], button="left", clickCount=1)
        self.assertNotEqual(points("ghost"), before)
        browser.press("shapes", "show the structure at rest")
        hidden = "return document.querySelector('#shapes .stage .ghost').getAttribute('display')"
        self.assertEqual(browser.run(hidden), "none")
        browser.press("shapes", "play or pause")
        time.sleep(0.3)
        self.assertGreater(browser.run("return alembert.shapes.get('shapes').phase"), 0.0)
        browser.press("shapes", "play or pause")
        self.assertEqual(browser.messages(), [])

    def test_clicks_on_poles_write_the_lines_of_the_study(self):
        browser = self.open("shapes")
        lines = "return document.querySelector('#poles .picker pre').textContent"
        note = "return document.querySelector('#poles .pick-note').textContent"
        self.assertEqual(browser.run(lines), "")

        def click(x, y):
            browser.run("document.getElementById('poles').scrollIntoView({block: 'center', behavior: 'instant'})")
            browser.settle()
            at = browser.run(
                "const f = alembert.figures.get('poles'), [px, py] = f.picker.scales();"
                "const r = f.plot.over.getBoundingClientRect();"
                "return [r.left + px(arguments[0]), r.top + py(arguments[1])]", x, y)
            for kind in ("mousePressed", "mouseReleased"):
                browser.mouse(kind, at, button="left", clickCount=1)
            browser.settle()
            return browser.run(lines)

        # Modes at 10 and 10.1 Hz share the room between them, 30 Hz has 1 % on either side.
        self.assertEqual(click(30.0, 20.0), "[identify.poles]\ndrop = [[29.7, 30.3]]")
        self.assertIn("end of the study", browser.run(note))
        self.assertEqual(len(browser.run("return [...document.querySelectorAll('#poles .window.drop')]")), 1)
        self.assertEqual(click(10.0, 10.0), "[identify.poles]\ndrop = [[9.95, 10.05], [29.7, 30.3]]")
        self.assertEqual(click(30.0, 20.0), "[identify.poles]\ndrop = [[9.95, 10.05]]")
        # A pole that is no mode.
        self.assertEqual(click(20.0, 30.0), "[identify.poles]\ndrop = [[9.95, 10.05]]")
        self.assertIn("There is no mode at 20", browser.run(note))
        # Beside all poles nothing happens.
        self.assertEqual(click(25.0, 15.0), "[identify.poles]\ndrop = [[9.95, 10.05]]")
        browser.press("poles", "Keep only")
        self.assertEqual(click(30.0, 20.0), "[identify.poles]\nkeep = [[29.7, 30.3]]\ndrop = [[9.95, 10.05]]")
        browser.press("poles", "All")
        self.assertEqual(browser.run(lines), "")
        self.assertEqual(browser.messages(), [])

    # ---- moving mechanism ----

    def test_the_mechanism_plays_and_can_be_moved_by_hand(self):
        browser = self.open("observe")
        pose = "return document.querySelector('#mechanism [data-body=\"0\"]').getAttribute('transform')"
        clock = "return document.querySelector('#mechanism output').textContent"
        first = browser.run(pose)
        self.assertEqual(browser.run(clock), "t = 0.000 s")
        browser.run("const s = document.querySelector('#mechanism input'); s.value = 300; s.dispatchEvent(new Event('input'))")
        # Every second sample of 1 kHz is a frame: the crank has turned by 12.56 t + 0.1 sin(4 pi t).
        self.assertEqual(browser.run(clock), "t = 0.600 s")
        angle = float(browser.run(pose).split("rotate(")[1].rstrip(")"))
        self.assertAlmostEqual((angle - math.degrees(12.56 * 0.6 + 0.09995 * math.sin(2.4 * math.pi))) % 360.0 % 359.5, 0.0, delta=0.5)
        browser.press("mechanism", "play or pause")
        time.sleep(0.5)
        browser.press("mechanism", "play or pause")
        moved = browser.run(clock)
        self.assertNotIn(moved, ("t = 0.000 s", "t = 0.600 s"))
        self.assertNotEqual(browser.run(pose), first)
        time.sleep(0.2)
        self.assertEqual(browser.run(clock), moved)
        self.assertEqual(browser.messages(), [])

    # ---- zoom ----

    def test_drag_zooms_and_double_click_restores(self):
        browser = self.open("small")
        full = self.range("records")
        browser.drag("records", (0.25, 0.5), (0.5, 0.5))
        low, high = self.range("records")
        width = full[1] - full[0]
        self.assertAlmostEqual(low, full[0] + 0.25 * width, delta=0.01 * width)
        self.assertAlmostEqual(high, full[0] + 0.50 * width, delta=0.01 * width)
        browser.double_click("records")
        self.assertEqual(self.range("records"), full)

    def test_drag_of_a_box_zooms_both_axes(self):
        browser = self.open("small")
        x, y = self.range("records"), self.range("records", "y")
        browser.drag("records", (0.2, 0.3), (0.4, 0.6))
        self.assertGreater(self.range("records")[0], x[0])
        low, high = self.range("records", "y")
        self.assertAlmostEqual(high, y[1] - 0.3 * (y[1] - y[0]), delta=0.02 * (y[1] - y[0]))
        self.assertAlmostEqual(low, y[1] - 0.6 * (y[1] - y[0]), delta=0.02 * (y[1] - y[0]))
        browser.press("records", "show everything")
        self.assertEqual((self.range("records"), self.range("records", "y")), (x, y))

    def test_plots_with_the_same_axis_zoom_together(self):
        browser = self.open("small")
        full = self.range("frf-phase")
        browser.drag("frf-magnitude", (0.3, 0.5), (0.6, 0.5))
        self.assertEqual(self.range("frf-phase"), self.range("frf-magnitude"))
        self.assertNotEqual(self.range("frf-phase"), full)
        browser.double_click("frf-phase")
        self.assertEqual(self.range("frf-magnitude"), full)
        browser.press("frf-magnitude", "Link")
        browser.drag("frf-magnitude", (0.3, 0.5), (0.6, 0.5))
        self.assertEqual(self.range("frf-phase"), full)

    def test_buttons_keys_and_wheel_zoom(self):
        browser = self.open("small")
        full = self.range("records")
        width = full[1] - full[0]
        browser.press("records", "zoom in")
        self.assertAlmostEqual(self.range("records")[1] - self.range("records")[0], width / 2, delta=1e-9)
        browser.key("records", "+")
        self.assertAlmostEqual(self.range("records")[1] - self.range("records")[0], width / 4, delta=1e-9)
        before = self.range("records")
        browser.key("records", "ArrowRight")
        self.assertGreater(self.range("records")[0], before[0])
        browser.key("records", "0")
        self.assertEqual(self.range("records"), full)
        at = browser.place("records", 0.5, 0.5)
        browser.mouse("mouseWheel", at, deltaX=0, deltaY=-100, modifiers=2)
        browser.settle()
        self.assertLess(self.range("records")[1] - self.range("records")[0], width)

    # ---- hover and legend ----

    def test_hover_shows_values_with_units(self):
        browser = self.open("small")
        browser.move("frf-magnitude", 0.5, 0.5)
        text = browser.run("return document.querySelector('#frf-magnitude .readout:not([hidden])').innerText")
        # The middle of 0.1 .. 10 Hz on a logarithmic axis is 1 Hz.
        frequency = float(text.split("frequency = ")[1].split()[0])
        self.assertAlmostEqual(frequency, 1.0, delta=0.01)
        self.assertIn("q1 / u1", text)
        self.assertIn("m/N", text)
        # The linked plot shows its cursor line, but no table.
        self.assertTrue(browser.run("return document.querySelector('#frf-phase .readout').hidden"))
        browser.mouse("mouseMoved", [5, 5])
        browser.settle()
        self.assertTrue(browser.run("return document.querySelector('#frf-magnitude .readout').hidden"))

    def test_no_value_is_shown_inside_a_gap(self):
        browser = self.open("small")
        browser.move("records", 2.3 / 5.99, 0.5)  # y2 misses 2.0 s to 2.6 s
        names = browser.run("return [...document.querySelectorAll('#records .readout tr')].map((r) => r.cells[1].innerText)")
        self.assertIn("y1 recorded", names)
        self.assertIn("y2 true", names)
        self.assertNotIn("y2 recorded", names)

    def test_switch_hides_a_channel_everywhere(self):
        browser = self.open("small")
        before = len(self.svg("records").findall(f".//{SVG}g/{SVG}path"))
        browser.press("records", "y2")
        self.assertEqual(browser.run("return [...document.querySelectorAll('#records .chip')].map((c) => c.getAttribute('aria-pressed'))"), ["true", "false", "true"])
        self.assertEqual(browser.figure("records", "f.plot.series.map((s) => s.show)"), [True, True, True, False, False, True, True])
        self.assertEqual(len(self.svg("records").findall(f".//{SVG}g/{SVG}path")), before - 2)
        self.assertNotIn("y2 recorded [m]", browser.figure("records", "f.csv()").splitlines()[0])
        browser.press("records", "y3", shift=True)
        self.assertEqual(browser.figure("records", "f.shownEntries().map((e) => e.name)"), ["y3"])

    def test_styles_are_explained_only_where_a_group_has_several(self):
        browser = self.open("small")
        self.assertEqual(browser.figure("records", "f.styleKey().map((c) => c.name)"), ["recorded", "true"])
        browser = self.open("identify")
        # Two dashed bounds and points for each output: the swatches say it all.
        self.assertEqual(browser.figure("residual-correlation", "f.styleKey().map((c) => c.name)"), [])

    def test_bands_are_filled_in_the_plot_and_in_its_picture(self):
        browser = self.open("observe")
        # The last one, an acceleration, has the widest bands.
        figure = browser.run("return [...alembert.figures].filter(([id, f]) => f.curves.some((c) => c.band)).pop()[0]")
        bands = browser.figure(figure, "f.curves.filter((c) => c.band && c.entry.shown).length")
        self.assertGreater(bands, 0)
        areas = [p for p in self.svg(figure).findall(f".//{SVG}g/{SVG}path") if p.get("fill-opacity") == "0.2"]
        self.assertEqual(len(areas), bands)
        # Along one edge and back along the other: the outline ends above or below where it began.
        points = [tuple(map(float, p.split())) for p in areas[0].get("d")[1:].split("L")]
        self.assertAlmostEqual(points[0][0], points[-1][0], delta=1.0)
        names = browser.run("return document.querySelector(`#${arguments[0]} .style-key`).textContent", figure)
        self.assertIn("\u2212 2 std to + 2 std", names)
        filled = browser.run(COLOURED, figure)
        browser.figure(figure, "f.curves.forEach((c) => delete c.band) || f.refresh()")
        browser.settle()
        self.assertLess(browser.run(COLOURED, figure), filled)

    def test_measured_and_model_have_different_colours(self):
        browser = self.open("identify")
        colours = browser.figure("history-1", "f.curves.slice(0, 2).map((c) => f.plot.series[1 + f.curves.indexOf(c)].stroke(f.plot, 1))")
        self.assertEqual(browser.figure("history-1", "f.curves.slice(0, 2).map((c) => c.name)"), ["measured", "predicted"])
        self.assertNotEqual(colours[0], colours[1])

    def test_sixty_four_channels_stay_usable(self):
        browser = self.open("channels")
        shown = "f.shownEntries().map((e) => e.name)"
        self.assertEqual(browser.figure("channels", shown), [f"acc_{k}" for k in range(1, 9)])
        browser.press("channels", "next curves")
        self.assertEqual(browser.figure("channels", shown), [f"acc_{k}" for k in range(9, 17)])
        browser.press("channels", "previous curves")
        browser.press("channels", "previous curves")
        self.assertEqual(browser.figure("channels", shown), [f"acc_{k}" for k in range(57, 65)])
        begin = time.monotonic()
        browser.press("channels", "All")
        self.assertLess(time.monotonic() - begin, 5.0)
        self.assertEqual(len(browser.figure("channels", shown)), 64)
        styles = browser.figure("channels", "f.plot.series.slice(1).map((s) => s.stroke(f.plot, 1) + s.dash.join())")
        self.assertEqual(len(set(styles)), 64)
        browser.press("channels", "None")
        self.assertEqual(browser.figure("channels", shown), [])
        browser.run(
            "const box = document.querySelector('#channels input[type=search]'); box.value = 'ACC_6';"
            "box.dispatchEvent(new Event('input')); box.dispatchEvent(new KeyboardEvent('keydown', {key: 'Enter'}))")
        self.assertEqual(browser.figure("channels", shown), ["acc_6", "acc_60", "acc_61", "acc_62", "acc_63", "acc_64"])
        self.assertEqual(browser.messages(), [])

    def test_stacked_lanes_show_every_channel(self):
        browser = self.open("channels")
        browser.press("channels", "All")
        browser.press("channels", "Stack")
        self.assertEqual(self.range("channels", "y"), (0, 64))
        labels = [t.text for t in self.svg("channels").findall(f"{SVG}text")]
        self.assertIn("acc_64", labels)
        self.assertGreater(browser.run(COLOURED, "channels"), 10000)
        browser.press("channels", "Stack")
        self.assertLess(self.range("channels", "y")[1], 2.0)

    # ---- downloads ----

    def test_svg_download_is_a_whole_picture(self):
        browser = self.open("small")
        browser.press("frf-magnitude", "SVG")
        content = browser.download("eight-degree-of-freedom-frame-frf-magnitude.svg")
        root = ElementTree.fromstring(content)
        texts = [t.text for t in root.iter(f"{SVG}text")]
        for expected in ("frequency [Hz]", "magnitude [m/N]", "0.1", "10", "10⁻³", "0.89 Hz"):
            self.assertIn(expected, texts)
        curve = root.find(f"{SVG}g/{SVG}path").get("d")
        self.assertGreater(curve.count("L"), 500)
        self.assertNotIn("NaN", content.decode())

    def test_png_download_is_a_picture(self):
        browser = self.open("small")
        browser.press("records", "PNG")
        self.assertEqual(browser.download("eight-degree-of-freedom-frame-records.png")[:8], b"\x89PNG\r\n\x1a\n")

    def test_csv_download_holds_the_numbers(self):
        browser = self.open("small")
        browser.press("frf-phase", "CSV")
        rows = rows_of(browser.download("eight-degree-of-freedom-frame-frf-phase.csv").decode())
        self.assertEqual(rows[0], ["frequency [Hz]", "q1 / u1 [deg]"])
        self.assertEqual(len(rows), 2001)
        values = [[float(cell) for cell in row] for row in rows[1:]]
        self.assertAlmostEqual(values[0][0], 0.1)
        self.assertAlmostEqual(values[-1][0], 10.0)
        # Far below the first mode the phase is nearly 0, far above the second nearly -180 degrees.
        self.assertAlmostEqual(values[0][1], 0.0, delta=1.0)
        self.assertAlmostEqual(values[-1][1], -180.0, delta=2.0)

    def test_csv_leaves_gaps_empty_and_follows_the_view(self):
        browser = self.open("small")
        rows = rows_of(browser.figure("records", "f.csv()"))
        column = rows[0].index("y2 recorded [m]")
        empty = [float(row[0]) for row in rows[1:] if row[column] == ""]
        self.assertEqual(len(empty), 60)
        self.assertAlmostEqual(min(empty), 2.0)
        browser.figure("records", "f.zoomTo([1.0, 2.0], null)")
        self.assertEqual(len(rows_of(browser.figure("records", "f.csv()"))), 102)
        # A loop has x and y side by side, in the order of the curve.
        self.assertEqual(rows_of(browser.figure("loop", "f.csv()"))[0], ["displacement [m] of q1", "q1 [m/s]"])

    def test_matrix_csv_holds_the_numbers(self):
        browser = self.open("small")
        browser.press("stiffness", "CSV")
        rows = rows_of(browser.download("eight-degree-of-freedom-frame-stiffness.csv").decode())
        self.assertEqual(len(rows), 9)
        self.assertEqual(rows[1][1:3], ["27071.1", "-10000"])

    # ---- large and hostile ----

    def test_a_spike_in_a_million_samples_is_there(self):
        browser = self.open("million")
        self.assertGreater(self.range("spike", "y")[1], 7.5)
        rows = rows_of(browser.figure("spike", "f.csv()"))
        peak = max(rows[1:], key=lambda row: float(row[1]))
        self.assertEqual(peak, ["65.4321", "7.5"])
        self.assertIn("no peak is lost", browser.run("return document.querySelector('#spike figcaption').innerText"))
        # Half a million lines on a logarithmic axis: the lowest frequencies are all there.
        low = [float(row[0]) for row in rows_of(browser.figure("spectrum", "f.csv()"))[1:] if float(row[0]) < 0.1]
        self.assertEqual(len(low), 9)

    def test_hostile_text_is_harmless(self):
        browser = self.open("hostile")
        self.assertIsNone(browser.run("return window.hacked === undefined ? null : window.hacked"))
        self.assertEqual(browser.run("return document.images.length"), 0)
        self.assertTrue(browser.run("return document.querySelector('h1').innerText").startswith("</script><img src=x onerror="))
        figure = self.figures()[0]
        browser.move(figure, 0.4, 0.4)
        self.assertEqual(browser.run("return document.querySelectorAll('.readout img, .readout b, .legend img').length"), 0)
        root = self.svg(figure)
        self.assertEqual([e.tag for e in root.iter() if e.tag.endswith(("img", "script", "}b"))], [])
        header = rows_of(browser.figure(figure, "f.csv()"))[0]
        self.assertEqual(len(header), 3)
        self.assertIn("onerror", header[1])
        browser.pdf()
        self.assertIsNone(browser.run("return window.hacked === undefined ? null : window.hacked"))
        self.assertEqual(browser.messages(), [])

    # ---- dark, print, no script ----

    def test_colours_are_readable_in_light_and_dark(self):
        for scheme in ("light", "dark"):
            with self.subTest(scheme=scheme):
                self.browser.media(scheme)
                browser = self.open("channels")
                found = browser.run(CONTRAST)
                self.assertEqual(found["paper"] < 0.05, scheme == "dark")
                self.assertGreater(found["ink"], 7.0)  # WCAG AAA
                for name in ("muted", "link", "good", "warning", "bad"):
                    self.assertGreater(found[name], 4.5, name)  # WCAG AA, text
                self.assertGreater(found["axis"], 3.0)  # WCAG AA, graphics
                self.assertGreaterEqual(found["curves"], 2.95)

    def test_colours_stay_apart_for_colour_blind_readers(self):
        for scheme, colours in self.open("small").run("return alembert.colours").items():
            for kind, matrix in BLINDNESS.items():
                seen = [cie_lab(colour, matrix) for colour in colours]
                nearest = min(math.dist(a, b) for i, a in enumerate(seen) for b in seen[:i])
                # About 2 can just be seen side by side; thin lines need ten times that.
                self.assertGreater(nearest, 20.0, f"{scheme}, {kind}")

    def test_theme_button_and_system_change_repaint(self):
        browser = self.open("small")
        colour = "f.plot.series[1].stroke(f.plot, 1)"
        light = browser.figure("records", colour)
        browser.run("document.querySelector('.theme button').click()")
        dark = browser.figure("records", colour)
        self.assertNotEqual(dark, light)
        browser.run("document.querySelector('.theme button').click()")
        self.assertEqual(browser.figure("records", colour), light)
        browser = self.open("small")
        browser.media("dark")
        browser.settle()
        self.assertEqual(browser.figure("records", colour), dark)

    def test_print_uses_vector_pictures_on_white(self):
        self.browser.media("dark")
        browser = self.open("small")
        pdf = browser.pdf()
        self.assertEqual(pdf[:5], b"%PDF-")
        self.assertNotIn(b"/Subtype /Image", pdf)
        self.assertEqual(browser.run("return document.querySelectorAll('.print svg').length"), len(self.figures()))
        browser.media("dark", "print")
        style = "return getComputedStyle(document.querySelector(arguments[0])).display"
        for hidden in (".plot", ".tools", ".legend", ".theme"):
            self.assertEqual(browser.run(style, hidden), "none", hidden)
        self.assertEqual(browser.run(style, ".print"), "block")
        self.assertEqual(browser.run("return getComputedStyle(document.body).backgroundColor"), "rgb(255, 255, 255)")
        self.assertEqual(browser.messages(), [])

    def test_without_script_tables_and_a_note_remain(self):
        browser = self.browser
        browser.command("Emulation.setScriptExecutionDisabled", value=True)
        try:
            browser.driver.get((Path(self.folder.name) / "small.html").resolve().as_uri())
        finally:
            browser.command("Emulation.setScriptExecutionDisabled", value=False)
        text = browser.driver.find_element("tag name", "body").text
        self.assertIn("This plot needs JavaScript", text)
        self.assertIn("first bending", text)
        self.assertIn("27071", text)


if __name__ == "__main__":
    SAMPLES, TOOL, CHROMIUM, DRIVER = sys.argv[1:5]
    unittest.main(argv=sys.argv[:1] + sys.argv[5:], verbosity=2)
