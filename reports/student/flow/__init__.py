"""A formula as a drawing of boxes and arrows: read, compared with the one asked for, placed, told in words."""
