"""Shared by pages, views and routes: the session and its engine, choices in the address, texts and small pictures."""
