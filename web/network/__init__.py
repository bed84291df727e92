"""The web server, its certificate, its addresses, and the limit on guesses."""
