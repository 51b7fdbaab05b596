"""What `grade_frame` owes to DuckDB: connection, catalog, transaction, types, and one run of the relation."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pytest

from gradestone.frames import grade_frame

EXACT = {"exact": {"type": "exact_match", "expected": "x1"}}
FACTS = ["exact_passed", "exact_score", "exact_outcome", "exact_code"]


def texts(count: int = 3) -> str:
    return f"SELECT i::INT AS id, 'x' || i AS candidate FROM range({count}) r(i)"


class TestDuckdb:
    def test_it_stays_on_its_connection(self) -> None:
        """The result joins with a table of a connection that is not the default one, and can be stored there."""
        connection = duckdb.connect()
        connection.execute(f"CREATE TABLE answers AS {texts()}")
        graded = grade_frame(connection.table("answers"), EXACT)
        joined = graded.join(connection.table("answers"), "id").filter("exact_passed")
        assert [row[0] for row in joined.fetchall()] == [1]
        graded.create("kept")
        assert connection.sql("SELECT count(*) FROM kept WHERE exact_passed").fetchall() == [(1,)]

    def test_it_is_graded_at_once_and_read_as_often_as_one_likes(self) -> None:
        """What happens to the source afterwards changes nothing, and nothing of the caller need be kept."""
        connection = duckdb.connect()
        connection.execute(f"CREATE TABLE answers AS {texts(5000)}")
        graded = grade_frame(connection.table("answers"), EXACT)
        connection.execute("DROP TABLE answers")
        first = graded.fetchall()
        assert len(first) == 5000
        assert graded.fetchall() == first
        assert graded.filter("exact_passed").fetchall() == [(1, "x1", True, 1.0, "pass", "ok")]

    def test_the_relation_is_run_once(self) -> None:
        """A second run would give other rows (a sequence), or none (a stream)."""
        connection = duckdb.connect()
        connection.execute("CREATE SEQUENCE numbers")
        counted = grade_frame(
            connection.sql("SELECT nextval('numbers') AS n, 'x1' AS candidate FROM range(3)"), EXACT
        )
        assert [row[0] for row in counted.fetchall()] == [1, 2, 3]
        assert connection.sql("SELECT currval('numbers')").fetchall() == [(3,)]
        stream = pa.table({"candidate": ["x1", "x2"], "n": [1, 2]}).to_reader()
        relation = connection.from_arrow(stream).select("candidate, n::HUGEINT AS n")
        assert len(grade_frame(relation, EXACT).fetchall()) == 2

    def test_no_name_is_left_behind(self) -> None:
        """Neither table nor view, nor where grading fails."""
        connection = duckdb.connect()
        graded = grade_frame(connection.sql(texts()), EXACT)
        with pytest.raises(TypeError):
            grade_frame(connection.sql("SELECT current_date AS candidate"), EXACT)
        assert len(graded.fetchall()) == 3
        for kind in ("tables", "views"):
            found = connection.sql(f"SELECT count(*) FROM duckdb_{kind}() WHERE NOT internal").fetchall()
            assert found == [(0,)]

    def test_types_that_arrow_lacks_come_back(self) -> None:
        """HUGEINT, ENUM, UUID, BIT…: the same types and the same values, nested or null."""
        connection = duckdb.connect()
        connection.execute("CREATE TYPE mood AS ENUM ('a', 'it''s', 'NULL')")
        connection.execute(
            """CREATE TABLE source AS SELECT 'x' || i AS candidate,
            170141183460469231731687303715884105727::HUGEINT AS huge, uuid() AS "id",
            'it''s'::mood AS mood, '101'::BIT AS bits, '10:00:00+01'::TIMETZ AS tz, INTERVAL 1 MONTH AS month,
            '{"a": 1}'::JSON AS json, {'h': 1::HUGEINT, 't': 'a, ''b'' '} AS struct, ['NULL'::mood, NULL] AS moods,
            MAP {'k': 1} AS map, [1, 2]::INT[2] AS pair, 'ab'::BLOB AS blob, TIMESTAMP_NS '2020-01-01' AS ns,
            NULL AS nothing, NULL::HUGEINT AS "no ""huge"" one", 1.5::DECIMAL(10, 2) AS money,
            {'b': '\\x00\\xFF\\x27'::BLOB, 'd': 0.1::DOUBLE + 0.2, 'n': '-inf'::DOUBLE, 'u': uuid()} AS mixed
            FROM range(3) r(i)"""
        )
        source = connection.table("source")
        graded = grade_frame(source, EXACT)
        assert graded.columns == [*source.columns, *FACTS]
        assert list(map(str, graded.types))[: len(source.columns)] == list(map(str, source.types))
        assert [row[: len(source.columns)] for row in graded.fetchall()] == source.fetchall()

    @pytest.mark.parametrize("kind", ["'x1'::ENUM('x1', 'x2')", "'\"x1\"'::JSON", "'x1'"])
    def test_texts_of_other_types_are_graded(self, kind: str) -> None:
        """An ENUM or a JSON column is its text."""
        connection = duckdb.connect()
        relation = connection.sql(f"SELECT {kind} AS candidate")
        wanted = '"x1"' if "JSON" in kind else "x1"
        graded = grade_frame(relation, {"exact": {"type": "exact_match", "expected": wanted}})
        assert graded.select("exact_passed").fetchall() == [(True,)]
        assert str(graded.types[0]) == str(relation.types[0])

    @pytest.mark.parametrize(
        "kind", ["1::HUGEINT", "'101'::BIT", "['a'::ENUM('a')]", "'10:00:00+01'::TIMETZ"]
    )
    def test_other_types_are_refused_by_name(self, kind: str) -> None:
        """A number is not graded as its text because of how it travels."""
        connection = duckdb.connect()
        relation = connection.sql(f"SELECT {kind} AS candidate")
        with pytest.raises(
            TypeError, match=r"the column 'candidate' of type .* cannot be graded; cast it to text"
        ):
            grade_frame(relation, EXACT)

    @pytest.mark.parametrize("kind", ["union_value(k := 1::HUGEINT)", "{'v': 1::VARIANT, 'h': 1::HUGEINT}"])
    def test_a_column_that_would_come_back_changed_is_refused(self, kind: str) -> None:
        """What Arrow lacks and no text gives back; alone, a UNION or a VARIANT is kept."""
        connection = duckdb.connect()
        relation = connection.sql(f"SELECT 'x1' AS candidate, {kind} AS kept")
        with pytest.raises(
            TypeError, match=r"the column 'kept' of type .* cannot be kept; cast it, or leave it out"
        ):
            grade_frame(relation, EXACT)
        relation = connection.sql(
            "SELECT 'x1' AS candidate, union_value(k := 1) AS a, {'v': 1}::VARIANT AS b"
        )
        graded = grade_frame(relation, EXACT)
        assert list(map(str, graded.types))[:3] == list(map(str, relation.types))
        assert graded.select("a, b").fetchall() == relation.select("a, b").fetchall()

    def test_nothing_but_nulls(self) -> None:
        """DuckDB has a type for them."""
        connection = duckdb.connect()
        graded = grade_frame(connection.sql("SELECT NULL AS candidate FROM range(2)"), EXACT)
        assert graded.select("exact_code").fetchall() == [("missing_candidate",)] * 2

    def test_names_that_differ_in_case_alone_are_one_name(self) -> None:
        """As they are to DuckDB, which would rename or hide one."""
        connection = duckdb.connect()
        with pytest.raises(ValueError, match="the frame has a column 'exact_passed' already"):
            grade_frame(connection.sql("SELECT 'x1' AS candidate, 1 AS EXACT_Passed"), EXACT)
        with pytest.raises(ValueError, match="the frame has a column 'EXACT_passed' already"):
            grade_frame(connection.sql("SELECT 'x1' AS candidate"), {**EXACT, "EXACT": EXACT["exact"]})
        with pytest.raises(ValueError, match="the frame has 2 columns named 'candidate'"):
            grade_frame(connection.sql("SELECT 'x1' AS candidate, 'x2' AS Candidate"), EXACT)

    def test_a_connection_that_may_not_read_from_python(self) -> None:
        """It is told why, and nothing is read from elsewhere."""
        connection = duckdb.connect(config={"python_enable_replacements": "false"})
        with pytest.raises(ValueError, match="python_enable_replacements or enable_external_access is off"):
            grade_frame(connection.sql(texts()), EXACT)

    def test_a_table_of_the_same_name_is_not_read_for_the_verdicts(self) -> None:
        """The catalog goes before variables of Python; a table that hides ours is refused."""
        connection = duckdb.connect()
        connection.execute("CREATE TABLE _gradestone_graded_rows AS SELECT 'x1' AS candidate")
        with pytest.raises(ValueError, match="a table named _gradestone_graded_rows hides the graded rows"):
            grade_frame(connection.sql(texts()), EXACT)

    def test_a_database_that_is_read_only(self, tmp_path: Path) -> None:
        """Grading writes nothing into it."""
        path = str(tmp_path / "answers.duckdb")
        with duckdb.connect(path) as connection:
            connection.execute(f"CREATE TABLE answers AS {texts()}")
        with duckdb.connect(path, read_only=True) as connection:
            graded = grade_frame(connection.table("answers"), EXACT)
            assert [row[2] for row in graded.fetchall()] == [False, True, False]

    def test_an_open_transaction_goes_on(self) -> None:
        """Grading neither ends it nor leaves anything to roll back."""
        connection = duckdb.connect()
        connection.execute(f"CREATE TABLE answers AS {texts()}")
        connection.execute("BEGIN")
        connection.execute("INSERT INTO answers VALUES (9, 'x1')")
        graded = grade_frame(connection.table("answers"), EXACT)
        connection.execute("ROLLBACK")
        assert len(graded.filter("exact_passed").fetchall()) == 2
        assert connection.sql("SELECT count(*) FROM answers").fetchall() == [(3,)]

    def test_threads_with_cursors_of_one_database(self) -> None:
        """Each grades its own rows."""
        connection = duckdb.connect()
        found: dict[int, list[Any]] = {}

        def work(number: int) -> None:
            cursor = connection.cursor()
            relation = cursor.sql(f"SELECT 'x{number}' AS candidate FROM range(100)")
            found[number] = (
                grade_frame(relation, EXACT).aggregate("count(*), bool_and(exact_passed)").fetchall()
            )

        threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert found == {number: [(100, number == 1)] for number in range(4)}
