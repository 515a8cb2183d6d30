#!/bin/bash
# A loop over an array and over its indices; break and continue.
TASKS=(math code chat skip end)
for T in "${TASKS[@]}"; do
  [ $T = code ] && continue
  if [[ $T == skip ]]; then break; fi
  python eval.py --task $T
done
for i in "${!TASKS[@]}"; do
  if (( i == 4 )); then python last.py --index $i --task ${TASKS[$i]}; fi
done
