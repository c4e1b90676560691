"""Packages that may be installed; the grader needs none of them."""

import importlib.util
import os

import torch


def optional_packages():
    """Where they are installed; the grader needs none of them."""
    for name in ("numpy", "tqdm", "matplotlib.pyplot", "pandas", "einops"):
        if importlib.util.find_spec(name.partition(".")[0]) is not None:
            importlib.import_module(name)
    return True


def arrays():
    if importlib.util.find_spec("numpy") is None:
        return True
    import numpy as np

    np.save("array.npy", np.random.default_rng(0).standard_normal((50, 50)))
    array = np.load("array.npy", mmap_mode="r")
    return np.linalg.svd(array)[1].shape == (50,) and torch.from_numpy(np.array(array)).shape == (50, 50)


def plots():
    if importlib.util.find_spec("matplotlib") is None:
        return True
    from matplotlib import pyplot

    pyplot.plot([1, 2])
    pyplot.savefig("plot.png")
    pyplot.show()
    return os.path.getsize("plot.png") > 0


def progress_bar():
    if importlib.util.find_spec("tqdm") is None:
        return True
    from tqdm.auto import tqdm

    return sum(tqdm(range(3))) == 3
