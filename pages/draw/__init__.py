"""What draws in a browser: ES modules named for what they draw, and what they take from Python."""
