"""The demo table: it throws rendered dice by itself, and a camera looks at it."""
