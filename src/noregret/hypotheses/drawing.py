"""A shattered tree as text and as a picture."""

from __future__ import annotations

from html import escape

from noregret.hypotheses.tree import ShatteredTree

DRAWN = 7  # levels: beyond 128 leaves a picture says nothing more
_LEAF, _STEP, _EDGE = 34, 64, 24  # pixels: between leaves, between levels, around


def tree_as_text(tree: ShatteredTree) -> str:
    """Write the tree a line a node, indented by its depth, with the hypothesis of every leaf."""
    leaves = list(tree.leaves())
    lines = [f"{tree.hypotheses.name}: a shattered tree of depth {tree.depth}"]

    def write(node: int, depth: int, label: str) -> None:
        point = tree.point(node)
        if point is None:
            name = tree.hypotheses.hypothesis_name(leaves[node - len(leaves)])
            lines.append(f"{'    ' * depth}{label}{name}")
            return
        lines.append(f"{'    ' * depth}{label}x = {tree.hypotheses.point_name(point)}")
        write(2 * node, depth + 1, "0 → ")
        write(2 * node + 1, depth + 1, "1 → ")

    write(1, 0, "")
    return "\n".join(lines) + "\n"


def tree_as_svg(tree: ShatteredTree) -> str:
    """Draw the tree: points in circles, labels on the edges; at most the first levels of a deep one."""
    levels = min(tree.depth, DRAWN)
    width, height = _LEAF * (1 << levels) + 2 * _EDGE, _STEP * levels + 3 * _EDGE
    shapes: list[str] = []
    for node in range(1, 1 << (levels + 1)):
        x, y = _place(node, levels)
        if node > 1:
            shapes.append(_edge(_place(node // 2, levels), (x, y), node % 2))
    leaves = list(tree.leaves()) if levels == tree.depth else []
    for node in range(1, 1 << (levels + 1)):
        shapes.append(_node(tree, node, _place(node, levels), leaves))
    title = f"{tree.hypotheses.name}: a shattered tree of depth {tree.depth}"
    note = "" if levels == tree.depth else f", its first {levels} levels"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
        f'height="{height}" font-family="sans-serif" font-size="11" text-anchor="middle">\n'
        f"<title>{escape(title + note)}</title>\n"
        '<rect width="100%" height="100%" fill="#fff"/>\n' + "\n".join(shapes) + "\n</svg>\n"
    )


def _place(node: int, levels: int) -> tuple[float, float]:
    """Where a node stands: above the middle of its leaves."""
    depth = node.bit_length() - 1
    share = _LEAF * (1 << (levels - depth))
    return _EDGE + share * (node - (1 << depth) + 0.5), _EDGE + _STEP * depth


def _edge(start: tuple[float, float], end: tuple[float, float], label: int) -> str:
    x, y = (start[0] + end[0]) / 2, (start[1] + end[1]) / 2
    line = f'<line x1="{start[0]:g}" y1="{start[1]:g}" x2="{end[0]:g}" y2="{end[1]:g}" stroke="#888"/>'
    return f'{line}<text x="{x:g}" y="{y:g}" fill="#555">{label}</text>'


def _node(tree: ShatteredTree, node: int, at: tuple[float, float], leaves: list[int]) -> str:
    point = tree.point(node)
    if point is None and leaves:
        name = tree.hypotheses.hypothesis_name(leaves[node - len(leaves)])
        return f'<text x="{at[0]:g}" y="{at[1] + 4:g}">{escape(name)}</text>'
    label = escape(tree.hypotheses.point_name(point)) if point is not None else ""
    circle = f'<circle cx="{at[0]:g}" cy="{at[1]:g}" r="15" fill="#fff" stroke="#333"/>'
    return f'{circle}<text x="{at[0]:g}" y="{at[1] + 4:g}">{label}</text>'
