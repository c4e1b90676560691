class ResidualAdd:
    pass
