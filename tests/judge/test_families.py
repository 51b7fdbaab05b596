"""Families of models: one judge and one subject are alike, however their providers spell them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gradestone.judge.families import family_of

IDS: dict[str, list[str]] = {
    "gpt": [
        # OpenAI
        "gpt-5.5", "gpt-4o", "gpt-4o-mini-2024-07-18", "gpt-4.1-nano", "gpt-3.5-turbo-0125", "chatgpt-4o-latest",
        "o1", "o1-preview", "o3-mini", "o4-mini-2025-04-16", "davinci-002", "text-davinci-003", "gpt-oss-120b",
        "ft:gpt-4o-mini-2024-07-18:acme::abc123", "ft:gpt-3.5-turbo:claude-fans:llama-like:x1",
        # other hosts and routers
        "openai/gpt-4o", "openai/o3", "openrouter/openai/gpt-4o:online", "openai:gpt-4o", "openai:chat:gpt-4o",
        "azure/gpt-4o", "azure/my-gpt-4o-deployment", "azure_ai/gpt-4.1", "openai.gpt-oss-20b-1:0",
        "bedrock/openai.gpt-oss-120b-1:0", "gpt-oss:20b", "ollama/gpt-oss:120b", "groq/openai/gpt-oss-20b",
        "together_ai/openai/gpt-oss-120b", "vertex_ai/openai/gpt-oss-120b-maas",
    ],
    "claude": [
        "claude-opus-4-1-20250805", "claude-3-5-sonnet-latest", "claude-instant-1.2", "claude-2.1",
        "anthropic/claude-sonnet-4", "anthropic:claude-3-haiku", "openrouter/anthropic/claude-3.7-sonnet:thinking",
        "anthropic.claude-3-5-sonnet-20241022-v2:0", "us.anthropic.claude-sonnet-4-20250514-v1:0",
        "bedrock/eu.anthropic.claude-haiku-4-5-20251001-v1:0", "anthropic.claude-v2:1:200k",
        "arn:aws:bedrock:us-east-1::foundation-model/anthropic.claude-3-haiku-20240307-v1:0",
        "arn:aws:bedrock:us-west-2:123456789012:inference-profile/us.anthropic.claude-opus-4-20250514-v1:0",
        "claude-3-5-sonnet-v2@20241022", "vertex_ai/claude-sonnet-4@20250514",
        "publishers/anthropic/models/claude-3-opus@20240229", "databricks-claude-3-7-sonnet",
    ],
    "gemini": [
        "gemini-2.5-pro", "models/gemini-1.5-flash-001", "google/gemini-2.5-flash", "vertex_ai/gemini-2.0-flash-001",
        "publishers/google/models/gemini-1.5-pro", "openrouter/google/gemini-2.5-pro:free", "palm-2",
        "text-bison@001", "chat-bison-32k", "code-bison@002", "google/palm-2-chat-bison",
    ],
    "llama": [
        "llama3", "llama3.2:latest", "llama-3.3-70b-versatile", "llama3-70b-8192", "ollama/llama3.1:8b-instruct-q4_0",
        "meta-llama/Llama-3.3-70B-Instruct", "meta-llama/Meta-Llama-3.1-8B-Instruct-Turbo", "Meta-Llama-3-8B",
        "meta.llama3-1-70b-instruct-v1:0", "bedrock/us.meta.llama4-maverick-17b-instruct-v1:0",
        "vertex_ai/meta/llama-3.1-405b-instruct-maas", "nvidia/llama-3.1-nemotron-70b-instruct",
        "accounts/fireworks/models/llama-v3p1-405b-instruct", "groq/llama-3.1-8b-instant",
        "hf.co/bartowski/Llama-3.2-3B-Instruct-GGUF:Q8_0", "azure_ai/Meta-Llama-3.1-405B-Instruct",
    ],
    "mistral": [
        "mistral-large-latest", "mistral:7b", "mixtral:8x7b", "open-mixtral-8x22b", "mixtral-8x7b-32768",
        "mistralai/Mistral-7B-Instruct-v0.3", "mistralai/Mixtral-8x7B-Instruct-v0.1", "mistralai/codestral-2501",
        "mistral.mistral-large-2402-v1:0", "mistral.mixtral-8x7b-instruct-v0:1", "mistral-large@2407",
        "openrouter/mistralai/mistral-small:free", "dolphin-mixtral:8x7b",
    ],
    "cohere": [
        "command", "command-r-plus-08-2024", "command-a-03-2025", "cohere/command-r", "cohere.command-r-plus-v1:0",
        "cohere.command-text-v14", "openrouter/cohere/command-r7b-12-2024", "command-r:35b",
    ],
    "deepseek": [
        "deepseek-chat", "deepseek-reasoner", "deepseek/deepseek-r1:free", "deepseek-ai/DeepSeek-V3",
        "us.deepseek.r1-v1:0", "deepseek-r1:7b", "deepseek-r1:70b-llama-distill-q4_K_M",
        "deepseek-r1-distill-llama-70b", "together_ai/deepseek-ai/DeepSeek-R1-Distill-Qwen-14B",
    ],
    "qwen": [
        "qwen-max", "qwen2.5:72b", "qwen3-235b-a22b", "Qwen/Qwen2.5-72B-Instruct-Turbo", "qwen/qwen3-32b",
        "qwen.qwen3-coder-480b-a35b-v1:0", "openrouter/qwen/qwen-2.5-72b-instruct", "ollama/qwen2.5-coder:7b",
    ],
}  # fmt: skip


@pytest.mark.parametrize(("family", "model"), [(name, model) for name in IDS for model in IDS[name]])
def test_real_identifiers(family: str, model: str) -> None:
    """As OpenAI, Anthropic, Bedrock, Vertex, Azure, OpenRouter, Ollama, Groq and Together spell them, in any case."""
    assert {family_of(spelling) for spelling in (model, model.upper(), f"  {model}\n", f"{model}/")} == {
        family
    }


UNKNOWN = {
    "phi-4": "phi-4",
    "microsoft/phi-4": "phi-4",
    "ollama/phi3": "phi3",
    "google/gemma-2-9b-it": "gemma-2-9b-it",
    "grok-4": "grok-4",
    "x-ai/grok-4": "grok-4",
    "openrouter/x-ai/Grok-4": "grok-4",
    "amazon.nova-pro-v1:0": "amazon.nova-pro-v1:0",
    "nova-lite": "nova-lite",
    "yi-34b": "yi-34b",
    "octo-1": "octo-1",
    "opus": "opus",
    "anthropic/unnamed": "unnamed",
    "": "",
    "/": "",
    "  ": "",
}


@pytest.mark.parametrize(("model", "family"), UNKNOWN.items(), ids=map(repr, UNKNOWN))
def test_an_unknown_identifier_is_its_own_family(model: str, family: str) -> None:
    """Only its providers, its case and outer whitespace are gone."""
    assert family_of(model) == family


@given(st.text())
def test_every_text_has_a_family(model: str) -> None:
    """Nothing raises; the same identifier is always of one family, also behind a provider that nobody knows."""
    family = family_of(model)
    assert family == family_of(model)
    if model.strip().strip("/"):
        assert family_of(f"some-host/{model.strip()}") == family
