"""What pages, views and routes share: the session and its engine, choices in the address, texts and small pictures."""
