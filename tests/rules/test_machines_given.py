"""What the user says of the machines stands in for what the script does not tell."""

from grpolint.cli.main import main

SCRIPT = (
    "python3 -m verl.trainer.main_ppo algorithm.adv_estimator=grpo data.train_batch_size=100 trainer.nnodes=$N "
    "trainer.n_gpus_per_node=$G actor_rollout_ref.rollout.n=5 actor_rollout_ref.actor.use_dynamic_bsz=False\n"
)


def test_machines_given_decide(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "run.sh").write_text(SCRIPT)
    main(["check", "run.sh"])
    assert "VE002" not in capsys.readouterr().out
    main(["check", "run.sh", "--nodes", "2", "--gpus-per-node", "8"])
    assert "500, not divisible by 16 GPUs" in capsys.readouterr().out
