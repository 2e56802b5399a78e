#!/usr/bin/env python3
"""Tests `fencepost mcp` with the client of PyPI's package `mcp`. FENCEPOST is the program.

The client checks each result against the schema that the tool announced.
"""
import asyncio
import json
import os
import pathlib
import re
import subprocess
import tempfile

import httpx2
from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client
from mcp.types import ElicitResult

PROGRAM = os.environ["FENCEPOST"]


async def talk(store: str) -> None:
    environment = {"FENCEPOST_STORE": store, "FENCEPOST_ZONE": "Europe/Berlin", "HOME": os.path.dirname(store)}

    def run(*words: str) -> str:
        return subprocess.run([PROGRAM, *words], env=environment, check=True, capture_output=True, text=True).stdout

    run("add", "Water the plants every day")
    run("add", "Choir tomorrow 19:00-21:00")
    run("places", "add", "Office", "52.52,13.40")

    answers = ["decline", "accept"]
    questions: list[str] = []

    async def elicit(context, parameters):
        questions.append(parameters.message)
        action = answers.pop(0)
        return ElicitResult(action=action, content={"remove": True} if action == "accept" else None)

    server = StdioServerParameters(command=PROGRAM, args=["mcp", "--name", "tester"], env=environment)
    async with stdio_client(server) as (read, write):
        async with ClientSession(read, write, elicitation_callback=elicit) as session:
            await session.initialize()
            tools = {tool.name for tool in (await session.list_tools()).tools}
            assert {"find", "add", "agenda", "remove", "where_is"} <= tools, tools

            async def call(name: str, fails: bool = False, **arguments):
                result = await session.call_tool(name, arguments)
                data = result.model_dump(by_alias=True)
                assert bool(data["isError"]) == fails, (name, data)
                return data["content"][0]["text"] if fails else data["structuredContent"]

            assert "mcp:tester" in await call("find", fails=True)
            assert "mcp:tester" in run("access", "list")

            run("access", "grant", "mcp:tester", "--write-only")
            assert set(await call("add", text="Buy milk @Office")) == {"notice", "added"}
            await call("find", fails=True)

            run("access", "grant", "mcp:tester")
            found = await call("find", text="milk")
            assert found["total"] == 1 and found["items"][0]["alarms"], found
            milk = found["items"][0]["id"]
            assert (await call("add", text="Call Anna tomorrow 18:00"))["item"]["title"] == "Call Anna"
            assert len((await call("agenda", days="week"))["entries"]) > 2
            assert [place["title"] for place in (await call("places"))["places"]] == ["Office"]
            assert (await call("suggestions"))["suggestions"] == []
            edited = await call("edit", id=milk, changes={"title": "Buy oat milk", "tags": ["shopping"]})
            assert edited["item"]["tags"] == ["shopping"], edited
            await call("where_is", fails=True)
            await call("explain", fails=True, id=milk)
            run("access", "grant", "mcp:tester", "--location")
            assert (await call("where_is"))["positions"] == []
            assert (await call("explain", id=milk))["explanation"]["rang"] is False
            assert (await call("complete", id=milk))["item"]["completed"] is True
            await call("undo")

            await call("remove", fails=True, id=milk)
            assert (await call("remove", id=milk))["removed"] == milk
            assert len(questions) == 2 and "oat milk" in questions[0], questions
            assert (await call("find", text="milk"))["total"] == 0

            run("access", "revoke", "mcp:tester")
            await call("find", fails=True)
    log = run("access", "log", "mcp:tester")
    assert "remove" in log, log


async def talk_over_http(store: str) -> None:
    environment = {"FENCEPOST_STORE": store, "FENCEPOST_ZONE": "Europe/Berlin", "HOME": os.path.dirname(store),
                   "XDG_RUNTIME_DIR": os.path.dirname(store), "PATH": os.environ["PATH"]}

    def run(*words: str) -> str:
        return subprocess.run([PROGRAM, *words], env=environment, check=True, capture_output=True, text=True).stdout

    run("add", "Buy milk")
    client = json.loads(run("clients", "add", "Planner", "--rights", "read,write", "--json"))
    with subprocess.Popen([PROGRAM, "daemon", "--serve", "http://127.0.0.1:0"], env=environment, text=True,
                          stderr=subprocess.PIPE) as daemon:
        try:
            address = next(found[0] for line in daemon.stderr if (found := re.findall(r"http://127\.0\.0\.1:\d+", line)))
            async with httpx2.AsyncClient(auth=(client["user"], client["password"])) as web:
                async with streamable_http_client(address + "/api/v1/mcp", http_client=web) as (read, write, *_):
                    async with ClientSession(read, write) as session:
                        await session.initialize()
                        assert (await session.call_tool("find", {})).model_dump(by_alias=True)["isError"]
                        assert "mcp:planner@server" in run("access", "list")
                        run("access", "grant", "mcp:planner@server")
                        found = (await session.call_tool("find", {})).model_dump(by_alias=True)["structuredContent"]
                        assert found["total"] == 1, found
                        removed = await session.call_tool("remove", {"id": found["items"][0]["id"]})
                        assert removed.model_dump(by_alias=True)["isError"]
        finally:
            daemon.terminate()


for meeting in (talk, talk_over_http):
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(meeting(str(pathlib.Path(folder) / "calendar.sqlite")))
print("The client of PyPI's mcp works with fencepost mcp, and with the daemon's server.")
