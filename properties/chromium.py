# SPDX-License-Identifier: MIT
"""A headless Chromium that a test talks to over two pipes, with nothing but Python's own library."""
import json
import os
import select
import shutil
import signal
import subprocess
import tempfile
import time

FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
         "--disable-component-update", "--disable-sync", "--remote-debugging-pipe"]


class Chromium:
    def __init__(self):
        program = shutil.which("chromium")
        if program is None:
            raise SystemExit("FAILED: there is no chromium; install the package chromium")
        self.profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        to_read, self.to_write = os.pipe()
        self.from_read, from_write = os.pipe()

        def pipes():  # Chromium reads commands from descriptor 3 and writes answers to 4
            commands, answers = os.dup(to_read), os.dup(from_write)
            os.dup2(commands, 3)
            os.dup2(answers, 4)

        self.process = subprocess.Popen([program, *FLAGS, "--user-data-dir=" + self.profile.name, "about:blank"], preexec_fn=pipes, close_fds=False,
                                        start_new_session=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_read)
        os.close(from_write)
        self.buffer, self.number, self.events, self.session = b"", 0, [], None
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Network", "Runtime", "Log"):
            self.call(domain + ".enable")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self.process.wait()
        os.close(self.to_write)
        os.close(self.from_read)
        self.profile.cleanup()

    def _message(self, deadline):
        while b"\0" not in self.buffer:
            if not select.select([self.from_read], [], [], max(0, deadline - time.monotonic()))[0]:
                raise SystemExit("FAILED: chromium did not answer in time")
            block = os.read(self.from_read, 1 << 20)
            if not block:
                raise SystemExit("FAILED: chromium ended")
            self.buffer += block
        message, _, self.buffer = self.buffer.partition(b"\0")
        return json.loads(message)

    def call(self, method, seconds=60, **params):
        self.number += 1
        message = {"id": self.number, "method": method, "params": params}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.to_write, json.dumps(message).encode() + b"\0")
        deadline = time.monotonic() + seconds
        while True:
            answer = self._message(deadline)
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise SystemExit(f"FAILED: {method}: {answer['error']}")
                return answer["result"]
            self.events.append(answer)

    def open(self, url, seconds=60):
        """Loads a page; the events since then are in `events`."""
        self.events = []
        self.call("Page.navigate", url=url)
        deadline = time.monotonic() + seconds
        while not any(e.get("method") == "Page.loadEventFired" for e in self.events):
            self.events.append(self._message(deadline))

    def value(self, expression):
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            raise SystemExit(f"FAILED: {expression[:200]}: {result['exceptionDetails']}")
        return result["result"].get("value")

    def size(self, width, height):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)

    def scheme(self, name):
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": name}])

    def scripts(self, wanted):
        self.call("Emulation.setScriptExecutionDisabled", value=not wanted)
