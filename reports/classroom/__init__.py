"""The page of a class: from many records to what an instructor sees first."""
