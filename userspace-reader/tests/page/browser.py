# SPDX-License-Identifier: GPL-2.0
"""A Chromium that shows a page: without a display, by software, watched for what it asks for."""

import bisect
import collections
import json
import os
import time
import urllib.parse

from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service

ARGUMENTS = ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
             "--force-device-scale-factor=1", "--no-first-run", "--disable-sync",
             "--disable-background-networking", "--disable-component-update")
# Events of Chromium's own trace: tasks of threads, pictures, and marks of the page
EVENTS = "disabled-by-default-devtools.timeline,devtools.timeline,blink.user_timing"


class Browser:
    """A window. Scripts see the page's own names, such as view and trace."""

    def __init__(self, width=1280, height=800, traced=False):
        options = Options()
        for argument in ARGUMENTS:
            options.add_argument(argument)
        options.add_argument(f"--window-size={width},{height}")
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        if traced:
            options.add_experimental_option("perfLoggingPrefs", {"traceCategories": EVENTS})
        self.driver = webdriver.Chrome(service=Service("/usr/bin/chromedriver"), options=options)
        self.driver.set_script_timeout(300)

    def resize(self, width, height):
        """The size of what is inside of the window"""
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
            "width": width, "height": height, "deviceScaleFactor": 1, "mobile": False})

    def open(self, path, link="", again=False):
        """Opens a page. Returns what it says if it cannot be shown"""
        address = "file://" + urllib.parse.quote(os.path.abspath(path)) + link
        # another "#" alone does not load a page again
        if again:
            self.driver.get("about:blank")
        self.driver.get(address)
        self.wait("return document.documentElement.dataset.ready || "
                  "document.getElementById('notice').textContent.includes('cannot be shown')")
        return self.run("return document.getElementById('notice').textContent")

    def run(self, script, *arguments):
        """Runs a script in the page"""
        return self.driver.execute_script(script, *arguments)

    def later(self, script, *arguments):
        """Runs a script whose value is a promise"""
        result = self.driver.execute_async_script(
            "const done = arguments[arguments.length - 1];"
            f"(async (...arguments) => {{ {script} }})(...arguments)"
            ".then((value) => done({value}), (error) => done({error: String(error.stack)}))",
            *arguments)
        if "error" in result:
            raise RuntimeError(result["error"])
        return result.get("value")

    def wait(self, script, *arguments, seconds=120):
        """Waits until a script returns something that is true, which is returned"""
        end = time.monotonic() + seconds
        while True:
            value = self.run(script, *arguments)
            if value:
                return value
            if time.monotonic() > end:
                raise TimeoutError(script)
            # time: how often the page is asked
            time.sleep(0.02)

    def settle(self):
        """Waits until two frames were drawn, and all pieces that they need are there"""
        self.later("for (;;) {"
                   " await new Promise((done) => requestAnimationFrame(() =>"
                   "  requestAnimationFrame(done)));"
                   " const waits = trace.machines.flatMap(({pieces}) => pieces)"
                   "  .filter((piece) => piece.loading && !piece.ready);"
                   " if (!waits.length) break;"
                   " await Promise.all(waits.map((piece) => piece.load()));"
                   "}"
                   "drawTimeline()")

    def frames(self, script, *arguments):
        """Runs a script whose value is a promise. Returns how many milliseconds the page's thread
        has run for each frame, from one picture to the next, whatever else the machine does. A
        browser has to be traced for it, and does it once"""
        self.later(f"performance.mark('begun'); {script}; performance.mark('ended')", *arguments)
        events = [message["params"] for message in self.messages()
                  if message["method"] == "Tracing.dataCollected"]
        marks = {event["name"]: event for event in events}
        if "ended" not in marks:
            raise RuntimeError("a trace of Chromium has no room for so many frames")
        begun, ended = marks["begun"], marks["ended"]
        events = [event for event in events if event["tid"] == begun["tid"] and
                  event["pid"] == begun["pid"]]
        pictures = sorted(event["ts"] for event in events if event["name"] == "FireAnimationFrame")
        frames = collections.Counter()
        for event in events:
            if event["name"] == "RunTask" and begun["ts"] <= event["ts"] <= ended["ts"]:
                place = bisect.bisect(pictures, event["ts"] + event["dur"])
                frames[place] += event.get("tdur", 0) / 1000
        return sorted(frames.values())

    def messages(self):
        """What Chromium has told of the page since it was asked last"""
        return [json.loads(entry["message"])["message"]
                for entry in self.driver.get_log("performance")]

    def screenshot(self, path):
        """A picture of the window, as a file"""
        self.driver.save_screenshot(path)

    def problems(self):
        """What the page has said on the console, and each address that it has asked for"""
        # it is the tests that read pixels
        lines = [f"console: {entry['message']}" for entry in self.driver.get_log("browser")
                 if "willReadFrequently" not in entry["message"]]
        for message in self.messages():
            if message["method"] != "Network.requestWillBeSent":
                continue
            url = message["params"]["request"]["url"]
            # Chromium's own first window has another document
            if (message["params"]["documentURL"].startswith("file:") and
                    not (message["params"]["type"] == "Document" and url.startswith("file:"))):
                lines.append(f"request: {url[:200]}")
        return lines

    def close(self):
        """Ends it"""
        self.driver.quit()
