"""Experiments on a submission that cost no points: gradients by depth, a block without its residuals, GPT-2 small.

`experiments` is the way of one command; `judge` is the process that runs them, with one file for each experiment.
"""
