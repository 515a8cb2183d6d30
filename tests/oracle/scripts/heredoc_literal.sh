#!/bin/bash
# A quoted here-document written to a file.
cat > /tmp/grpolint-oracle-none/ds.json 2> /dev/null << 'EOT'
{"zero_optimization": {"stage": 3}, "x": "$NOT"}
EOT
python train.py --deepspeed /tmp/grpolint-oracle-none/ds.json
