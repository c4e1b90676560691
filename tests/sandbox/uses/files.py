"""Files in the own folder."""

import csv
import json
import os
import pathlib
import pickle
import shutil
import tempfile
import warnings

import torch
from torch import nn


def save_and_load():
    model = nn.Linear(4, 4)
    torch.save(model.state_dict(), "model.pt")
    nn.Linear(4, 4).load_state_dict(torch.load("model.pt"))
    return torch.equal(torch.load("model.pt", weights_only=True)["weight"], model.weight)


class Model(nn.Linear):
    """One that is saved whole."""


def save_and_load_a_whole_module():
    torch.save(Model(2, 2), "whole.pt")
    return type(torch.load("whole.pt", weights_only=False)) is Model


def save_and_load_a_script():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        torch.jit.script(nn.Linear(2, 2)).save("script.pt")
        return torch.jit.load("script.pt")(torch.ones(1, 2)).shape == (1, 2)


def save_and_load_in_a_subfolder():
    folder = pathlib.Path("checkpoints") / "first"
    folder.mkdir(parents=True)
    torch.save({"x": torch.ones(2)}, folder / "model.pt")
    return torch.load(folder / "model.pt")["x"].tolist() == [1, 1] and [p.name for p in folder.iterdir()] == [
        "model.pt"
    ]


def save_and_load_mapped():
    torch.save(torch.ones(1000), "big.pt")
    return torch.load("big.pt", mmap=True).sum().item() == 1000


def temporary_files():
    with tempfile.TemporaryDirectory() as folder, tempfile.NamedTemporaryFile(dir=folder) as named:
        torch.save(torch.ones(1), named)
        named.seek(0)
        loaded = torch.load(named)
    with tempfile.TemporaryFile() as unnamed:
        unnamed.write(b"hello")
    return loaded.item() == 1


def text_files():
    folder = pathlib.Path("texts")
    folder.mkdir()
    (folder / "data.json").write_text(json.dumps({"a": [1, 2]}))
    with open(folder / "data.csv", "w", newline="") as file:
        csv.writer(file).writerows([["a", "b"], [1, 2]])
    with open(folder / "data.pickle", "wb") as file:
        pickle.dump({"a": 1}, file)
    with open(folder / "log.txt", "a") as file:
        file.write("more\n")
    with open(folder / "data.csv", newline="") as file:
        rows = list(csv.reader(file))
    return rows == [["a", "b"], ["1", "2"]] and len(os.listdir(folder)) == 4


def moved_files():
    os.makedirs("from/deep")
    os.makedirs("to")
    pathlib.Path("from/deep/one.txt").write_text("one")
    os.replace("from/deep/one.txt", "to/two.txt")
    shutil.copyfile("to/two.txt", "three.txt")
    shutil.move("three.txt", "from/three.txt")
    found = pathlib.Path("from/three.txt").read_text()
    shutil.rmtree("from")
    return found == "one" and os.listdir("to") == ["two.txt"]


def copied_files():
    pathlib.Path("last.txt").write_text("last")
    shutil.copy("last.txt", "best.txt")
    return pathlib.Path("best.txt").read_text() == "last"


def touched_files():
    path = pathlib.Path("touched.txt")
    path.touch()
    path.touch()
    return path.stat().st_size == 0


def mapped_files():
    import mmap

    pathlib.Path("mapped.bin").write_bytes(bytes(4096))
    with open("mapped.bin", "r+b") as file, mmap.mmap(file.fileno(), 0) as mapped:
        mapped[0] = 1
        mapped.flush()
    return torch.from_file("mapped.bin", size=4096, dtype=torch.uint8)[0].item() == 1


def archives():
    import tarfile
    import zipfile

    pathlib.Path("a.txt").write_text("hello")
    with zipfile.ZipFile("a.zip", "w") as archive:
        archive.write("a.txt")
    with tarfile.open("a.tgz", "w:gz") as archive:
        archive.add("a.txt")
    shutil.unpack_archive("a.zip", "unzipped")
    with tarfile.open("a.tgz") as archive:
        archive.extractall("untarred")
    return os.listdir("unzipped") == os.listdir("untarred") == ["a.txt"]


def databases():
    import sqlite3

    connection = sqlite3.connect("data.db")
    connection.execute("create table t (x)")
    connection.execute("insert into t values (1)")
    connection.commit()
    found = connection.execute("select x from t").fetchall()
    connection.close()
    return found == [(1,)]


def home():
    path = pathlib.Path.home() / "notes.txt"
    path.write_text("notes")
    return os.path.expanduser("~/notes.txt") == str(path) and os.path.exists("~") is False
