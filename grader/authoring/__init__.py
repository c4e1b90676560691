"""For authors: stubs, notebooks and publishing."""
