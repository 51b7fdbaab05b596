"""Hypothesis profiles: ``fast`` by default, ``slow`` for ``make test-slow`` (HYPOTHESIS_PROFILE=slow)."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

_NOISY_MACHINE = [HealthCheck.too_slow]

settings.register_profile("fast", max_examples=60, deadline=None, suppress_health_check=_NOISY_MACHINE)
settings.register_profile("slow", max_examples=2_000, deadline=None, suppress_health_check=_NOISY_MACHINE)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "fast"))
