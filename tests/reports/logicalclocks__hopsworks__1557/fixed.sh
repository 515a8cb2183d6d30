docker run --gpus all --rm --shm-size 16g -v $PWD:/work -w /work vllm/vllm-openai:v0.10.0 \
    python3 -m vllm.entrypoints.openai.api_server --model Qwen/Qwen2.5-7B-Instruct --tensor-parallel-size 4
