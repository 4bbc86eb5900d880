"""What is sent past the script and received by a browser: frames of trainings as they go, and films."""
