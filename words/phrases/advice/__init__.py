"""What advice, luck and fairness say, a file a language; as `words.phrases`."""
