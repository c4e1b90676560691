"""Leaves temporary files, folders and open handles; right outcome: all of it goes with the worker."""
# points: full | verdict: -
import os
import tempfile

# honest solution

for number in range(20):
    tempfile.mkstemp(prefix=MARK)
    os.makedirs(tempfile.mkdtemp(prefix=MARK) + "/a/b/c")
