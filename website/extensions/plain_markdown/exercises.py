"""Exercises: what sphinx-exercise leaves to do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform

from plain_markdown.cells import label
from plain_markdown.log import warn

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.environment import BuildEnvironment


def check_exercise_numbers(app: Sphinx, env: BuildEnvironment) -> None:
    """Warn where the number on the page is not the one typed in the notebook (env-check-consistency)."""
    for docname, figures in env.toc_fignumbers.items():
        for anchor, number in figures.get("exercise", {}).items():
            counted = ".".join(map(str, number))
            if anchor != label(counted) and anchor.startswith(label("")):  # else it has no number of its own
                warn(f"{anchor} is number {counted} of the book", docname)


class UniqueExerciseIds(SphinxPostTransform):
    """Drop the ids that sphinx-exercise gives to every exercise and solution alike."""

    default_priority = 220

    def run(self, **kwargs) -> None:
        for section in self.document.findall(nodes.section):
            section["ids"] = [i for i in section["ids"] if i not in ("exercise-content", "solution-content")]


def setup(app: Sphinx) -> None:
    """Check the numbers, and keep ids unique."""
    app.connect("env-check-consistency", check_exercise_numbers)
    app.add_post_transform(UniqueExerciseIds)
