"""Router and softmax precision of mixture-of-experts models. The same as `grpolint moe`."""

from _grpolint import run

run("moe")
