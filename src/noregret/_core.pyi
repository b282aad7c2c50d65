"""The native core of noregret: loops, parsers, tables."""

from collections.abc import Mapping, Sequence
import enum
from typing import Any

import numpy
import numpy.typing


def kernel_names() -> list[str]:
    """The vector instructions that this processor has for the wide loops."""

def choose_kernels(name: str) -> None:
    """Uses one of them from now on. All give the same bits."""

class Tally:
    """What happened in a run, in a size that does not depend on its length."""

    def __init__(self) -> None: ...

    def add(self, score: float, prediction: float, label: float, loss: float, updated: bool, weight: float, potential: float) -> None: ...

    def add_class(self, prediction: int, label: int, loss: float, updated: bool, weight: float, potential: float) -> None:
        """Counts a round of classes, told by their numbers; −1 is none."""

    def add_number(self, prediction: float, label: float, loss: float, updated: bool, weight: float, potential: float) -> None: ...

    def add_rounds(self, scores: object, predictions: object, labels: object, losses: object, weights: object | None) -> None:
        """Counts many rounds; a label of NaN is none."""

    def skip(self, potential: float) -> None:
        """Counts a round without a label."""

    @property
    def rounds(self) -> int: ...

    @property
    def unlabelled(self) -> int: ...

    @property
    def mistakes(self) -> int: ...

    @property
    def updates(self) -> int: ...

    @property
    def true_negatives(self) -> int: ...

    @property
    def false_positives(self) -> int: ...

    @property
    def false_negatives(self) -> int: ...

    @property
    def true_positives(self) -> int: ...

    @property
    def loss(self) -> float: ...

    @property
    def weighted(self) -> bool: ...

    @property
    def squared(self) -> float:
        """The sum of squared errors of predictions that are numbers."""

    @property
    def absolute(self) -> float:
        """The sum of their absolute errors."""

    def confusion(self) -> list[tuple[int, int, int]] | None:
        """
        How often which class (by number) was called which; None beyond 256 classes.
        """

    def unsaid(self, label: int) -> int:
        """
        How often rows of this class were called nothing, because no class was known.
        """

    def auc(self) -> float: ...

    def scores(self) -> list[tuple[float, int, int]]:
        """
        Scores to about one per cent, and how many labels −1 and +1 came with each.
        """

    def curve(self) -> list[tuple[int, int, float, float]]: ...

class Fault:
    """
    What is wrong with a line, where, and what would be right. Lines count from 0.
    """

    @property
    def line(self) -> int: ...

    @property
    def column(self) -> int: ...

    @property
    def token(self) -> bytes: ...

    @property
    def rule(self) -> str: ...

class Parsed:
    """A block of text as sparse rows, and what was wrong with it."""

    @property
    def line_count(self) -> int:
        """How many lines were read."""

    @property
    def faults(self) -> list[Fault]:
        """The first few."""

    @property
    def fault_lines(self) -> list[int]:
        """Of all faults."""

    @property
    def fault_count(self) -> int: ...

    @property
    def label_words(self) -> list[str]: ...

    def __len__(self) -> int: ...

    def settle(self, vocabulary: Vocabulary) -> int:
        """
        Gives new names their columns, in file order; returns how many features were left out because there are too many names.
        """

    def take(self) -> tuple[Any, Any, Any, Any]:
        """Hands over values, indices, starts and the line of each row, once."""

    def labels(self) -> Any:
        """Hands over the labels, once."""

    def weights(self) -> Any:
        """Hands over the importance weights, once; None when all are 1."""

    def groups(self) -> Any:
        """
        Hands over the query of each row, −1 for none, once; None when there is none.
        """

    def label_codes(self) -> Any:
        """
        Hands over which of label_words each label is, −1 for none, once; None when labels are numbers.
        """

class TableShape:
    """What the columns of a table in text are."""

    def __init__(self, columns: Sequence[tuple[str, str, int]], separator: str) -> None: ...

def parse_csv(text: Any, shape: TableShape, names: Vocabulary | None, skip: bool = False, bits: int = -1) -> Parsed:
    """Parses whole rows of a table."""

def csv_cut(text: Any, end: int, separator: str) -> int:
    """Where the last whole row ends; 0 when there is none."""

def words(text: str) -> list[str]:
    """The words of a text, in lower case."""

def encode_nrb(matrix: Matrix, labels: Any, weights: Any, groups: Any) -> bytes:
    """Sparse rows as a block of an .nrb file."""

def decode_nrb(block: Any) -> Parsed:
    """A block of an .nrb file as rows."""

def checksum(bytes: Any) -> int:
    """XXH64 with seed 0."""

class Vocabulary:
    """The names of a stream, each with its column. A sequence of strings."""

    def __init__(self, most: int) -> None: ...

    def __len__(self) -> int: ...

    def __getitem__(self, column: int) -> str: ...

    def add(self, name: str) -> int:
        """The column of a name, old or new; -1 when there are too many."""

HASH_VERSION: int = 1

def hash_name(name: str, bits: int) -> int:
    """The number below 2^bits that stands for a name."""

def hash_number(number: int, bits: int) -> int:
    """The number below 2^bits that stands for a numbered feature."""

def parse_libsvm(text: Any, skip: bool = False, bits: int = -1) -> Parsed:
    """Parses whole lines of libsvm text."""

def parse_vw(text: Any, names: Vocabulary | None, skip: bool = False, bits: int = -1) -> Parsed:
    """Parses whole lines of Vowpal Wabbit text."""

def ftrl_sums(starts: object, pulls: object, alpha: float, beta: float, l1: float, l2: float, first: object, second: object, ahead: object) -> None:
    """
    Writes the sums over the rounds that the bound of FTRL-proximal needs, feature by feature.
    """

class Matrix:
    """Rows of examples, dense or sparse, borrowed from numpy arrays."""

    def __init__(self, values: object, indices: object | None = None, starts: object | None = None, width: int = -1, columns: object | None = None, classes: object | None = None, features: object | None = None, holes: bool = False) -> None: ...

    def __len__(self) -> int: ...

    def shorten(self, count: int) -> None:
        """Leaves only the first so many rows."""

    @property
    def width(self) -> int:
        """The number of columns; −1 when it is not known."""

def arrow_numbers(schema: object, array: object, names: list[str | None]) -> tuple[Any, bool] | None:
    """
    Gives these columns of a record batch as a matrix whose columns are whole, with room where a name is None and NaN where a cell is missing; says whether none is. None when one holds other than plain numbers.
    """

def arrow_words(schema: object, array: object, name: str, table: Any, to: Any) -> bool | None:
    """
    Writes down the feature of each cell of a column that points to a list of words, whose features `table` has, and NaN where a cell is missing; says whether none is. None when the column is another.
    """

def arrow_places(schema: object, array: object, name: str) -> tuple[Any, list[Any]] | None:
    """
    Finds the few different numbers of a column, and which of them is where. None when there are many, or it holds others than plain numbers.
    """

class PageWords:
    """A list of words that cells point to."""

    def __len__(self) -> int: ...

    def equals(self, other: PageWords) -> bool:
        """Whether another list has the same words."""

    def to_pylist(self) -> list[str]:
        """Gives the words."""

class PageColumns:
    """Columns out of the pages of a Parquet file."""

    def __len__(self) -> int: ...

    def words(self, column: int) -> PageWords | None:
        """
        Gives the list that the cells of a column point to; None when they are numbers.
        """

    def put_words(self, column: int, table: Any, to: Any) -> bool:
        """
        Writes down the feature of each word, of which the table has those of the list, and NaN where a word is missing; says whether none is.
        """

    def places(self, column: int, letter: str) -> tuple[Any, PageWords | list[Any]] | None:
        """
        Finds where the word of each row stands in its list, -1 for a missing one; or its number, which is of this letter of Arrow's, in a list of those there are. None when these are many, or one is missing.
        """

    def in_arrow(self) -> object:
        """Gives the cells away, as a record batch in Arrow's memory."""

class CellKind(enum.Enum):
    """What a cell of a Parquet file is, by its size."""

    truth = 0

    four = 1

    eight = 2

    word = 3

def has_zstd() -> bool:
    """Whether the system has a library that undoes zstd."""

class PagePiece:
    """Some rows of a row group. Their pages are read when the rows are."""

    def __len__(self) -> int: ...

    def read(self) -> PageColumns:
        """Reads the cells."""

    def numbers(self, columns: list[tuple[int, str]]) -> tuple[Any, bool] | None:
        """
        Reads the cells of these columns, each with Arrow's letter for its numbers, into a matrix whose columns are whole, with room where the letter is a blank and NaN where a cell is missing; says whether none is. None when a letter is not known.
        """

    def only(self, columns: Sequence[int]) -> PagePiece:
        """Gives the same rows of these columns."""

class PageGroup:
    """The rows of a row group, in pieces."""

    @property
    def asks_python(self) -> bool:
        """Whether a compression is undone by a function of Python."""

    def next(self) -> PagePiece | None:
        """Gives the next rows; None behind the last."""

class PagesAhead:
    """
    The rows of row groups, read by threads ahead of whoever asks for them.
    """

    def __init__(self, groups: Sequence[PageGroup], numbers: Sequence[tuple[int, str]], others: Sequence[int], threads: int) -> None:
        """
        Groups none of which asks Python for anything, columns of numbers as in PagePiece.numbers(), others, and how many threads, with that of whoever asks.
        """

    def next(self, is_plain: bool) -> tuple[PagePiece, tuple[Any, bool] | None, PageColumns | None] | None:
        """
        Gives the next rows, their numbers as PagePiece.numbers() does, and the others; None behind the last. Without the latter two when there are no numbers, and soon behind that, or when it is told not to be plain.
        """

class Pages:
    """A Parquet file whose pages are read."""

    def __init__(self, path: str, codecs: dict[int, Any]) -> None:
        """
        Codecs by Parquet's number: None for no compression, "snappy", "zstd", or a function of bytes and of where they go, which says how many.
        """

    def __len__(self) -> int:
        """How many row groups there are."""

    def group(self, number: int, columns: Sequence[tuple[int, CellKind, bool]], most: int) -> PageGroup | None:
        """
        Gives the rows of a row group, at most so many at once. A column is its place, its kind, and whether cells may be missing. None when the core cannot read one of them.
        """

def used_codes(codes: Any, places: int) -> list[bool]:
    """
    Whether there are codes that are -1, then whether some are 0, 1 and so on.
    """

def at_places(numbers: Any, codes: Any) -> Any:
    """Gives the number at the place of each code; -1 is the last one."""

def present(table: Any, features: Any) -> tuple[Any, Any, Any]:
    """
    Gives the cells of a table that are not NaN as compressed sparse rows: values, features, starts. A column has a feature, or -1: then its cells are features.
    """

def room(size: int) -> Any:
    """
    Room for so many numbers, to be written before they are read; memory that was used before, if there is some.
    """

class Linear:
    """A linear learner: lanes of numbers by feature, and a rule."""

    def __init__(self, rule: str, parameters: Mapping[str, float], bias: bool, scale: str = 'none') -> None: ...

    def score(self, x: object | None) -> float:
        """
        The number whose sign, or whose side of the threshold, is the prediction.
        """

    def predict(self, x: object | None) -> float:
        """−1.0 or +1.0. Changes nothing."""

    def learn(self, x: object | None, y: object | None, weight: float = 1.0) -> bool:
        """
        Learns that the label of x is y; True when the weights changed. A label of None teaches nothing.
        """

    def rehearse(self, x: object | None, y: float, weight: float = 1.0) -> None:
        """Raises what learn would raise, and changes nothing."""

    def learn_late(self, x: object | None, y: object | None, score: float, weight: float = 1.0) -> bool:
        """
        Learns a label that comes late; `score` is what the learner said when it predicted x.
        """

    def decide(self, score: float) -> float:
        """The prediction that goes with a score."""

    def loss_of(self, score: float, y: float) -> float:
        """What the learner suffers for this score when the label is y."""

    def play_matrix(self, matrix: Matrix, labels: object, weights: object | None, tally: Tally, predictions: object | None, scores: object | None) -> None:
        """Predict, then learn, row after row."""

    def score_matrix(self, matrix: Matrix, predictions: object | None, scores: object | None) -> None:
        """Predict every row and learn nothing."""

    @property
    def weights(self) -> dict[int | str, float]:
        """The weights that have moved from their initial value, by feature."""

    @property
    def intercept(self) -> float:
        """The weight of the bias; 0.0 without one."""

    @property
    def initial_weight(self) -> float:
        """The weight of a feature that has not been met."""

    @property
    def has_bias(self) -> bool:
        """Whether a feature that is always 1 is part of every row."""

    @property
    def potential(self) -> float:
        """The quantity that the proof of its theorem follows."""

    @property
    def variances(self) -> object:
        """
        The diagonal D of the factors U·D·Uᵀ of a full covariance, in the order in which features were met; empty without one.
        """

    @property
    def initial_variance(self) -> float:
        """
        The variance of a feature that has not been met, where there are variances; else 1.0.
        """

    @property
    def scalars(self) -> dict[str, float]:
        """The running numbers of the rule."""

    @property
    def rounds_learned(self) -> int | None:
        """
        The number of labelled rounds of a weight above 0 that it has learned; None where an older model file did not keep it.
        """

    def adopt(self, other: Linear) -> None:
        """Becomes a copy of another learner."""

    def state(self) -> dict[str, Any]:
        """Everything there is to save."""

    def restore(self, state: dict[str, Any]) -> None:
        """Becomes what state() described."""

class Multiclass:
    """
    A learner of several classes: for each feature a number for every class, and a rule.
    """

    def __init__(self, rule: str, parameters: Mapping[str, float], bias: bool, scale: str = 'none') -> None: ...

    def score(self, x: object | None) -> dict[int | str, float]:
        """The score of every class, by class, the smallest first."""

    def predict(self, x: object | None) -> int | str | None:
        """
        The class with the largest score, a tie to the smallest; None while no class is known. Changes nothing.
        """

    def learn(self, x: object | None, y: object | None, weight: float = 1.0) -> bool:
        """
        Learns that the class of x is y, or what every class costs (a dict); True when the weights changed. None teaches nothing.
        """

    def announce(self, classes: object) -> None:
        """Makes classes known before they are seen; they start at zero."""

    def loss_of(self, scores: dict[int | str, float], y: object) -> float:
        """What the learner suffers for these scores when the class is y."""

    def class_number(self, y: object | None) -> int:
        """The place of a class in the order in which they joined; −1 for none."""

    def play_matrix(self, matrix: Matrix, labels: object, weights: object | None, tally: Tally, predictions: object | None, scores: object | None) -> None:
        """Predict, then learn, row after row."""

    def score_matrix(self, matrix: Matrix, predictions: object | None, scores: object | None) -> None:
        """Predict every row and learn nothing."""

    @property
    def classes(self) -> list[int | str]:
        """The classes known, the smallest first; numbers come before words."""

    @property
    def joined(self) -> list[int | str]:
        """The classes in the order in which they joined."""

    @property
    def weights(self) -> dict[int | str, dict[int | str, float]]:
        """The weights other than 0, by class, then by feature."""

    @property
    def intercept(self) -> dict[int | str, float]:
        """The weight of the bias, by class."""

    @property
    def has_bias(self) -> bool:
        """Whether a feature that is always 1 is part of every row."""

    @property
    def potential(self) -> float:
        """The quantity that the proof of its theorem follows."""

    @property
    def scalars(self) -> dict[str, float]:
        """The running numbers of the rule."""

    @property
    def rounds_learned(self) -> int | None:
        """
        The number of labelled rounds of a weight above 0 that it has learned; None where an older model file did not keep it.
        """

    def adopt(self, other: Multiclass) -> None:
        """Becomes a copy of another learner."""

    def state(self) -> dict[str, Any]:
        """Everything there is to save."""

    def restore(self, state: dict[str, Any]) -> None:
        """Becomes what state() described."""

class Group:
    """
    Linear learners of one rule side by side; each does what it would do alone.
    """

    @staticmethod
    def of(learners: Sequence[Linear]) -> Group | None:
        """Copies of the learners, side by side; None when they cannot stand so."""

    def __len__(self) -> int: ...

    def clone(self) -> Group:
        """A copy that shares nothing."""

    @property
    def rounds_learned(self) -> list[int | None]:
        """
        The number of labelled rounds that each member has learned; None where it is not known.
        """

    def write(self, member: int, learner: Linear) -> None:
        """Makes a learner of the same spec what this member is."""

    def predict(self, x: object | None) -> list[float]:
        """What each member says. Changes nothing."""

    def learn(self, x: object | None, y: float, weight: float) -> None:
        """Teaches every member, or none."""

    def rehearse(self, x: object | None, y: float, weight: float) -> None:
        """Raises what learn would raise, and changes nothing."""

    def play(self, matrix: Matrix, labels: object, weights: object | None, said: object) -> None:
        """Predict, then learn, row after row; `said` has a row for each member."""

    def predict_rows(self, matrix: Matrix, said: object) -> None:
        """Predict every row and learn nothing."""

class FeatureColumns:
    """Columns for features, numbered in the order in which they occur."""

    def __init__(self) -> None: ...

    def lay(self, matrix: Matrix, wanted: object) -> tuple[Any, Any, Any]:
        """
        Lays out the wanted rows: values, columns and starts; no feature twice, no zeros.
        """

    def add(self, feature: object) -> int:
        """The column of a feature, old or new."""

    def __len__(self) -> int: ...

    @property
    def features(self) -> list[int | str]:
        """The features, by column."""

def measure_rows(cells: object) -> tuple[Any, Any, Any]:
    """‖x‖² rounded up, max |xᵢ|, and max(0, xᵢ) − min(0, xᵢ) of every row."""

def score_directions(cells: object, table: object, rest: object, offsets: object, kinds: object, smallest: object) -> tuple[Any, Any]:
    """⟨u, x⟩ of every row for several u, from below and from above."""

def add_weighted_rows(cells: object, factors: object, into: object) -> None:
    """Adds every row times its factor, by column."""

class Bins:
    """Margins by size: count, sum and sum of squares of each 3 % bin."""

    def __init__(self) -> None: ...

    def add(self, margins: object, wanted: object | None = None, weights: object | None = None) -> None: ...

    def table(self) -> tuple[Any, Any, Any, Any, Any]:
        """
        Lowest margin, lowest margin of the next bin, count, sum and sum of squares of the bins that are not empty.
        """

    @property
    def least(self) -> float:
        """The least margin, exactly; infinity without rounds."""

    @property
    def most(self) -> float:
        """The largest margin, exactly."""

    @property
    def whole(self) -> bool:
        """Whether all margins are whole numbers, each of weight 1."""

    @property
    def rounds(self) -> int:
        """How many margins were added."""

    @property
    def wrong(self) -> int:
        """How many of them were 0 or less."""

def descend_dual(cells: object, labels: object, squares: object, bias: bool, limit: float, diagonal: float, alpha: object, u: object, epochs: int, tolerance: float, seed: int) -> int:
    """
    Dual coordinate descent on ½‖u‖² + C·Σ hinge, or half the squared hinge; writes alpha and u, gives the number of epochs.
    """

def mixtures(cells: object, labels: object, width: int, bias: bool, is_signed: bool, margin: float, rate: float, epochs: int, seed: int) -> Any:
    """
    Mixtures of features by exponentiated gradient on the hinge at a margin, one after each epoch.
    """

class GradientSums:
    """Sums over the gradients of every feature."""

    def __init__(self, rule: str, parameters: Sequence[float]) -> None: ...

    def add(self, cells: object, factors: object, width: int, bias: bool) -> None: ...

    def column(self, name: str) -> Any:
        """One sum by column, that of the bias behind the others."""

    @property
    def largest(self) -> float:
        """The largest |g| of a feature."""

def score_kernels(kind: int, gamma: float, degree: float, offset: float, cells: object, examples: object, coefficients: object) -> tuple[Any, Any, Any]:
    """
    Σ a·K(z, x) of every row for several functions, from below and from above; and K(x, x) from above.
    """

def kernel_matrix(kind: int, gamma: float, degree: float, offset: float, cells: object) -> Any:
    """K(z, z') for all pairs of rows, about."""

class Experts:
    """A rule that weighs experts."""

    def __init__(self, rule: str, n: int, parameters: Mapping[str, float], loss: str, quantile: float, gradient: bool) -> None: ...

    @property
    def n(self) -> int:
        """How many experts there are."""

    def core_weights(self, advice: object | None) -> object: ...

    def core_predict(self, advice: object) -> float: ...

    def core_learn_losses(self, losses: object) -> float: ...

    def core_learn_advice(self, advice: object, truth: float) -> tuple[float, float]: ...

    def core_learn_late(self, advice: object, prediction: float, weights: object, waiting: float, truth: float) -> float: ...

    def core_play_losses(self, losses: object, own: object, history: object | None) -> None: ...

    def core_play_advice(self, advice: object, truths: object, said: object, own: object, history: object | None, prices: object | None) -> None: ...

    def core_grow(self, count: int) -> None: ...

    def adopt(self, other: Experts) -> None:
        """Becomes a copy of another rule."""

    @property
    def scalars(self) -> dict[str, float]:
        """The running numbers of the rule."""

    def lanes(self) -> dict[str, object]:
        """What the rule keeps for each expert, by name."""

    def core_restore(self, lanes: dict[str, object], scalars: dict[str, float]) -> None: ...

class FiniteClass:
    """A 0/1 table of hypotheses and points, as bits."""

    def __init__(self, packed: object, hypotheses: int, points: int) -> None:
        """
        Takes the columns, each as little-endian bits filled up to whole words of eight bytes.
        """

    @property
    def hypotheses(self) -> int: ...

    @property
    def points(self) -> int: ...

    def says(self, hypothesis: int, point: int) -> bool:
        """What a hypothesis says at a point."""

    def column(self, point: int) -> numpy.typing.NDArray[numpy.uint8]:
        """The packed column of a point."""

class VersionSpace:
    """The hypotheses that agree with all labels so far."""

    def __init__(self, all: FiniteClass) -> None: ...

    def __copy__(self) -> VersionSpace: ...

    @property
    def size(self) -> int: ...

    def ones(self, point: int) -> int:
        """How many of them say 1 at a point."""

    def member(self, rank: int) -> int:
        """The hypothesis of this rank, counted from 0."""

    def restrict(self, point: int, label: bool) -> int:
        """Keeps those that say `label` at a point; how many went."""

    def key(self) -> bytes:
        """Its bits: equal for equal version spaces."""

class Search:
    """
    Dimensions of a class and of its version spaces, exactly; remembers what it found.
    """

    def __init__(self, all: FiniteClass) -> None: ...

    def littlestone(self, space: VersionSpace, limit: int | None, told: object | None) -> tuple[int, int]:
        """
        Proven bounds of the Littlestone dimension, equal unless the limit was met.
        """

    def tree(self, space: VersionSpace, depth: int, told: object | None) -> list[int]:
        """The points of a shattered tree, node after node."""

    def vc(self, limit: int | None, told: object | None) -> tuple[int, int, list[int]]:
        """
        Proven bounds of the VC dimension, and shattered points as many as the lower one.
        """
