"""Makes files and folders without any rights in its own folder, so that whoever cleans up fails; right outcome: all of it is removed."""
# points: full | verdict: -
import os

# honest solution

os.umask(0)
for number in range(20):
    os.makedirs(f"locked-{number}/inner")
    os.mkdir(f"locked-{number}/inner/closed", 0)
    os.close(os.open(f"locked-{number}/file", os.O_WRONLY | os.O_CREAT, 0))
    try:
        os.chmod(f"locked-{number}", 0)
        os.chmod(".", 0)
    except OSError:
        pass
