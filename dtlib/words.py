"""One catalogue of the words in pictures, tables and generated sentences.

The English template is the key, so code reads as what it says: ``say("entropy of {name}", name="color")``.
`use_language` switches the whole library to another language; the names and values of a data set are
translated by the data set itself (`dtlib.datasets.Dataset.in_chinese`).
"""

# ruff: noqa: RUF001  (Chinese has its own comma and colon)

LANGUAGES = ("en", "zh")

# English template -> Chinese template.
CHINESE = {
    " ": "",
    ", ": "，",
    ", {condition},": "，{condition}",
    "{list}.": "{list}。",
    "{label}: {points}.": "{label}：{points}。",
    "{bar} (chosen)": "{bar}（选中）",
    "{bar} (largest)": "{bar}（最大）",
    "{names} and {last}": "{names}与{last}",
    "{bar}, boundary": "{bar}，类别边界",
    "Bars": "条形图",
    "{bits:.3f} bits": "{bits:.3f} 比特",
    "{condition}: {bits:.3f} bits": "{condition}：{bits:.3f} 比特",
    "{cell}: predicted {label}; {samples}.": "{cell}：预测 {label}；{samples}。",
    "Entropies of {x} and {y}, areas to scale": "{x} 与 {y} 的熵，面积成比例",
    "entropy (bits)": "熵（比特）",
    "; ": "；",
    "● boundary  ○ within a run": "● 类别边界  ○ 同类之内",
    "Gain of each cut of {feature}": "{feature}各划分点的信息增益",
    "gain ratio": "信息增益比",
    "impurity after the split (bits)": "划分后的不纯度（比特）",
    "information gain (bits)": "信息增益（比特）",
    "Marked: {marks}.": "标出：{marks}。",
    "p = {p:.4g}: {bits:.3f} bits": "p = {p:.4g}：{bits:.3f} 比特",
    "Partition by {x} and {y}": "按 {x} 与 {y} 的划分",
    "Straight borders by {x} and {y}": "{x} 与 {y} 平面上的直线边界",
    "{label}: {sum} at most {limit}: {below}; more: {above}.": (
        "{label}：{sum} 不超过 {limit}：{below}；超过：{above}。"
    ),
    "probability p": "概率 p",
    "share p of one class": "一类所占比例 p",
    "split information (bits)": "分裂信息（比特）",
    "surprise (bits)": "惊奇度（比特）",
    "Tree of depth {depth}: nodes {nodes}, leaves {leaves}": "深度 {depth} 的树：结点 {nodes}，叶 {leaves}",
    "entropy of {name}": "{name}的熵",
    "{feature}?": "{feature}？",
    "{condition}?": "{condition}？",
    "yes": "是",
    "no": "否",
    "mean": "均值",
    "median": "中位数",
    "Cut below: {nodes}.": "在这些结点下方剪枝：{nodes}。",
    " {note}.": "{note}。",
    "Highlighted: the path to node {id}.": "突出显示：通往结点 {id} 的路径。",
    "no sample": "无样本",
    "Node {id}": "结点 {id}",
    "Picture: {title}. {description}": "图：{title}。{description}",
    "{tree}, drawn to depth {drawn}": "{tree}，画到深度 {drawn}",
    "{where} asks {feature}: {counts}.": "{where}：问 {feature}；{counts}。",
    "{where} leaf of class {label}: {counts}.": "{where}：叶结点，类别 {label}；{counts}。",
    "{where} leaf of class {label}: no sample.": "{where}：叶结点，类别 {label}；无样本。",
    "{where} not drawn further: {counts}.": "{where}：未继续画出；{counts}。",
    "{where} leaf of value {label}: {counts}.": "{where}：叶结点，值 {label}；{counts}。",
    "The larger the value of a leaf, the stronger its color: from {low} to {high}.": (
        "叶结点的值越大，颜色越深：从 {low} 到 {high}。"
    ),
    "The larger the value of a leaf ({name}), the stronger its color: from {low} to {high}.": (
        "叶结点的值（{name}）越大，颜色越深：从 {low} 到 {high}。"
    ),
    " and ": "且",
    "anything": "任意样本",
    "asked above": "上方已问过",
    "empty branch": "空分支",
    "equal gain, but a later column": "增益相等，但列序在后",
    "equal gain, but a later split": "增益相等，但划分次序在后",
    "gain below min_gain": "增益低于 min_gain",
    "decrease below min_impurity_decrease": "减少量低于 min_impurity_decrease",
    "impurity not above min_impurity": "不纯度不高于 min_impurity",
    "less than min_samples_split": "样本少于 min_samples_split",
    "max_depth reached": "已达 max_depth",
    "max_leaf_nodes reached": "已达 max_leaf_nodes",
    "no split leaves min_samples_leaf": "任何划分都不能使每个分支达到 min_samples_leaf",
    "not drawn, or too few samples": "未被抽中，或样本过少",
    "if {conditions} then {label}": "若{conditions}，则{label}",
    "largest gain": "增益最大",
    "no fewer errors below": "往下划分并不减少错误",
    "saves less than cp": "节省不足 cp",
    "saves less than alpha per leaf": "每片叶节省不足 alpha",
    "no fewer held-out errors below": "下方在验证集上不少犯错",
    "no fewer estimated errors below": "下方估计的错误不少",
    "no fewer held-out errors after the split": "划分后在验证集上不少犯错",
    "a leaf of a branch that was raised": "被提升的分支的叶",
    "kept": "保留",
    "replaced by a leaf": "换成叶",
    "replaced by its largest branch": "换成最大的分支",
    "larger branch": "较大的分支",
    "part of {n}/{total}": "占 {n}/{total}",
    "no feature left": "无特征可用",
    "no gain": "无增益",
    "one value only": "只有一个取值",
    "pure": "纯",
    "root": "根",
    "largest gain ratio": "增益比最大",
    "gain below the average": "增益低于平均值",
    "too little split information": "分裂信息过小",
    "equal gain ratio, but a later column": "增益比相等，但列序在后",
    "smaller gain ratio": "增益比较小",
    "asked before a branch was raised": "在分支提升之前所问",
    "larger gain since a branch was raised": "分支提升之后增益更大",
    "merged further": "继续合并",
    "no known value": "没有已知取值",
    "smaller gain": "增益较小",
    "group": "组",
    "share of class {label}": "类别 {label} 的比例",
    "{value} {share:.4g} of {n:g}": "{value} {share:.4g}（{n:g} 个）",
    "One group: {values}.": "一组：{values}。",
    "Shares of the groups: {low:.4g}, {high:.4g}; halfway: {middle:.4g}.": (
        "两组的比例：{low:.4g}，{high:.4g}；正中：{middle:.4g}。"
    ),
    "{y} against {x}": "{y}随{x}的变化",
    "Points": "点",
    "{value} up to {end}": "到 {end} 为止 {value}",
    "{value} above": "其后 {value}",
    "{n} steps between {low} and {high}": "{n} 级台阶，在 {low} 与 {high} 之间",
    "Terraces over {x} and {y}": "{x} 与 {y} 上的阶地",
    "first draw": "第一次抽取",
    "second draw": "第二次抽取",
    "Two draws": "两次抽取",
    "{a} and {b}": "{a} 与 {b}",
    "off the diagonal: {differ:.4f}, the Gini index": "对角线之外：{differ:.4f}，即基尼指数",
    "{list}; of different classes {differ:.4f}.": "{list}；类别不同 {differ:.4f}。",
    "Where a row goes: leaves {ends}": "一行样本的去向：叶 {ends}",
    "{where} asks {feature}.": "{where}：问 {feature}。",
    "{where} asks {feature}: {part} of the row.": "{where}：问 {feature}；该行的 {part}。",
    "{where} {label}: {part} of the row ends here.": "{where}：{label}；该行的 {part} 止于此。",
    "{where} is not reached.": "{where}：未到达。",
    "Areas over {x} and {y}": "{x} 与 {y} 上的区域",
    "Samples": "样本",
    "{label}: leaves {n}; of the plane {shares}.": "{label}：叶 {n}；平面上所占 {shares}。",
    "leaves": "叶",
    "leaves {n}": "叶 {n}",
    "risk {risk:.4g}": "风险 {risk:.4g}",
    "Nested trees, {n} of them, and their prices": "{n} 棵嵌套的树及其价格",
    "{name} for alpha from {low:.4g} to {high:.4g}": "{name}，alpha 从 {low:.4g} 到 {high:.4g}",
    "{name} for alpha from {low:.4g} on": "{name}，alpha 从 {low:.4g} 起",
    "{where}: leaves {leaves}": "{where}：叶 {leaves}",
    "cut at {nodes}": "剪于 {nodes}",
    "alpha →": "alpha →",
    "held-out samples": "留出样本",
    "training samples": "训练样本",
    "limit": "界限",
    "risk (that of the root is 1)": "风险（根为 1）",
    "smallest below the limit": "界限内最小的树",
    "least": "最小",
    "leaves {n:g}: {error:.4g} ± {se:.4g}": "叶 {n:g}：{error:.4g} ± {se:.4g}",
    "Least: leaves {n:g}.": "最小：叶 {n:g}。",
    "Limit {limit:.4g} ({se:g}-SE): leaves {n:g}.": "界限 {limit:.4g}（{se:g}-SE）：叶 {n:g}。",
    "1 leaf": "1 片叶",
    "{n:g} leaves": "{n:g} 片叶",
    "{leaves} from {alpha:.4g}": "{leaves}，从 {alpha:.4g} 起",
    "{leaves}, {fit:.4g} at 0": "{leaves}，在 0 处为 {fit:.4g}",
    "Subtrees: {n}.": "子树：{n} 棵。",
    "The least loss: {list}.": "损失最小者：{list}。",
    "Nowhere the least: {list}.": "处处非最小者：{list}。",
    "Answers by {x} and {y}": "按 {x} 与 {y} 的回答",
    "{label}: {answer} on {share:.0f} % of the plane, {right} of {n} samples right.": (
        "{label}：{answer} 占平面的 {share:.0f} %，{n} 个样本中 {right} 个正确。"
    ),
    "{n:.0f} %": "{n:.0f} %",
    "Share of the values that are missing": "缺失值的比例",
    "share of {name} in the leaf, training samples": "训练样本叶中 {name} 的比例",
    "share of {name}, held-out samples": "留出样本中 {name} 的比例",
    "Said {said:.4g}, found {found:.4g} ± {se:.4g} of {n:g}.": (
        "所言 {said:.4g}，实为 {found:.4g} ± {se:.4g}（{n:g} 个样本）。"
    ),
}

_language = "en"


def use_language(language: str) -> None:
    """Say everything in this language from now on.

    Parameters
    ----------
    language : {"en", "zh"}
        English or Chinese.

    Raises
    ------
    ValueError
        If the language is not in the catalogue.

    Examples
    --------
    >>> use_language("zh")
    >>> say("entropy of {name}", name="色泽")
    '色泽的熵'
    >>> use_language("en")
    """
    global _language
    if language not in LANGUAGES:
        raise ValueError(f"language is {language!r}; the catalogue has {' and '.join(map(repr, LANGUAGES))}")
    _language = language


def say(template: str, /, **values: object) -> str:
    """Return a template in the language in use, with its places filled.

    Parameters
    ----------
    template : str
        The English text, places to fill in braces (format specifications are allowed: ``{gain:.3f}``).
    **values
        What goes into the places.

    Returns
    -------
    str
        The filled text.

    Raises
    ------
    ValueError
        If the catalogue has no translation of the template.

    Examples
    --------
    >>> say("entropy of {name}", name="color")
    'entropy of color'
    """
    if _language == "zh" and template not in CHINESE:
        raise ValueError(f"no Chinese for {template!r}; add it to CHINESE in dtlib/words.py")
    text = template if _language == "en" else CHINESE[template]
    return text.format(**values)
