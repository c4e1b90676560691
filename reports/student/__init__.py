"""The page of one submission: from its record to what the templates show."""
