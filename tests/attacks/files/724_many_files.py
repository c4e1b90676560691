"""Makes ten thousand empty files and folders; right outcome: their number has a bound."""
# points: full | verdict: - | needs: folder_quota
import os

# honest solution


def many():
    for number in range(5_000):
        open(f"file-{number}", "w").close()
        os.mkdir(f"folder-{number}")
    return number


attempt("make 10,000 files", many)
