"""Starts a trainer of its own on verl's configuration."""

import hydra


@hydra.main(config_path="config", config_name="self_play_trainer", version_base=None)
def main(config):
    """Train against a former self."""
    print(config)


if __name__ == "__main__":
    main()
