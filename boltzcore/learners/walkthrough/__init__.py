"""Walkthroughs of one update: the recorder that learners report to, what it records, and the equations."""
