"""Other autograders on the same checks, one test for each check: what one submission costs them.

Each is installed by pip into an environment of its own, which borrows torch and the checks from ours by a `.pth` file.
`case` is what their tests call; `folders` writes what each of them wants to find.
"""
