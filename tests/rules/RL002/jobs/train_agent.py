from jobs.search import SearchAgent, SearchEnv
from rllm.data.dataset import DatasetRegistry
from rllm.trainer.agent_trainer import AgentTrainer

import hydra


@hydra.main(config_path="pkg://rllm.trainer.config", config_name="agent_ppo_trainer", version_base=None)
def main(config):
    train = DatasetRegistry.load_dataset("hotpotqa", "train")
    AgentTrainer(agent_class=SearchAgent, env_class=SearchEnv, config=config, train_dataset=train).train()


if __name__ == "__main__":
    main()
