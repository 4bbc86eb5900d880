"""Rooms of a class that answers together: their state, a light page for phones, and the teacher's part."""
