"""What the page Papers shows of one figure or table: its charts, its rows, and what it may be opened as."""
