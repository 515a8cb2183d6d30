from jobs.flow import SolverWorkflow
from rllm.experimental.unified_trainer import AgentTrainer

import hydra


@hydra.main(config_path="pkg://rllm.experimental.config", config_name="unified", version_base=None)
def main(config):
    AgentTrainer(workflow_class=SolverWorkflow, config=config, backend=config.rllm.backend).train()


if __name__ == "__main__":
    main()
