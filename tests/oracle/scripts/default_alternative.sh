#!/bin/bash
# :+ gives a word only for what is set.
LORA=16
python train.py ${LORA:+--lora_rank "$LORA"} ${QLORA:+--qlora} "${LORA+set}" "${QLORA+set}"
