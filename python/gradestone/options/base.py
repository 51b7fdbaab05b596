"""What every options class shares: how a field declares its check, and when the checks run."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import MISSING, dataclass, field, fields
from typing import TYPE_CHECKING, Any, ClassVar, Final, Self, TypeVar, dataclass_transform

from gradestone.jsontext import canonical, to_json_value
from gradestone.options.absent import ABSENT
from gradestone.options.checks import Checker, Refused
from gradestone.options.faults import Fault, GraderOptionError

if TYPE_CHECKING:
    from gradestone.verdict import GradeResult

C = TypeVar("C")

EXTRA: Final = "extra"
"""The field for keys that are no options, in the one class that takes such keys. It is no option itself."""

_CHECKER: Final = "checker"


def option(checker: Checker, *, default: Any = MISSING, hidden: bool = False) -> Any:
    """Declare an option: its check, and its default. Without a default it is required.

    A default is stored as it is. A hidden option does not appear in ``repr``.
    """
    return field(default=default, repr=not hidden, metadata={_CHECKER: checker})


@dataclass_transform(frozen_default=True, kw_only_default=True, eq_default=False, field_specifiers=(option,))
def grader_options(cls: type[C]) -> type[C]:
    """Make a frozen, slotted, keyword-only dataclass of ``option`` fields.

    Equality is the base class's: the generated one would take ``True`` for ``1`` and cannot hash a dict.
    """
    return dataclass(frozen=True, slots=True, kw_only=True, eq=False)(cls)


@dataclass(frozen=True, slots=True, eq=False)
class GraderOptions:
    """The checked options of one grader, one subclass a type of the registry.

    An object of a subclass is a grader: `grade` and `grade_batch` take it, and calling it grades one
    candidate. Fields are named as the registry's options and are keyword-only. Lists are kept as tuples and
    JSON values as copies, so nothing that happens to the caller's objects changes a grader. Two graders are
    equal when their types and options are: ``1`` and ``1.0`` are the same value, ``1`` and ``True`` are not,
    and the order of keys does not count.

    Whatever the grader, a candidate can be refused with the codes ``missing_candidate`` (a null in a column)
    and ``not_json_value``, and a bug of ours shows as ``internal_error``.

    A value that an option does not accept raises `GraderOptionError`, which lists all such faults. A required
    option that is left out is a ``TypeError``, as with any function; given as ``ABSENT`` it is a fault.

    >>> from gradestone import Contains
    >>> grader = Contains(fragments=["Paris", "France"])
    >>> grader("Paris is in France.").passed
    True
    >>> grader.to_mapping()
    {'type': 'contains', 'fragments': ['Paris', 'France']}
    """

    type: ClassVar[str]
    """The grader's type in the registry."""

    def __post_init__(self) -> None:
        given = {one.name: getattr(self, one.name) for one in fields(self)}
        values, faults = self.check(given)
        if faults:
            raise GraderOptionError(self.type, faults)
        self._hold(values)

    def __call__(
        self,
        candidate: Any,
        *,
        reference: Any = ABSENT,
        backend: str | None = None,
    ) -> GradeResult:
        """Grade one candidate, see `grade`."""
        from gradestone.grading import grade  # that module imports this one

        return grade(self, candidate, reference=reference, backend=backend)

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return self._identity() == other._identity()

    def __hash__(self) -> int:
        return hash(self._identity())

    def to_mapping(self) -> dict[str, Any]:
        """Return the plain JSON mapping that `parse_grader` takes back; absent options are left out.

        Keys of judges are in it in clear: it is for calls, not for logs.
        """
        given = {name: getattr(self, name) for name in self.names()}
        return {"type": self.type} | {
            name: to_json_value(value) for name, value in given.items() if value is not ABSENT
        }

    def missing(self) -> frozenset[str]:
        """Name the required options that columns must give; `parse_grader` alone admits such."""
        return frozenset(name for name in self.required() if getattr(self, name) is ABSENT)

    @classmethod
    def names(cls) -> tuple[str, ...]:
        """Name all options."""
        return tuple(one.name for one in fields(cls) if one.name != EXTRA)

    @classmethod
    def required(cls) -> frozenset[str]:
        """Name the options that have no default and for which no case reference stands in."""
        return frozenset(one.name for one in fields(cls) if one.default is MISSING)

    @classmethod
    def check(
        cls, given: Mapping[str, object], columns: Collection[str] = ()
    ) -> tuple[dict[str, object], list[Fault]]:
        """Return what an object would store for these values, and everything that is wrong with them.

        A value of ``ABSENT`` is one that was not given. A required option named in ``columns`` may be absent,
        and is then stored as ``ABSENT``. Names that are no options are ignored.
        """
        values: dict[str, object] = {}
        faults: list[Fault] = []
        for one in fields(cls):
            value = given.get(one.name, ABSENT)
            if value is not ABSENT:
                try:
                    values[one.name] = one.metadata[_CHECKER](value)
                except Refused as refused:
                    message = f"`{one.name}{refused.member}` {refused.complaint}"
                    faults.append(Fault(one.name, refused.code, message))
            elif one.default is not MISSING:
                values[one.name] = one.default
            elif one.name in columns:
                values[one.name] = ABSENT
            else:
                faults.append(Fault(one.name, "missing_option", f"{cls.type} needs the option `{one.name}`"))
        return values, faults + cls._conflicts(values)

    @classmethod
    def of_checked(cls, values: Mapping[str, object]) -> Self:
        """Make an object of values that `check` returned without a fault."""
        options = object.__new__(cls)
        options._hold(values)
        return options

    @classmethod
    def _conflicts(cls, values: Mapping[str, object]) -> list[Fault]:
        """List faults between options; ``values`` holds only those that are acceptable by themselves."""
        del values
        return []

    def _hold(self, values: Mapping[str, object]) -> None:
        for name, value in values.items():
            object.__setattr__(self, name, value)

    def _identity(self) -> str:
        return canonical(self.to_mapping())
