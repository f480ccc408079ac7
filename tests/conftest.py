"""One Spark session for all tests, in the mode that ``--spark`` names; where the real pages are."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path

import pyspark
import pytest
from pyspark.sql import DataFrame, SparkSession

from dedup.io.publish import Output
from dedup.session import open_session
from dedup.survivors import Settle

ROOT = Path(__file__).parent.parent
CORES = 2
CONF = {
    "spark.sql.shuffle.partitions": "3",
    "spark.ui.enabled": "false",
    "spark.driver.memory": "2g",
    # Runs of seconds spend their time on starting up, not on what a better compiler would make faster; thousands of
    # them fill the small code cache that comes with it.
    "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -XX:ReservedCodeCacheSize=256m",
}
SERVER = "org.apache.spark.sql.connect.service.SparkConnectServer"
SERVER_SECONDS = 120
GUARD = '"$@" & cat; kill $!; wait $!'
"""Ends the server when the tests close their end of its input, as they do even where they are killed."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--spark",
        choices=("classic", "connect"),
        default=os.environ.get("DEDUP_SPARK", "classic"),
        help="Spark in this process, or a Spark Connect server beside it; DEDUP_SPARK says the same",
    )


@pytest.fixture(scope="session")
def spark_mode(request: pytest.FixtureRequest) -> str:
    """``classic`` or ``connect``."""
    mode: str = request.config.getoption("--spark")
    if mode not in ("classic", "connect"):
        raise pytest.UsageError(f"DEDUP_SPARK={mode}: write classic or connect")
    return mode


@pytest.fixture(scope="session")
def spark(spark_mode: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[SparkSession]:
    """The session, opened as the job opens its own."""
    # Workers take the package from where the tests took it, installed or not.
    os.environ["PYTHONPATH"] = os.pathsep.join([str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])])
    os.environ["PYSPARK_PYTHON"] = sys.executable
    folder = tmp_path_factory.mktemp("spark")
    properties = folder / "spark.properties"
    properties.write_text("".join(f"{key} {value}\n" for key, value in CONF.items()))
    if spark_mode == "classic":
        session = open_session(master=f"local[{CORES}]", properties=str(properties), log=folder / "spark.log")
        yield session
        session.stop()
        return
    with connect_server(folder) as remote:
        session = open_session(remote=remote)
        yield session
        session.stop()


@contextmanager
def connect_server(folder: Path) -> Iterator[str]:
    """A Spark Connect server on a free port of this machine, as long as the block lasts: its address."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    told = {
        **CONF,
        "spark.connect.grpc.binding.address": "127.0.0.1",
        "spark.connect.grpc.binding.port": str(port),
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
    }
    submit = Path(pyspark.__file__).parent / "bin" / "spark-submit"
    words = [str(submit), "--master", f"local[{CORES}]", "--class", SERVER]
    words += [word for key, value in told.items() for word in ("--conf", f"{key}={value}")]
    log = folder / "server.log"
    environment = {key: value for key, value in os.environ.items() if not key.startswith("SPARK_")}
    words = ["sh", "-c", GUARD, "server", *words, "spark-internal"]
    with log.open("wb") as out:
        server = subprocess.Popen(words, cwd=folder, env=environment, stdin=subprocess.PIPE, stdout=out, stderr=out)
    try:
        end = time.monotonic() + SERVER_SECONDS
        while not _answers(port):
            if server.poll() is not None or time.monotonic() > end:
                raise RuntimeError(f"no Spark Connect server:\n{log.read_text(errors='replace')[-3000:]}")
            time.sleep(0.2)
        yield f"sc://127.0.0.1:{port}"
    finally:
        assert server.stdin is not None
        server.stdin.close()
        server.wait(60)


def _answers(port: int) -> bool:
    with socket.socket() as knock:
        return knock.connect_ex(("127.0.0.1", port)) == 0


@pytest.fixture
def settle(tmp_path: Path) -> Settle:
    """What a run settles its frames with, in a folder of the test; a name may come again."""
    output, number = Output(str(tmp_path / "settled"), "test"), count(1)
    output.start()

    def write(frame: DataFrame, name: str) -> DataFrame:
        return output.settle(frame, f"{next(number):03d}-{name}")

    return write


@pytest.fixture
def checkpoint() -> Settle:
    """The other kind of settling, without files: for tests of many small runs."""
    return lambda frame, name: frame.localCheckpoint()


@pytest.fixture(scope="session")
def real_pages() -> Path:
    """The folder of real pages; they are no part of the project."""
    folder = Path(os.environ.get("DEDUP_DATA") or ROOT.parent / "shared" / "data") / "pages"
    if not any(folder.glob("*.parquet")):
        pytest.skip(f"no real pages in {folder}; set DEDUP_DATA to the folder that holds pages/")
    return folder
