"""What moves on a page: frames made beside the script, sent by a route of their own and drawn in place."""
