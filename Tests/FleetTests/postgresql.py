"""Tests fences from PostgreSQL: a real server with PostGIS in a temporary folder, and a fleet that gets its fences from there.

Usage: run.py postgresql. Needs Debian's postgresql and postgresql-15-postgis-3 (Scripts/deps --fleet); without them it says so. A server
does not run as root: for root, it runs as the user postgres.
"""

import base64
import datetime
import json
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
import time

import run
from fleet import PARTITIONS, Fleet, free_port

PASSWORD = "a pass:word"


def programs():
    """The folder of the server's programs; None if the server or PostGIS is not installed."""
    for folder in sorted(pathlib.Path("/usr/lib/postgresql").glob("*/bin"), reverse=True):
        extension = pathlib.Path("/usr/share/postgresql") / folder.parent.name / "extension/postgis.control"
        if (folder / "initdb").exists() and extension.exists():
            return folder
    return None


class Database:
    """A server with a database `zones`, and its owner `ann`."""

    def __init__(self, folder):
        self.folder, self.bin, self.port = pathlib.Path(folder), programs(), free_port()
        self.user = ["runuser", "-u", "postgres", "--"] if os.getuid() == 0 else []
        if self.user:
            shutil.chown(self.folder, "postgres")
        self.as_server(self.bin / "initdb", "-D", self.folder / "data", "-U", "postgres", "--auth-local=trust", "--auth-host=scram-sha-256",
                       "--no-sync", "-E", "UTF8", "--locale=C.UTF-8")
        self.start()
        self.ask("CREATE ROLE ann LOGIN PASSWORD '%s'" % PASSWORD, "postgres")
        self.ask("CREATE DATABASE zones OWNER ann", "postgres")
        self.ask("CREATE EXTENSION postgis")
        self.passwords = self.folder / "passwords"
        self.passwords.write_text(f"127.0.0.1:{self.port}:*:ann:{PASSWORD.replace(':', chr(92) + ':')}\n")
        self.passwords.chmod(0o600)

    def as_server(self, *words):
        subprocess.run([*self.user, *map(str, words)], check=True, stdout=subprocess.DEVNULL, cwd=self.folder)

    def start(self):
        self.as_server(self.bin / "pg_ctl", "-D", self.folder / "data", "-w", "-l", self.folder / "server.log", "-o",
                       f"-h 127.0.0.1 -p {self.port} -k {self.folder} -F", "start")

    def stop(self):
        if (self.folder / "data/postmaster.pid").exists():
            self.as_server(self.bin / "pg_ctl", "-D", self.folder / "data", "-w", "-m", "immediate", "stop")

    def ask(self, command, database="zones"):
        """Runs SQL as the server's owner."""
        subprocess.run([self.bin / "psql", "-h", self.folder, "-p", str(self.port), "-U", "postgres", "-d", database, "-q", "-v",
                        "ON_ERROR_STOP=1", "-c", command], check=True, stdout=subprocess.DEVNULL)

    def address(self, parameters):
        return f"postgresql://ann@127.0.0.1:{self.port}/zones?{parameters}"


TABLE = """
CREATE TABLE zones (id int PRIMARY KEY, name text, shape geometry, radius float8, event text);
CREATE TABLE secrets (id int, shape geometry);
CREATE TABLE twice (id int, a geometry, b geography);
CREATE TABLE plain (id int, name text);
CREATE FUNCTION tell() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NOTIFY fencepost; RETURN NULL; END $$;
CREATE TRIGGER tell AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON zones FOR EACH STATEMENT EXECUTE FUNCTION tell();
GRANT SELECT ON zones, twice, plain TO ann;
INSERT INTO zones VALUES
  (1, 'Depot', ST_Transform('SRID=4326;POINT(13.1 52.4)'::geometry, 25833), 200, NULL),
  (2, 'Yard', 'SRID=4326;POLYGON((13.20 52.40, 13.21 52.40, 13.21 52.41, 13.20 52.41, 13.20 52.40))', NULL, 'enter'),
  (3, '', 'SRID=4326;CURVEPOLYGON(CIRCULARSTRING(13.3 52.4, 13.31 52.41, 13.32 52.4, 13.31 52.39, 13.3 52.4))', NULL, 'both'),
  (4, 'Road', 'SRID=4326;LINESTRING(13 52, 13.1 52.1)', NULL, NULL),
  (5, 'Nowhere', NULL, NULL, NULL),
  (6, 'Empty', 'SRID=4326;POLYGON EMPTY', NULL, NULL),
  (7, 'Metres without a system', 'POINT(389000 5807000)', 50, NULL),
  (8, 'Odd', 'SRID=4326;POINT(13.1 52.4)', 'NaN', NULL),
  (9, 'Word', 'SRID=4326;POINT(13.1 52.4)', 50, 'sometimes');
"""


class Follower:
    """`fleet fences --follow`."""

    def __init__(self, fleet, database, words):
        self.log = fleet.folder / "fences.log"
        out = open(self.log, "a")
        self.process = subprocess.Popen(words, stdout=out, stderr=out, env=environment(database))
        out.close()

    def wait_for(self, text):
        limit = time.monotonic() + 60
        while text not in self.log.read_text():
            assert self.process.poll() is None and time.monotonic() < limit, f"no '{text}' in\n{self.log.read_text()}"
            time.sleep(0.05)


def environment(database):
    return dict(os.environ, PGPASSFILE=str(database.passwords), LANG="C.UTF-8", HOME=str(database.folder))


def generation(fleet):
    """The number of the latest generation."""
    message = fleet.ask("STREAM.MSG.GET.FENCEPOST_FENCES", last_by_subj="fencepost.fences.latest").get("message")
    return json.loads(base64.b64decode(message["data"]))["generation"] if message else 0


def drive(fleet, device, path, hours):
    """Sends the positions of a device, a minute apart."""
    start = datetime.datetime.now(datetime.timezone.utc).timestamp() - 3600 * hours
    fleet.post(json.dumps({"locations": [run.feature(start + 60 * index, device, *place, 5) for index, place in enumerate(path)]}))


def wait_for_firings(fleet, count):
    limit = time.monotonic() + 60
    while len(fleet.firings()) < count and time.monotonic() < limit:
        time.sleep(0.1)
    found = fleet.firings()
    assert len(found) == count, found
    return sorted((one["item"]["id"], one["item"]["title"], one["kind"], one["device"], one["generation"]) for one in found)


def check_messages(fleet, database, publish):
    """What can't be used is refused in words."""
    for parameters, message in [
            ("table=secrets", "permission denied for table secrets"),
            ("table=nothing", 'relation "nothing" does not exist'),
            ("table=twice", "several shapes (a, b)"),
            ("table=plain", "no column of PostGIS"),
            ("table=zones&geometry=outline", "no column 'outline'"),
            ("query=SELECT%20name%20FROM%20zones", "no column 'id'"),
            ("query=DROP%20TABLE%20zones", "syntax error"),
            ("query=SELECT%201)%20AS%20a;%20DROP%20TABLE%20zones;%20SELECT%20(2", "read-only transaction"),
            ("table=zones&query=SELECT%201", "not both"), ("", "missing table"), ("table=a.b.c", "SCHEMA.NAME"),
            ("table=zones&password=x", "~/.pgpass"), ("table=zones&nonsense=1", "nonsense")]:
        done = subprocess.run(publish(database.address(parameters)), capture_output=True, text=True, env=environment(database))
        assert done.returncode and message in done.stderr and len(done.stderr.splitlines()) < 4, (parameters, done)
    for address, message in [
            (f"postgresql://ann:x@127.0.0.1:{database.port}/zones?table=zones", "~/.pgpass"),
            (f"postgresql://127.0.0.1:{free_port()}/zones?table=zones", "refused")]:
        done = subprocess.run(publish(address), capture_output=True, text=True, env=environment(database))
        assert done.returncode and message in done.stderr and "ann:x" not in done.stderr, done
    done = subprocess.run(publish(database.address("table=zones")), capture_output=True, text=True,
                          env=dict(environment(database), PGPASSFILE="/dev/null"))
    assert done.returncode and "password" in done.stderr, done
    assert generation(fleet) == 0


def play(fleet, database):
    def publish(address, *more):
        return [fleet.fencepost, "fleet", "fences", "--log", fleet.address, "--from", address, "--partitions", str(PARTITIONS), *more]

    check_messages(fleet, database, publish)
    # A service file names the server; the address has the table alone.
    service = database.folder / "services"
    service.write_text(f"[zones]\nhost=127.0.0.1\nport={database.port}\nuser=ann\ndbname=zones\n")
    done = subprocess.run(publish("postgresql:///?service=zones&table=public.zones", "--json"), check=True, capture_output=True, text=True,
                          env=dict(environment(database), PGSERVICEFILE=str(service)))
    assert json.loads(done.stdout)["fences"] == 5 and generation(fleet) == 1, done
    for left_out in ["'4': a fence is a Point, a Polygon or a MultiPolygon, not LineString", "'5': it has no shape", "'6': the polygon is empty",
                     "'7': it is not on Earth", "'8': the radius NaN", "'9': unknown event 'sometimes'"]:
        assert f"left out: fence {left_out}" in done.stderr, done.stderr

    follower = Follower(fleet, database, publish(database.address("table=zones"), "--follow"))
    try:
        follower.wait_for("generation 2")
        fleet.start_ingest()
        fleet.start_worker(0, "1s", "--policy", "exact")
        drive(fleet, "van", [(52.5, 13.1), (52.4, 13.1), (52.405, 13.205), (52.402, 13.31), (52.5, 13.1)], 5)
        first = [("1", "Depot", "enter", "van", 2), ("1", "Depot", "leave", "van", 2), ("2", "Yard", "enter", "van", 2),
                 ("3", "3", "enter", "van", 2), ("3", "3", "leave", "van", 2)]
        found = wait_for_firings(fleet, 5)
        assert found == first, found

        # Several changes are one generation, or two. The depot moves, the yard goes, and the odd row is repaired.
        database.ask("UPDATE zones SET shape = 'SRID=4326;POINT(13.1 52.3)' WHERE id = 1; DELETE FROM zones WHERE id = 2;"
                     "UPDATE zones SET radius = 50, event = 'leave', shape = 'SRID=4326;POINT(13.4 52.3)' WHERE id = 8")
        follower.wait_for("generation 3")
        drive(fleet, "van", [(52.4, 13.1), (52.405, 13.205), (52.3, 13.1), (52.3, 13.4), (52.5, 13.1)], 3)
        second = [("1", "Depot", "enter", "van", 3), ("1", "Depot", "leave", "van", 3), ("8", "Odd", "leave", "van", 3)]
        found = wait_for_firings(fleet, 8)
        assert found == sorted(first + second), found

        # Rows that are no fences change nothing, and a notification without a change neither.
        database.ask("UPDATE zones SET name = 'Lane' WHERE id = 4; NOTIFY fencepost")
        database.stop()
        follower.wait_for("retrying")
        database.start()
        # What changed while nobody listened is found.
        database.ask("UPDATE zones SET name = 'Camp' WHERE id = 3")
        follower.wait_for("generation 4")
        database.ask("TRUNCATE zones")
        follower.wait_for("published 0 fences as generation 5")
        assert generation(fleet) == 5
        follower.process.send_signal(signal.SIGTERM)
        assert follower.process.wait(10) == 0, follower.log.read_text()
    finally:
        fleet.kill(follower.process)


def main(options):
    if not programs():
        print("run.py: SKIPPED: PostgreSQL with PostGIS is not installed (Scripts/deps --fleet)")
        return
    with tempfile.TemporaryDirectory(prefix="fencepost-postgresql-") as folder:
        for name in ("fleet", "database"):
            (pathlib.Path(folder) / name).mkdir()
        # The server's user must get to its folder.
        pathlib.Path(folder).chmod(0o755)
        database = Database(pathlib.Path(folder) / "database")
        fleet = None
        try:
            database.ask(TABLE)
            fleet = Fleet(pathlib.Path(folder) / "fleet", options.fencepost)
            play(fleet, database)
        except BaseException:
            for log in [*(pathlib.Path(folder) / "fleet").glob("*.log"), database.folder / "server.log"]:
                print(log.name, log.read_text()[-3000:])
            raise
        finally:
            if fleet:
                fleet.stop()
            database.stop()
    print("fences come from PostgreSQL, and follow its changes")
