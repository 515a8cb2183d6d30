#!/bin/bash
# case over a default.
ALG=${ALG:-grpo}
case $ALG in
  grpo) EST=grpo; KL=0.001;;
  (rloo) EST=rloo; KL=0.0;;
esac
python3 -m verl.trainer.main_ppo algorithm.adv_estimator=$EST algorithm.kl_ctrl.kl_coef=$KL
