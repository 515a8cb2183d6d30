"""Python files: the calls that configure training, with the values that the file itself decides."""

import textwrap

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from grpolint.documents.nodes import Mapping, Opaque, Scalar, Sequence
from grpolint.documents.python import parse
from grpolint.documents.scalars import data
from grpolint.documents.source import Source, decode


def read(text):
    return parse(Source("train.py", textwrap.dedent(text)))


def only(document, name="GRPOConfig"):
    calls = list(document.named(name))
    assert len(calls) == 1
    return calls[0]


def value(text, key="x"):
    """The node that `C(x=...)` receives at the end of a program."""
    return only(read(text), "C").arguments.get(key)


def known(text, key="x"):
    node = value(text, key)
    assert not isinstance(node, Opaque), node
    return data(node)


def test_a_call_has_its_resolved_name_its_keywords_and_their_places():
    document = read(
        """
        from trl import GRPOConfig as Config
        import trl
        BETA = 0.04
        args = Config("out", learning_rate=1e-6, beta=BETA, loss_type="dapo")
        """
    )
    call = only(document)
    assert (call.name, call.written, call.target) == ("trl.GRPOConfig", "Config", "args")
    assert [data(node) for node in call.positional] == ["out"]
    assert data(call.arguments) == {"learning_rate": 1e-6, "beta": 0.04, "loss_type": "dapo"}
    assert call.arguments.entry("beta").span.text == "beta=BETA"
    assert call.arguments.entry("beta").key_span.text == "beta"
    assert (call.arguments.get("beta").span.text, call.arguments.get("beta").span.line) == ("0.04", 4)
    assert call.span.text.startswith("Config(")
    assert not document.problems


@pytest.mark.parametrize(
    ("program", "expected"),
    [
        ("a = 8\nb = a * 2\nC(x=b // 3 + 1)", 6),
        ("a = 1\na = 2\nC(x=a)", 2),
        ("n = 'Qwen'\nC(x=f'{n}/{n}-8B')", "Qwen/Qwen-8B"),
        ("C(x='a' 'b' + 'c')", "abc"),
        ("C(x='-'.join(['a', 'b']))", "a-b"),
        ("C(x='{}/{}'.format('a', 3))", "a/3"),
        ("C(x='%s-%d' % ('a', 3))", "a-3"),
        ("import os\nC(x=os.path.join('/a', 'b', 'c.json'))", "/a/b/c.json"),
        ("C(x=[1, *[2, 3]] + [4])", [1, 2, 3, 4]),
        ("d = {'a': 1}\nC(x={**d, 'b': 2})", {"a": 1, "b": 2}),
        ("C(x=dict(a=1, b='c'))", {"a": 1, "b": "c"}),
        ("d = {'a': {'b': 1}}\nC(x=d['a']['b'])", 1),
        ("a, b = 1, 2\nC(x=b)", 2),
        ("C(x=1 if 2 > 1 else 3)", 1),
        ("C(x=not True or 5)", 5),
        ("a = None\nC(x=a or 'b')", "b"),
        ("C(x=int('8') + len('abc'))", 11),
        ("C(x=-1e-3)", -1e-3),
        ("a = 5\na += 3\nC(x=a)", 8),
        ("a = ['x']\na.append('y')\na += ['z']\nC(x=a)", ["x", "y", "z"]),
        ("d = {}\nd['a'] = 1\nd.update({'b': 2}, c=3)\nd.pop('b')\nC(x=d)", {"a": 1, "c": 3}),
        ("d = {'a': {'b': 1}}\nd['a']['b'] = 2\nC(x=d)", {"a": {"b": 2}}),
        ("d = {'a': 1}\ne = d\ne['a'] = 2\nC(x=d)", {"a": 2}),
        ("if True:\n    a = 1\nelse:\n    a = 2\nC(x=a)", 1),
        ("import os\nif os.name:\n    a = 1\nelse:\n    a = 1\nC(x=a)", 1),
        ("class Config:\n    lr = 1e-6\nC(x=Config.lr)", 1e-6),
        ("class Config:\n    lr: float = 1e-6\nc = Config()\nC(x=c.lr)", 1e-6),
        (
            "from dataclasses import dataclass\n@dataclass\nclass K:\n    a: int = 1\n    b: int = 2\nk = K(b=3)\nC(x=k.b + k.a)",
            4,
        ),
        ("A = 7\ndef main():\n    C(x=A)\nmain()", 7),
        ("def main(lr=1e-5, n=4):\n    C(x=lr)\nmain(1e-6)", 1e-6),
        ("def main(lr=1e-5):\n    C(x=lr)\nif __name__ == '__main__':\n    main()", 1e-5),
        ("import os\nos.environ['N'] = '4'\nC(x=int(os.environ['N']))", 4),
        ("match 'H100':\n    case 'A100':\n        a = 1\n    case 'H100':\n        a = 2\nC(x=a)", 2),
        ("C(x=' '.join(map(str, [1, 2] + list(range(3, 5)))))", "1 2 3 4"),
        ("C(x=(y := 3))", 3),
    ],
)
def test_what_the_file_decides_is_folded(program, expected):
    found = known(program)
    assert found == expected
    assert type(found) is type(expected)


@pytest.mark.parametrize(
    ("program", "reason"),
    [
        ("C(x=f(1))", "expression:f(1)"),
        ("import torch\nC(x=torch.bfloat16)", "expression:torch.bfloat16"),
        ("import os\nC(x=os.environ['LR'])", "env:LR"),
        ("import os\nC(x=int(os.environ.get('LR')))", "env:LR"),
        ("def main(lr):\n    C(x=lr)", "argument:lr"),
        ("def main(lr=1):\n    C(x=lr)\nmain(2)\nmain(3)", "argument:lr"),
        ("a = 1\nif f():\n    a = 2\nC(x=a)", "branch:2"),
        ("a = 1\nif f():\n    a += 1\nC(x=a)", "branch:2"),
        ("a = 1\nfor i in range(3):\n    a = a * 2\nC(x=a)", "branch:2"),
        ("a = 1\nwhile f():\n    a = 2\nC(x=a)", "branch:2"),
        ("try:\n    a = 1\nexcept E:\n    a = 2\nC(x=a)", "branch:1"),
        ("d = {'a': 1}\nif f():\n    d['a'] = 2\nC(x=d)", "branch:2"),
        ("d = [1]\nfor i in y:\n    d.append(i)\nC(x=d)", "branch:2"),
        ("a = 1\ndel a\nC(x=a)", "expression:a"),
        ("A = 1\nA = 2\ndef main():\n    C(x=A)", "expression:A"),
        ("A = 1\ndef f():\n    global A\n    A = 2\ndef main():\n    C(x=A)", "expression:A"),
        ("x = [C(x=i) for i in [1, 2]]\ni = 5", "expression:i"),
        ("i = 5\nf = lambda i: C(x=i)", "expression:i"),
        ("d = {'a': 1}\nd[f()] = 2\nC(x=d)", "expression:d"),
        ("a = 'x' * 10 ** 9\nC(x=a)", "expression:'x' * 10 ** 9"),
        ("C(x=10 ** 10 ** 10)", "expression:10 ** 10 ** 10"),
        ("C(x=1 << 10 ** 9)", "expression:1 << 10 ** 9"),
        ("C(x='%999999999d' % 1)", "expression:'%999999999d' % 1"),
        ("C(x=f'{1:999999999}')", "expression:1"),
        ("C(x=1 / 0)", "expression:1 / 0"),
        ("with open('f') as a:\n    C(x=a)", "expression:open('f')"),
        ("class K:\n    def __init__(self, lr):\n        C(x=self.lr)", "expression:self.lr"),
    ],
)
def test_what_the_file_does_not_decide_stays_unknown(program, reason):
    node = value(program)
    assert isinstance(node, Opaque), node
    assert node.reason == reason


@pytest.mark.parametrize(
    ("program", "reason", "default"),
    [
        ("import os\nC(x=os.environ.get('LR', '1e-6'))", "env:LR", "1e-6"),
        ("import os\nC(x=float(os.getenv('LR', '1e-6')) * 2)", "env:LR", 2e-6),
        ('import os\nC(x=f\'/data/{os.getenv("D", "x")}\')', "env:D", "/data/x"),
        ("import os\nC(x=8 if os.getenv('BIG', '') else 4)", "env:BIG", 4),
        ("import os\nC(x=os.environ.get('A') or 'b')", "env:A", None),
        ("def main(lr: float = 1e-6):\n    C(x=lr * 2)\nfire.Fire(main)", "argument:lr", 2e-6),
        # an option without a value by default is there to be given
        ("def main(lora=None):\n    C(x=lora is not None)\nfire.Fire(main)", "argument:lora", None),
    ],
)
def test_a_value_that_holds_where_nobody_interferes_is_kept_as_default(program, reason, default):
    node = value(program)
    assert isinstance(node, Opaque)
    assert node.reason == reason
    assert (data(node.default) if node.default is not None else None) == default


def test_options_of_argparse():
    document = read(
        """
        import argparse
        parser = argparse.ArgumentParser()
        parser.add_argument("--learning-rate", "-l", type=float, default=1e-6)
        parser.add_argument("--fast", action="store_true")
        parser.add_argument("--model", required=True)
        parser.add_argument("--steps", dest="max_steps", default=10)
        args = parser.parse_args()
        args.extra = 3
        C(a=args.learning_rate, b=args.fast, c=args.model, d=args.max_steps, e=args.extra)
        """
    )
    found = {entry.key: entry.value for entry in only(document, "C").arguments.entries}
    assert [found[key].reason for key in "abcd"] == [
        "argument:--learning-rate",
        "argument:--fast",
        "argument:--model",
        "argument:--steps",
    ]
    assert [data(found[key].default) for key in "abd"] == [1e-6, False, 10]
    assert found["c"].default is None
    assert data(found["e"]) == 3
    assert [(option.name, option.dest) for option in document.options][:2] == [
        ("--learning-rate", "learning_rate"),
        ("--fast", "fast"),
    ]


def test_dataclasses_filled_by_a_parser():
    document = read(
        """
        from dataclasses import dataclass, field
        from trl import GRPOConfig, GRPOTrainer, TrlParser
        @dataclass
        class ScriptArguments:
            reward: str = field(default="accuracy", metadata={"help": "x"})
            path: str
        parser = TrlParser((ScriptArguments, GRPOConfig))
        script, training = parser.parse_args_and_config()
        C(a=script.reward, b=script.path, c=training.beta)
        """
    )
    found = {entry.key: entry.value for entry in only(document, "C").arguments.entries}
    assert [found[key].reason for key in "abc"] == ["argument:--reward", "argument:--path", "expression:training.beta"]
    assert data(found["a"].default) == "accuracy"
    assert [option.name for option in document.options] == ["--reward", "--path"]


def test_dataclass_as_the_parameter_of_a_function():
    text = "@dataclass\nclass Args(U.Base):\n    n: int = 8\ndef run(args: Args):\n    C(x=args.n, y=args.other)\ntyper.run(run)"
    call = only(read(text), "C")
    assert (call.arguments.get("x").reason, data(call.arguments.get("x").default)) == ("argument:--n", 8)
    assert isinstance(call.arguments.get("y"), Opaque)


def test_settings_made_on_the_object_after_the_call():
    document = read(
        """
        cfg = GRPOConfig(beta=0.0, lr=1)
        cfg.beta = 0.04
        if f():
            cfg.lr = 2
        C(x=cfg.beta)
        """
    )
    call = only(document)
    assert [entry.key for entry in call.arguments.entries] == ["beta", "lr", "beta", "lr"]
    assert call.arguments.entry("beta").span.text == "cfg.beta = 0.04"
    assert call.arguments.entry("beta").key_span.text == "beta"
    assert call.arguments.get("lr").reason == "branch:4"
    assert data(only(document, "C").arguments.get("x")) == 0.04


def test_keywords_from_a_dictionary():
    call = only(read("base = {'beta': 0.1, 'lr': 1}\nGRPOConfig(**base, n=8)"))
    assert (data(call.arguments), call.open_ended) == ({"beta": 0.1, "lr": 1, "n": 8}, False)
    assert call.arguments.entry("beta").span.text == "'beta': 0.1"
    assert only(read("GRPOConfig(**f(), n=8)")).open_ended
    assert only(read("GRPOConfig(*a)")).open_ended


def test_results_that_are_passed_on_lead_to_their_call():
    document = read("args = GRPOConfig(beta=0)\nt = GRPOTrainer(model='m', args=args, peft_config=LoraConfig(r=16))")
    trainer = only(document, "GRPOTrainer")
    assert trainer.made_by["args"] is only(document)
    assert trainer.made_by["peft_config"] is only(document, "LoraConfig")
    assert data(trainer.arguments.get("model")) == "m"


def test_a_configuration_dictionary_keeps_its_places():
    document = read("ds = {\n  'zero_optimization': {'stage': 3},\n}\ndeepspeed.initialize(model=m, config=ds)")
    config = only(document, "initialize").arguments.get("config")
    assert config.get("zero_optimization").entry("stage").span.text == "'stage': 3"


def test_condition_and_function_of_a_call():
    document = read("def main():\n    if f():\n        GRPOConfig(a=1)\n\nif 1 > 2:\n    GRPOConfig(b=2)\n")
    call = only(document)
    assert (call.condition, call.function) == ("branch:2", "main")
    assert data(call.arguments) == {"a": 1}


def test_the_environment_that_a_script_sets():
    document = read(
        "import os\nos.environ['A'] = '1'\nos.environ.update({'B': '2'})\nos.environ.setdefault('D', '4')\nos.environ['C'] = f()\n"
    )
    found = {entry.key: entry.value for entry in document.environment}
    assert [data(found[key]) for key in "AB"] == ["1", "2"]
    assert (found["D"].reason, data(found["D"].default)) == ("env:D", "4")
    assert found["C"].reason == "expression:f()"


def test_a_command_line_in_strings_keeps_the_place_of_each_option():
    text = """
    import os
    N = 8
    NAME = os.environ.get("NAME", "q")
    perf_args = (
        "--tensor-model-parallel-size 2 "  # two
        f"--gpus {N} "
        '--json \\'{"a": 1}\\' '
    )
    if os.environ.get("X"):
        perf_args += "--extra "
    train_args = f"{perf_args} --model {NAME} " f"{U.default(__file__)} " "--last"
    U.execute_train(train_args=train_args, megatron_model_type="qwen")
    """
    document = read(text)
    call = only(document, "execute_train")
    whole = call.texts["train_args"]
    assert whole.known is None
    assert [piece.unknown for piece in whole.pieces if piece.unknown] == [
        "branch:10",
        "env:NAME",
        "expression:U.default(__file__)",
    ]
    source = whole.source(lambda piece: piece.default or "?")
    assert source.text == "--tensor-model-parallel-size 2 --gpus 8 --json '{\"a\": 1}' ? --model q ? --last"
    for word in ("--tensor-model-parallel-size 2", "--gpus", "--json", "--model", "--last"):
        at = source.text.index(word)
        assert source.span(at, at + len(word)).outer().text == word
    at = source.text.index("'{")
    assert source.span(at, at + 10).outer().text == "\\'{\"a\": 1}\\'"
    assert document.strings["perf_args"].known is None
    assert "train_args" in document.strings


@pytest.mark.parametrize("mark", ["", "\ufeff"])
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_places_are_characters_whatever_the_encoding(mark, newline):
    text = mark + newline.join(["# \u00e9\U0001f600", "a = '\u4e2d'; C(x='\U0001f600\u00e9', y=2)", "D(z=1)", ""])
    document = parse(decode(text.encode(), "a.py"))
    assert [entry.span.text for entry in only(document, "C").arguments.entries] == ["x='\U0001f600\u00e9'", "y=2"]
    assert only(document, "D").span.text == "D(z=1)"


def test_what_stands_before_a_syntax_error_is_read():
    document = read("GRPOConfig(beta=1)\n\ndef f(:\n    pass\n\nx = 3\n")
    assert len(document.problems) == 1
    assert document.problems[0].message.startswith("not valid Python 3.")
    assert document.problems[0].span.line == 3
    assert data(only(document).arguments) == {"beta": 1}
    old = read("GRPOConfig(beta=1)\nprint 'x'\n")
    assert len(old.problems) == 1
    assert only(old)


def test_bytes_that_are_not_utf8_do_not_hinder():
    document = parse(decode(b"# caf\xe9\nC(x='\xe9', y=1)\n", "a.py"))
    assert data(only(document, "C").arguments.get("y")) == 1


@pytest.mark.parametrize(
    "text",
    [
        "(" * 100_000,
        "[" * 150 + "]" * 150,
        "-" * 50_000 + "1",
        "x = " + "+".join(["1"] * 20_000),
        "x = " + "+".join(["'a'"] * 800) + "\nC(x=x)",
        "x" + ".a" * 20_000,
        "\x00",
        "\ud800\udfff",
        "if a:\n  b\n" * 5_000,
        "if x: a=1\n" + "elif x: a=1\n" * 500,
        "a = 'x'\n" + "a = a + a\n" * 200 + "C(x=a)",
        "a = [1]\n" + "a = [a, a, a, a, a, a, a, a]\n" * 200 + "C(x=a)",
        "a = {'k': 1}\n" + "a = {'x': a, 'y': a}\n" * 200 + "C(x=a)",
        "a = 3\n" + "a = a * a\n" * 200 + "C(x=a)",
        "a = 'x'\n" + "a = f'{a}{a}{a}'\n" * 200 + "C(x=a)",
        "".join(f"a{n} = {n}\n" for n in range(5_000)) + "if f():\n  pass\n" * 2_000,
        "d = {}\n" + "".join(f"d['k{n}'] = {n}\n" for n in range(5_000)) + "C(x=d)",
        "def f(): pass\n" * 5_000,
        "".join(" " * n + "if a:\n" for n in range(99)) + " " * 99 + "C(x=1)",
        "x = '" + "a" * 2_000_000 + "'",
        "x = " + "9" * 6_000,
        "C(" + ",".join(f"a{n}={n}" for n in range(5_000)) + ")",
    ],
    ids=lambda text: repr(text[:12]),
)
def test_hostile_text_ends_soon_and_without_an_exception(text):
    document = parse(Source("a.py", text))
    for call in document.calls:
        assert sum(1 for _ in leaves(call.arguments)) <= 200_000


def leaves(node):
    stack = [node]
    while stack:
        at = stack.pop()
        yield at
        if isinstance(at, Mapping):
            stack.extend(entry.value for entry in at.entries)
        elif isinstance(at, Sequence):
            stack.extend(at.items)


NUMBERS = st.integers(-20, 20).map(str) | st.sampled_from(["1.5", "0.25", "1e-3", "True", "None"])
TEXTS = st.text("ab \\'\"\n\u00e9{}%", max_size=6).map(repr)
EXPRESSIONS = st.recursive(
    NUMBERS | TEXTS,
    lambda inner: st.one_of(
        st.tuples(
            inner,
            st.sampled_from(["+", "-", "*", "/", "//", "%", "**", "==", "!=", "<", "<=", "and", "or", "in"]),
            inner,
        ).map(lambda part: f"({' '.join(part)})"),
        st.lists(inner, max_size=3).map(lambda part: f"[{', '.join(part)}]"),
        st.tuples(inner, inner, inner).map(lambda part: f"({part[0]} if {part[1]} else {part[2]})"),
        inner.map(lambda part: f"(not {part})"),
        st.tuples(st.sampled_from(["str", "int", "float", "bool", "len"]), inner).map(
            lambda part: f"{part[0]}({part[1]})"
        ),
        inner.map(lambda part: f"[{part}][0]"),
    ),
    max_leaves=8,
)


@pytest.mark.filterwarnings("ignore")
@settings(max_examples=200, deadline=None)
@given(EXPRESSIONS)
@example("('a' * 3)")
def test_a_folded_value_is_what_python_computes(expression):
    node = value(f"C(x={expression})")
    if any(isinstance(part, Opaque) for part in leaves(node)):
        return
    expected = eval(expression)  # must not raise: then there was nothing to fold
    found = data(node)
    assert (found, type(found)) == (expected, type(expected))


LITERALS = st.tuples(
    st.sampled_from(["", "r", "f", "u", "rf", "b"]),
    st.sampled_from(["'", '"', "'''", '"""']),
    st.lists(
        st.sampled_from(
            [
                "a",
                " ",
                "--x",
                "\\n",
                "\\t",
                "\\x41",
                "\\u00e9",
                "\\\\",
                "{{",
                "}}",
                "\u4e2d",
                "\\\n",
                "{N}",
                "{N:d}",
                "\\'",
            ]
        ),
        max_size=8,
    ),
)


@pytest.mark.filterwarnings("ignore")
@settings(max_examples=150, deadline=None)
@given(st.lists(LITERALS, min_size=1, max_size=3), st.sampled_from([" ", " + ", "  # x\n "]))
def test_text_from_literals_is_exact_and_every_character_has_its_place(literals, glue):
    program = (
        "N = 7\nC(x=(" + glue.join(f"{prefix}{quote}{''.join(body)}{quote}" for prefix, quote, body in literals) + "))"
    )
    names = {}
    try:
        exec(program, {"C": lambda x: names.update(x=x)})
    except (SyntaxError, NameError, TypeError):
        return
    if not isinstance(names["x"], str):
        return
    call = only(parse(Source("a.py", program)), "C")
    assert data(call.arguments.get("x")) == names["x"]
    text = call.texts.get("x")
    if text is None:
        return
    source = text.source(lambda piece: "?")
    assert source.text == names["x"]
    for index, char in enumerate(source.text):
        written = source.span(index, index + 1).outer().text
        assert written == char or written[0] in "\\{}\"'N7" or len(written) > 1
        if char in "ax-\u4e2d" and "r" not in {prefix for prefix, _, _ in literals}:
            assert char in written


@settings(max_examples=150, deadline=None)
@given(st.text("C(x=1)\n :[]'\"{}f#if\\del", max_size=40))
def test_any_text_gives_a_document(text):
    document = parse(Source("a.py", text))
    for problem in document.problems:
        assert 0 <= problem.span.start <= problem.span.end <= len(text)
    for call in document.calls:
        assert isinstance(call.arguments, Mapping)
        assert all(isinstance(node, (Scalar, Sequence, Mapping, Opaque)) for node in call.positional)
