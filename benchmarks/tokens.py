"""Made-up secrets of every kind that nescio knows, well formed and drawn by chance, and the pages that they are planted in."""

from __future__ import annotations

import base64
import json
import string
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from random import Random

UPPER, LOWER, DIGITS = string.ascii_uppercase, string.ascii_lowercase, string.digits
BASE62 = UPPER + LOWER + DIGITS
BASE64, BASE64URL, HEX = BASE62 + "+/", BASE62 + "-_", DIGITS + "abcdef"
BECH32 = "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L"


@dataclass(frozen=True, slots=True)
class Made:
    """A secret: what it is called where it stands, the text that is written, and the part of it that nobody may see."""

    kind: str
    key: str
    written: str
    secret: str


def _draw(chance: Random, alphabet: str, length: int) -> str:
    return "".join(chance.choices(alphabet, k=length))


def _of(*parts: str | tuple[str, int]) -> Callable[[Random], str]:
    """Parts joined: what is fixed, and so many characters of an alphabet."""
    return lambda chance: "".join(part if isinstance(part, str) else _draw(chance, *part) for part in parts)


def _uuid(chance: Random) -> str:
    return "-".join(_draw(chance, HEX, length) for length in (8, 4, 4, 4, 12))


def _encoded(value: object) -> str:
    return base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")


def _jwt(chance: Random) -> str:
    claims = {"sub": _draw(chance, DIGITS, 9), "jti": _draw(chance, HEX, 12)}
    return f"{_encoded({'alg': 'HS256', 'typ': 'JWT'})}.{_encoded(claims)}.{_draw(chance, BASE64URL, 43)}"


def _pem(chance: Random) -> str:
    body = "\n".join(_draw(chance, BASE64, 64) for _ in range(4))
    return "-----BEGIN " + f"PRIVATE KEY-----\n{body}\n-----END " + "PRIVATE KEY-----"


def _service_account(chance: Random) -> str:
    return _pem(chance).replace("\n", "\\n") + "\\n"


def _discord(chance: Random) -> str:
    number = base64.urlsafe_b64encode(str(chance.randrange(10**17, 10**18)).encode()).decode().rstrip("=")
    return f"{number}.{_draw(chance, BASE62, 6)}.{_draw(chance, BASE64URL, 38)}"


def _telegram(chance: Random) -> str:
    return f"{chance.randrange(10**8, 10**10)}:AA{_draw(chance, BASE64URL, 33)}"


# Kind: the name of the variable that holds it, how it is drawn, and what is written around it.
KINDS: Mapping[str, tuple[str, Callable[[Random], str], str]] = {
    "aws-access-key-id": ("AWS_ACCESS_KEY_ID", _of("AKIA", (UPPER + "234567", 16)), "{}"),
    "aws-secret-access-key": ("AWS_SECRET_ACCESS_KEY", _of((BASE64, 40)), "{}"),
    "gcp-api-key": ("GOOGLE_API_KEY", _of("AIza", (BASE64URL, 35)), "{}"),
    "gcp-service-account": ("GCP_CREDENTIALS", _service_account, '{{"private_key": "{}"}}'),
    "azure-storage": (
        "AZURE_STORAGE",
        _of((BASE64, 86), "=="),
        "DefaultEndpointsProtocol=https;AccountName=docs;AccountKey={};EndpointSuffix=core.windows.net",
    ),
    "azure-sas": (
        "SAS_URL",
        _of((BASE62, 43), "%3D"),
        "https://docs.blob.core.windows.net/c?sv=2022-11-02&se=2030-01-01&sr=c&sig={}",
    ),
    "azure-client-secret": ("AZURE_CLIENT_SECRET", _of((BASE62, 3), (DIGITS, 1), "Q~", (BASE62, 34)), "{}"),
    "github": ("GITHUB_TOKEN", _of("gh", ("pousr", 1), "_", (BASE62, 36)), "{}"),
    "nescio": ("API_KEY", _of("nsc_", (HEX, 8), "_", (HEX, 64)), "{}"),
    "github-fine-grained": ("GITHUB_TOKEN", _of("github_pat_", (BASE62, 22), "_", (BASE62, 59)), "{}"),
    "gitlab": ("GITLAB_TOKEN", _of("glpat-", (BASE64URL, 20)), "{}"),
    "atlassian": ("JIRA_TOKEN", _of("ATATT3", (BASE62, 178), "=", (HEX.upper(), 8)), "{}"),
    "npm": ("NPM_TOKEN", _of("npm_", (BASE62, 36)), "{}"),
    "pypi": ("TWINE_PASSWORD", _of("pypi-AgEIcHlwaS5vcmc", (BASE64URL, 120)), "{}"),
    "rubygems": ("GEM_HOST_API_KEY", _of("rubygems_", (HEX, 48)), "{}"),
    "crates-io": ("CARGO_REGISTRY_TOKEN", _of("cio", (BASE62, 32)), "{}"),
    "docker-hub": ("DOCKER_TOKEN", _of("dckr_pat_", (BASE64URL, 27)), "{}"),
    "slack": ("SLACK_TOKEN", _of("xoxb-", (DIGITS, 12), "-", (DIGITS, 12), "-", (BASE62, 24)), "{}"),
    "slack-webhook": (
        "SLACK_WEBHOOK",
        _of("T", (UPPER + DIGITS, 8), "/B", (UPPER + DIGITS, 8), "/", (BASE62, 24)),
        "https://hooks.slack.com/services/{}",
    ),
    "discord": ("DISCORD_TOKEN", _discord, "{}"),
    "telegram": ("TELEGRAM_TOKEN", _telegram, "{}"),
    "twilio": ("TWILIO_API_KEY", _of("SK", (HEX, 32)), "{}"),
    "sendgrid": ("SENDGRID_API_KEY", _of("SG.", (BASE64URL, 22), ".", (BASE64URL, 43)), "{}"),
    "mailgun": ("MAILGUN_API_KEY", _of("key-", (HEX, 32)), "{}"),
    "stripe": ("STRIPE_KEY", _of("sk_live_", (BASE62, 24)), "{}"),
    "square": ("SQUARE_TOKEN", _of("sq0atp-", (BASE64URL, 22)), "{}"),
    "shopify": ("SHOPIFY_TOKEN", _of("shpat_", (HEX, 32)), "{}"),
    "heroku": ("HEROKU_API_KEY", _uuid, "{}"),
    "digitalocean": ("DIGITALOCEAN_TOKEN", _of("dop_v1_", (HEX, 64)), "{}"),
    "cloudflare": ("CLOUDFLARE_API_TOKEN", _of((BASE62, 40)), "{}"),
    "datadog": ("DD_API_KEY", _of((HEX, 32)), "{}"),
    "new-relic": ("NEW_RELIC_KEY", _of("NRAK-", (UPPER + DIGITS, 27)), "{}"),
    "sentry": ("SENTRY_TOKEN", _of("sntryu_", (HEX, 64)), "{}"),
    "openai": ("OPENAI_API_KEY", _of("sk-proj-", (BASE62, 48)), "{}"),
    "anthropic": ("ANTHROPIC_API_KEY", _of("sk-ant-api03-", (BASE62, 93), "AA"), "{}"),
    "hugging-face": ("HF_TOKEN", _of("hf_", (UPPER + LOWER, 34)), "{}"),
    "replicate": ("REPLICATE_TOKEN", _of("r8_", (BASE62, 37)), "{}"),
    "databricks": ("DATABRICKS_TOKEN", _of("dapi", (HEX, 32)), "{}"),
    "vault": ("VAULT_TOKEN", _of("hvs.", (BASE62, 24)), "{}"),
    "terraform": ("TF_TOKEN", _of((BASE62, 14), ".atlasv1.", (BASE62, 67)), "{}"),
    "linear": ("LINEAR_KEY", _of("lin_api_", (BASE62, 40)), "{}"),
    "notion": ("NOTION_TOKEN", _of("ntn_", (DIGITS, 11), (BASE62, 35)), "{}"),
    "postman": ("POSTMAN_KEY", _of("PMAK-", (HEX, 24), "-", (HEX, 34)), "{}"),
    "figma": ("FIGMA_TOKEN", _of("figd_", (BASE64URL, 40)), "{}"),
    "doppler": ("DOPPLER_TOKEN", _of("dp.pt.", (BASE62, 43)), "{}"),
    "age": ("AGE_KEY", _of("AGE-SECRET-KEY-1", (BECH32, 58)), "{}"),
    "private-key": ("TLS_KEY", _pem, "{}"),
    "jwt": ("SESSION", _jwt, "{}"),
    "url-password": ("DATABASE_URL", _of((BASE62, 20)), "postgresql://app:{}@db.internal:5432/app"),
    "assignment": ("secret_key", _of((BASE62, 32)), "{}"),
}
PLACES: Mapping[str, str] = {
    "fence": "Set it before the first run:\n\n```bash\nexport {key}={value}\n```\n",
    "table": "| Name | Value |\n| ---- | ----- |\n| {key} | {value} |\n",
    "inline": "Put `{key}={value}` in the file `.env` and start again.\n",
    "prose": "The value of {key} is {value} on the test system.\n",
}
# What cannot stand in a cell or in a line, or is a value of nothing without an equals sign.
_ONLY_FENCED = frozenset({"private-key"})
_ONLY_ASSIGNED = frozenset({"assignment"})


def make(kind: str, chance: Random) -> Made:
    """One secret of a kind."""
    key, draw, around = KINDS[kind]
    secret = draw(chance)
    return Made(kind, key, around.format(secret), secret)


def places_of(kind: str) -> tuple[str, ...]:
    """Where a secret of a kind can stand."""
    if kind in _ONLY_FENCED:
        return ("fence",)
    return ("fence", "inline") if kind in _ONLY_ASSIGNED else tuple(PLACES)


def page(made: Made, place: str) -> str:
    """A page with one secret in it."""
    planted = PLACES[place].format(key=made.key, value=made.written)
    return f"# Settings\n\nThe service reads its settings from the environment.\n\n{planted}\nRestart it afterwards.\n"


def planted(count: int, seed: int) -> list[tuple[Made, str, str]]:
    """So many secrets, all kinds in turn, each with the place that it stands in and its page."""
    chance = Random(seed)
    found = []
    for number in range(count):
        kind = list(KINDS)[number % len(KINDS)]
        made = make(kind, chance)
        place = places_of(kind)[number // len(KINDS) % len(places_of(kind))]
        found.append((made, place, page(made, place)))
    return found
