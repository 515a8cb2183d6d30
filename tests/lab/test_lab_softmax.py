"""The router softmax: rounding, overflow, NaN, and agreement of the chosen experts."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grpolint.lab import precision, softmax
from grpolint.lab.precision import FORMATS, rounded

finite = st.floats(-65504, 65504)


def neighbours(value, bits):
    """The two numbers of a format with `bits` significant bits around a normal value, as fractions."""
    exact = Fraction(value)
    exponent = math.frexp(value)[1] - bits
    step = Fraction(2) ** exponent
    low = exact // step
    return low * step, (low + 1) * step, low


@pytest.mark.parametrize(
    ("form", "bits", "least"), [("bf16", 8, 2.0**-126), ("fp16", 11, 2.0**-14), ("fp32", 24, 2.0**-126)]
)
@settings(deadline=None)
@given(value=st.floats(2.0**-10, 65000, width=32), negative=st.booleans())
def test_rounding_is_to_nearest_ties_to_even(form, bits, least, value, negative):
    below, above, low = neighbours(value, bits)
    exact = Fraction(value)
    if exact - below != above - exact:
        wanted = below if exact - below < above - exact else above
    else:
        wanted = below if low % 2 == 0 else above
    sign = -1 if negative else 1
    assert float(rounded(sign * value, form)) == sign * float(wanted)


@pytest.mark.parametrize("form", FORMATS)
@settings(deadline=None)
@given(values=st.lists(st.floats(allow_nan=False), min_size=2, max_size=20))
def test_rounding_keeps_order_and_shape_and_is_done_once(form, values):
    array = np.array(values)
    narrow = rounded(array, form)
    assert narrow.shape == array.shape
    ordered = narrow[np.argsort(array, kind="stable")]
    assert (ordered[1:] >= ordered[:-1]).all()
    assert np.array_equal(rounded(narrow, form), narrow)


@pytest.mark.parametrize("form", FORMATS)
def test_special_values_survive_rounding(form):
    out = rounded([math.nan, math.inf, -math.inf, 0.0, -0.0, 1e300], form)
    assert math.isnan(out[0])
    assert list(out[1:]) == [math.inf, -math.inf, 0.0, 0.0, math.inf]
    assert math.copysign(1, out[4]) == -1
    assert float(rounded(precision.largest(form), form)) == precision.largest(form)


def test_unknown_format():
    with pytest.raises(ValueError, match="fp8"):
        rounded(1.0, "fp8")


def test_fp16_exp_overflows_from_11_09_on_and_nowhere_near_65504():
    """Every one of the 31744 positive fp16 numbers is tried."""
    every = np.arange(0x7C00, dtype=np.uint16).view(np.float16)
    with np.errstate(over="ignore"):
        finite_exp = np.isfinite(rounded(np.exp(every.astype(np.float64)), "fp16"))
    last = every[finite_exp].max()
    assert precision.last_finite_exp("fp16") == (float(last), float(every[~finite_exp].min()))
    assert last == 11.0859375


@pytest.mark.parametrize("form", FORMATS)
def test_exp_overflows_at_the_logarithm_of_the_largest_number(form):
    last, first = precision.last_finite_exp(form)
    assert last < math.log(precision.largest(form)) * (1 + 1e-3)
    assert last <= math.log(precision.largest(form)) + (first - last)
    assert first > math.log(precision.largest(form)) - (first - last)
    assert float(rounded(first, form)) == first > last


@pytest.mark.parametrize("form", FORMATS)
@settings(deadline=None)
@given(row=st.lists(finite, min_size=1, max_size=64))
def test_all_finite_logits_give_a_finite_softmax(form, row):
    out = softmax.shifted(np.array(row), form)
    assert np.isfinite(out).all()
    assert (out >= 0).all()
    assert abs(out.sum() - 1) < 0.02 * len(row) + 0.01
    held = rounded(np.array(row), form)
    assert out[int(held.argmax())] == out.max()


@settings(deadline=None)
@given(row=st.lists(st.floats(-11, 11), min_size=1, max_size=8))
def test_naive_form_agrees_below_the_overflow(row):
    assert np.allclose(softmax.naive(np.array(row), "fp32"), softmax.shifted(np.array(row), "fp32"), atol=1e-5)


@settings(deadline=None)
@given(row=st.lists(finite, min_size=1, max_size=8), big=st.floats(11.1, 65504))
def test_naive_fp16_is_nan_as_soon_as_one_logit_passes_the_limit(row, big):
    assert np.isnan(softmax.naive(np.array([*row, big]), "fp16")).any()


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("row", [[math.inf, 0], [-math.inf, -math.inf], [math.nan, 0]])
def test_nan_needs_an_infinite_a_masked_or_a_nan_row(form, row):
    assert np.isnan(softmax.shifted(np.array(row), form)).any()


def test_casting_afterwards_does_not_help_but_forming_in_fp32_does():
    exact = np.array([70000.0, 0.0])
    assert np.isnan(softmax.shifted(rounded(exact, "fp16"), "fp32")).any()
    assert list(softmax.shifted(exact, "fp32")) == [1.0, 0.0]


@pytest.mark.parametrize("form", FORMATS)
@settings(deadline=None)
@given(data=st.data(), experts=st.integers(2, 12))
def test_sets_differ_only_where_two_logits_tie(form, data, experts):
    k = data.draw(st.integers(1, experts - 1))
    near = st.floats(-2, 2) | st.floats(0.99, 1.01)
    rows = data.draw(st.lists(st.lists(near, min_size=experts, max_size=experts), min_size=1, max_size=8))
    logits = np.array(rows)
    found = softmax.compare(logits, k, form)
    narrow = rounded(logits, form)
    differ = tied = 0
    for exact, low in zip(logits, narrow):
        wanted = set(sorted(range(experts), key=lambda i: (-exact[i], i))[:k])
        got = sorted(range(experts), key=lambda i: (-low[i], i))
        differ += wanted != set(got[:k])
        tied += low[got[k - 1]] == low[got[k]]
    assert found.differ == differ / len(rows)
    assert found.tied == tied / len(rows)
    assert found.differ <= found.tied


def test_half_of_the_ties_are_decided_otherwise():
    """Which of two tied logits has the lower index is a coin toss; the share has to be near a half."""
    found = softmax.compare(softmax.drawn(20000, 64, 3), 6, "bf16")
    ties = found.tied * 20000
    assert abs(found.differ / found.tied - 0.5) < 4 * 0.5 / math.sqrt(ties)


def test_disagreement_of_two_experts_has_a_closed_form():
    """For two independent normal logits the chance that both round to one bf16 value is a sum over cells."""

    def cdf(x):
        return 0.5 * (1 + math.erf(x / math.sqrt(2)))

    wanted = 0.0
    for exponent in range(-12, 3):
        for step in range(128):
            low = 2.0**exponent * (1 + step / 128 - 0.5 / 128)
            if step == 0:
                low = 2.0**exponent * (1 - 0.25 / 128)
            wanted += 2 * (cdf(2.0**exponent * (1 + (step + 0.5) / 128)) - cdf(low)) ** 2
    found = softmax.compare(softmax.drawn(200_000, 2, 0), 1, "bf16")
    assert abs(found.tied - wanted) < 4 * math.sqrt(wanted / 200_000)


def test_chunks_change_nothing(monkeypatch):
    logits = softmax.drawn(1000, 16, 0)
    whole = softmax.compare(logits, 4, "bf16")
    monkeypatch.setattr(softmax, "_CHUNK", 40)
    assert softmax.compare(logits, 4, "bf16") == whole


@pytest.mark.parametrize(("tokens", "experts", "k"), [(0, 4, 1), (3, 4, 4), (3, 4, 0)])
def test_no_top_k_to_compare(tokens, experts, k):
    with pytest.raises(ValueError, match=f"top-{k} of {experts}"):
        softmax.compare(np.zeros((tokens, experts)), k, "bf16")


def test_layers_compound():
    assert softmax.in_some_layer(0.0, 48) == 0
    assert softmax.in_some_layer(1.0, 1) == 1
    assert softmax.in_some_layer(0.5, 2) == 0.75


# the user's own logits


@pytest.fixture
def saved(tmp_path):
    def save(array, name="logits.npy"):
        np.save(tmp_path / name, array, allow_pickle=True)
        return str(tmp_path / name)

    return save


@pytest.mark.parametrize("kind", ["float16", "float32", "float64", ">f4"])
def test_reads_what_was_saved(saved, kind):
    array = np.arange(12, dtype=kind).reshape(3, 4)
    logits, name = softmax.read(saved(array))
    assert np.array_equal(logits, array)
    assert name == str(array.dtype)


def test_fortran_order_keeps_tokens_and_experts_apart(saved):
    array = np.asfortranarray(np.arange(12, dtype="f4").reshape(3, 4))
    assert np.array_equal(softmax.read(saved(array))[0], array)


@pytest.mark.parametrize(
    ("array", "message"),
    [
        (np.zeros(4), "shape (4,), where (tokens, experts) is needed"),
        (np.zeros((2, 3, 4)), "shape (2, 3, 4)"),
        (np.zeros((2, 4), int), "holds int64"),
        (np.zeros((0, 4)), "1 token and 2 to 65536 experts"),
        (np.zeros((4, 1)), "1 token and 2 to 65536 experts"),
        (np.array([[1, None]], object), "no complete .npy file of numbers"),
        (np.zeros((2, 2), [("a", "f4")]), "holds [('a', '<f4')]"),
    ],
)
def test_refuses_what_is_no_logits(saved, array, message):
    with pytest.raises(softmax.BadLogits) as error:
        softmax.read(saved(array))
    assert message in str(error.value)
    assert "\n" not in str(error.value)


def test_pickles_are_not_executed(saved, tmp_path):
    class Trap:
        def __reduce__(self):
            return (open, (str(tmp_path / "executed"), "w"))

    with pytest.raises(softmax.BadLogits):
        softmax.read(saved(np.array([[Trap(), Trap()]], object)))
    import pickle

    (tmp_path / "plain.npy").write_bytes(pickle.dumps(Trap()))
    with pytest.raises(softmax.BadLogits):
        softmax.read(str(tmp_path / "plain.npy"))
    assert not (tmp_path / "executed").exists()


def test_size_is_bounded(saved, monkeypatch):
    monkeypatch.setattr(softmax, "MOST_VALUES", 11)
    with pytest.raises(softmax.BadLogits, match="holds 12 values, above the limit of 11"):
        softmax.read(saved(np.zeros((3, 4))))


def test_a_header_that_promises_too_much(saved, tmp_path):
    path = saved(np.zeros((2, 4), "f4"))
    data = (tmp_path / "logits.npy").read_bytes()
    (tmp_path / "logits.npy").write_bytes(data.replace(b"(2, 4)", b"(2000000000, 4)")[: len(data)])
    with pytest.raises(softmax.BadLogits):
        softmax.read(path)


@settings(deadline=None)
@given(data=st.binary(max_size=300), keep=st.integers(0, 128))
def test_any_bytes_give_one_sentence(tmp_path_factory, data, keep):
    path = tmp_path_factory.mktemp("bytes") / "a.npy"
    np.save(path, np.zeros((2, 4), "f4"))
    path.write_bytes(path.read_bytes()[:keep] + data)
    try:
        logits, _ = softmax.read(str(path))
    except softmax.BadLogits as error:
        assert "\n" not in str(error)
    else:
        assert logits.ndim == 2


@pytest.mark.parametrize(
    "header",
    [
        b"{'descr': '<f4', 'shape': (2, 4",
        b"(" * 5000,
        b"{'descr': '<f4', 'fortran_order': 0L, 'shape': (2, 4)}",
        b"\xff" * 40,
    ],
)
def test_broken_headers_give_one_sentence(tmp_path, header):
    data = b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header + bytes(32)
    (tmp_path / "a.npy").write_bytes(data)
    with pytest.raises(softmax.BadLogits, match="no complete"):
        softmax.read(str(tmp_path / "a.npy"))


def test_missing_folder_and_archive(tmp_path):
    with pytest.raises(softmax.BadLogits, match="no such file"):
        softmax.read(str(tmp_path / "none.npy"))
    with pytest.raises(softmax.BadLogits, match="no regular file"):
        softmax.read(str(tmp_path))
    np.savez(tmp_path / "a.npz", a=np.zeros((2, 2)))
    with pytest.raises(softmax.BadLogits, match="archive"):
        softmax.read(str(tmp_path / "a.npz"))


def test_rows_are_sorted_by_what_is_wrong_with_them():
    logits = np.array([[1, 2], [12, 0], [np.inf, 0], [-np.inf, -np.inf], [np.nan, np.inf], [-np.inf, 3]])
    found = softmax.rows(logits, 11.0859375)
    assert (found.tokens, found.masked, found.infinite, found.unset, found.bursting) == (6, 1, 1, 1, 1)
    assert found.largest == 12
    assert found.usable.tolist() == [[1, 2], [12, 0], [-np.inf, 3]]
    assert softmax.without_result(logits, "fp16") == 3
