class ResidualAdd:
    """Grüße"""
