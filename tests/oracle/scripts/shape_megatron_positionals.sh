#!/bin/bash
# Positional parameters decide which strings of options are put together.
TP=${1:-2}
PP=${2:-1}
SP=${3:-true}
AC=${4:-sel}
if [ $SP = true ] && [ $TP -gt 1 ]; then
    sp_options=" \
		    --sequence-parallel"
elif [ $SP = false ]; then
    sp_options=" \
                    "
fi
if [ $AC = full ]; then
    activation_options=" \
        --recompute-method uniform \
        --recompute-granularity full"
elif [ $AC = sel ]; then
    activation_options=" \
        --recompute-activations"
fi
options=" \
        --tensor-model-parallel-size ${TP} \
        --pipeline-model-parallel-size ${PP} \
        --seed 1234"
run_cmd="torchrun --nproc_per_node 8 train.py
 ${options} ${activation_options} ${sp_options}"
echo ${run_cmd}
eval ${run_cmd}
