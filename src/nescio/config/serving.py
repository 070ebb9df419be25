"""How does `nescio serve` answer? Its settings, each with a bound."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field, field_validator

from nescio.config.values import PathText, Values


class Serve(Values):
    """How `nescio serve` answers over HTTP. Each value is safe as it is."""

    host: str = Field(
        default="127.0.0.1", min_length=1, description="The address that is listened on; only this machine reaches 127.0.0.1."
    )
    port: int = Field(default=8808, ge=0, le=65_535, description="The port that is listened on; 0 takes a free one.")
    hosts: tuple[str, ...] = Field(
        default=(),
        description="Names that requests may be sent to (the Host header), beside local ones; *.example.org for all below one.",
    )
    origins: tuple[str, ...] = Field(
        default=(),
        description="Web sites whose pages may ask from a browser (CORS), each with its scheme.",
    )
    root_path: str = Field(
        default="",
        pattern=r"^(/[A-Za-z0-9._~-]+)*$",
        description="The path below which a proxy publishes it, without a slash at the end.",
    )
    trusted_proxies: tuple[str, ...] = Field(
        default=(),
        description="Addresses or networks of proxies whose X-Forwarded-For is believed.",
    )
    anonymous: bool = Field(default=True, description="Whether questions are answered without a key.")
    keys_file: PathText = Field(
        default=".nescio-keys.json", description="Where API keys are kept, as hashes: a file, relative to this one."
    )
    reader_view: tuple[str, ...] = Field(
        default=(),
        description="The reader view of requests that name none: FACET=VALUE each.",
    )
    rate: str = Field(
        default="120/minute",
        pattern=r"^(off|\d{1,6}/(second|minute|hour|day))$",
        description="Most requests of one client in a time, as 120/minute; off: no limit.",
    )
    suggest_rate: str = Field(
        default="1200/minute",
        pattern=r"^(off|\d{1,6}/(second|minute|hour|day))$",
        description="Most completions of what one client types, in a time; they do not count as its requests. off: no limit.",
    )
    max_body_bytes: int = Field(default=65_536, ge=1, description="Largest body of a request, in bytes.")
    max_requests: int = Field(
        default=128, ge=1, description="Most requests that are worked on or wait at once; further ones are turned away."
    )
    max_streams: int = Field(default=32, ge=0, description="Most streams of events that are open at once.")
    receive_seconds: float = Field(
        default=10.0, gt=0, description="How long a client may take to send a whole request, in seconds."
    )
    request_seconds: float = Field(default=10.0, gt=0, description="How long one request may be worked on, in seconds.")
    grace_seconds: float = Field(
        default=10.0, ge=0, description="How long requests in flight may take to end when the server is stopped, in seconds."
    )
    drain_seconds: float = Field(
        default=0.5,
        ge=0,
        description="How long a stopping server still takes requests while it says that it is not ready, in seconds.",
    )
    cached_answers: int = Field(default=1_000, ge=0, description="How many answers are kept to be given again; 0: none.")
    reconcile_seconds: float = Field(
        default=60.0, gt=0, description="How often a watching server compares all files, beside what it is told of, in seconds."
    )
    log: Literal["text", "json", "off"] = Field(default="text", description="How requests are logged on standard error.")
    log_questions: bool = Field(default=False, description="Whether questions stand in the log.")
    feedback_file: str = Field(
        default="",
        pattern=r"^[^\x00]*$",
        description="Where what readers say of answers is kept: a file, relative to this one. Empty: it is not taken.",
    )
    max_feedback_bytes: int = Field(
        default=16 * 1024 * 1024, ge=65_536, description="Largest size of that file, in bytes; the oldest go first."
    )

    @field_validator("hosts", "origins", "trusted_proxies", "reader_view", mode="before")
    @classmethod
    def _as_tuple(cls, given: Any) -> Any:
        return tuple(given) if isinstance(given, list) else given
