"""Networks that are a chain of layers: what each layer computes, how layers are joined, which parameters are whose."""
