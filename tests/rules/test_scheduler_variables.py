"""A default for a variable that the cluster sets says nothing about the job."""

import pytest

from grpolint.documents.source import Source
from grpolint.reader import read
from grpolint.values import Known, Unknown
from grpolint.world import Supplied

SCRIPT = """\
export NNODES=${%s:-1}
python3 -m verl.trainer.main_ppo algorithm.adv_estimator=grpo trainer.nnodes=$NNODES trainer.n_gpus_per_node=8
"""


def world_size(variable, **env):
    reading = read(Source("run.sh", SCRIPT % variable), Supplied(env=env))
    return reading.runs[0].fact("world_size")


@pytest.mark.parametrize("variable", ["SLURM_NNODES", "WORLD_SIZE", "PET_NNODES", "MLP_WORKER_NUM"])
def test_set_by_the_cluster(variable):
    found = world_size(variable)
    assert isinstance(found, Unknown)
    assert found.reason == f"env:{variable}"
    assert world_size(variable, **{variable: "4"}).value == 32


def test_set_by_the_user():
    found = world_size("MY_NODES")
    assert isinstance(found, Known)
    assert found.value == 8
