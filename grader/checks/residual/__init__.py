"""Residual halves and the blocks made of two: what they compute, where they drop, where their gradients are lost."""
