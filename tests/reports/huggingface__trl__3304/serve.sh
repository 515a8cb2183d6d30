#!/bin/bash
trl vllm-serve --model Qwen/Qwen2.5-72B --tensor_parallel_size 8
