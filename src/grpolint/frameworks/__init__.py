"""One folder per framework: how its launches are recognised, how its settings are composed, which facts they yield."""
