"""Outputs as they are stored: what differs from machine to machine is left out (`make outputs`)."""

from __future__ import annotations

from typing import Any

from nbconvert.preprocessors import Preprocessor

NEVER_STORED = ("image/png", "image/jpeg")  # nbval does not compare them


class WithoutBitmaps(Preprocessor):
    """Drop pictures made of pixels, such as a drawing by ``dot``; the book's own pictures are SVG.

    Examples
    --------
    >>> from nbformat.v4 import new_code_cell, new_output
    >>> drawing = new_output("display_data", {"image/png": "iVBORw0KGgo="})
    >>> both = new_output("display_data", {"image/png": "iVBORw0KGgo=", "text/plain": "a tree"})
    >>> cell, _ = WithoutBitmaps().preprocess_cell(new_code_cell(outputs=[drawing, both]), {}, 0)
    >>> [dict(output["data"]) for output in cell["outputs"]]
    [{'text/plain': 'a tree'}]
    """

    def preprocess_cell(self, cell: Any, resources: Any, index: int) -> tuple[Any, Any]:
        """Clean the outputs of one cell."""
        for output in cell.get("outputs", []):
            for kind in NEVER_STORED:
                output.get("data", {}).pop(kind, None)
        if "outputs" in cell:
            cell["outputs"] = [output for output in cell["outputs"] if output.get("data", True)]
        return cell, resources
