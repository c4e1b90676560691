"""Opens a file that nobody may open, and one that belongs to root, as only root's capabilities allow; right outcome: refused."""
# points: full | verdict: -
import os

# honest solution

os.close(os.open("nobody", os.O_WRONLY | os.O_CREAT, 0))
attempt("open what nobody may open", lambda: open("nobody", "r+b").close())
os.mkdir("closed", 0)
attempt("list what nobody may list", lambda: os.listdir("closed"))
