"""`score` and `lint_matrix`: the pure rules from the command line, without a database."""
