"""One tab of a browser by Streamlit's own protocol: what the script has drawn, and clicks on it.

As a browser does, it sends with each click what all widgets hold and which messages it has kept, asks again where a
fragment runs every so often, and forgets what a run of the script has not drawn again. It loads no picture and no
script: a browser keeps those.
"""

import asyncio
import json
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import websockets
from streamlit.components.v2.bidi_component.constants import EVENT_DELIM
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState
from streamlit.runtime.state.session_state import STREAMLIT_INTERNAL_KEY_PREFIX

from tests.tools.load.wire import PATIENCE, Place, Troubles, Unexpected, get

FRAMES = ("lab_live", "lab_race")  # components that draw frames
_WHOLE = ForwardMsg.ScriptFinishedStatus.Value("FINISHED_SUCCESSFULLY")
_FRAGMENT = ForwardMsg.ScriptFinishedStatus.Value("FINISHED_FRAGMENT_RUN_SUCCESSFULLY")
_EARLY = ForwardMsg.ScriptFinishedStatus.Value("FINISHED_EARLY_FOR_RERUN")


@dataclass(frozen=True)
class Drawn:
    """An element on the page, the fragment that drew it, and by which run of the script."""

    kind: str
    element: Any
    fragment: str
    run: int


class Page:
    """A tab, by the last part of its address and the query there."""

    def __init__(self, host: str, name: str, query: str, troubles: Troubles) -> None:
        self.host, self._name, self._query, self.troubles = host, name, query, troubles
        self.cookie = ""  # that the app has given with the socket
        self.drawn: Callable[[dict[str, Any]], None] | None = None  # called with the data of the live frames
        self._places: dict[tuple[int, ...], Drawn] = {}
        self._kept: dict[str, ForwardMsg] = {}
        self._values: dict[str, WidgetState] = {}  # {widget: what it holds that is not its default}
        self._hash, self._run, self._closed = "", 0, False
        self._began: list[float] = []  # when the runs that have not ended yet began
        self._waiting: list[tuple[float, asyncio.Future[None]]] = []
        self._tasks: dict[str, asyncio.Task[None]] = {}

    async def open(self) -> None:
        """Open the page; returns when its script has run."""
        place = Place.at(self.host)
        self._socket = await websockets.connect(
            f"ws{'s' * place.secure}://{place.host}{place.base}/_stcore/stream",
            host=place.name,
            ssl=place.trust,
            subprotocols=[websockets.Subprotocol("streamlit")],
            origin=websockets.Origin(place.origin),
            max_size=None,
            ping_interval=None,
            open_timeout=PATIENCE,
        )
        self.cookie = self._socket.response.headers.get("Set-Cookie", "").partition(";")[0]
        self._tasks["reading"] = asyncio.create_task(self._read())
        await asyncio.wait_for(await self._send("", [], named=True), 3 * PATIENCE)

    async def close(self) -> None:
        """Leave."""
        self._closed = True
        for task in self._tasks.values():
            task.cancel()
        await self._socket.close()

    @property
    def quiet(self) -> bool:
        """True if no part of the page asks again on its own."""
        return not any(key.startswith("again ") for key in self._tasks)

    def has(self, label: str) -> bool:
        """Return whether there is a button with this label that can be clicked."""
        return bool(self._buttons(label))

    async def click(self, label: str) -> "asyncio.Future[None]":
        """Click a button; what is returned is done when the run of the script that this asked for has ended."""
        if not (found := self._buttons(label)):
            raise Unexpected(f"the page {self._name!r} has no button {label!r} that can be clicked")
        return await self._send(found[0].fragment, [WidgetState(id=found[0].element.id, trigger_value=True)])

    async def trigger(self, name: str, event: str, value: Any) -> None:
        """Set a trigger value, as a component does."""
        if (component := self.component(name)) is None:
            raise Unexpected(f"the page {self._name!r} has no component {name!r}")
        held = WidgetState(
            id=f"{STREAMLIT_INTERNAL_KEY_PREFIX}_{component.element.id}{EVENT_DELIM}events",
            json_trigger_value=json.dumps([{"event": event, "value": value}]),
        )
        await self._send(component.fragment, [held])

    def component(self, name: str) -> Drawn | None:
        """The component of this name, if there is one."""
        drawn = (each for each in self._places.values() if each.kind == "bidi_component")
        return next((each for each in drawn if each.element.component_name == name), None)

    # -- to the server ------------------------------------------------------------------------------------

    async def _send(
        self, fragment: str, triggers: list[WidgetState], *, named: bool = False, again: bool = False
    ) -> "asyncio.Future[None]":
        message = BackMsg()
        asked = message.rerun_script
        asked.query_string, asked.page_script_hash, asked.fragment_id = self._query, self._hash, fragment
        asked.is_auto_rerun = again
        if named:
            asked.page_name = self._name
        asked.widget_states.widgets.extend([*self._held(), *triggers])
        asked.cached_message_hashes.extend(self._kept)
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append((time.monotonic(), done))
        with suppress(websockets.ConnectionClosed):  # which the reader tells
            await self._socket.send(message.SerializeToString())
        return done

    def _held(self) -> Iterator[WidgetState]:
        """Return the values of the widgets, as the server has set them."""
        for each in self._places.values():
            element = each.element
            if held := self._values.get(getattr(element, "id", "")):
                yield held
            elif each.kind == "text_input":
                yield WidgetState(id=element.id, string_value=element.default)
            elif each.kind == "checkbox":
                yield WidgetState(id=element.id, bool_value=element.default)
            elif each.kind == "selectbox" and element.options:
                yield WidgetState(id=element.id, string_value=element.options[element.default])
            elif each.kind == "button_group":
                state = WidgetState(id=element.id)
                state.string_array_value.data.extend(element.options[at].content for at in element.default)
                yield state

    async def _again(self, fragment: str, every: float) -> None:
        while True:
            await asyncio.sleep(every)
            await self._send(fragment, [], again=True)

    async def _beat(self, run: str, every: float) -> None:
        while True:
            try:
                status, _ = await get(self.host, f"/live/{run}/alive")
                if status != 204:
                    self.troubles.add(f"alive: status {status}")
            except (OSError, TimeoutError) as error:
                self.troubles.add(f"alive: {type(error).__name__}")
            await asyncio.sleep(every)

    # -- from the server ----------------------------------------------------------------------------------

    async def _read(self) -> None:
        try:
            async for data in self._socket:
                message = ForwardMsg.FromString(data)
                if message.WhichOneof("type") == "ref_hash":
                    kept = self._kept.get(message.ref_hash)
                    if kept is None:
                        raise Unexpected(f"the server thinks that the page keeps {message.ref_hash}")
                    whole = ForwardMsg()
                    whole.CopyFrom(kept)
                    whole.metadata.CopyFrom(message.metadata)
                    message = whole
                elif message.metadata.cacheable:
                    self._kept[message.hash] = message
                self._take(message)
            why = "the page lost its connection"
        except websockets.ConnectionClosed as closed:
            why = f"the page lost its connection: {closed.rcvd.reason if closed.rcvd else 'no goodbye'}"
        except Exception as error:
            self.troubles.spoil(error)
            self._end(error)
            return
        if not self._closed:
            self.troubles.add(why)
            self._end(ConnectionResetError(why))

    def _end(self, error: Exception) -> None:
        for _, done in self._waiting:
            if not done.done():
                done.set_exception(error)

    def _take(self, message: ForwardMsg) -> None:
        kind = message.WhichOneof("type")
        if kind == "new_session":
            self._run += 1
            self._began.append(time.monotonic())
            if not message.metadata.run.fragment_ids:
                self._hash = message.new_session.page_script_hash
                for key in [key for key in self._tasks if key.startswith("again ")]:
                    self._tasks.pop(key).cancel()
        elif kind == "navigation":
            self._hash = message.navigation.page_script_hash
        elif kind == "page_info_changed":
            self._query = message.page_info_changed.query_string
        elif kind == "auto_rerun":
            asked = message.auto_rerun
            again = asyncio.create_task(self._again(asked.fragment_id, asked.interval))
            self._tasks[f"again {asked.fragment_id}"] = again
        elif kind == "script_finished":
            self._finished(message)
        elif kind == "delta":
            self._draw(tuple(message.metadata.delta_path), message.delta)
        elif kind is None:
            raise Unexpected("the server sent a message of a kind that is not known here")

    def _draw(self, place: tuple[int, ...], delta: Any) -> None:
        if delta.WhichOneof("type") != "new_element":
            return
        kind = delta.new_element.WhichOneof("type")
        element = getattr(delta.new_element, kind)
        self._places[place] = Drawn(kind, element, delta.fragment_id, self._run)
        if getattr(element, "set_value", False):
            held = WidgetState(id=element.id)
            if kind == "button_group":
                held.string_array_value.data.extend(element.raw_values)
            elif kind == "checkbox":
                held.bool_value = element.value
            elif kind in ("selectbox", "text_input"):
                held.string_value = element.raw_value if kind == "selectbox" else element.value
            if held.WhichOneof("value"):
                self._values[held.id] = held
        if kind == "exception":
            self.troubles.add(f"the page shows an exception: {element.type} {element.message[:80]}")
        elif kind == "bidi_component" and element.component_name == "lab_heart" and "beating" not in self._tasks:
            message = json.loads(element.json)
            self._tasks["beating"] = asyncio.create_task(self._beat(message["run"], message["every"]))
        elif kind == "bidi_component" and element.component_name in FRAMES and self.drawn:
            self.drawn(json.loads(element.json))

    def _finished(self, message: ForwardMsg) -> None:
        status, fragments = message.script_finished, set(message.metadata.run.fragment_ids)
        if not self._began:
            raise Unexpected("a run of the script has ended that had not begun")
        began, self._began = self._began[-1], []
        if status == _EARLY:
            return
        if status not in (_WHOLE, _FRAGMENT):
            self.troubles.add(f"the script ended as {ForwardMsg.ScriptFinishedStatus.Name(status)}")
        for place, each in list(self._places.items()):
            if each.run != self._run and (status == _WHOLE or each.fragment in fragments):
                del self._places[place]
        for asked, done in self._waiting:
            if asked <= began and not done.done():
                done.set_result(None)
        self._waiting = [each for each in self._waiting if not each[1].done()]

    def _buttons(self, label: str) -> list[Drawn]:
        """Those with a label that can be clicked."""
        buttons = [each for each in self._places.values() if each.kind == "button" and each.element.label == label]
        return [each for each in buttons if not each.element.disabled]
