"""Confinement of a worker: one file per layer, put together in `layers`. All but `environment` need Linux."""
