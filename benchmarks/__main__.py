"""Every benchmark in turn: python -m benchmarks."""

from __future__ import annotations

import subprocess
import sys

SUITES = (["benchmarks.spark_append"], ["benchmarks.spark_append", "--memory"])

for suite in SUITES:
    print(f"$ python -m {' '.join(suite)}", flush=True)
    subprocess.run([sys.executable, "-m", *suite], check=True)
