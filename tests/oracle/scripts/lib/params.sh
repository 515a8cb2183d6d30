PARAM_N=$1
PARAM_W=${2:-none}
