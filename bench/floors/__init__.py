"""What the checks cost by themselves: the same checks on the same submissions, with nothing between them and the code.

`direct` answers for a student in the process of the checks, `seat` runs whole submissions so (one warm process, or a
bare fork for each), `with_pytest` gives the checks to an ordinary pytest. All of it lets a student's program do
whatever it likes: it is for files of this repository only, and in a process of its own.
"""
