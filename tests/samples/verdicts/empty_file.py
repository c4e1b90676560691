# verdict: not_run | costs: all | says: holds no code

