# -*- coding: latin-1 -*-
class ResidualAdd:
    pass
