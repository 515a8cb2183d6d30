N_LAYERS=${LAYERS:-32}
MODEL_ARGS=(
   --num-layers $N_LAYERS
   --hidden-size 2048
)
