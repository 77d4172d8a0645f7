"""The executor side in a fresh process where pyspark and py4j cannot be imported."""

from __future__ import annotations

import pkgutil
import subprocess
import sys

import paimon_bridge

_EXECUTOR_ROOMS = ("errors", "model", "binary", "wire", "write")


def test_executor_side_imports_with_pyspark_and_py4j_blocked() -> None:
    modules = [
        module.name
        for module in pkgutil.walk_packages(paimon_bridge.__path__, "paimon_bridge.")
        if module.name.split(".")[1] in _EXECUTOR_ROOMS and not module.name.endswith("__main__")
    ]
    assert len(modules) > 20
    script = f"""
import sys
sys.modules["pyspark"] = sys.modules["py4j"] = None
import importlib
for name in {modules!r}:
    importlib.import_module(name)
print(len({modules!r}))
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == str(len(modules))


def test_public_names_resolve_and_are_listed() -> None:
    assert set(paimon_bridge.__all__) <= set(dir(paimon_bridge))
    for name in paimon_bridge.__all__:
        assert getattr(paimon_bridge, name) is not None


def test_importing_the_package_loads_neither_pyspark_nor_pyarrow() -> None:
    script = "import sys, paimon_bridge; print([name for name in ('pyspark', 'py4j', 'pyarrow') if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
