"""LLaMA-Factory's dataclasses in one namespace, and axolotl's pydantic model in both of its layouts."""

HPARAMS = {
    "llamafactory/hparams/model_args.py": (
        "from dataclasses import dataclass, field\n@dataclass\nclass Base:\n    trust_remote_code: bool = field(default=False)\n"
        "@dataclass\nclass ModelArguments(Base):\n    model_name_or_path: str = field(metadata={'help': 'x'})\n"
    ),
    "llamafactory/hparams/finetuning_args.py": (
        "from dataclasses import dataclass, field\nfrom typing import Literal\n@dataclass\nclass FinetuningArguments:\n"
        "    stage: Literal['sft', 'dpo'] = field(default='sft')\n"
    ),
}
SCHEMA = (
    "from pydantic import BaseModel, Field\nclass TRLConfig(BaseModel):\n    num_generations: int | None = None\n"
    "class AxolotlInputConfig(BaseModel):\n    trl: TRLConfig | None = None\n    sequence_len: int = Field(default=512)\n"
)


def test_llamafactory_reads_all_classes_that_a_release_has(harvest):
    (train,) = harvest("llamafactory", HPARAMS).values()
    assert train["stage"]["choices"] == ["sft", "dpo"]
    assert train["trust_remote_code"]["default"] is False
    assert train["model_name_or_path"]["required"] is True


def test_axolotl_in_wheels_and_source_archives(harvest):
    for root, place in (
        ("", "axolotl/utils/schemas/config.py"),
        ("src/", "axolotl/utils/config/models/input/v0_4_1/__init__.py"),
    ):
        plugin = "from pydantic import BaseModel\nclass LigerArgs(BaseModel):\n    liger_rope: bool | None = None\n"
        files = {root + place: SCHEMA, root + "axolotl/integrations/liger/args.py": plugin}
        tables = harvest("axolotl", files)
        assert tables["config"]["trl.num_generations"]["nullable"] is True
        assert tables["config"]["sequence_len"]["default"] == 512
        assert "liger_rope" in tables["plugins"]
