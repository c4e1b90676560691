"""Reports exceptions that never happened, with places in other files and texts for the page; right outcome: inert text."""
# points: none | verdict: any
import sys

# honest solution

m, channel = protocol(), sys.modules["grader.sandbox.worker.channel"]
send, started = channel.Channel.send, []
evil = "<script>alert(1)</script>\x1b]8;;http://x\x07\u202e::error::x"


def lying(self, message):
    if len(started) > 0 and type(message).__name__ == "Done":
        places = [m.Place("/etc/passwd<b>", 3, 2**31, evil), m.Place("residual_add.py", None, 10**6, evil)] * 25
        message = m.Raised(evil, evil * 10, places)
    started.append(1)
    send(self, message)


channel.Channel.send = lying
