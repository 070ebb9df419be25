"""Which nescio is this? The one place that says it; the package's metadata is made from it."""

VERSION = "0.1.0"
