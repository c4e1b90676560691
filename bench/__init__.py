"""The figures that we quote, reproducible: `python -m bench` prints them as one table."""
