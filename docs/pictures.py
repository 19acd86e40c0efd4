#!/usr/bin/env python3
"""Makes the pictures of the documentation from what premiss prints.

    docs/pictures.py [PREMISS]

writes docs/src/pictures/report.svg, a report on a terminal, and, where Chromium is installed,
docs/src/pictures/page.png, the same report as a page. PREMISS is the binary (default: premiss).
"""

import html
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PICTURES = ROOT / "docs/src/pictures"
REPORT = ["report", "testdata/kernels/c/gemm.c", "-P", "NI=100", "-P", "NJ=100", "-P", "NK=100"]
COLUMN_WIDTH, LINE_HEIGHT, MARGIN = 7.53, 17, 14
CLASSES = {"1": "bold", "2": "dim", "31": "red", "33": "yellow", "32": "green", "36": "cyan"}
STYLE = """
  text { font: 12.5px ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace; fill: #d8dee4; white-space: pre }
  .bold { font-weight: bold } .dim { fill: #8b949e } .red { fill: #ff7b72 } .yellow { fill: #e3b341 }
  .green { fill: #7ee787 } .cyan { fill: #76e3ea } .prompt { fill: #7ee787 }
"""


def premiss(binary, *arguments):
    command = [binary, *REPORT, *arguments]
    return subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout


def spans(line):
    """A line with escape sequences as SVG text spans."""
    classes, parts = [], []
    for text in re.split(r"(\x1b\[[0-9;]*m)", line):
        escape = re.fullmatch(r"\x1b\[([0-9;]*)m", text)
        if escape:
            codes = escape[1].split(";")
            classes = [] if codes in ([""], ["0"]) else classes + [CLASSES[c] for c in codes if c in CLASSES]
        elif text:
            style = f' class="{" ".join(classes)}"' if classes else ""
            parts.append(f"<tspan{style}>{html.escape(text)}</tspan>")
    return "".join(parts)


def terminal(binary):
    lines = premiss(binary, "--color", "always").rstrip("\n").split("\n")
    lines = [f"\x1b[32m$ \x1b[0mpremiss {' '.join(REPORT)}", "", *lines]
    height = len(lines) * LINE_HEIGHT + 2 * MARGIN
    columns = max(len(re.sub(r"\x1b\[[0-9;]*m", "", line)) for line in lines)
    width = columns * COLUMN_WIDTH + 2 * MARGIN
    rows = [
        f'<text x="{MARGIN}" y="{MARGIN + 12 + idx * LINE_HEIGHT}" xml:space="preserve">{spans(line)}</text>'
        for idx, line in enumerate(lines)
    ]
    svg = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height}" width="{width:.0f}" height="{height}">'
    background = '<rect width="100%" height="100%" rx="8" fill="#0d1117"/>'
    picture = "\n".join([svg, f"<style>{STYLE}</style>", background, *rows, "</svg>", ""])
    (PICTURES / "report.svg").write_text(picture)


def page(binary):
    names = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome"]
    browser = next(filter(None, map(shutil.which, names)), None)
    if browser is None:
        print("no Chromium: page.png stays as it is", file=sys.stderr)
        return
    with tempfile.TemporaryDirectory() as folder:
        report, picture = Path(folder) / "report.html", Path(folder) / "page.png"
        report.write_text(premiss(binary, "--format", "html"))
        options = ["--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--window-size=1080,860"]
        command = [browser, *options, f"--user-data-dir={folder}/profile", f"--screenshot={picture}", report.as_uri()]
        subprocess.run(command, check=True, capture_output=True)
        shutil.copy(picture, PICTURES / "page.png")


def main():
    # The report is made in the root of the repository: a relative path is one from here.
    binary = sys.argv[1] if len(sys.argv) > 1 else "premiss"
    binary = os.path.abspath(binary) if os.sep in binary else binary
    PICTURES.mkdir(parents=True, exist_ok=True)
    terminal(binary)
    page(binary)


main()
