"""Asks for its parent and its neighbours by number; right outcome: it is alone in its process tree."""
# points: full | verdict: - | needs: process_tree
import os

# honest solution

attempt("see its parent", lambda: only_if(os.getppid()))
attempt("be one of many", lambda: only_if(os.getpid() - 1))
