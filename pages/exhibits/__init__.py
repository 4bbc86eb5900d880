"""One figure or table on the page Papers: its charts, its rows and its links."""
