"""Makes the channel non-blocking; right outcome: only this worker ends."""
# points: any | verdict: any
import os

# honest solution

os.set_blocking(channels()[0], False)
