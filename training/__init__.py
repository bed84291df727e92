"""Everything that makes or measures the networks. It may import every room; no room imports it."""
