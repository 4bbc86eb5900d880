"""What every route of the app is made with, whatever it serves: addresses, answers, visitors and their limits, worker
threads, scripts; and what a session keeps. It imports from no other room of the pages.
"""
