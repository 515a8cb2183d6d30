#!/bin/bash
vllm serve meta-llama/Llama-3.1-8B-Instruct --port 8000
