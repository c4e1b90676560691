"""Takes in what students hand in: bytes nobody vouches for become a Submission, and nothing of them is run."""

from grader.intake.submission import accept, accept_contents

__all__ = ["accept", "accept_contents"]
