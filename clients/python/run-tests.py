#!/usr/bin/env python3
"""
Tests the installed client: builds the package, installs the wheel into a virtual environment, and runs ruff,
mypy --strict, pyright and pytest. Needs Python 3.8 or later with venv, access to the package index, and the
project's npm packages (npm ci), which include pyright.

    python3 run-tests.py              this Python with the newest libraries; about two minutes
    python3 run-tests.py --matrix     also every installed Python from 3.8 to 3.13, each with the oldest and
                                      the newest requests and httpx, and `pip install` of the folder, the
                                      wheel and the source archive, each into a new environment; about ten
                                      minutes

With NG_IDENTITY_TEST_SERVICE=/path/to/credentials.json, the tests also run against that service. In the
matrix, only the first and the last combination do. All environments and caches are in the --venv
folder. The exit code is 0 only if every step succeeds.
"""

import argparse
import contextlib
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Dict, List, Tuple

FOLDER = Path(__file__).resolve().parent
TESTS = FOLDER / "requirements-test.txt"
CHECKS = FOLDER / "requirements-check.txt"
DESCRIPTIONS = ("CHANGELOG.md", "LICENSE", "README.md", "pyproject.toml")
SERVICE_TESTS = "tests/test_service.py"
MINORS = range(8, 14)
NODE_MODULES = FOLDER.parents[1] / "node_modules"
LIBRARIES = {"oldest": ("requests==2.28.0", "httpx==0.27.0"), "newest": ("requests", "httpx")}
WHEEL_FILES = sorted(path.name for path in (FOLDER / "src" / "ng_identity").iterdir() if path.is_file())


class StepError(Exception):
    """A failed step, whose output has already been printed."""


def main() -> int:
    parser = argparse.ArgumentParser(description="Test the installed Python client.")
    parser.add_argument(
        "--matrix",
        action="store_true",
        help="also test every Python from 3.8 to 3.13, with the oldest and newest requests and httpx",
    )
    parser.add_argument("--venv", type=Path, default=FOLDER / ".venv", help="folder for the environments")
    parser.add_argument(
        "--dist", type=Path, metavar="FOLDER", help="copy the tested wheel and source archive to this folder"
    )
    parser.add_argument("--tag", help="fail unless this tag names the version, as in python-v1.2.3")
    options = parser.parse_args()
    options.venv = options.venv.resolve()
    if sys.version_info < (3, 8):  # noqa: UP036 this file runs before anything is installed
        print("Python 3.8 or later is required.", file=sys.stderr)
        return 1
    for tool in ("MYPY", "RUFF"):
        os.environ[f"{tool}_CACHE_DIR"] = str(options.venv / tool.lower())
    os.environ["PYTHONDONTWRITEBYTECODE"] = "1"
    results: List[Tuple[str, str]] = []
    with tempfile.TemporaryDirectory() as temporary:
        try:
            here = environment(
                Path(sys.executable), options.venv / "here", LIBRARIES["newest"], TESTS, CHECKS
            )
            wheel, archive = build(here, Path(temporary))
            if options.tag not in (None, f"python-v{wheel.name.split('-')[1]}"):
                raise StepError(f"the tag {options.tag} does not name the version of {wheel.name}")
            check_wheel(wheel)
            check_archive(archive)
            run([here, "-m", "twine", "check", "--strict", wheel, archive], "twine check")
            install(here, wheel)
            run([here, "-m", "ruff", "check", "."], "ruff check")
            run([here, "-m", "ruff", "format", "--check", "."], "ruff format")
            # Type checks and pytest run at the same time, because pytest mostly waits.
            with ThreadPoolExecutor() as pool:
                types = pool.submit(check_types, here, Path(temporary))
                results.append((name_of(here), pytest(here)))
                types.result()
            if options.dist:
                options.dist.mkdir(parents=True, exist_ok=True)
                for package in (wheel, archive):
                    shutil.copy(package, options.dist)
            if options.matrix:
                for source in (copy_of_source(Path(temporary) / "folder"), wheel, archive):
                    install_as_a_user(options.venv / "user", source)
                results += matrix(options.venv, wheel)
        except StepError as failure:
            print(f"FAILED: {failure}", file=sys.stderr)
            return 1
    print()
    for name, line in results:
        print(f"{name}: {line}")
    return 1 if any(line.startswith("FAILED") for _, line in results) else 0


def matrix(folder: Path, wheel: Path) -> List[Tuple[str, str]]:
    pythons = found_pythons()
    print(f"Python versions found: {', '.join(pythons) or 'none'}")
    pairs = [(version, age) for version in pythons for age in LIBRARIES]
    results = []
    for version, age in pairs:
        here = environment(pythons[version], folder / f"{version}-{age}", LIBRARIES[age], TESTS)
        install(here, wheel)
        # The tests against the service take minutes, so only the first and the last combination run them.
        uses_service = (version, age) in (pairs[0], pairs[-1])
        try:
            results.append((name_of(here), pytest(here, uses_service)))
        except StepError as failure:
            results.append((name_of(here), f"FAILED: {failure}"))
    return results


def found_pythons() -> Dict[str, Path]:
    """Returns one Python for each minor version: pyenv's newest, or else the one on the PATH."""
    found: Dict[str, Path] = {}
    root = Path(os.environ.get("PYENV_ROOT", str(Path.home() / ".pyenv"))) / "versions"
    for minor in MINORS:
        version = f"3.{minor}"
        candidates = sorted(
            root.glob(f"{version}.*/bin/python{version}"), key=lambda path: int(path.parts[-3].split(".")[2])
        )
        on_path = shutil.which(f"python{version}")
        candidates = ([Path(on_path)] if on_path else []) + candidates
        for candidate in reversed(candidates):
            # pyenv puts shims on the PATH even for versions that are not enabled.
            if output([candidate, "-c", "import sys; print('%d.%d' % sys.version_info[:2])"]) == version:
                found[version] = candidate
                break
    return found


def environment(python: Path, folder: Path, libraries: Tuple[str, ...], *tools: Path) -> Path:
    """Returns the Python of an environment with the tools. Recreates the environment after changes."""
    recipe = "\n".join([str(python), *libraries, *(file.read_text(encoding="utf-8") for file in tools)])
    stamp = folder / "recipe.sha256"
    current = hashlib.sha256(recipe.encode()).hexdigest()
    inside = folder / ("Scripts" if os.name == "nt" else "bin") / "python"
    if stamp.exists() and stamp.read_text(encoding="utf-8") == current:
        return inside
    if subprocess.call([str(python), "-c", "import venv, ensurepip"]) != 0:
        raise StepError(
            f"{python} has no venv or ensurepip (on Debian and Ubuntu: apt-get install python3-venv)"
        )
    run([python, "-m", "venv", "--clear", folder], "venv")
    pip(inside, *libraries, *(f"--requirement={file}" for file in tools))
    stamp.write_text(current, encoding="utf-8")
    return inside


def build(python: Path, temporary: Path) -> Tuple[Path, Path]:
    """
    Builds the source archive from a copy of the source, so that no build folder is left here, and the wheel
    from the archive. Returns the wheel and the archive.
    """
    source = copy_of_source(temporary / "source")
    run([python, "-m", "build", "--no-isolation", "--outdir", temporary, source], "build", quiet=True)
    return next(temporary.glob("*.whl")), next(temporary.glob("*.tar.gz"))


def copy_of_source(target: Path) -> Path:
    """Copies the source folder, because an installation leaves build files in it."""
    target.mkdir()
    shutil.copytree(
        FOLDER / "src", target / "src", ignore=shutil.ignore_patterns("__pycache__", "*.egg-info")
    )
    for name in DESCRIPTIONS:
        shutil.copy(FOLDER / name, target / name)
    return target


def check_wheel(wheel: Path) -> None:
    """Fails unless the wheel contains the package and its metadata, and nothing else."""
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
    package = sorted(name for name in names if ".dist-info/" not in name)
    if package != [f"ng_identity/{name}" for name in WHEEL_FILES] or len(names) - len(package) > 5:
        raise StepError(f"the wheel contains {names}")
    print(f"{wheel.name}: {len(package)} package files and the metadata")


def check_archive(archive: Path) -> None:
    """Fails unless the source archive contains the package and the files about it, and nothing else."""
    with tarfile.open(archive) as content:
        names = {name.split("/", 1)[1] for name in content.getnames()}
    expected = {*DESCRIPTIONS, "PKG-INFO", *(f"src/ng_identity/{name}" for name in WHEEL_FILES)}
    if names - {".gitignore"} != expected:
        raise StepError(f"the source archive contains {sorted(names)}")


def check_types(python: Path, temporary: Path) -> None:
    """
    Runs mypy --strict and pyright on this folder and on the examples in the README. tests/wrong_calls.py
    contains the calls that both must report.
    """
    pyright = NODE_MODULES / "pyright" / "index.js"
    if not pyright.exists():
        raise StepError("pyright is not installed: run npm ci in the project's root")
    programs = ["generate_client.py", "run-tests.py"]
    files: List[object] = ["src", "tests", "examples", *programs, *readme_examples(temporary / "readme")]
    run([python, "-m", "mypy", *files], "mypy --strict")
    run([NODE_MODULES / ".bin" / "node", pyright, "--pythonpath", python, *files], "pyright")


def readme_examples(folder: Path) -> List[Path]:
    """Writes each Python example in the README to a file of its own."""
    folder.mkdir()
    paths = []
    for index, block in enumerate(python_blocks()):
        path = folder / f"readme_{index}.py"
        path.write_text(block, encoding="utf-8")
        paths.append(path)
    return paths


def python_blocks() -> List[str]:
    readme = (FOLDER / "README.md").read_text(encoding="utf-8")
    return [part.split("```")[0] for part in readme.split("```python\n")[1:]]


def install(python: Path, wheel: Path) -> None:
    pip(python, "--no-deps", "--force-reinstall", wheel)
    run([python, "-m", "pip", "check", "-q"], "pip check", quiet=True)


def install_as_a_user(folder: Path, source: Path) -> None:
    """
    Installs the folder, the wheel or the source archive into a new environment. With a service, also runs the
    README's first example.
    """
    run([sys.executable, "-m", "venv", "--clear", folder], "venv")
    inside = folder / ("Scripts" if os.name == "nt" else "bin")
    pip(inside / "python", source)
    version = output([inside / "python", "-c", "import ng_identity; print(ng_identity.__version__)"])
    if not version:
        raise StepError(f"import ng_identity fails after pip install of {source.name}")
    print(f"pip install of {source.name}: ng_identity {version}", flush=True)
    credentials = os.environ.get("NG_IDENTITY_TEST_SERVICE")
    if credentials:
        print(f"the first example in the README: {first_example(inside / 'python', Path(credentials))}")


def first_example(python: Path, credentials: Path) -> str:
    """Returns the output of the README's first example, with the service's test key in the environment."""
    service = json.loads(credentials.read_text(encoding="utf-8"))
    variables = {"NG_IDENTITY_API_KEY": service["test"]["apiKey"], "NG_IDENTITY_BASE_URL": service["baseUrl"]}
    done = subprocess.run(
        [str(python), "-c", python_blocks()[0]],
        env={**os.environ, **variables, "PYTHONIOENCODING": "utf-8"},
        stdout=subprocess.PIPE,
    )
    if done.returncode != 0:
        raise StepError("the first example in the README failed")
    return done.stdout.decode("utf-8").strip()


def pip(python: Path, *arguments: object) -> None:
    run(
        [python, "-m", "pip", "install", "-q", "--disable-pip-version-check", *arguments],
        "pip install",
        quiet=True,
    )


def pytest(python: Path, uses_service: bool = True) -> str:
    """Returns the last line of each run. The service's tests, which mostly wait, run alongside the others."""
    print(f"\n--- {name_of(python)}", flush=True)
    variables = dict(os.environ)
    if not uses_service:
        variables.pop("NG_IDENTITY_TEST_SERVICE", None)
    command = [str(python), "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    parts: List[List[str]] = [[]]
    if "NG_IDENTITY_TEST_SERVICE" in variables:
        parts = [["--ignore", SERVICE_TESTS], [SERVICE_TESTS]]
    with contextlib.ExitStack() as stack:
        running = []
        for part in parts:
            shown = stack.enter_context(tempfile.TemporaryFile("w+", encoding="utf-8"))
            process = subprocess.Popen(
                [*command, *part], cwd=str(FOLDER), env=variables, stdout=shown, stderr=subprocess.STDOUT
            )
            running.append((process, shown))
        codes, last_lines = [], []
        for process, shown in running:
            codes.append(process.wait())
            shown.seek(0)
            text = shown.read().strip()
            print(text, flush=True)
            last_lines.append(text.splitlines()[-1] if text else "no output")
    if any(codes):
        raise StepError("; ".join(last_lines))
    return "; ".join(last_lines)


def name_of(python: Path) -> str:
    script = "import httpx, platform, requests; print('Python %s, requests %s, httpx %s' % ("
    script += "platform.python_version(), requests.__version__, httpx.__version__))"
    return output([python, "-c", script])


def run(command: List[object], name: str, quiet: bool = False) -> None:
    texts = [str(part) for part in command]
    done = subprocess.run(
        texts,
        cwd=str(FOLDER),
        stdout=subprocess.PIPE if quiet else None,
        stderr=subprocess.STDOUT if quiet else None,
        text=True,
    )
    if done.returncode != 0:
        print(done.stdout or "", file=sys.stderr)
        raise StepError(name)


def output(command: List[object]) -> str:
    texts = [str(part) for part in command]
    done = subprocess.run(texts, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    return done.stdout.strip()


if __name__ == "__main__":
    raise SystemExit(main())
