"""Drawing in the browser: ES modules named for what they draw, and the values that they take from Python."""
