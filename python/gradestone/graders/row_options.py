"""Options that vary by row: the row's own options are checked and graded as a batch of one."""

from __future__ import annotations

from gradestone.graders.rows import Batch, is_null
from gradestone.options import GraderOptionError, GraderOptions, parse_grader
from gradestone.verdict import RowVerdict


def refusal(error: GraderOptionError) -> RowVerdict:
    """The verdict of a grader whose options are refused: the first fault's code, and every fault in the reason."""
    return RowVerdict(error.faults[0].code, 0.0, "; ".join(fault.message for fault in error.faults))


def row_options(options: GraderOptions, batch: Batch, index: int) -> GraderOptions | RowVerdict:
    """The options of one row, whose columns beat the grader's own; a verdict where they are refused."""
    mapping = options.to_mapping()
    for name, column in batch.columns.items():
        value = column[index]
        if is_null(value) and batch.nulls == "missing":
            return RowVerdict("missing_option", 0.0, f"the row has no value for the option `{name}`")
        mapping[name] = None if is_null(value) else value
    try:
        return parse_grader(mapping)
    except GraderOptionError as error:
        return refusal(error)


def grade_row_options(options: GraderOptions, batch: Batch, index: int) -> RowVerdict:
    """The verdict on one row whose columns hold options."""
    from gradestone.graders import prepare
    from gradestone.graders.kernels import settle_row

    own = row_options(options, batch, index)
    return own if isinstance(own, RowVerdict) else settle_row(prepare(own, batch.backend)(batch.only(index)))
