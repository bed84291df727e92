# What we call of resvg-py, for type checks where the train extra is not installed.

def svg_to_bytes(
    *,
    svg_string: str | None = ...,
    svg_path: str | None = ...,
    width: int | None = ...,
    height: int | None = ...,
) -> bytes: ...
