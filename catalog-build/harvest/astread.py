"""What adapters need to read Python sources: folding, dataclasses and pydantic models, argparse parsers."""

from __future__ import annotations

from harvest.classes import Annotation, annotation, class_records, field_record, fields, find_class, lineage, signature
from harvest.commandline import parser_records
from harvest.fold import ClassRef, FunctionRef, Member, Unfoldable, bind, fold, members, reference, text

__all__ = [
    "Annotation",
    "ClassRef",
    "FunctionRef",
    "Member",
    "Unfoldable",
    "annotation",
    "bind",
    "class_records",
    "field_record",
    "fields",
    "find_class",
    "fold",
    "lineage",
    "members",
    "parser_records",
    "reference",
    "signature",
    "text",
]
