"""Rules on Ascend NPUs: vllm-ascend and MindIE."""
