"""What the table itself says (questions, prompts, buttons, refusals), a file a language beside the English in the code.

RULES goes from the English words to the translated ones, as in `scoring.phrases`; tests/words/test_phrases.py says what
is missing or said nowhere any more.
"""
