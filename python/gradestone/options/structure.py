"""Options of the structure graders: candidates that are, or should be, JSON."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from gradestone.options import checks
from gradestone.options.absent import ABSENT, Absent
from gradestone.options.base import GraderOptions, grader_options, option


@grader_options
class JsonSchema(GraderOptions):
    """Passes when the candidate satisfies a JSON Schema under a full validator.

    A text candidate is parsed as strict JSON first: no NaN, no infinity, no byte order mark, no number beyond
    the range of a double; of a repeated key the last one counts. A boolean is no number, ``1.0`` is an
    integer, and ``enum`` and ``const`` ignore the order of keys.

    Options:
        schema: an object, a JSON Schema of Draft 2020-12 or of the draft that its ``$schema`` names.
            Required. References are resolved within the schema; none is ever fetched, neither by http nor
            from a file. A malformed keyword, an unknown type name or ``$schema``, or a reference that leads
            back to itself without looking into the value makes the schema invalid; so does a pattern with
            look-around or a back-reference, since patterns run on a linear engine. ``format`` is an annotation.

    Empty and missing: empty text is no JSON document.
    Cost and caps: the validator's; values nest 512 levels at most, and fewer under a schema that would need
    more of the stack.
    Codes: ok, schema_mismatch, not_json, over_cap. The options can be refused with invalid_schema. The reason
    names up to five places, never their values, nor keys that the schema does not name; of a large value under
    a recursive schema, none.
    Source: https://json-schema.org/draft/2020-12

    >>> from gradestone import JsonSchema
    >>> person = JsonSchema(schema={"type": "object", "required": ["name"]})
    >>> person('{"name": "Ada"}').passed, person({"age": 36}).code, person("Ada").code
    (True, 'schema_mismatch', 'not_json')
    """

    type: ClassVar[str] = "json_schema"

    schema: Mapping[str, Any] = option(checks.schema)


@grader_options
class JsonPathAssertion(GraderOptions):
    """Passes when a path leads to a value in the candidate, and to the right one where ``equals`` is given.

    A text candidate is parsed if it is JSON. A path is steps joined by dots. On an object a step is an own
    key; on an array it is an index without sign or leading zero, and a step that is written like any other
    number fails the verdict, under ``exists=False`` too. Values are equal by type and value: ``5`` is not
    ``"5"``, ``True`` is not ``1``, ``1`` is ``1.0``; the order of keys does not count and integers keep all
    their digits.

    Options:
        path: the steps, not blank. Required.
        equals: the value that must be there, any JSON value; ``None`` is the value null. Absent: any will do.
        exists: True: the path must lead somewhere; False: it must not, and the candidate must be JSON other
            than null. When it is given, ``equals`` is ignored.

    Empty and missing: empty text is no JSON document, so no path leads anywhere in it, and ``exists=False``
    fails too.
    Cost: linear in the candidate; no cap.
    Codes: ok, path_not_found, path_found, path_step_invalid, value_mismatch, not_json.

    >>> from gradestone import JsonPathAssertion
    >>> JsonPathAssertion(path="user.roles.0", equals="admin")('{"user": {"roles": ["admin"]}}').passed
    True
    >>> JsonPathAssertion(path="error", exists=False)({"error": None}).code
    'path_found'
    """

    type: ClassVar[str] = "json_path_assertion"

    path: str = option(checks.nonblank_text)
    equals: Any = option(checks.json_value, default=ABSENT)
    exists: bool | Absent = option(checks.boolean, default=ABSENT)
