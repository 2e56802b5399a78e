"""Evolution's calendar client (evolution-data-server), driven by lines of JSON. Run it by Debian's Python in a session bus of its own:

    dbus-run-session -- /usr/bin/python3 evolution.py URL USER PASSWORD events|tasks

Each line of standard input is [METHOD, ARGUMENT…]; each has one line of output: {"result": …} or {"error": …}.
"""

import json
import sys
import time
import urllib.parse

import gi

gi.require_version("ECal", "2.0")
gi.require_version("EDataServer", "1.2")
from gi.repository import ECal, EDataServer, GLib, ICalGLib  # noqa: E402


class Client:
    """One calendar or task list."""

    def __init__(self, url, user, password, kind):
        parts = urllib.parse.urlsplit(url)
        registry = EDataServer.SourceRegistry.new_sync(None)
        source = EDataServer.Source.new_with_uid(f"fencepost-{kind}", None)
        source.set_display_name("Fencepost")
        source.set_parent("caldav-stub")
        is_tasks = kind == "tasks"
        name = EDataServer.SOURCE_EXTENSION_TASK_LIST if is_tasks else EDataServer.SOURCE_EXTENSION_CALENDAR
        source.get_extension(name).set_backend_name("caldav")
        sign_in = source.get_extension(EDataServer.SOURCE_EXTENSION_AUTHENTICATION)
        sign_in.set_host(parts.hostname)
        sign_in.set_port(parts.port)
        sign_in.set_user(user)
        sign_in.set_method("plain/password")
        source.get_extension(EDataServer.SOURCE_EXTENSION_SECURITY).set_method("none")
        source.get_extension(EDataServer.SOURCE_EXTENSION_WEBDAV_BACKEND).set_resource_path(parts.path)
        source.get_extension(EDataServer.SOURCE_EXTENSION_OFFLINE).set_stay_synchronized(True)
        registry.commit_source_sync(source, None)
        source = registry.ref_source(source.get_uid())
        secret = EDataServer.NamedParameters.new()
        secret.set(EDataServer.SOURCE_CREDENTIAL_USERNAME, user)
        secret.set(EDataServer.SOURCE_CREDENTIAL_PASSWORD, password)
        kinds = ECal.ClientSourceType
        self.client = ECal.Client.connect_sync(source, kinds.TASKS if is_tasks else kinds.EVENTS, 0xFFFFFFFF, None)
        source.invoke_authenticate_sync(secret, None)
        until = time.monotonic() + 120
        while not self.client.is_online() or self.client.is_readonly():
            if time.monotonic() > until:
                raise RuntimeError(f"online: {self.client.is_online()}, read-only: {self.client.is_readonly()}")
            # What the factory says comes by the main loop.
            GLib.MainContext.default().iteration(False)
            time.sleep(0.02)

    def create(self, text):
        return self.client.create_object_sync(component(text), ECal.OperationFlags.NONE, None)[1]

    def change(self, text, scope="ALL"):
        return self.client.modify_object_sync(
            component(text), getattr(ECal.ObjModType, scope), ECal.OperationFlags.NONE, None)

    def remove(self, uid, occurrence=None, scope="ALL"):
        return self.client.remove_object_sync(
            uid, occurrence, getattr(ECal.ObjModType, scope), ECal.OperationFlags.NONE, None)

    def list(self):
        self.client.refresh_sync(None)
        found = self.client.get_object_list_sync("#t", None)[1]
        return [one.as_ical_string() for one in found]


def component(text):
    found = ICalGLib.Component.new_from_string(text)
    if found is None:
        raise ValueError("no component")
    return found


def main():
    client = Client(*sys.argv[1:])
    print(json.dumps({"result": "ready"}), flush=True)
    for line in sys.stdin:
        method, *rest = json.loads(line)
        try:
            answer = {"result": getattr(client, method)(*rest)}
        except Exception as error:
            answer = {"error": str(error)}
        print(json.dumps(answer), flush=True)


main()
