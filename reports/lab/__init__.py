"""What the experiments of `grade lab` found: one page, and tables in a terminal."""
