"""The sentences, one folder a language: `en/` now, others beside it. See scoring.wording."""
