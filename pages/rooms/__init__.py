"""Rooms of a class, which answers together: what is kept of them, a light page for phones, and the teacher's part."""
