"""Foundations of all routes of the app: addresses, answers, visitors and their limits, worker threads, scripts; and the
keys of a session. It imports from no other package of the pages.
"""
