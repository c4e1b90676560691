"""Fills its folder with files of the allowed size; right outcome: the folder has a bound."""
# points: full | verdict: - | needs: folder_quota
import os

# honest solution


def fill():
    for number in range(16):  # 240 MiB
        with open(f"part-{number}", "wb") as file:
            for _ in range(15):
                file.write(b"x" * (1 << 20))
    return number


attempt("write 240 MiB", fill)
