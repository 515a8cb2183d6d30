"""Facts of an rLLM run: verl's, except where rLLM's trainers count on their own, and those of runs on a training service."""

from __future__ import annotations

from collections.abc import Mapping

from grpolint.frameworks.asking import lower, option, through, truth
from grpolint.run import FactFunction, Run
from grpolint.values import Known, Origin, Unknown, Value, plain

__all__ = ["FACTS", "over_verl"]

_GROUPED = frozenset(("grpo", "rloo", "reinforce_plus_plus_baseline", "prpo"))
_ESTIMATORS = ("rllm.algorithm.adv_estimator", "algorithm.adv_estimator")
_SINGLE = frozenset(("reinforce", "reinforce_plus_plus", "gae"))


def _service(function: FactFunction) -> FactFunction:
    """A fact of a run in which a training service trains; verl's own functions tell it in the others."""
    return lambda run: None if "verl" in run.settings else function(run)


def _first(*keys: str) -> FactFunction:
    return option("rllm", *keys)


def _advantage(run: Run) -> Value | None:
    keys = ("rllm.algorithm.adv_estimator",) if "verl" in run.settings else _ESTIMATORS
    return through(lower, _first(*keys))(run)


def _group_relative(run: Run) -> Value | None:
    value = _advantage(run)
    if not isinstance(value, Known) and (value is None or isinstance(value, Unknown)):
        return value
    name = plain(value)
    if name not in _GROUPED | _SINGLE:
        return Unknown(f"computed:advantage estimator {name}", value.origins)
    return through(lambda each: each in _GROUPED, lambda _run: value)(run)


def _distillation(run: Run) -> Value | None:
    """Advantages that the workflow itself computes come from a teacher."""
    given = _first("rllm.algorithm.use_precomputed_advantage", "rllm.distill.enable")(run)
    if given is not None and (isinstance(given, Unknown) or truth(plain(given))):
        return through(truth, lambda _run: given)(run)
    if any(word in run.program.lower() for word in ("distill", "opsd", "opd")):
        return Known(True, (Origin("launch", None, run.program),))
    return None


def _group_size(run: Run) -> Value | None:
    keys = ("rllm.rollout.n",) if "verl" in run.settings else ("rllm.rollout.n", "training.group_size")
    return _counted(run, _first(*keys)(run))


def _counted(run: Run, value: Value | None) -> Value | None:
    """A workflow may make several trajectories in one rollout, which are compared too: one rollout need not be alone."""
    if value is None or plain(value) != 1 or "rllm.trainer." in run.program:
        return value
    own = run.settings["rllm"]
    if any(f"AgentTrainer.{name}" in own for name in ("agent_class", "env_class")):
        return value
    return Unknown("computed:trajectories of a rollout", value.origins)


def over_verl() -> Mapping[str, FactFunction]:
    """The facts of verl as they hold for rLLM's trainers."""
    from grpolint.frameworks.verl.facts import FACTS as VERL

    return {**VERL, "group_size": lambda run: _counted(run, VERL["group_size"](run))}


FACTS: Mapping[str, FactFunction] = {
    "advantage": _advantage,
    "group_relative": _group_relative,
    "group_size": _group_size,
    "distillation": _distillation,
    "train_batch_prompts": _service(_first("data.train_batch_size")),
    "learning_rate": _service(through(float, _first("training.learning_rate"))),
    "lora_rank": _service(_first("model.lora_rank")),
    "model": _service(_first("model.name")),
    "prompt_length": _service(_first("data.max_prompt_length")),
    "response_length": _service(_first("data.max_response_length")),
    "save_every": _service(_first("rllm.trainer.save_freq", "trainer.save_freq")),
}
