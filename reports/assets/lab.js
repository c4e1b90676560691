// Nothing on this page needs a script.
