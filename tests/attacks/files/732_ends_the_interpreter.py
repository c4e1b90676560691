"""Ends Python from C, from a thread and by finalising it; right outcome: only this worker ends."""
# points: none | verdict: any
import ctypes
import threading

# honest solution

threading.Thread(target=ctypes.pythonapi.Py_FinalizeEx).start()
ctypes.pythonapi.Py_FinalizeEx()
ctypes.CDLL(None).exit(0)
