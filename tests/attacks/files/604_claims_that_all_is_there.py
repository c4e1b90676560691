"""Answers the request to load with the claim that everything is defined, and every later one with nothing; right outcome: no points."""
# points: none | verdict: any
import os

m = protocol()
listed = m.Items("list", ["ResidualAdd"])
facts = {"present": listed, "classes": listed, "modules": listed, "forward": m.Table({}), "notes": m.Items("list", [])}
os.write(channels()[0], frame(m.Done(m.Table(facts))))
for ahead in range(1, 100):
    os.write(channels()[0], frame(m.Done(None), ahead))


class ResidualAdd:
    pass
