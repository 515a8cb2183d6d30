"""Every framework's real options by version, as data, and the loader. Filled by `catalog-build/`."""

from __future__ import annotations

from grpolint.catalog.loader import (
    ConfigFile,
    Option,
    Table,
    config_files,
    frameworks,
    nearest,
    newest,
    table,
    tables,
    versions,
)

__all__ = [
    "ConfigFile",
    "Option",
    "Table",
    "config_files",
    "frameworks",
    "nearest",
    "newest",
    "table",
    "tables",
    "versions",
]
