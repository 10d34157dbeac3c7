"""A headless Chromium for the tests of the report."""
import base64
import json
import shutil
import tempfile
import time
from pathlib import Path

from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service

FLAGS = [
    "--headless=new",
    "--no-sandbox",  # needed where tests run as root, in containers
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


class Browser:
    """One Chromium with a profile of its own; use as a context."""

    def __init__(self, chromium, driver, width=1280, height=1000):
        self.folder = Path(tempfile.mkdtemp(prefix="alembert-browser-"))
        self.downloads = self.folder / "downloads"
        self.downloads.mkdir()
        options = Options()
        options.binary_location = chromium
        for flag in FLAGS + [f"--user-data-dir={self.folder / 'profile'}", f"--window-size={width},{height}"]:
            options.add_argument(flag)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        self.driver = webdriver.Chrome(service=Service(driver), options=options)
        self.driver.set_script_timeout(60)
        self.command("Browser.setDownloadBehavior", behavior="allow", downloadPath=str(self.downloads))
        self.size(width, height)

    def close(self):
        self.driver.quit()
        shutil.rmtree(self.folder, ignore_errors=True)

    def command(self, name, **arguments):
        return self.driver.execute_cdp_cmd(name, arguments)

    def size(self, width, height=1000, scale=1):
        self.command("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=scale, mobile=False)

    def media(self, scheme="light", kind=""):
        self.command("Emulation.setEmulatedMedia", media=kind, features=[{"name": "prefers-color-scheme", "value": scheme}])

    def open(self, page):
        """Opens a page and draws all of its figures."""
        self.messages()
        self.requests()
        self.driver.get(Path(page).resolve().as_uri())
        self.run("alembert.drawAll()")
        self.settle()

    def run(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def settle(self):
        """Waits until the page has painted twice."""
        self.driver.execute_async_script("const done = arguments[0]; requestAnimationFrame(() => requestAnimationFrame(() => done()))")

    def messages(self):
        return [entry["message"] for entry in self.driver.get_log("browser")]

    def requests(self):
        """Addresses that were asked for since the last call."""
        found = []
        for entry in self.driver.get_log("performance"):
            message = json.loads(entry["message"])["message"]
            if message["method"] == "Network.requestWillBeSent":
                found.append(message["params"]["request"]["url"])
        return found

    def figure(self, figure, expression):
        """Evaluates an expression in which f is the Figure with this id."""
        return self.run(f"const f = alembert.figures.get(arguments[0]); return {expression}", figure)

    # ---- mouse and keys, as the browser itself sends them ----

    def place(self, figure, x, y):
        """Pixel in the window of a place in a plot, as shares of its width and height."""
        self.run("document.getElementById(arguments[0]).scrollIntoView({block: 'center', behavior: 'instant'})", figure)
        self.settle()
        return self.run(
            "const r = document.querySelector(`#${arguments[0]} .u-over`).getBoundingClientRect();"
            "return [r.left + arguments[1] * r.width, r.top + arguments[2] * r.height]", figure, x, y)

    def mouse(self, kind, at, **more):
        self.command("Input.dispatchMouseEvent", type=kind, x=at[0], y=at[1], **more)

    def move(self, figure, x, y):
        at = self.place(figure, x, y)
        self.mouse("mouseMoved", [at[0] - 2, at[1]])
        self.mouse("mouseMoved", at)
        self.settle()

    def drag(self, figure, begin, end):
        a, b = self.place(figure, *begin), self.place(figure, *end)
        pressed = {"button": "left", "buttons": 1, "clickCount": 1}
        self.mouse("mouseMoved", a)
        self.mouse("mousePressed", a, **pressed)
        for share in (0.3, 0.7, 1.0):
            self.mouse("mouseMoved", [a[i] + share * (b[i] - a[i]) for i in (0, 1)], button="left", buttons=1)
        self.mouse("mouseReleased", b, **pressed)
        self.settle()

    def double_click(self, figure, x=0.5, y=0.5):
        at = self.place(figure, x, y)
        for count in (1, 2):
            for kind in ("mousePressed", "mouseReleased"):
                self.mouse(kind, at, button="left", clickCount=count)
        self.settle()

    def press(self, figure, title, shift=False):
        """Clicks the button whose title begins so."""
        script = (
            "const found = [...document.querySelectorAll(`#${arguments[0]} button`)]"
            ".find((b) => b.title.startsWith(arguments[1]) || b.textContent === arguments[1]);"
            "found.dispatchEvent(new MouseEvent('click', {bubbles: true, shiftKey: arguments[2]}))")
        self.run(script, figure, title, shift)
        self.settle()

    def key(self, figure, key):
        self.run("document.querySelector(`#${arguments[0]} .plot`).focus({preventScroll: true})", figure)
        for kind in ("keyDown", "keyUp"):
            self.command("Input.dispatchKeyEvent", type=kind, key=key, text=key if len(key) == 1 and kind == "keyDown" else "")
        self.settle()

    def download(self, name, timeout=20):
        """Waits for a finished download and returns its bytes."""
        file = self.downloads / name
        end = time.monotonic() + timeout
        while time.monotonic() < end:
            if file.exists() and not list(self.downloads.glob("*.crdownload")):
                content = file.read_bytes()
                file.unlink()
                return content
            time.sleep(0.05)
        raise AssertionError(f"{name} was not downloaded; there are {[f.name for f in self.downloads.iterdir()]}")

    def pdf(self):
        return base64.b64decode(self.command("Page.printToPDF", preferCSSPageSize=True)["data"])
