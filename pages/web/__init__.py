"""What every route of the app is made with, whatever it serves: addresses, answers, visitors and their limits, worker
threads, tokens, scripts. It knows nothing of trainings, and imports from no other room of the pages.
"""
