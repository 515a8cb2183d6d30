COMMON_TP=4
export COMMON_EXPORT="from common"
COMMON_ARGS=(
  --max-tokens 4096
  --tp $COMMON_TP
)
