"""The shapes of secrets that are known: one row each, found by a literal that its shape cannot be without."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from nescio.ingest.secrets import checks

WINDOW = 96  # code points after a keyword in which its value stands: a table cell, a colon, a few words
LONGEST = 1024  # of a token without a fixed length; what is longer is found as far as that
_END = r"(?![A-Za-z0-9_-])"
_UUID = r"[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}"

Check = Callable[[str], bool]


@dataclass(frozen=True, slots=True)
class Rule:
    """One shape.

    `anchors` are literals; where one stands, `pattern` is matched, from `back` code points before it at the earliest. Its group
    `secret`, where it has one, is the secret part, else all of it. With `keyword`, the anchors are words in any case that say
    what the value is which follows within WINDOW, and `pattern` is that value. `check` has the last word on the secret part.
    `generic` shapes give way to any other where they overlap; they are not looked at where the name that the anchor is part of
    has `unless` in it. No quantifier of a pattern can give back what it took.
    """

    name: str
    anchors: tuple[str, ...]
    pattern: re.Pattern[str]
    check: Check = checks.is_no_placeholder
    back: int = 0
    keyword: bool = False
    generic: bool = False
    unless: re.Pattern[str] | None = None


def _token(name: str, anchors: str, body: str, **more: object) -> Rule:
    """A token that starts with one of `anchors`, which stand before `body` and are part of the secret."""
    literals = tuple(anchors.split())
    pattern = re.compile(f"(?:{'|'.join(map(re.escape, literals))}){body}{_END}")
    return Rule(name, literals, pattern, **more)  # type: ignore[arg-type]


def _named(name: str, words: str, value: str, check: Check = checks.is_random) -> Rule:
    """A value without a mark of its own, that is known by the words before it."""
    pattern = re.compile(rf"(?<![A-Za-z0-9_+/-])(?:{value})(?![A-Za-z0-9_+/-])")
    return Rule(name, tuple(words.split("|")), pattern, check, keyword=True)


@cache
def rules() -> tuple[Rule, ...]:
    """All rules; of two that find the same, the first wins."""
    return (
        *_clouds(),
        *_platforms(),
        *_code_hosts(),
        *_registries(),
        *_talk(),
        *_money(),
        *_services(),
        *_models(),
        *_structures(),
    )


def _clouds() -> tuple[Rule, ...]:
    return (
        _token("aws-access-key-id", "AKIA ASIA ABIA ACCA", r"[A-Z0-9]{16}"),
        _named(
            "aws-secret-access-key",
            "secret_access_key|secretaccesskey|secret access key|secret-access-key|aws_secret|aws secret|aws-secret",
            r"[A-Za-z0-9/+]{40}(?!=)",
        ),
        _token("gcp-api-key", "AIza", r"[A-Za-z0-9_-]{35}"),
        _token("gcp-oauth-secret", "GOCSPX-", r"[A-Za-z0-9_-]{28}"),
        _token("gcp-access-token", "ya29.", rf"[A-Za-z0-9_-]{{30,{LONGEST}}}+"),
        Rule(
            "gcp-service-account-key",
            ('"private_key"',),
            re.compile(r'"private_key"\s{0,4}+:\s{0,4}+"(?P<secret>-----BEGIN (?:RSA )?PRIVATE KEY-----[^"<.]{40,8192}+)"'),
        ),
        Rule("azure-account-key", ("AccountKey=",), re.compile(r"AccountKey=(?P<secret>[A-Za-z0-9+/]{86}==)")),
        Rule("azure-shared-key", ("SharedAccessKey=",), re.compile(r"SharedAccessKey=(?P<secret>[A-Za-z0-9+/]{43}=)")),
        Rule(
            "azure-sas",
            ("sig=",),
            re.compile(r"sig=(?P<secret>(?:[A-Za-z0-9_+/-]|%2[BFbf]){43}(?:=|%3[Dd]))"),
        ),
        Rule(
            "azure-client-secret",
            ("Q~",),
            re.compile(r"(?<![\w~.-])[A-Za-z0-9_~.-]{3}\dQ~[A-Za-z0-9_~.-]{31,34}+(?![\w~-])"),
            back=4,
        ),
    )


def _platforms() -> tuple[Rule, ...]:
    return (
        _token("digitalocean-token", "dop_v1_ doo_v1_ dor_v1_", r"[a-f0-9]{64}"),
        _named(
            "cloudflare-api-key",
            "cloudflare_api|cloudflare api|cloudflare-api|cloudflare_token|cloudflare token|cf_api|x-auth-key",
            r"[A-Za-z0-9_-]{40}|[a-f0-9]{37}",
        ),
        _token("cloudflare-token", "cfut_ cfat_ cfk_", r"[A-Za-z0-9_-]{40,64}+"),
        _token("cloudflare-origin-key", "v1.0-", r"[a-f0-9]{24}-[a-f0-9]{146}"),
        _named("heroku-api-key", "heroku_api|heroku api|heroku-api|heroku_token|heroku token|heroku_key|heroku key", _UUID),
        _token("heroku-token", "HRKU-", r"[A-Za-z0-9_-]{36,66}+"),
        Rule(
            "terraform-token",
            (".atlasv1.",),
            re.compile(rf"(?<![\w.-])[A-Za-z0-9]{{14}}\.atlasv1\.[A-Za-z0-9_=-]{{60,120}}+{_END}"),
            back=14,
        ),
        _token("vault-token", "hvs. hvb. hvr.", rf"[A-Za-z0-9_-]{{24,{LONGEST}}}+"),
        _named("vault-legacy-token", "vault_token|vault token|vault-token", r"s\.[A-Za-z0-9]{24}"),
        _token("databricks-token", "dapi", r"[a-f0-9]{32}(?:-\d)?+"),
        _token("planetscale-token", "pscale_tkn_ pscale_pw_ pscale_oauth_", r"[A-Za-z0-9_.=-]{32,64}+"),
        _token("pulumi-token", "pul-", r"[a-f0-9]{40}"),
        _token("tailscale-key", "tskey-", r"(?:api|auth|client|scim|webhook)-[A-Za-z0-9]{6,24}+-[A-Za-z0-9]{20,48}+"),
    )


def _code_hosts() -> tuple[Rule, ...]:
    return (
        _token("github-token", "ghp_ gho_ ghu_ ghs_ ghr_", r"[A-Za-z0-9]{36,255}+"),
        _token("nescio-key", "nsc_", r"[0-9a-f]{8}_[0-9a-f]{64}"),
        _token("github-fine-grained-token", "github_pat_", r"[A-Za-z0-9_]{60,255}+"),
        _token(
            "gitlab-token",
            "glpat- gldt- glrt- glcbt- glptt- glft- glimt- glagent- glsoat- gloas- glffct-",
            r"[A-Za-z0-9_-]{20,300}+(?:\.[A-Za-z0-9]{2}\.[a-z0-9]{7,9}+)?+",
        ),
        _token("gitlab-runner-token", "GR1348941", r"[A-Za-z0-9_-]{20}"),
        _token("atlassian-token", "ATATT3 ATCTT3", r"[A-Za-z0-9_=-]{60,300}+"),
        _token("bitbucket-app-password", "ATBB", r"[A-Za-z0-9]{24,48}+"),
        _token("linear-token", "lin_api_ lin_oauth_", r"[A-Za-z0-9]{40,64}+"),
        _token("sonarqube-token", "squ_ sqp_ sqa_", r"[a-f0-9]{40}"),
        _token("buildkite-token", "bkua_", r"[a-f0-9]{40}"),
    )


def _registries() -> tuple[Rule, ...]:
    return (
        _token("npm-token", "npm_", r"[A-Za-z0-9]{36}"),
        Rule("npm-auth-token", ("_authToken",), re.compile(rf"_authToken\s?=\s?(?P<secret>{_UUID})(?![\w-])")),
        _token("pypi-token", "pypi-Ag", rf"[A-Za-z0-9_-]{{50,{LONGEST}}}+"),
        _token("rubygems-token", "rubygems_", r"[a-f0-9]{48}"),
        _token("crates-io-token", "cio", r"[A-Za-z0-9]{32}", check=checks.is_random),
        _token("docker-hub-token", "dckr_pat_ dckr_oat_", r"[A-Za-z0-9_-]{20,64}+"),
        _token("artifactory-token", "AKCp", r"[A-Za-z0-9]{64,80}+"),
        _token("netlify-token", "nfp_", r"[A-Za-z0-9_]{36}"),
    )


def _talk() -> tuple[Rule, ...]:
    return (
        _token("slack-token", "xoxb- xoxa- xoxp- xoxr- xoxs- xoxe- xoxo- xoxc- xoxd-", r"[A-Za-z0-9%-]{20,255}+"),
        _token("slack-refresh-token", "xoxe.xox", r"[bp]-[A-Za-z0-9-]{20,255}+"),
        _token("slack-app-token", "xapp-", r"\d-[A-Z0-9]{8,16}+-\d{8,16}+-[a-f0-9]{32,80}+"),
        Rule(
            "slack-webhook",
            ("hooks.slack.com/",),
            re.compile(r"hooks\.slack\.com/(?:services|workflows|triggers)/(?P<secret>[A-Za-z0-9+/]{30,100}+)"),
        ),
        Rule(
            "discord-webhook",
            ("/api/webhooks/",),
            re.compile(r"/api/webhooks/(?P<secret>\d{17,20}+/[A-Za-z0-9_-]{60,80}+)"),
        ),
        Rule(
            "teams-webhook",
            ("webhook.office.com/",),
            re.compile(rf"webhook\.office\.com/\w{{4,12}}+/(?P<secret>{_UUID}@{_UUID}/IncomingWebhook/[a-z0-9]{{32}}/{_UUID})"),
        ),
        Rule(
            "discord-bot-token",
            (),
            re.compile(r"[MNO][A-Za-z0-9_-]{22,27}+\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,38}+(?![A-Za-z0-9_.-])"),
            checks.is_discord,
        ),
        Rule("telegram-bot-token", (":AA",), re.compile(r"(?<![\w:])\d{8,10}+:AA[A-Za-z0-9_-]{32,33}+(?![\w-])"), back=10),
        _token("twilio-api-key", "SK", r"[0-9a-f]{32}"),
        _named("twilio-auth-token", "twilio_auth|twilio auth|twilio_token|twilio token|twilio-auth", r"[0-9a-f]{32}"),
        _token("sendgrid-key", "SG.", r"[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{43}"),
        _token("mailgun-key", "key- pubkey-", r"[0-9a-f]{32}"),
        _named("mailgun-api-key", "mailgun", r"[0-9a-f]{32}-[0-9a-f]{8}-[0-9a-f]{8}"),
    )


def _money() -> tuple[Rule, ...]:
    return (
        _token("stripe-key", "sk_live_ sk_test_ rk_live_ rk_test_", r"[A-Za-z0-9]{16,255}+"),
        _token("stripe-webhook-secret", "whsec_", r"[A-Za-z0-9+/]{32,64}+={0,2}+"),
        _token("square-token", "sq0atp- sq0csp-", r"[A-Za-z0-9_-]{22,43}+"),
        Rule(
            "square-access-token",
            ("EAAA",),
            re.compile(r"(?<![A-Za-z0-9+/=_-])EAAA[A-Za-z0-9_-]{60}(?![A-Za-z0-9+/=_-])"),
            checks.is_random,
        ),
        _token("shopify-token", "shpat_ shpca_ shppa_ shpss_ shpua_ shptka_", r"[a-fA-F0-9]{32}"),
    )


def _services() -> tuple[Rule, ...]:
    return (
        _named(
            "datadog-key",
            "datadog_api|datadog api|datadog-api|datadog_app|datadog app|dd_api_key|dd_app_key|dd-api-key|dd-application-key",
            r"[0-9a-f]{40}|[0-9a-f]{32}",
        ),
        _token("datadog-token", "ddapp_ ddpat_", r"[A-Za-z0-9]{34,40}+"),
        _token("newrelic-key", "NRAK- NRJS- NRII- NRIQ- NRSP-", r"[A-Za-z0-9_-]{19,40}+"),
        Rule("newrelic-license-key", ("NRAL",), re.compile(rf"(?<![\w-])[a-f0-9]{{32,36}}(?:FFFF)?NRAL{_END}"), back=40),
        _token("sentry-token", "sntrys_ sntryu_", r"[A-Za-z0-9_=+/-]{60,500}+"),
        _token("grafana-token", "glsa_ glc_", r"[A-Za-z0-9_+/]{32,400}+={0,2}+"),
        _token("notion-token", "secret_", r"[A-Za-z0-9]{43}", check=checks.is_random),
        _token("notion-integration-token", "ntn_", r"\d{10,12}+[A-Za-z0-9]{34,36}+"),
        _token("postman-key", "PMAK-", r"[a-f0-9]{24}-[a-f0-9]{34}"),
        _token("figma-token", "figd_ figo_ figu_", r"[A-Za-z0-9_-]{38,48}+"),
        Rule(
            "doppler-token",
            ("dp.",),
            re.compile(rf"dp\.(?:pt|st|ct|sa|said|scim|audit)\.(?:[a-z0-9_-]{{2,35}}+\.)?+[A-Za-z0-9]{{40,44}}+{_END}"),
        ),
        _token("contentful-token", "CFPAT-", r"[A-Za-z0-9_-]{43}"),
        _token("supabase-token", "sbp_", r"[a-f0-9]{40}"),
    )


def _models() -> tuple[Rule, ...]:
    return (
        _token("anthropic-key", "sk-ant-", r"[A-Za-z0-9_-]{24,255}+"),
        _token("openrouter-key", "sk-or-v1-", r"[a-f0-9]{64}"),
        _token("openai-project-key", "sk-proj- sk-svcacct- sk-admin- sk-None- sk-service-", r"[A-Za-z0-9_-]{40,255}+"),
        _token("openai-key", "sk-", r"[A-Za-z0-9]{32,64}+"),
        _token("huggingface-token", "hf_ api_org_", r"[A-Za-z0-9]{30,40}+", check=checks.is_mixed),
        _token("replicate-token", "r8_", r"[A-Za-z0-9]{36,40}+"),
        _token("groq-key", "gsk_", r"[A-Za-z0-9]{48,56}+"),
        _token("perplexity-key", "pplx-", r"[A-Za-z0-9]{40,56}+"),
        _token("xai-key", "xai-", r"[A-Za-z0-9]{70,84}+"),
        _named(
            "cohere-key", "cohere_api|cohere api|cohere-api|co_api_key|cohere_key|cohere key|cohere token", r"[A-Za-z0-9]{40}"
        ),
    )


def _structures() -> tuple[Rule, ...]:
    return (
        _token("age-secret-key", "AGE-SECRET-KEY-1", r"[QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L]{58}"),
        Rule(
            "jwt",
            ("eyJ",),
            re.compile(
                r"(?<!\.)eyJ[A-Za-z0-9_-]{10,4096}+\.[A-Za-z0-9_-]{10,16384}+\.[A-Za-z0-9_-]{16,2048}+(?![A-Za-z0-9_-])"
            ),
            checks.is_token_of_claims,
        ),
        Rule(
            "url-password",
            ("://",),
            re.compile(r"://[^\s/:@\"'`<>{}\[\]()|,\\]{0,128}+:(?P<secret>[^\s/@\"'`<>{}\[\]()|,\\]{6,256}+)@[\w\[.-]"),
            checks.is_password,
        ),
        Rule(
            "basic-auth",
            ("asic ",),
            re.compile(r"(?<![A-Za-z])[Bb]asic (?P<secret>[A-Za-z0-9+/]{16,512}+={0,2}+)(?![A-Za-z0-9+/=])"),
            checks.is_basic_credentials,
            back=1,
        ),
        Rule(
            "assignment",
            (
                *("password", "passwd", "passphrase", "secret", "token", "api_key", "apikey", "api-key", "access_key"),
                *("access-key", "accesskey", "auth_key", "authkey", "private_key", "privatekey", "encryption_key"),
            ),
            re.compile(
                r"[A-Za-z_-]{4,28}+\d{0,2}+(?<![_-]id)(?<![_-]ID)(?<!Id)(?<!_url)(?<!_URL)(?<!_name)(?<!_NAME)"
                r"[\"'`\]]{0,2}+[ \t]{0,8}+(?::=|=>|=|:)[ \t]{0,8}+[bru]?+[\"'`]?+"
                r"(?P<secret>[A-Za-z0-9+/=_.~!@#%^&*$-]{16,256}+)(?=[\"'`\s,;)}\]<|\\]|$)"
            ),
            checks.is_assigned_secret,
            generic=True,
            unless=re.compile(
                r"(?:next|client|page|pagination|continuation|block|publickey|public_key|sync|cursor|request|upload|resume|start)"
                r"[-_]?token|[/.:](?:secret|token|password)",
                re.IGNORECASE,
            ),
        ),
    )
