MODEL=meta-llama/Meta-Llama-3-8B-Instruct
vllm serve $MODEL --tensor-parallel-size 3
