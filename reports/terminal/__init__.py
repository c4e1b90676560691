"""What the commands print, and how far they are: one module for each kind of output."""
