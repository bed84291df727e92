"""Where rules stand: what the documents are called."""

PLACES = {
    "outlander-fan-rules": "Outlander fan rules",
    "meet-fate": "Meet Fate",
    "cat-dice": "Cat dice",
    "destiny": "Destiny",
    "outback": "Outback",
}
